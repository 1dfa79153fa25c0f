"""A JSON value of a payload, read as a call or refused with a code (definition "call value").

Nothing is invented here: the name and the text of the arguments come out of the source.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypedDict

from commoncall.call_object import Judged, RefusedError, clean_name, is_sendable, judge
from commoncall.extraction.dialects import Dialect
from commoncall.json_object import read_object
from commoncall.json_text import JsonTextError, compact, decode, holds_lone_surrogate


class Call(TypedDict):
    """A tool call (definition "call"). Its id is empty until its block is known to be one."""

    id: str
    name: str
    arguments: dict[str, object]
    arguments_json: str


class Unreadable(TypedDict):
    """A call that was meant and could not be read (definition "unreadable call").

    ``before`` is the number of calls that stand before it.
    """

    before: int
    name: str | None
    error_type: Literal["tool_payload_too_large", "tool_payload_parse_error"]


class Refused(NamedTuple):
    """A call value or call payload that is no call, with a code of the table "Rejections".

    ``name`` is its cleaned name, None where it has none or was not read (definition "unreadable
    call").
    """

    code: str
    name: str | None = None


class Noted(NamedTuple):
    """A code of a block that refuses no call value: it is empty, or a name is not sendable."""

    code: str


Found = Call | Refused | Noted
"""What a payload holds, in order."""


def _refused(error: JsonTextError) -> Refused:
    """Return the refusal of a call value that is no JSON text (EXT-076)."""
    return Refused("too_deep" if error.code == "arguments_too_deep" else "invalid_json")


def found(judged: Judged) -> Call | Refused:
    """Return the call that an object was judged to be, or its refusal."""
    if judged.code is not None:
        return Refused(judged.code, judged.name)
    assert judged.name is not None
    assert judged.arguments is not None
    arguments, text = judged.arguments
    return {"id": "", "name": judged.name, "arguments": arguments, "arguments_json": text}


def read_call(text: str, start: int, end: int, dialect: Dialect) -> Call | Refused:
    """Read the object that stands from ``start`` to ``end`` (EXT-076, EXT-078)."""
    try:
        members = read_object(text, start, end)
    except JsonTextError as error:
        return _refused(error)
    return found(judge(text, members, dialect.form))


def read_arguments(name: str, text: str | None) -> Call | Refused:
    """Read a JSON object as the arguments of a call whose name stands elsewhere (EXT-076, EXT-078,
    EXT-116).

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
    (EXT-063, EXT-076).

    Raises:
        RefusedError: ``invalid_json`` or ``name_blank``.
    """
    if any(holds_lone_surrogate(compact(text)) for text in (name, *texts)):
        raise RefusedError("invalid_json")
    return clean_name(name)


def with_note(found: Call | Refused) -> list[Found]:
    """Return a call, and the code for a name that no provider takes as it is (EXT-064)."""
    if isinstance(found, Refused) or is_sendable(found["name"]):
        return [found]
    return [found, Noted("name_not_sendable")]
