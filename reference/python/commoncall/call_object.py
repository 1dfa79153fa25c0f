"""A JSON object, judged as a tool call that a model wrote as text (definition "call value").

Shared ground: extraction judges the values of a payload with it, in the form that the dialect gives
them, and the record of calls the payload of a pseudo-marker. So one text has one verdict (EXT-168).

Nothing is invented here: the name and the text of the arguments come out of the source.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

from commoncall.json_object import Member, Members, read_payload
from commoncall.json_text import BLANKS, JSON_SPACE, CodeError, decode, equal, is_blank

# Few names need these two, so what does not read one need not wait until they are compiled.
_LEADING = rf"(?:<\|[^<>|]+\|>|[{BLANKS}])*"
_TRAILING = rf"(?:>\|[^<>|]+\|<|[{BLANKS}])*"  # of the name read backwards
SENDABLE = "[A-Za-z0-9_-]{1,64}"
"""A name that every server takes, as a part of a pattern."""

_SENDABLE = re.compile(SENDABLE)
_ATTRIBUTES = re.compile(rf"(?:[{JSON_SPACE}]+[A-Za-z_][A-Za-z0-9_.:-]*=(?:\"[^\"]*\"|'[^']*'))+\Z")


@dataclass(frozen=True, slots=True)
class CallForm:
    """Where an object that is a call has its parts, and what is narrower than elsewhere.

    Attributes:
        names: the members that can hold the name, in order.
        arguments: the members that can hold the arguments.
        nested: the member that can hold the call in the place of the object itself.
        exact: there is no other member (EXT-077).
        object_only: arguments in a string are none (EXT-077).
        verbatim: nothing is taken off the ends of a name.
        keyed: an object has one member, whose name is the name of the call.
    """

    names: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    nested: str | None = None
    exact: bool = False
    object_only: bool = False
    verbatim: bool = False
    keyed: bool = False


class RefusedError(CodeError):
    """A part of a value cannot be that of a call."""


Arguments = tuple[dict[str, object], str]
"""Arguments and their text."""


class Judged(NamedTuple):
    """The members of an object, judged as those of a call.

    Attributes:
        name: the cleaned name, None where there is none.
        arguments: None where there are none that could be run.
        code: why it is no call, None where it is one.
    """

    name: str | None
    arguments: Arguments | None
    code: str | None


def judge_text(text: str, form: CallForm) -> Judged | None:
    """Judge a text that is one object, with JSON white space around it; None where it is none."""
    body = text.strip(JSON_SPACE)
    if not body.startswith("{"):
        return None
    try:
        (members,) = read_payload(body)
    except CodeError:
        return None
    assert members is not None
    return judge(body, members, form)


def judge(text: str, members: Members, form: CallForm) -> Judged:
    """Judge the members of an object as those of a call (EXT-060, EXT-077)."""
    nested = form.nested and form.names[0] not in members and members.get(form.nested)
    if nested and isinstance(nested.value, dict):
        text = text[nested.start : nested.end]
        (inner,) = read_payload(text)
        members = inner or {}
    if form.keyed:
        members = _keyed(members)
    code: str | None = None
    if form.exact and members.keys() - {*form.names, *form.arguments}:
        code = "members_unknown"
    elif "arguments" not in members and _is_declaration(members):
        code = "declaration"
    name = arguments = None
    try:
        name = clean_name(_own_name(members, form), verbatim=form.verbatim)
    except RefusedError as refused:
        code = code or refused.code
    try:
        arguments = _arguments(text, members, form)
    except RefusedError as refused:
        code = code or refused.code
    return Judged(name, arguments, code)


def _keyed(members: Members) -> Members:
    """Return the members of a call value whose one member is named like the tool."""
    if len(members) != 1:
        return {}
    ((name, arguments),) = members.items()
    return {"name": Member(name, arguments.start, arguments.start), "arguments": arguments}


def unquoted_name(written: str, *, is_alone: bool = False) -> str:
    """Return a name that stands outside JSON without blanks, attributes behind it, and a pair of
    quotation marks (definition "bare name"). Where it is ``is_alone``, without arguments or a text,
    the attributes may be these, and stay: the call of such a name is answered.
    """
    name = written.strip(BLANKS)
    name = name if is_alone else _ATTRIBUTES.sub("", name)
    is_quoted = len(name) > 1 and name[0] == name[-1] and name[0] in "\"'"
    return name[1:-1].strip(BLANKS) if is_quoted else name


def is_sendable(name: str) -> bool:
    """Tell whether a provider takes a name as it is."""
    return _SENDABLE.fullmatch(name) is not None


def clean_name(name: object, *, verbatim: bool = False) -> str:
    """Return the name without control tokens and blanks at its ends (EXT-060, EXT-077).

    Raises:
        RefusedError: ``name_missing``, ``name_not_string`` or ``name_blank``.
    """
    if name is None:
        raise RefusedError("name_missing")
    if not isinstance(name, str):
        raise RefusedError("name_not_string")
    if is_sendable(name) or (verbatim and not is_blank(name)):
        return name
    bare = re.sub(_TRAILING, "", re.sub(_LEADING, "", name, count=1)[::-1], count=1)[::-1]
    if not bare:
        raise RefusedError("name_blank")
    return bare


def _own_name(members: Members, form: CallForm) -> object:
    """Return what stands in the place of the name (EXT-060): the first of the members, or the last
    of them where those between are no strings.
    """
    first, *others = form.names
    if first in members:
        return members[first].value
    found: object = None
    for name in others:
        found = members[name].value if name in members else None
        if isinstance(found, str):
            break
    return found


def _is_declaration(members: Members) -> bool:
    """Tell whether an object without ``arguments`` declares a tool (EXT-077)."""
    parameters = members["parameters"].value if "parameters" in members else None
    if isinstance(parameters, dict):
        return (
            "description" in members
            or parameters.get("type") == "object"
            or isinstance(parameters.get("properties"), dict)
        )
    return "description" in members


def _arguments(text: str, members: Members, form: CallForm) -> Arguments:
    """Return the arguments and their text (EXT-072, EXT-077)."""
    given = [members[name] for name in form.arguments if name in members]
    if not given:
        raise RefusedError("arguments_missing")
    if not all(equal(given[0].value, other.value) for other in given[1:]):
        raise RefusedError("ambiguous_arguments")
    arguments, start, end = given[0]
    if isinstance(arguments, dict):
        return arguments, text[start:end]
    if arguments is None:
        return {}, "{}"
    if isinstance(arguments, str) and not form.object_only:
        return decoded(arguments)
    raise RefusedError("arguments_not_object")


def decoded(text: str) -> Arguments:
    """Return the arguments that a string holds, and the string (EXT-072, EXT-077)."""
    if is_blank(text):
        raise RefusedError("arguments_empty")
    try:
        arguments = decode(text)
    except CodeError as error:
        raise RefusedError(error.code) from None
    if not isinstance(arguments, dict):
        raise RefusedError("arguments_not_object")
    return arguments, text
