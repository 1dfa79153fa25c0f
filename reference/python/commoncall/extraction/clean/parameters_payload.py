"""Clean payloads of parameters in tags: each value ends at the first text that can end it, and
quotes no call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from commoncall.extraction.call_value import Refused, name_of, with_note
from commoncall.extraction.clean.json_payload import Read, space_end
from commoncall.extraction.dialects import HEADER_LENGTH, Dialect, Kind
from commoncall.extraction.language import ends_of_values
from commoncall.extraction.markers import Markers
from commoncall.extraction.parameters import Parameter, read_parameters

if TYPE_CHECKING:
    from commoncall.extraction.reading import Reading

_FIRST_LINE = re.compile(r"\n?([A-Za-z0-9_][^\n<]{0,127})(?=[\n<])")
_TYPED: Sequence[tuple[str, Kind, str]] = (("", "typed", ""),)


@lru_cache
def _end_of(dialect: Dialect) -> tuple[Markers, int]:
    """Return what finds the end of a value, and the index of a match that is that end."""
    ends = ends_of_values(dialect)
    (index,) = ends.groups("closer")
    return ends, index


def read_clean_parameters(
    dialect: Dialect, text: str, at: int, stop: int, name: str, reading: Reading
) -> Read | None:
    """Read parameters up to behind the closer."""
    if dialect.name_in_first_line:
        line = _FIRST_LINE.match(text, at)
        named = name_of(line[1]) if line else None
        if line is None or not isinstance(named, str) or reading.has_marker(text, line.start(1)):
            return None
        at, name = line.end(), named
    parameters: list[Parameter] = []
    while text.startswith(dialect.name_begin, at := space_end(text, at)):
        read = _read_clean_tag(dialect, text, at + len(dialect.name_begin))
        if read is None:
            return None
        parameter, at = read
        parameters.append(parameter)
    closer = dialect.written_closer
    # Where the first closer is known and stands before this, a value quotes it.
    is_end = at == stop if stop <= len(text) else text.startswith(closer, at)
    if not is_end:
        return None
    call = read_parameters(name, parameters, dialect, reading.caller.declared)
    return None if isinstance(call, Refused) else (with_note(call), at + len(closer))


def _read_clean_tag(dialect: Dialect, text: str, start: int) -> tuple[Parameter, int] | None:
    """Read a parameter from behind the begin of its name; return the place behind it, too."""
    name_end, value_begin = dialect.name_end, dialect.value_begin
    at = text.find(name_end, start, start + HEADER_LENGTH + len(name_end))
    key = text[start:at]
    if at < 0 or "\n" in key or "<" in key:
        return None
    at += len(name_end)
    if value_begin:
        at = space_end(text, at)
        if not text.startswith(value_begin, at):
            return None
        at += len(value_begin)
    begun = next(
        (each for each in dialect.value_begins or _TYPED if text.startswith(each[0], at)), None
    )
    if begun is None:
        return None
    written_begin, kind, written_end = begun
    at += len(written_begin)
    ends, index = _end_of(dialect)
    end = ends.search(text, at)
    if end is None or end.lastindex != index:
        return None
    stop = end.start() - len(written_end)
    if stop < at or not text.startswith(written_end, stop):
        return None
    return Parameter(key, text[at:stop], kind), end.end()
