"""A JSON value of a payload, read as a call or refused with a code (definition "call value").

Nothing is invented here: the name and the text of the arguments come out of the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, TypedDict

from commoncall.extraction.dialects import Dialect
from commoncall.extraction.json_object import Members, read_object
from commoncall.json_text import (
    BLANKS,
    JsonTextError,
    compact,
    decode,
    equal,
    holds_lone_surrogate,
    is_blank,
)

_CONTROL_TOKEN = re.compile(r"<\|[^<>|]+\|>")
_SENDABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Call(TypedDict):
    """A tool call (definition "call"). Its id is empty until its block is known to be one."""

    id: str
    name: str
    arguments: dict[str, object]
    arguments_json: str


class Refused(NamedTuple):
    """A call value or call payload that is no call, with a code of the table "Rejections".

    ``name`` is its cleaned name, None where it has none or was not read (definition "unreadable
    call").
    """

    code: str
    name: str | None = None


class Noted(NamedTuple):
    """A code of a block that refuses no call value: an empty array, a name that is not sendable."""

    code: str


Found = Call | Refused | Noted
"""What a payload holds, in order."""


class RefusedError(ValueError):
    """A part of a value cannot be that of a call."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


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

    def found(self) -> Call | Refused:
        """Return the call, or its refusal."""
        if self.code is not None:
            return Refused(self.code, self.name)
        assert self.name is not None
        assert self.arguments is not None
        arguments, text = self.arguments
        return {"id": "", "name": self.name, "arguments": arguments, "arguments_json": text}


def _refused(error: JsonTextError) -> Refused:
    """Return the refusal of a call value that is no JSON text (EXT-076)."""
    return Refused("too_deep" if error.code == "arguments_too_deep" else "invalid_json")


def read_call(text: str, start: int, end: int, dialect: Dialect) -> Call | Refused:
    """Read the object that stands from ``start`` to ``end`` (EXT-076, EXT-078)."""
    try:
        members = read_object(text, start, end)
    except JsonTextError as error:
        return _refused(error)
    return judge(text, members, dialect).found()


def read_arguments(name: str, text: str | None) -> Call | Refused:
    """Read a JSON object as the arguments of a call whose name stands elsewhere (EXT-076, EXT-078,
    EXT-142).

    Args:
        name: what stands in the place of the name.
        text: that object, None where something else stands there.
    """
    arguments: object = None
    if text is not None:
        try:
            arguments = decode(text)
        except JsonTextError as error:
            return _refused(error)
    try:
        name = name_outside(name, [])
    except RefusedError as refused:
        return Refused(refused.code)
    if text is None or not isinstance(arguments, dict):
        return Refused("arguments_not_object", name)
    return {"id": "", "name": name, "arguments": arguments, "arguments_json": text}


def name_outside(name: str, texts: Iterable[str]) -> str:
    """Return the name of a call that no JSON holds, beside the other texts of which that is so
    (EXT-063, EXT-127).

    Raises:
        RefusedError: ``invalid_json`` or ``name_blank``.
    """
    if any(holds_lone_surrogate(compact(text)) for text in (name, *texts)):
        raise RefusedError("invalid_json")
    return clean_name(name)


def judge(text: str, members: Members, dialect: Dialect) -> Judged:
    """Judge the members of an object as those of a call (EXT-061, EXT-078, EXT-102, EXT-161)."""
    payload = dialect.payload
    nested = payload.nested and payload.names[0] not in members and members.get(payload.nested)
    if nested and isinstance(nested.value, dict):
        members = read_object(text, nested.start, nested.end)
    code: str | None = None
    if dialect.values.exact and members.keys() - {*payload.names, *payload.arguments}:
        code = "members_unknown"
    elif "arguments" not in members and _is_declaration(members):
        return Judged(None, None, "declaration")
    name = arguments = None
    try:
        name = clean_name(_own_name(members, dialect), verbatim=dialect.values.verbatim)
    except RefusedError as refused:
        code = code or refused.code
    try:
        arguments = _arguments(text, members, dialect)
    except RefusedError as refused:
        code = code or refused.code
    return Judged(name, arguments, code)


def with_note(found: Call | Refused) -> list[Found]:
    """Return a call, and the code for a name that no provider takes as it is (EXT-064)."""
    if isinstance(found, Refused) or is_sendable(found["name"]):
        return [found]
    return [found, Noted("name_not_sendable")]


def is_sendable(name: str) -> bool:
    """Tell whether a provider takes a name as it is."""
    return _SENDABLE.fullmatch(name) is not None


def clean_name(name: object, *, verbatim: bool = False) -> str:
    """Return the name without the control tokens and blanks at its ends, where it is not taken
    ``verbatim`` (EXT-062, EXT-063).

    Raises:
        RefusedError: ``name_missing``, ``name_not_string`` or ``name_blank``.
    """
    if name is None:
        raise RefusedError("name_missing")
    if not isinstance(name, str):
        raise RefusedError("name_not_string")
    if is_sendable(name) or (verbatim and not is_blank(name)):
        return name
    start, end = 0, len(name)
    while start < end and (
        token := _CONTROL_TOKEN.match(name, start, end) or _blank_at(name, start)
    ):
        start = token if isinstance(token, int) else token.end()
    tokens = {match.end(): match.start() for match in _CONTROL_TOKEN.finditer(name, start)}
    while end > start and (end in tokens or name[end - 1] in BLANKS):
        end = tokens.get(end, end - 1)
    if start >= end:
        raise RefusedError("name_blank")
    return name[start:end]


def _blank_at(name: str, at: int) -> int | None:
    return at + 1 if name[at] in BLANKS else None


def _own_name(members: Members, dialect: Dialect) -> object:
    """Return what stands in the place of the name (EXT-060): the first of the members, or the last
    of them where those between are no strings.
    """
    first, *others = dialect.payload.names
    if first in members:
        return members[first].value
    found: object = None
    for name in others:
        found = members[name].value if name in members else None
        if isinstance(found, str):
            break
    return found


def _is_declaration(members: Members) -> bool:
    """Tell whether an object without ``arguments`` declares a tool (EXT-073)."""
    parameters = members["parameters"].value if "parameters" in members else None
    if isinstance(parameters, dict):
        return (
            "description" in members
            or parameters.get("type") == "object"
            or isinstance(parameters.get("properties"), dict)
        )
    return "description" in members


def _arguments(text: str, members: Members, dialect: Dialect) -> Arguments:
    """Return the arguments and their text (EXT-065 to EXT-068, EXT-071, EXT-072, EXT-162)."""
    given = [members[name] for name in dialect.payload.arguments if name in members]
    if not given:
        raise RefusedError("arguments_missing")
    if len(given) > 1 and not equal(given[0].value, given[1].value):
        raise RefusedError("ambiguous_arguments")
    arguments, start, end = given[0]
    if isinstance(arguments, dict):
        return arguments, text[start:end]
    if arguments is None:
        return {}, "{}"
    if isinstance(arguments, str) and not dialect.values.object_only:
        return _decoded(arguments)
    raise RefusedError("arguments_not_object")


def _decoded(text: str) -> Arguments:
    """Return the arguments that a string holds, and the string (EXT-069, EXT-070)."""
    if is_blank(text):
        raise RefusedError("arguments_empty")
    try:
        arguments = decode(text)
    except JsonTextError as error:
        raise RefusedError(error.code) from None
    if not isinstance(arguments, dict):
        raise RefusedError("arguments_not_object")
    return arguments, text
