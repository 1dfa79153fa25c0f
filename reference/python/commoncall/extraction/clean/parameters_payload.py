"""Clean payloads of parameters in tags: each value ends at the first text that can end it, and
quotes no call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from commoncall.extraction.call_value import Found, Refused, name_of, with_note
from commoncall.extraction.clean.json_payload import ReadBlock, space_end
from commoncall.extraction.dialects import HEADER_LENGTH, Dialect, Kind
from commoncall.extraction.language import ends_of_values
from commoncall.extraction.parameters import Parameter, read_parameters

if TYPE_CHECKING:
    from commoncall.extraction.reading import Reading

_FIRST_LINE = re.compile(r"\n?([A-Za-z0-9_][^\n<]{0,127})(?=[\n<])")
_TYPED: Sequence[tuple[str, Kind, str]] = (("", "typed", ""),)


class _Form(NamedTuple):
    """How a dialect writes parameters, with what finds the end of a value."""

    dialect: Dialect
    closer: str
    begins: Sequence[tuple[str, Kind, str]]
    search_end: Callable[[str, int], re.Match[str] | None]
    end: str


def read_parameter_tags(dialect: Dialect, closer: str) -> ReadBlock:
    """Return what reads the payloads of a dialect up to behind its closer."""
    ends = ends_of_values(dialect)
    ((end, _),) = ends.groups("closer")
    form = _Form(dialect, closer, dialect.value_begins or _TYPED, ends.search, end)
    return partial(_read_clean_tags, form)


def _read_clean_tags(
    form: _Form, text: str, at: int, stop: int, name: str, reading: Reading
) -> tuple[Sequence[Found], int] | None:
    dialect = form.dialect
    if dialect.name_in_first_line:
        line = _FIRST_LINE.match(text, at)
        named = name_of(line[1]) if line else None
        if line is None or not isinstance(named, str) or reading.has_marker(text, line.start(1)):
            return None
        at, name = line.end(), named
    parameters: list[Parameter] = []
    while text.startswith(dialect.name_begin, at := space_end(text, at)):
        read = _read_clean_tag(form, text, at + len(dialect.name_begin))
        if read is None:
            return None
        parameter, at = read
        parameters.append(parameter)
    # Where the first closer is known and stands before this, a value quotes it.
    is_end = at == stop if stop <= len(text) else text.startswith(form.closer, at)
    if not is_end:
        return None
    call = read_parameters(name, parameters, dialect, reading.caller.declared)
    return None if isinstance(call, Refused) else (with_note(call), at + len(form.closer))


def _read_clean_tag(form: _Form, text: str, start: int) -> tuple[Parameter, int] | None:
    """Read a parameter from behind the begin of its name; return the place behind it, too."""
    name_end, value_begin = form.dialect.name_end, form.dialect.value_begin
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
    begun = next((each for each in form.begins if text.startswith(each[0], at)), None)
    if begun is None or begun[2]:
        return None
    at += len(begun[0])
    end = form.search_end(text, at)
    if end is None or end.lastgroup != form.end:
        return None
    return Parameter(key, text[at : end.start()], begun[1]), end.end()
