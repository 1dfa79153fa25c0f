"""Which sections of a prompt a turn may have.

Holds `filter_prompt` and its parts only: CAP-046 of spec/v1/capability.md.
"""

from collections.abc import Sequence, Set
from typing import Literal, TypedDict


class ToolNeed(TypedDict):
    """The need of one tool, by its name."""

    tool: str


Need = Literal["tools", "catalogue", "protocol"] | ToolNeed | None
"""What a turn has to have before a section is of use; None is every turn."""


class Section(TypedDict):
    """One section of a prompt."""

    id: str
    needs: Need
    text: str


class PromptPlan(TypedDict):
    """The part of a `Plan` that decides about the prompt."""

    effective: list[str]
    prompt_catalogue: bool
    prompt_protocol: bool


def filter_prompt(sections: Sequence[Section], plan: PromptPlan) -> list[Section]:
    """Return the sections that a turn has a use for: the given objects, in the given order."""
    effective = frozenset(plan["effective"])
    met = [section for section in sections if _is_met(section["needs"], plan, effective)]
    needs = [section["needs"] for section in met]
    # One section teaches the protocol, and none does it again (CAP-046).
    first = needs.index("protocol") if "protocol" in needs else None
    return [one for at, one in enumerate(met) if needs[at] != "protocol" or at == first]


def _is_met(need: Need, plan: PromptPlan, effective: Set[str]) -> bool:
    if need is None:
        return True
    if isinstance(need, dict):
        return need["tool"] in effective
    wanted = {
        "tools": True,
        "catalogue": plan["prompt_catalogue"],
        "protocol": plan["prompt_protocol"],
    }
    return wanted[need] and bool(effective)
