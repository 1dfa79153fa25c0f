"""What only the provider of a message understands, on its way through a turn.

TRN-036, and definitions "opaque value", which is carried and never read, "refusal of a message".
"""

from collections.abc import Mapping, Set
from typing import Final, TypedDict

from commoncall.envelope import MARK
from commoncall.json_text import as_text, is_blank, too_deep
from commoncall.payload.foreign_members import WIRE, refusal_in
from commoncall.payload.messages import is_text_part, is_visible
from commoncall.payload.profile import Profile
from commoncall.places import Findings, Place

CARRIED_DEPTH: Final = 32
"""How deep a value may nest: far deeper, and no later request could hold it."""

_NEVER_OPAQUE: Final = WIRE | {MARK, "text", "truncated", "refusal"}
"""The members of a message that have a meaning, so that they are never opaque."""


REASONING: Final = ("reasoning_content", "reasoning", "thinking")
"""The members in which a server puts what it takes for reasoning."""


class OpaqueOfMessage(TypedDict, total=False):
    """The opaque members of a message."""

    members: dict[str, object]


class OpaqueOfCall(TypedDict, total=False):
    """The opaque members of a call, and of its `function`."""

    call: dict[str, object]
    function: dict[str, object]


def opaque_of_message(
    message: Mapping[str, object], profile: Profile, findings: Findings
) -> tuple[str | None, str, OpaqueOfMessage]:
    """Return the text of a message (TRN-036), its refusal or "", and what is opaque in it."""
    place: Place = ("message",)
    opaque: OpaqueOfMessage = {}
    if members := _carried(message, carried_names(profile), place, findings):
        opaque["members"] = members
    given, refusal = message["text"], message.get("refusal")
    refusals = [refusal] if isinstance(refusal, str) and refusal else []
    texts = [given] if isinstance(given, str) else []
    for number, part in enumerate(given if isinstance(given, list) else ()):
        if is_text_part(part):
            texts.append(part["text"])
        elif words := refusal_in(part):
            refusals.append(words)
        else:
            findings.add((*place, "text", number), "part_unknown")
    text = "\n".join(texts) if texts else None
    return text, "\n".join(dict.fromkeys(refusals)), opaque


def hidden_text(
    message: Mapping[str, object], text: str | None, refusal: str
) -> tuple[str, str] | None:
    """Return the hidden text of a message and the name of its member, or None."""
    if refusal or message["tool_calls"] or not (text is None or is_blank(text)):
        return None
    found = ((message.get(name), name) for name in REASONING)
    return next(((one, name) for one, name in found if is_visible(one)), None)


def carried_names(profile: Profile) -> Set[str]:
    """Return the names of the members of a message that a profile wants back."""
    return (profile.opaque_members | profile.readable_members) - _NEVER_OPAQUE


def opaque_of_call(
    call: object, profile: Profile, place: Place, findings: Findings
) -> OpaqueOfCall:
    """Return what is opaque in a native call."""
    opaque: OpaqueOfCall = {}
    names = profile.opaque_members - WIRE
    function = call.get("function") if isinstance(call, dict) else None
    if members := _carried(call, names, place, findings):
        opaque["call"] = members
    if members := _carried(function, names, (*place, "function"), findings):
        opaque["function"] = members
    return opaque


def _carried(given: object, names: Set[str], place: Place, findings: Findings) -> dict[str, object]:
    members: dict[str, object] = {}
    for name, value in given.items() if isinstance(given, dict) else ():
        if name in names and _is_lost(value):
            findings.add((*place, name), "opaque_removed")
        elif name in names:
            members[name] = value
    return members


def _is_lost(value: object) -> bool:
    """Tell whether a value nests too deep, or is no JSON, so that no store could hold it."""
    return too_deep(value, CARRIED_DEPTH) or (value is not None and as_text(value) is None)
