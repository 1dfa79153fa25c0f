"""Clean payloads of JSON: one value, read by the host's decoder."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from commoncall.call_object import judge
from commoncall.extraction.call_value import Call, Found, Refused, call_of, new_call, with_note
from commoncall.extraction.code import FENCE_LENGTH
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.reading import Reading
from commoncall.json_object import read_begin, scanner_of
from commoncall.json_text import JSON_SPACE, SPACE_RUN, holds_lone_surrogate, is_shallow

_END = re.compile(r"[ \t\n\r]*+\}")
_NEXT = re.compile(r"[ \t\n\r]*+(?:,|(\]))[ \t\n\r]*+")
LONG = 1 << 16
"""From how many characters on a copy of a payload counts."""
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
def _usual_head(dialect: Dialect) -> Head:
    """Return what matches the begin of a usual object, which holds a name that can be sent and then
    the arguments, and no other member.
    """
    form = dialect.form
    names = [r'"([A-Za-z0-9_-]{1,64})"']
    if not form.keyed:
        name, arguments = (re.escape(each[0]) for each in (form.names, form.arguments))
        names = [f'"{name}"', ":", *names, ",", f'"{arguments}"']
    return re.compile(r"[ \t\n\r]*+".join(["", r"\{", *names, ":", r"(?=\{)"])).match


def read_clean_values(
    dialect: Dialect, text: str, begin: int, stop: int, _name: str, _reading: Reading
) -> Read | None:
    """Read an object or array of call values."""
    at = space_end(text, begin)
    payload = text[at:stop]
    begins = payload.startswith(_BEGINS[dialect.scanner])
    if not begins or not is_shallow(payload) or holds_lone_surrogate(payload):
        return None
    # An error of the decoder counts the lines before it, and a long payload is not held twice.
    source, start = (payload, 0) if len(payload) < LONG else (text, at)
    del payload
    try:
        found, end = _read_usual(source, start, dialect) or _read_values(
            source, start, start + stop - at, dialect
        )
    except (ValueError, StopIteration, RecursionError):  # how deep it is behind `stop`, none knows
        return None
    end += at - start
    if end > stop or (dialect.closer is not None and text[end:stop].strip(JSON_SPACE)):
        return None
    return found, end


def _read_usual(text: str, at: int, dialect: Dialect) -> Read | None:
    """Read a usual object, or an array of such."""
    usual, scan, calls = _usual_head(dialect), scanner_of(text), list[Call]()
    is_list = text[at] == "["
    head = usual(text, at + is_list)
    while head:
        start = head.end()
        arguments, end = scan(text, start)
        behind = _END.match(text, end)
        if behind is None or _may_declare(dialect, arguments):
            return None
        calls.append(new_call(head[1], arguments, text[start:end]))
        following = _NEXT.match(text, behind.end()) if is_list else None
        if following is None:
            return None if is_list else (calls, behind.end())
        if following[1]:
            return calls, following.end(1)
        head = usual(text, following.end())
    return None


def _may_declare(dialect: Dialect, arguments: object) -> bool:
    """Tell whether an object without ``arguments`` may be a declaration (EXT-073)."""
    names = dialect.form.arguments[:1]
    members = cast("dict[str, object]", arguments)
    return names == ("parameters",) and not {"type", "properties"}.isdisjoint(members)


def _read_values(source: str, start: int, stop: int, dialect: Dialect) -> Read:
    """Read an object or array of call values, whatever members they have."""
    text = source[start:stop]
    values, end = read_begin(text)
    no_call = Refused("not_a_call")
    read = [no_call if one is None else call_of(judge(text, one, dialect.form)) for one in values]
    return [item for one in read for item in with_note(one)], start + end


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
