"""Clean payloads of parameters in tags: each value ends at the first text that can end it, and
quotes no call.
"""

import re

from commoncall.extraction.call_value import Refused, name_of, with_note
from commoncall.extraction.clean import Read, Reader
from commoncall.extraction.dialects import HEADER_LENGTH, Dialect
from commoncall.extraction.language import ends_of_values
from commoncall.extraction.parameters import Parameter, read_parameters
from commoncall.extraction.reading import Reading
from commoncall.json_text import SPACE_RUN

_FIRST_LINE = re.compile(rf"\n?([A-Za-z0-9_][^\n<]{{0,{HEADER_LENGTH - 1}}})(?=[\n<])")


def clean_parameters(dialect: Dialect) -> Reader:
    """Return what reads parameters up to behind the closer."""
    closer, ways = dialect.written_closer, [way[1:] for way in dialect.ways]
    ends = ends_of_values(dialect)  # what can end a value, or what a clean one does not hold
    ((end_index, _),) = ends.groups("closer").items()
    space = SPACE_RUN.pattern
    # Up to where a value begins: group 1 is the name, the last group says which of the ways it is.
    head_of = re.compile(
        rf"{space}{re.escape(dialect.name_begin)}"
        rf"(?>([^\n<]{{0,{HEADER_LENGTH}}}?){re.escape(dialect.name_end)})"
        rf"{space if dialect.value_begin else ''}"
        rf"(?>{'|'.join(f'{re.escape(text)}()' for text, _, _ in dialect.ways)})"
    ).match

    def read(text: str, at: int, stop: int, name: str, reading: Reading) -> Read | None:
        if dialect.name_in_first_line:
            line = _FIRST_LINE.match(text, at)
            named = name_of(line[1]) if line else None
            marker = line and reading.language.markers.match(text, line.start(1))
            if line is None or not isinstance(named, str) or marker:
                return None
            at, name = line.end(), named
        parameters: list[Parameter] = []
        while head := head_of(text, at):
            begin = head.end()
            kind, written_end = ways[(head.lastindex or 0) - 2]
            end = ends.search(text, begin)
            if end is None or end.lastindex != end_index:
                return None
            value_end = end.start() - len(written_end)
            if value_end < begin or not text.startswith(written_end, value_end):
                return None
            parameters.append((head[1], text[begin:value_end], kind))
            at = end.end()
        at = SPACE_RUN.match(text, at).end()  # type: ignore[union-attr]
        # Where the first closer is known and stands before this, a value quotes it.
        if not (at == stop if stop <= len(text) else text.startswith(closer, at)):
            return None
        call = read_parameters(name, parameters, dialect, reading.caller.declared)
        return None if isinstance(call, Refused) else (with_note(call), at + len(closer))

    return read
