"""Members and parts of a history that only some providers take: which of them stay.

Holds the definitions "wire member", "unknown member", "opaque member", "readable member",
"mark" and "missing member", and PAY-137 and PAY-175.
"""

import operator
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from commoncall.envelope import MARK
from commoncall.payload.messages import Message, is_text_part, is_textless, without
from commoncall.payload.profile import Profile
from commoncall.payload.sanitizing import Run
from commoncall.places import Place

COMMON_IN_CALL: Final = frozenset({"id", "type", "function"})
COMMON_IN_FUNCTION: Final = frozenset({"name", "arguments"})

COMMON: Final[Mapping[str, frozenset[str]]] = {
    "system": frozenset({"role", "content"}),
    "developer": frozenset({"role", "content"}),
    "user": frozenset({"role", "content"}),
    "assistant": frozenset({"role", "content", "tool_calls"}),
    "tool": frozenset({"role", "content", "tool_call_id", "name"}),
}
"""The members that every provider takes in a message of a role (definition "unknown member")."""

WIRE: Final = frozenset({"function_call"}).union(
    COMMON_IN_CALL, COMMON_IN_FUNCTION, *COMMON.values()
)
"""The members without which a history cannot be read: never opaque."""

_NAME: Final = frozenset({"name"})
_NO_NAMES: Final[frozenset[str]] = frozenset()


def is_from_here(message: Any, profile: Profile) -> bool:
    """Tell whether a message came from where the request goes (definition "mark"). Where that is
    not said, nothing is opaque, and nobody asks.
    """
    # Only a mark is believed, and what the caller says of those that have none.
    mark = message.get(MARK, profile.unmarked)
    return bool(mark == profile.origin)


def without_parts(message: Message, place: Place, run: Run) -> Message:
    """Return a message with the parts that may be sent (PAY-137)."""
    role, content = message["role"], message.get("content")
    if role == "tool" or not isinstance(content, list):
        return message
    takes_all = role != "assistant" or run.profile.unknown_members == "any"
    parts = _parts(content, (*place, "content"), run, takes_all=takes_all)
    if len(parts) == len(content) and all(map(operator.is_, parts, content)):
        return message
    # An empty list beside calls is refused where null is taken (PAY-137).
    return {**message, "content": parts or None}


def without_foreign(message: Message, from_here: bool, place: Place, run: Run) -> Message:
    """Return a message without the members that may not be sent; calls are left alone.

    A message that loses nothing is the object that was given. It has lost its mark before.
    """
    profile = run.profile
    role = str(message["role"])
    refused = _NAME if role == "tool" and profile.result_name == "none" else _NO_NAMES
    common = COMMON[role] | readable_names(message, profile)
    return common_members(message, common, place, from_here, run, refused)


def common_members(
    given: Message,
    common: frozenset[str],
    place: Place,
    from_here: bool,
    run: Run,
    refused: frozenset[str] = _NO_NAMES,
) -> Message:
    """Return what may be sent of a message, a call or a function (PAY-137); ``refused`` are common
    members that go nevertheless.
    """
    opaque = opaque_names(given, run.profile)
    kept = {name: _signed(given[name]) if from_here else [] for name in opaque}
    changed = {name: value for name, value in kept.items() if value is not given[name]}
    for name in changed:
        run.report((*place, name), "opaque_removed")
    gone = {name for name, value in changed.items() if not value}
    unknown = given.keys() & refused
    if run.profile.unknown_members == "none":
        unknown |= given.keys() - common - opaque
    if unknown:
        # Not its name: a server that writes arguments beside `arguments` makes it one of theirs.
        run.report(place, "members_unknown")
        gone |= unknown
    return without({**given, **changed} if changed else given, *gone)


def _signed(value: object) -> object:
    """Return what is opaque without the thoughts that nobody signed (PAY-137)."""
    if not isinstance(value, list) or not any(map(_is_unsigned, value)):
        return value
    return [one for one in value if not _is_unsigned(one)]


def _is_unsigned(one: object) -> bool:
    match one:
        case {"type": "thinking", "signature": str(signature)}:
            return not signature
        case {"type": "thinking"}:
            return True
    return False


def with_required(
    alike: Sequence[Any],
    kind: Literal["message", "call"],
    call: Any,
    place: Place | None,
    run: Run,
) -> Any:
    """Return the first of some objects with what is missing in all of them (PAY-175).

    ``call`` is the first call there, None where there is none; ``place`` is None where the
    sanitizer made it: then there is nothing to report.
    """
    first = alike[0]
    for name, required in run.profile.opaque_required.items():
        if required["in"] != kind or not all(_lacks(each, name, required) for each in alike):
            continue
        is_mark = name == MARK and kind == "message"
        if name in WIRE or is_mark or name not in run.profile.opaque_members:
            continue
        known, value = "value" in required, required.get("value")
        sent = _of_call(value, "" if call is None else call["id"])
        if call is None and sent != value:  # There is a place for the id of a call, and no call.
            continue
        if place is not None:
            run.report((*place, name), "opaque_added" if known else "opaque_missing")
        if known:
            first = {**first, name: sent}
    return first


def _lacks(given: Any, name: str, required: Mapping[str, object]) -> bool:
    """Tell whether an object lacks a member (definition "missing member").

    An endpoint that wants a text there takes neither null nor an empty one.
    """
    own = given.get(name)
    if own is not None and own != "":
        return False
    return name not in given or ("value" in required and required["value"] != own)


def _of_call(value: Any, identifier: str) -> Any:
    """Return a value for a missing member, with the id of a call where that leaves a place."""
    elements = value if isinstance(value, list) else [value]
    filled = [
        {**one, "id": identifier} if isinstance(one, dict) and one.get("id", "") is None else one
        for one in elements
    ]
    return filled if isinstance(value, list) else filled[0]


def call_holds_opaque(call: object, profile: Profile) -> bool:
    """Tell whether a call or its `function` has an opaque member."""
    function = call.get("function") if isinstance(call, dict) else None
    return any(isinstance(one, dict) and opaque_names(one, profile) for one in (call, function))


def readable_names(message: Message, profile: Profile) -> set[str]:
    """Return the names of the readable members of a message; opaque ones are asked for before."""
    if message["role"] != "assistant":
        return set()
    return (message.keys() & profile.readable_members) - WIRE


def _parts(content: list[object], place: Place, run: Run, *, takes_all: bool) -> list[object]:
    parts: list[object] = []
    for number, part in enumerate(content):
        if is_text_part(part) or (takes_all and not is_textless(part)):
            parts.append(part)
        elif words := refusal_in(part):
            run.report((*place, number), "content_coerced")
            parts.append({"type": "text", "text": words})
        else:
            run.report((*place, number), "part_unknown")
    return parts


def refusal_in(part: object) -> str:
    """Return what a part says that is a refusal (PAY-137)."""
    match part:
        case {"type": "refusal", "refusal": str(words)}:
            return words
    return ""


def opaque_names(given: Mapping[str, object], profile: Profile) -> set[str]:
    """Return the names of the opaque members of a call, a function, or a message without mark."""
    return (given.keys() & profile.opaque_members) - WIRE
