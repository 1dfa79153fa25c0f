"""The profile of an endpoint as an input: what it takes that not every provider takes.

Definitions "profile" and "flag" of spec/v1/payload.md; files of `spec/v1/profiles` hold such flags.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Literal

from commoncall.dialect_data import profile_ids, read_profile
from commoncall.envelope import RefusedInput
from commoncall.forms import form_of, troubles
from commoncall.names import ProfileName
from commoncall.near import others_than
from commoncall.places import dotted
from commoncall.stated_capability import ChoiceKind

GivenProfile = Mapping[str, object] | ProfileName | str
"""Flags, or the name of a profile."""

NameStart = Literal["any", "letter"]
Ids = Literal["any", "verbatim", "word_64", "word_40", "alphanumeric_9"]
ResultContent = Literal["any", "parts", "string"]
ResultMedia = Literal["none", "user"]

REFUSALS: Final[Sequence[str]] = form_of("formats.profile#refusal")["enum"]
"""What an endpoint can answer with an error (definition "refusal"), told apart in `refusals`."""


def _flag(strict: object, loose: object) -> Any:
    """Return a member of a profile: its strict and its open value (definition "flag")."""
    return field(default=strict, metadata={"open": loose})


@dataclass(frozen=True, slots=True)
class Profile:
    """The members of a profile. Absent, a flag has its strict value, which every provider takes.

    Each is asked where its rule is: of tools in `request` and `request_tools`, of the order of
    messages in `roles`, of what goes from a message in `foreign_members`, of calls and results in
    `sent_messages` and `call_ids`. Two values of ``repeated_roles`` are true, and let roles repeat.
    """

    strict_field: Literal["any", "uniform", "none"] = _flag("none", "any")
    parallel_field: bool = _flag(False, True)
    name_start: NameStart = _flag("letter", "any")
    max_tools: int | None = _flag(128, None)
    max_description: int | None = _flag(1024, None)
    ids: Ids = _flag("alphanumeric_9", "any")
    content_beside_calls: Literal["any", "string"] = _flag("string", "any")
    result_content: ResultContent = _flag("string", "any")
    result_media: ResultMedia = _flag("none", "none")
    result_name: Literal["any", "call", "none"] = _flag("call", "any")
    developer_role: bool = _flag(False, True)
    system_anywhere: Literal[True, "first", "one"] = _flag("one", True)
    repeated_roles: Literal[True, "user_first", False] = _flag(False, True)
    calls_in_message: Literal["any", "one"] = _flag("one", "any")
    user_after_tool: bool = _flag(False, True)
    bridges: bool = _flag(True, True)
    assistant_last: bool = _flag(True, True)
    blank_texts: bool = _flag(True, True)
    unknown_members: Literal["any", "none"] = _flag("none", "any")
    opaque_members: frozenset[str] = _flag(frozenset(), frozenset())
    readable_members: frozenset[str] = _flag(frozenset(), frozenset())
    opaque_required: Mapping[str, Mapping[str, object]] = field(
        default_factory=dict, metadata={"open": {}}
    )
    root_keywords: Literal["any", "none"] = _flag("none", "none")
    refused_in_schemas: frozenset[str] = _flag(frozenset(), frozenset())
    refused_choices: frozenset[ChoiceKind] = _flag(frozenset(), frozenset())
    refused_thinking: frozenset[ChoiceKind] = _flag(frozenset(), frozenset())
    thinks_unasked: bool = _flag(False, False)
    effort_beside_tools: Literal["any", "some", "none"] = _flag("any", "any")
    refused_members: Mapping[str, str | None] = field(default_factory=dict, metadata={"open": {}})
    refuses: frozenset[str] = _flag(frozenset(), frozenset())
    origin: Mapping[str, str] | None = _flag(None, None)
    unmarked: Mapping[str, str] | None = _flag(None, None)


class OriginMissingError(RefusedInput, ValueError):
    """A profile names opaque members, and not where the request goes (PAY-158)."""

    def __str__(self) -> str:
        return f"{super().__str__()}: the profile keeps what one model alone reads; {_HOW}"


_HOW: Final = "say which in its origin, as load_profile(NAME, origin={'provider': …, 'model': …})"

STRICT: Final = "strict"
"""The name of the profile without a flag."""

UNPROFILED: Final = Profile(**{each.name: each.metadata["open"] for each in fields(Profile)})
"""The open values, as where no profile is given: what only some refuse is not touched."""


def load_profile(name: str, *, origin: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the flags of a file of ``spec/v1/profiles``, or those that all providers take.

    Args:
        name: the id of the profile, or ``strict`` for what all providers take.
        origin: ``{provider, model}``, where the request goes; needed where something is opaque.

    Raises:
        ValueError: there is no such profile; the text lists those that there are.
    """
    if name != STRICT and name not in profile_ids():
        raise ValueError(f"no profile {name!r}; {others_than(name, [STRICT, *profile_ids()])}")
    flags: dict[str, Any] = {} if name == STRICT else read_profile(name)["flags"]
    return flags if origin is None else {**flags, "origin": dict(origin)}


def profile_for(name: str, model: object) -> dict[str, Any]:
    """Return the flags of a profile for requests to a model of its endpoint: where it keeps what
    one model alone reads, that model is the origin.
    """
    flags = load_profile(name)
    if not flags.get("opaque_members") or not isinstance(model, str):
        return flags
    return {**flags, "origin": {"provider": name, "model": model}}


def profile_of(given: GivenProfile | None) -> Profile:
    """Return the profile that a caller gives as JSON or by its name; None is `UNPROFILED`.

    Raises:
        ValueError: it is no profile; the text says in one line what is wrong.
    """
    if given is None:
        return UNPROFILED
    if isinstance(given, str):
        given = load_profile(given)
    if not isinstance(given, Mapping):
        raise ValueError("profile: it is no object, and no name")
    for place, what in troubles(given, form_of("formats.profile")):
        raise ValueError(f"profile: {dotted(place)} {what}")
    flags = {name: _value(member) for name, member in given.items() if name != "base"}
    return replace(UNPROFILED, **flags) if given.get("base") == "open" else Profile(**flags)


def history_profile_of(given: GivenProfile | None) -> Profile:
    """Return the profile for a history: one that names what is opaque says where it goes.

    Raises:
        OriginMissingError: it does not say that (PAY-158).
        ValueError: it is no profile.
    """
    profile = profile_of(given)
    if profile.origin is None and profile.opaque_members:
        raise OriginMissingError({"code": "origin_missing"})
    return profile


def _value(member: object) -> Any:
    """Return what the JSON of a member says: names as a set, a limit of 128.0 as 128."""
    match member:
        case list():
            return frozenset(member)
        case float():
            return int(member)
    return member
