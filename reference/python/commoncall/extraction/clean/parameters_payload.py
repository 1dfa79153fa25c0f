"""Clean payloads of parameters in tags: each value ends at the first text that can end it, and
quotes no call.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from commoncall.extraction.call_value import Refused, name_of, with_note
from commoncall.extraction.clean.json_payload import Read, space_end
from commoncall.extraction.dialects import HEADER_LENGTH, Dialect, Kind
from commoncall.extraction.language import ends_of_values
from commoncall.extraction.parameters import Parameter, read_parameters
from commoncall.extraction.reading import Reading
from commoncall.json_text import SPACE_RUN

_FIRST_LINE = re.compile(r"\n?([A-Za-z0-9_][^\n<]{0,127})(?=[\n<])")

Find = Callable[[str, int], re.Match[str] | None]


class _Parts(NamedTuple):
    """What finds the parts of a parameter.

    Attributes:
        head: matches up to where the value begins, with white space before; group 1 is the name,
            and the last group says which of the ways it is.
        ways: the kind of the value, and what stands before its end.
        ends: finds the end of a value, or what a clean one does not hold.
        end: the ``lastindex`` of that end.
    """

    head: Find
    ways: Sequence[tuple[Kind, str]]
    ends: Find
    end: int


@lru_cache
def _parts_of(dialect: Dialect) -> _Parts:
    ends = ends_of_values(dialect)
    (end,) = ends.groups("closer")
    space = SPACE_RUN.pattern
    ways = "|".join(f"{re.escape(text)}()" for text, _, _ in dialect.ways)
    head = re.compile(
        rf"{space}{re.escape(dialect.name_begin)}"
        rf"(?>([^\n<]{{0,{HEADER_LENGTH}}}?){re.escape(dialect.name_end)})"
        rf"{space if dialect.value_begin else ''}(?>{ways})"
    )
    return _Parts(head.match, [way[1:] for way in dialect.ways], ends.search, end)


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
    head_at, ways, end_behind, end_index = _parts_of(dialect)
    while head := head_at(text, at):
        begin = head.end()
        kind, written_end = ways[(head.lastindex or 0) - 2]
        end = end_behind(text, begin)
        if end is None or end.lastindex != end_index:
            return None
        value_end = end.start() - len(written_end)
        if value_end < begin or not text.startswith(written_end, value_end):
            return None
        parameters.append(Parameter(head[1], text[begin:value_end], kind))
        at = end.end()
    at = space_end(text, at)
    closer = dialect.written_closer
    # Where the first closer is known and stands before this, a value quotes it.
    is_end = at == stop if stop <= len(text) else text.startswith(closer, at)
    if not is_end:
        return None
    call = read_parameters(name, parameters, dialect, reading.caller.declared)
    return None if isinstance(call, Refused) else (with_note(call), at + len(closer))
