"""What registries say of the models that a request may reach.

Holds `resolve`: CAP-001, CAP-005 and CAP-022 of spec/v1/capability.md. One registry is
``registry.py``.
"""

from collections.abc import Sequence
from typing import Literal, TypedDict

from commoncall.capability.registry import Held, Rank, Registry
from commoncall.capability.registry_document import fold
from commoncall.stated_capability import CHOICES, ChoiceKind

Reason = Literal[
    Rank,
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
    """A capability, which is the first three members, and why it is that. None in ``tool_choice``
    and ``parallel_tool_calls`` means that nothing is stated; None in ``matched`` no hit.
    """

    tool_calls_supported: bool
    tool_choice: list[ChoiceKind] | None
    parallel_tool_calls: bool | None
    reason: Reason
    matched: list[Match | None]


_Search = tuple[Reason, int, Held | None, bool]
"""How the search of one target ended: the reason, the layer, its hit, and whether it is open."""


def resolve(registries: Sequence[Registry | None], targets: Sequence[object]) -> Resolution:
    """Say what all the models that a request may reach have in common; unknown is closed.

    Args:
        registries: what `load_registry` returned for each document, the first before the others;
            None closes every target whose search comes to it (CAP-001).
        targets: any JSON; meant are ``{provider: str, model: str}``.
    """
    supported = bool(targets)
    decisive: Reason | None = None
    matched: list[Match | None] = []
    found: list[Held] = []
    for target in targets:
        reason, layer, held, is_open = _search(registries, target)
        # The first closed target gives the reason, else the first (CAP-005).
        if decisive is None or (supported and not is_open):
            decisive = reason
        supported = supported and is_open
        if held is None:
            matched.append(None)
        else:
            matched.append({"layer": layer, "key": held.key})
            found.append(held)
    return {
        "tool_calls_supported": supported,
        "tool_choice": _common_choices(found) if supported else [],
        "parallel_tool_calls": _common_parallel(found) if supported else False,
        "reason": decisive or "no_target",
        "matched": matched,
    }


def _search(registries: Sequence[Registry | None], target: object) -> _Search:
    members = target if isinstance(target, dict) else {}
    name, model = members.get("provider"), members.get("model")
    if not isinstance(name, str) or not name:
        return "unknown_provider", 0, None, False
    if not isinstance(model, str) or not model:
        return "unknown_model", 0, None, False
    reason: Reason = "unknown_provider"
    for layer, registry in enumerate(registries):
        if registry is None:
            return "registry_invalid", layer, None, False
        provider = registry.providers.get(fold(name))
        if provider is None:
            continue
        reason = "unknown_model"
        if held := provider.find(model):
            reason = "malformed_entry" if held.malformed else held.rank
            return reason, layer, held, held.supported
    return reason, 0, None, False


def _common_choices(found: Sequence[Held]) -> list[ChoiceKind] | None:
    stated = [held.choices for held in found if held.choices is not None]
    if not stated:
        return None
    return [choice for choice in CHOICES if all(choice in choices for choices in stated)]


def _common_parallel(found: Sequence[Held]) -> bool | None:
    stated = [held.parallel for held in found]
    if False in stated:
        return False
    return None if None in stated else True
