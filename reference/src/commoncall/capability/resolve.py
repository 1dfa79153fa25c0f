"""What registries say of the models that a request may reach.

Holds `resolve` and its parts only: CAP-001 to CAP-022 of spec/v1/capability.md. What a registry
holds for one model is in ``registry.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from commoncall.capability.registry import Held, Rank, Registry, fold, is_malformed
from commoncall.stated_capability import CHOICES, stated_choices, stated_parallel, supports

Reason = Literal[
    Rank,
    "inferred_not_allowed",
    "malformed_entry",
    "unknown_model",
    "unknown_provider",
    "registry_invalid",
    "no_target",
]


class Match(TypedDict):
    """Where a hit stands: the position of the registry, and the name that it gives the entry."""

    layer: int
    key: str


class Resolution(TypedDict):
    """A capability and why it is that. None in ``tool_choice`` and ``parallel_tool_calls`` means
    that nothing is stated; None in ``matched`` that a target has no hit.
    """

    tool_calls_supported: bool
    tool_choice: list[str] | None
    parallel_tool_calls: bool | None
    reason: Reason
    matched: list[Match | None]
    inferred: bool


@dataclass(frozen=True, slots=True)
class _Search:
    """How the search of one target ended."""

    reason: Reason
    is_open: bool = False
    layer: int = 0
    held: Held | None = None

    @property
    def match(self) -> Match | None:
        return None if self.held is None else {"layer": self.layer, "key": self.held.key}

    @property
    def inferred(self) -> bool:
        return self.held is not None and _is_inferred(self.held)


def resolve(
    registries: Sequence[Registry | None],
    targets: Sequence[object],
    *,
    allow_inferred: bool = False,
) -> Resolution:
    """Say what all the models that a request may reach have in common; unknown is closed.

    Args:
        registries: what `load_registry` returned for each document, the first before the others;
            None closes every target whose search comes to it (CAP-001).
        targets: any JSON; meant are ``{provider: str, model: str}``.
        allow_inferred: whether a prefix or a provider's default may open a model (CAP-015).

    Returns:
        The resolution, whose first three members are a capability. Raises nothing on JSON input.
    """
    searches = [_search(registries, target, allow_inferred) for target in targets]
    closed = next((search for search in searches if not search.is_open), None)
    supported = bool(searches) and closed is None
    decisive = closed or (searches[0] if searches else _Search("no_target"))
    entries = [search.held.entry for search in searches if search.held]
    return {
        "tool_calls_supported": supported,
        "tool_choice": _common_choices(entries) if supported else [],
        "parallel_tool_calls": _common_parallel(entries) if supported else False,
        "reason": decisive.reason,
        "matched": [search.match for search in searches],
        "inferred": any(search.inferred for search in searches),
    }


def _search(registries: Sequence[Registry | None], target: object, allow_inferred: bool) -> _Search:
    members = target if isinstance(target, dict) else {}
    name, model = members.get("provider"), members.get("model")
    if not isinstance(name, str) or not name:
        return _Search("unknown_provider")
    if not isinstance(model, str) or not model:
        return _Search("unknown_model")
    known = False
    for layer, registry in enumerate(registries):
        if registry is None:
            return _Search("registry_invalid")
        provider = registry.providers.get(fold(name))
        if provider is None:
            continue
        known = True
        if held := provider.find(model):
            reason = _reason(held, allow_inferred)
            is_open = reason == held.rank and supports(held.entry)
            return _Search(reason, is_open, layer, held)
    return _Search("unknown_model" if known else "unknown_provider")


def _reason(held: Held, allow_inferred: bool) -> Reason:
    if is_malformed(held.entry):
        return "malformed_entry"
    if _is_inferred(held) and not allow_inferred and supports(held.entry):
        return "inferred_not_allowed"
    return held.rank


def _is_inferred(held: Held) -> bool:
    return held.rank in ("prefix", "provider_default")


def _common_choices(entries: Sequence[object]) -> list[str] | None:
    stated = [choices for entry in entries if (choices := stated_choices(entry)) is not None]
    if not stated:
        return None
    return [choice for choice in CHOICES if all(choice in choices for choices in stated)]


def _common_parallel(entries: Sequence[object]) -> bool | None:
    stated = [stated_parallel(entry) for entry in entries]
    if False in stated:
        return False
    return None if None in stated else True
