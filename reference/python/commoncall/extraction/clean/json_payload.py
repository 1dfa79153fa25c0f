"""Clean payloads of JSON: one value, read by the host's decoder."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from commoncall.call_object import judge
from commoncall.extraction.call_value import Call, Found, Refused, call_of, new_call, with_note
from commoncall.extraction.code import FENCE_LENGTH
from commoncall.extraction.dialects import Dialect
from commoncall.json_object import read_begin, scanner_of
from commoncall.json_text import JSON_SPACE, MAX_DEPTH, SPACE_RUN, holds_lone_surrogate, is_shallow

if TYPE_CHECKING:
    from commoncall.extraction.reading import Reading

_NEXT = re.compile(r"[ \t\n\r]*+\}[ \t\n\r]*+(?:,|(\]))[ \t\n\r]*+")
_BEGINS: Mapping[str, str | tuple[str, str]] = {
    "json_array": "[",
    "json_object": "{",
    "json_values": ("{", "["),
}

Head = Callable[[str, int], re.Match[str] | None]
Read = tuple[Sequence[Found], int]
"""What a clean block holds, and the place behind its payload, or behind its own closer."""


def space_end(text: str, at: int) -> int:
    """Return the place behind white space."""
    return SPACE_RUN.match(text, at).end()  # type: ignore[union-attr]


@lru_cache
def _usual_head(dialect: Dialect) -> Head | None:
    """Return what matches the begin of a usual object, which holds a name that can be sent and then
    the arguments, and no other member. Other names of arguments can mean a declaration.
    """
    form = dialect.form
    if form.keyed or form.arguments[0] == "parameters":
        return None
    head = ["", r"\{", f'"{re.escape(form.names[0])}"', ":", '"([A-Za-z0-9_-]{1,64})"', ","]
    head += [f'"{re.escape(form.arguments[0])}"', ":", r"(?=\{)"]
    return re.compile(r"[ \t\n\r]*+".join(head)).match


def read_clean_values(
    dialect: Dialect, text: str, begin: int, stop: int, _name: str, _reading: Reading
) -> Read | None:
    """Read an object or array of call values."""
    usual, has_closer = _usual_head(dialect), dialect.closer is not None
    head = usual(text, begin) if usual and has_closer and dialect.scanner != "json_array" else None
    call = _read_usual(text, head, stop) if head else None
    if call:
        return [call], stop
    at = space_end(text, begin)
    payload = text[at:stop]
    if not payload.startswith(_BEGINS[dialect.scanner]) or not is_shallow(payload):
        return None
    if holds_lone_surrogate(payload):
        return None
    found: Sequence[Found] = ()
    try:
        listed = _read_list(payload, usual) if usual and payload[0] == "[" else None
        if listed:
            found, end = listed
        else:
            values, end = read_begin(payload)
            no_call, form = Refused("not_a_call"), dialect.form
            read = [
                no_call if one is None else call_of(judge(payload, one, form)) for one in values
            ]
            found = [item for one in read for item in with_note(one)]
    except (ValueError, StopIteration):
        return None
    if has_closer and payload[end:].strip(JSON_SPACE):
        return None
    return found, at + end


def _read_usual(text: str, head: re.Match[str], stop: int) -> Call | None:
    """Read a usual object, given its head, up to the closer."""
    last = text.rfind("}", head.end(), stop)
    if last < 0 or text[last + 1 : stop].strip(JSON_SPACE):
        return None
    source = text[head.end() : last].rstrip(JSON_SPACE)
    if len(source) >= MAX_DEPTH and source.count("[") + source.count("{") >= MAX_DEPTH:
        return None  # the arguments alone may be so deep
    arguments = _read_object(source, len(source))
    return arguments and new_call(head[1], arguments[0], source)


def _read_list(text: str, usual: Head) -> tuple[list[Call], int] | None:
    """Read an array of usual objects."""
    scan, calls, head = scanner_of(text), list[Call](), usual(text, 1)
    while head:
        start = head.end()
        arguments, end = scan(text, start)
        following = _NEXT.match(text, end)
        if following is None:
            return None
        calls.append(new_call(head[1], arguments, text[start:end]))
        if following[1]:
            return calls, following.end(1)
        head = usual(text, following.end())
    return None


def _read_object(source: str, end: int = 0) -> tuple[object, int] | None:
    """Read the object with which a text begins, and which ends at a place if that is given."""
    if not is_shallow(source) or holds_lone_surrogate(source):
        return None
    try:
        read = scanner_of(source)(source, 0)
    except (ValueError, StopIteration):
        return None
    return read if end in (0, read[1]) else None


def read_clean_arguments(
    dialect: Dialect, text: str, begin: int, stop: int, name: str, _reading: Reading
) -> Read | None:
    """Read the arguments of a call whose name stands in the opener."""
    has_closer = dialect.closer is not None
    at = space_end(text, begin)
    source = text[at:stop]
    if has_closer:
        source = source.rstrip(JSON_SPACE)
        if dialect.is_fenced:
            source = _out_of_fence(source)
    read = _read_object(source, has_closer * len(source)) if source.startswith("{") else None
    if read is None:
        return None
    arguments, end = read
    source = source[:end]
    return with_note(new_call(name, arguments, source)), at + end


def _out_of_fence(source: str) -> str:
    """Return what stands in a fence that a text is; else the text."""
    inner = source.lstrip("`")
    length = len(source) - len(inner)
    behind = inner.rstrip("`")
    if length < FENCE_LENGTH or len(inner) - len(behind) < length:
        return source
    return behind.removeprefix("json").strip(JSON_SPACE)
