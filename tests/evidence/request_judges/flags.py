"""The flags of a profile as the judge takes them, and what it says of a request.

The names are those of `schemas/v1/formats/profile.schema.json`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

Flags = Mapping[str, Any]

COMMON: Final[Flags] = {
    "strict_field": "any",
    "parallel_field": True,
    "name_start": "any",
    "max_tools": None,
    "max_description": None,
    "ids": "any",
    "content_beside_calls": "any",
    "result_content": "any",
    "result_name": "any",
    "developer_role": True,
    "system_anywhere": True,
    "repeated_roles": True,
    "calls_in_message": "any",
    "user_after_tool": True,
    "unknown_members": "any",
    "opaque_members": (),
    "opaque_parts": (),
}
"""The flags where no profile is given: only what nobody takes is refused."""

STRICTEST: Final[Flags] = {
    "strict_field": "none",
    "parallel_field": False,
    "name_start": "letter",
    "max_tools": 128,
    "max_description": 1024,
    "ids": "alphanumeric_9",
    "content_beside_calls": "string",
    "result_content": "string",
    "result_name": "call",
    "developer_role": False,
    "system_anywhere": False,
    "repeated_roles": False,
    "calls_in_message": "one",
    "user_after_tool": False,
    "unknown_members": "none",
    "opaque_members": (),
    "opaque_parts": (),
}
"""The flags of the empty profile: what one provider refuses is refused."""


class Violation(NamedTuple):
    """A rule that a request breaks, and where: a path into the request, for people."""

    rule: str
    at: str


def flags_of(profile: Flags | None) -> Flags:
    """Return all flags: the common ones without a profile, else the strictest that it eases."""
    return COMMON if profile is None else {**STRICTEST, **profile}


def is_sent_name(name: object, flags: Flags) -> bool:
    """Tell whether a tool can have this name (rule R-5)."""
    start = {"any": "A-Za-z0-9_-", "letter": "A-Za-z"}
    if not isinstance(name, str) or not 1 <= len(name) <= 64:
        return False
    return _consists_of(start[flags["name_start"]], name[0]) and _consists_of("A-Za-z0-9_-", name)


def is_filled_list(value: object) -> bool:
    """Tell whether a value is a list with an element."""
    return isinstance(value, list) and bool(value)


def _consists_of(characters: str, text: str) -> bool:
    return re.fullmatch(f"[{characters}]*", text) is not None
