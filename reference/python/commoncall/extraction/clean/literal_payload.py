"""Clean payloads of literals: they become JSON, which the host's decoder reads."""

import re

from commoncall.extraction.call_value import Call, Refused, new_call, with_note
from commoncall.extraction.clean import Read, Reader
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.literal_json import NAME, python_as_json, quoted_as_json
from commoncall.extraction.parameters import read_object
from commoncall.extraction.reading import Reading
from commoncall.json_text import strict_scanner_of

_HEAD = re.compile(rf'\["({NAME})",(?=\{{)')
_NAMED = r"[ \t\n\r]*([A-Za-z0-9_-]{1,64})(?=\{)"


def clean_calls(dialect: Dialect) -> Reader:
    """Return what reads calls in the spelling of Python."""

    def read(text: str, begin: int, stop: int, _name: str, reading: Reading) -> Read | None:
        payload = text[begin:stop]
        markers = reading.language.markers
        if not (dialect.is_list or (payload[:1] == "\n" and not markers.match(text, begin + 1))):
            return None
        written, calls, arguments = python_as_json(payload)
        if dialect.is_list:
            if written[:1] != "[" or written[-1:] != "]":
                return None
            written = written[1:-1]
        found = _read_written(written, "," if dialect.is_list else "")
        # What looks like a call or an argument and is none, or comes twice, needs care.
        count = sum(len(each["arguments"]) for each in found)
        if not found or (len(found), count) != (calls, arguments):
            return None
        return [item for each in found for item in with_note(each)], stop

    return read


def _read_written(text: str, separator: str) -> list[Call]:
    """Read calls that are written as JSON, with what stands between them; none where one is not."""
    scan, at = strict_scanner_of(text), 0
    calls: list[Call] = []
    while scan and (head := _HEAD.match(text, at)):
        start = head.end()
        try:
            arguments, end = scan(text, start)
        except (ValueError, StopIteration):
            break
        if text[end : end + 1] != "]":
            break
        calls.append(new_call(head[1], arguments, text[start:end]))
        at = end + 1
        if at == len(text):
            return calls
        if not text.startswith(separator, at):
            break
        at += len(separator)
    return []


def clean_object(dialect: Dialect) -> Reader:
    """Return what reads a name and an object with strings between quotes of its own."""
    named = re.compile(re.escape(dialect.name_begin) + _NAMED)

    def read(text: str, begin: int, stop: int, _name: str, reading: Reading) -> Read | None:
        name = named.match(text, begin, stop)
        if name is None:
            return None
        begin, quote = name.end(), dialect.quote
        written = quoted_as_json(text, begin, stop, quote, is_python=dialect.python)
        call = read_object(name[1], written, dialect, reading.caller.declared)
        return None if isinstance(call, Refused) else (with_note(call), stop)

    return read
