"""Clean payloads of parameters in tags: each value ends at the first text that can end it, and
quotes no call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from commoncall.extraction.call_value import Found, Refused, name_of, with_note
from commoncall.extraction.clean.json_payload import SPACE, ReadBlock
from commoncall.extraction.dialects import HEADER_LENGTH, Dialect, Kind
from commoncall.extraction.language import ends_of_values
from commoncall.extraction.parameters import Parameter, read_parameters

if TYPE_CHECKING:
    from commoncall.extraction.reading import Reading

_FIRST_LINE = re.compile(r"\n?([A-Za-z0-9_][^\n<]{0,127})(?=[\n<])")
_TYPED: Sequence[tuple[str, Kind]] = (("", "typed"),)


def read_parameter_tags(dialect: Dialect, closer: str) -> ReadBlock:
    """Return what reads the payloads of a dialect up to behind its closer."""
    ends = ends_of_values(dialect)
    ((end, _),) = ends.groups("closer")
    return partial(_read_clean_tags, dialect, closer, ends.search, end)


def _read_clean_tags(
    dialect: Dialect,
    closer: str,
    search_end: Callable[[str, int], re.Match[str] | None],
    end_group: str,
    text: str,
    at: int,
    _stop: int,
    name: str,
    reading: Reading,
) -> tuple[Sequence[Found], int] | None:
    if dialect.name_in_first_line:
        line = _FIRST_LINE.match(text, at)
        named = name_of(line[1]) if line else None
        if line is None or not isinstance(named, str) or reading.has_marker(line.start(1)):
            return None
        at, name = line.end(), named
    name_begin, name_end, value_begin = dialect.name_begin, dialect.name_end, dialect.value_begin
    begins = dialect.value_begins or _TYPED
    parameters: list[Parameter] = []
    while text.startswith(name_begin, at := SPACE.match(text, at).end()):
        start = at + len(name_begin)
        at = text.find(name_end, start, start + HEADER_LENGTH + len(name_end))
        key = text[start:at]
        if at < 0 or "\n" in key or "<" in key:
            return None
        at += len(name_end)
        if value_begin:
            at = SPACE.match(text, at).end()
            if not text.startswith(value_begin, at):
                return None
            at += len(value_begin)
        for begin, kind in begins:
            if text.startswith(begin, at):
                at += len(begin)
                break
        else:
            return None
        end = search_end(text, at)
        if end is None or end.lastgroup != end_group:
            return None
        parameters.append(Parameter(key, text[at : end.start()], kind))
        at = end.end()
    if not text.startswith(closer, at):
        return None
    call = read_parameters(name, parameters, dialect, reading.declared)
    return None if isinstance(call, Refused) else (with_note(call), at + len(closer))
