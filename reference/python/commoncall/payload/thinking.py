"""Whether a model thinks before it answers a request, as far as the request says so.

Holds the definition "thinking" of spec/v1/payload.md, and how a request says no (PAY-042).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from commoncall.places import Place

_CARRIERS: Final = frozenset({"extra_body", "chat_template_kwargs"})
"""Where an SDK, a gateway or a server looks for further members of a request."""

_NAMES: Final = ("thinking", "enable_thinking", "reasoning_effort")
_FREE: Final = ("disabled", "adaptive")
"""Beside these a choice can be forced: a model that adapts need not think."""


def thinks(request: Mapping[str, object], unasked: bool) -> bool:
    """Tell whether a request asks for thinking; ``unasked``: what holds where it says nothing."""
    said = [*_said(request)]
    return any(said) if said else unasked


def without_thinking(
    request: Mapping[str, object], unasked: bool
) -> tuple[dict[str, object], list[Place]]:
    """Return a request that does not ask for thinking, and the places where it changed."""
    places: list[Place] = []
    quiet = _quiet(request, (), places)
    if unasked and not [*_said(quiet)]:
        carrier = quiet.get("extra_body")
        # An SDK that takes this carrier raises for the member elsewhere.
        if isinstance(carrier, dict):
            quiet["extra_body"] = {**carrier, "thinking": {"type": "disabled"}}
            places.append(("extra_body", "thinking"))
        else:
            quiet["thinking"] = {"type": "disabled"}
            places.append(("thinking",))
    return quiet, places


def _said(members: Mapping[str, object]) -> Iterator[bool]:
    """Yield what each thinking member says: that the model thinks, or that it need not."""
    for name in _NAMES:
        says = _saying(name, members.get(name))
        if says is not None:
            yield says
    for name in _CARRIERS:
        inner = members.get(name)
        if isinstance(inner, dict):
            yield from _said(inner)


def _saying(name: str, value: object) -> bool | None:
    """Return what a member with the name of a thinking member says, if it says something."""
    match value:
        case bool():
            return value
        case {"type": str(kind)}:
            return kind not in _FREE
        case str() if name == "reasoning_effort":
            return value != "none"
    return None


def _quiet(members: Mapping[str, Any], place: Place, places: list[Place]) -> dict[str, object]:
    """Return members in which none asks for thinking, and add the places of those that did."""
    quiet = dict(members)
    for name, value in members.items():
        if name in _CARRIERS and isinstance(value, dict):
            quiet[name] = _quiet(value, (*place, name), places)
        if name in _NAMES and _saying(name, value):
            places.append((*place, name))
            del quiet[name]
            # An endpoint that has no word for no effort refuses it.
            if not isinstance(value, str):
                quiet[name] = False if value is True else {"type": "disabled"}
    return quiet
