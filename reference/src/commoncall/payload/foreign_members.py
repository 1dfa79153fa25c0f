"""Members and parts of a history that only some providers take: which of them stay.

Holds the definitions "wire member", "common member", "opaque member", "opaque part", "mark" and
"message from here", and PAY-137 to PAY-142. What only removes things and never judges a call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from commoncall.envelope import Finding
from commoncall.payload.messages import Message, is_text_part
from commoncall.payload.profile import Profile
from commoncall.places import Place, finding

WIRE: Final = frozenset(
    {
        "arguments",
        "content",
        "function",
        "function_call",
        "id",
        "name",
        "role",
        "tool_call_id",
        "tool_calls",
        "type",
    }
)
"""The members without which a history cannot be read: never opaque, and never a mark."""

COMMON: Final[Mapping[str, frozenset[str]]] = {
    "system": frozenset({"role", "content"}),
    "developer": frozenset({"role", "content"}),
    "user": frozenset({"role", "content"}),
    "assistant": frozenset({"role", "content", "tool_calls"}),
    "tool": frozenset({"role", "content", "tool_call_id", "name"}),
}
"""The members that every provider takes in a message of a role (definition "common member")."""

COMMON_IN_CALL: Final = frozenset({"id", "type", "function"})
COMMON_IN_FUNCTION: Final = frozenset({"name", "arguments"})


def touches_members(profile: Profile) -> bool:
    """Tell whether a profile can ask for a member or a part of a message to go."""
    return bool(
        profile.unknown_members == "none"
        or profile.opaque_members
        or profile.opaque_parts
        or profile.origin_member is not None
    )


def is_from_here(message: object, profile: Profile) -> bool:
    """Tell whether a message came from where the request goes (definition "message from here")."""
    if profile.origin is None or not isinstance(message, dict):
        return False
    mark = _mark(message, profile)
    here = {"provider": profile.origin.provider, "model": profile.origin.model}
    return mark is None or message[mark] == here


def without_foreign(
    message: Message, place: Place, profile: Profile, findings: list[Finding]
) -> Message:
    """Return a message without the members and parts that may not be sent; calls are left alone.

    A message that loses nothing is the object that was given.
    """
    from_here = is_from_here(message, profile)
    if mark := _mark(message, profile):
        findings.append(finding((*place, mark), "origin_removed"))
        message = {name: value for name, value in message.items() if name != mark}
    role = str(message["role"])
    kept = common_members(message, COMMON[role], place, profile, from_here, findings)
    content = kept.get("content")
    if role != "assistant" or not isinstance(content, list):
        return kept
    parts = _parts(content, (*place, "content"), profile, from_here, findings)
    if len(parts) == len(content):
        return kept
    # An empty list beside calls is refused where null is taken (PAY-139).
    return {**kept, "content": parts or None}


def common_members(
    given: Message,
    common: frozenset[str],
    place: Place,
    profile: Profile,
    from_here: bool,
    findings: list[Finding],
) -> Message:
    """Return what may be sent of a message, a call or a function (PAY-137, PAY-140, PAY-141)."""
    if given.keys() <= common:
        return given
    opaque = (given.keys() & profile.opaque_members) - WIRE
    gone = set() if from_here else opaque
    findings.extend(finding((*place, name), "opaque_removed") for name in gone)
    if profile.unknown_members == "none" and (unknown := given.keys() - common - opaque):
        # Not its name: a server that writes arguments beside `arguments` makes it one of theirs.
        findings.append(finding(place, "members_unknown"))
        gone = gone | unknown
    return {name: value for name, value in given.items() if name not in gone} if gone else given


def is_opaque_part(part: object, profile: Profile) -> bool:
    """Tell whether a part is of a type that the profile names (definition "opaque part")."""
    kind = part.get("type") if isinstance(part, dict) else None
    return isinstance(kind, str) and kind != "text" and kind in profile.opaque_parts


def _parts(
    content: list[object],
    place: Place,
    profile: Profile,
    from_here: bool,
    findings: list[Finding],
) -> list[object]:
    parts = []
    for number, part in enumerate(content):
        if is_opaque_part(part, profile):
            code = "" if from_here else "opaque_removed"
        else:
            unknown = not is_text_part(part)
            code = "part_unknown" if unknown and profile.unknown_members == "none" else ""
        if code:
            findings.append(finding((*place, number), code))
        else:
            parts.append(part)
    return parts


def _mark(message: Message, profile: Profile) -> str | None:
    """Return the name of the member in which a message says where it came from, if it does."""
    name = profile.origin_member
    return name if name is not None and name in message and name not in WIRE else None
