"""The profile of an endpoint as an input: what it takes that not every provider takes.

Definitions "profile" and "flag" of spec/v1/payload.md; files of `spec/v1/profiles` hold such flags.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

StrictField = Literal["any", "uniform", "none"]
NameStart = Literal["any", "letter"]
Ids = Literal["any", "verbatim", "word_64", "word_40", "alphanumeric_9"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a message came from, or a request goes to."""

    provider: str
    model: str


@dataclass(frozen=True, slots=True)
class Profile:
    """The flags of a profile. The defaults are the strict values, which every provider takes."""

    strict_field: StrictField = "none"
    parallel_field: bool = False
    name_start: NameStart = "letter"
    max_tools: int | None = 128
    max_description: int | None = 1024
    ids: Ids = "alphanumeric_9"
    content_beside_calls: Literal["any", "string"] = "string"
    result_content: Literal["any", "parts", "string"] = "string"
    result_name: Literal["any", "call", "none"] = "call"
    developer_role: bool = False
    system_anywhere: bool = False
    repeated_roles: bool = False
    calls_in_message: Literal["any", "one"] = "one"
    user_after_tool: bool = False
    unknown_members: Literal["any", "none"] = "none"
    opaque_members: frozenset[str] = frozenset()
    opaque_parts: frozenset[str] = frozenset()
    origin: Origin | None = None
    origin_member: str | None = None


UNPROFILED: Final = Profile(
    strict_field="any",
    parallel_field=True,
    name_start="any",
    max_tools=None,
    max_description=None,
    ids="any",
    content_beside_calls="any",
    result_content="any",
    result_name="any",
    developer_role=True,
    system_anywhere=True,
    repeated_roles=True,
    calls_in_message="any",
    user_after_tool=True,
    unknown_members="any",
)
"""What holds where no profile is given: nothing that only some providers refuse is touched."""


def profile_of(given: Mapping[str, object] | None) -> Profile:
    """Return the profile that a caller gives as JSON; None is `UNPROFILED`.

    Raises:
        ValueError: it is no profile; the text says in one line what is wrong.
    """
    if given is None:
        return UNPROFILED
    if trouble := _trouble(given):
        raise ValueError(f"profile: {trouble}")
    flags: dict[str, Any] = dict(given)
    for name in _NAMES & flags.keys():
        flags[name] = frozenset(flags[name])
    for name in _LIMITS & flags.keys():
        flags[name] = None if flags[name] is None else int(flags[name])
    if "origin" in flags:
        flags["origin"] = Origin(**flags["origin"])
    return Profile(**flags)


def read_profile(value: object) -> Profile | None:
    """Return the profile that an input gives, or None where it is none (definition "profile")."""
    return profile_of(value) if isinstance(value, Mapping) and not _trouble(value) else None


def _trouble(profile: Mapping[str, object]) -> str:
    """Say what keeps an object from being a profile; nothing where it is one."""
    for name, given in profile.items():
        if name not in _FORMS:
            return f"it has no member {name!r}"
        if not _FORMS[name](given):
            return f"{name} has no such value"
    return ""


def _one_of(*values: str) -> Callable[[object], bool]:
    return lambda given: isinstance(given, str) and given in values


def _is_boolean(given: object) -> bool:
    return isinstance(given, bool)


def _is_limit(given: object) -> bool:
    # 128.0 is 128: JSON knows no difference.
    if isinstance(given, bool) or not isinstance(given, int | float):
        return given is None
    return given >= 1 and given % 1 == 0


def _is_name(given: object) -> bool:
    return isinstance(given, str) and given != ""


def _are_names(given: object) -> bool:
    return isinstance(given, list) and all(map(_is_name, given)) and len(set(given)) == len(given)


def _is_origin(given: object) -> bool:
    return (
        isinstance(given, Mapping)
        and given.keys() == {"provider", "model"}
        and all(isinstance(text, str) for text in given.values())
    )


_NAMES: Final = {"opaque_members", "opaque_parts"}
_LIMITS: Final = {"max_tools", "max_description"}

_FORMS: Final[dict[str, Callable[[object], bool]]] = {
    "strict_field": _one_of("any", "uniform", "none"),
    "parallel_field": _is_boolean,
    "name_start": _one_of("any", "letter"),
    "max_tools": _is_limit,
    "max_description": _is_limit,
    "ids": _one_of("any", "verbatim", "word_64", "word_40", "alphanumeric_9"),
    "content_beside_calls": _one_of("any", "string"),
    "result_content": _one_of("any", "parts", "string"),
    "result_name": _one_of("any", "call", "none"),
    "developer_role": _is_boolean,
    "system_anywhere": _is_boolean,
    "repeated_roles": _is_boolean,
    "calls_in_message": _one_of("any", "one"),
    "user_after_tool": _is_boolean,
    "unknown_members": _one_of("any", "none"),
    "opaque_members": _are_names,
    "opaque_parts": _are_names,
    "origin": _is_origin,
    "origin_member": _is_name,
}
