"""The profile of an endpoint as an input: what it takes that not every provider takes.

Definitions "profile" and "flag" of spec/v1/payload.md; files of `spec/v1/profiles` hold such flags.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import NoneType
from typing import Any, Final, Literal, cast, get_args

from commoncall.dialect_data import profile_ids, read_profile
from commoncall.envelope import Members, RefusedInput, Test, any_of, fits, is_limit, says
from commoncall.near import others_than
from commoncall.stated_capability import ChoiceKind

NameStart = Literal["any", "letter"]
Ids = Literal["any", "verbatim", "word_64", "word_40", "alphanumeric_9"]
ResultContent = Literal["any", "parts", "string"]
ResultMedia = Literal["none", "user"]
Refusal = Literal[
    "arguments_empty",
    "arguments_invalid_json",
    "arguments_not_object",
    "calls_split",
    "description_cut",
    "members_unknown",
    "name_aliased",
    "name_blank",
    "name_coerced",
    "name_missing",
    "parallel_not_taken",
    "parameters_added",
    "result_missing",
    "result_orphaned",
    "role_coerced",
    "system_late",
    "tool_calls_empty",
    "tools_empty",
    "tools_not_array",
    "choice_without_tools",
    "none_without_tools",
    "parallel_without_tools",
    "functions_empty",
    "function_call_without_functions",
    "choice_null",
    "strict_null",
    "strict_true",
    "strict_false",
    "parameters_incomplete",
    "properties_array",
    "root_not_object",
    "root_combined",
    "roles_not_alternating",
    "user_behind_tool",
    "assistants_last",
    "message_without_words",
    "arguments_absent",
    "arguments_not_string",
    "type_absent",
    "id_absent",
    "id_form",
    "id_long",
    "id_repeated",
    "content_absent",
    "content_null",
    "content_array_empty",
    "result_content_array",
]
"""What an endpoint can answer with an error (definition "refusal"), told apart in `refusals`."""

REFUSABLE: Final[Sequence[ChoiceKind]] = ("none", "required", "named")
"""The kinds of choice that an endpoint can refuse: nobody refuses `auto`."""

REFUSALS: Final[Sequence[Refusal]] = get_args(Refusal)


@says("be an array of different strings that are not empty")
def _are_names(given: object) -> bool:
    if not isinstance(given, list) or not all(isinstance(one, str) and one for one in given):
        return False
    return len(set(given)) == len(given)


@says("be an array of different refusals, as the definition of that name lists them")
def _are_refusals(given: object) -> bool:
    return _are_names(given) and set(REFUSALS).issuperset(cast(Sequence[Refusal], given))


@says('be true, "first" or "one"')
def _is_place_of_system(given: object) -> bool:
    return given is True or given in ("first", "one")


@says("be an array of different kinds of choice but `auto`")
def _are_choices(given: object) -> bool:
    return _are_names(given) and {*REFUSABLE}.issuperset(cast(Sequence[ChoiceKind], given))


_is_requirement: Final = Members({"in": Literal["message", "call"]}, {"value": object})


@says("be an object of the requirements of opaque members, `{in, value}` each")
def _are_required(given: object) -> bool:
    return isinstance(given, Mapping) and all(map(_is_requirement, given.values()))


_is_bound: Final = any_of(NoneType, is_limit)
is_origin: Final = Members({"provider": str, "model": str})


def _flag(strict: object, unprofiled: object, test: Test = None) -> Any:
    """Return a member of a profile: its strict value, and what holds where no profile is given.

    ``test`` tells which JSON it can be; by default that is its annotation.
    """
    return field(default=strict, metadata={"unprofiled": unprofiled, "test": test})


@dataclass(frozen=True, slots=True)
class Profile:
    """The members of a profile. Absent, a flag has its strict value, which every provider takes.

    Each is asked where its rule is: of tools in `request` and `request_tools`, of the order of
    messages in `roles`, of what goes from a message in `foreign_members`, of calls and results in
    `sent_messages` and `call_ids`.
    """

    strict_field: Literal["any", "uniform", "none"] = _flag("none", "any")
    parallel_field: bool = _flag(False, True)
    name_start: NameStart = _flag("letter", "any")
    max_tools: int | None = _flag(128, None, _is_bound)
    max_description: int | None = _flag(1024, None, _is_bound)
    ids: Ids = _flag("alphanumeric_9", "any")
    content_beside_calls: Literal["any", "string"] = _flag("string", "any")
    result_content: ResultContent = _flag("string", "any")
    result_media: ResultMedia = _flag("none", "none")
    result_name: Literal["any", "call", "none"] = _flag("call", "any")
    developer_role: bool = _flag(False, True)
    system_anywhere: Literal[True, "first", "one"] = _flag("one", True, _is_place_of_system)
    repeated_roles: bool = _flag(False, True)
    calls_in_message: Literal["any", "one"] = _flag("one", "any")
    user_after_tool: bool = _flag(False, True)
    assistant_last: bool = _flag(True, True)
    unknown_members: Literal["any", "none"] = _flag("none", "any")
    opaque_members: frozenset[str] = _flag(frozenset(), frozenset(), _are_names)
    opaque_parts: frozenset[str] = _flag(frozenset(), frozenset(), _are_names)
    opaque_required: Mapping[str, Mapping[str, object]] = field(
        default_factory=dict, metadata={"unprofiled": {}, "test": _are_required}
    )
    root_keywords: Literal["any", "none"] = _flag("none", "none")
    refused_in_schemas: frozenset[str] = _flag(frozenset(), frozenset(), _are_names)
    refused_choices: frozenset[ChoiceKind] = _flag(frozenset(), frozenset(), _are_choices)
    refused_thinking: frozenset[ChoiceKind] = _flag(frozenset(), frozenset(), _are_choices)
    thinks_unasked: bool = _flag(False, False)
    effort_beside_tools: Literal["any", "none"] = _flag("any", "any")
    refuses: frozenset[Refusal] = _flag(frozenset(), frozenset(), _are_refusals)
    origin: Mapping[str, str] | None = _flag(None, None, is_origin)


class OriginMissingError(RefusedInput, ValueError):
    """A profile names opaque members or parts, and not where the request goes (PAY-158)."""


STRICT: Final = "strict"
"""The name of the profile without a flag."""

_TESTS: Final = {
    "base": Literal["strict", "open"],
    **{each.name: each.metadata["test"] or each.type for each in fields(Profile)},
}

UNPROFILED: Final = Profile(**{each.name: each.metadata["unprofiled"] for each in fields(Profile)})
"""What holds where no profile is given: nothing that only some providers refuse is touched."""


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


def profile_of(given: Mapping[str, object] | str | None) -> Profile:
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
    for name, member in given.items():
        if name not in _TESTS:
            raise ValueError(f"profile: it has no member {name!r}")
        if not fits(member, _TESTS[name]):
            raise ValueError(f"profile: {name} has no such value")
    flags = {name: _value(member) for name, member in given.items() if name != "base"}
    return replace(UNPROFILED, **flags) if given.get("base") == "open" else Profile(**flags)


def history_profile_of(given: Mapping[str, object] | str | None) -> Profile:
    """Return the profile for a history: one that names what is opaque says where it goes.

    Raises:
        OriginMissingError: it does not say that (PAY-158).
        ValueError: it is no profile.
    """
    profile = profile_of(given)
    if profile.origin is None and (profile.opaque_members or profile.opaque_parts):
        raise OriginMissingError({"code": "origin_missing"})
    return profile


is_profile: Final = Members({}, _TESTS)
"""The form of a profile in an input (definition "profile")."""


def _value(member: object) -> Any:
    """Return what the JSON of a member says: names as a set, a limit of 128.0 as 128."""
    match member:
        case list():
            return frozenset(member)
        case float():
            return int(member)
        case Mapping():
            return dict(member)
    return member
