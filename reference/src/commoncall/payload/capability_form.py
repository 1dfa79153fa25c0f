"""What a capability allows, read closed: what is not plainly allowed is not allowed.

Definitions "supported", "offered choice" and "offered parallel calls" of spec/v1/payload.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

ChoiceKind = Literal["auto", "none", "required", "named"]

CHOICE_KINDS: Final[frozenset[object]] = frozenset(("auto", "none", "required", "named"))


@dataclass(frozen=True, slots=True)
class Support:
    """What a model takes. ``choices`` is None where the capability states no list."""

    tools: bool
    choices: frozenset[object] | None
    parallel: bool

    def offers(self, kind: ChoiceKind) -> bool:
        """Tell whether a request may have a choice of this kind."""
        return self.choices is None or kind in self.choices


UNSUPPORTED: Final = Support(tools=False, choices=frozenset(), parallel=False)


def read_capability(capability: object) -> Support:
    """Read a capability, which can be any JSON.

    Meant is ``{tool_calls_supported, tool_choice?, parallel_tool_calls?}``.
    """
    # The identity matters: 1 == True in Python, and "true" is true in many languages.
    if not isinstance(capability, dict) or capability.get("tool_calls_supported") is not True:
        return UNSUPPORTED
    parallel = capability.get("parallel_tool_calls")
    return Support(
        tools=True,
        choices=_choices(capability.get("tool_choice")),
        parallel=parallel is None or parallel is True,
    )


def _choices(stated: object) -> frozenset[object] | None:
    if stated is None:
        return None
    # One word that nobody knows makes the whole list worth nothing.
    known = isinstance(stated, list) and all(
        isinstance(kind, str) and kind in CHOICE_KINDS for kind in stated
    )
    return frozenset(stated) if known and isinstance(stated, list) else frozenset()
