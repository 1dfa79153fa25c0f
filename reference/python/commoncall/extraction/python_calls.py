"""Blocks whose payload is calls in the spelling of Python, which nothing here or elsewhere runs
(definitions "payload of literal calls", "literal").
"""

from collections.abc import Sequence
from functools import partial

from commoncall.extraction.call_scanner import CallScanner, ValueScanner, WrittenCall
from commoncall.extraction.call_value import (
    Call,
    Found,
    Noted,
    Refused,
    read_payload_calls,
    with_note,
)
from commoncall.extraction.dialects import DIALECTS, Dialect
from commoncall.extraction.literals import as_json
from commoncall.extraction.markers import Marker
from commoncall.extraction.parameters import read_object
from commoncall.extraction.payload_scanner import PayloadScanner
from commoncall.extraction.payloads import (
    Broken,
    Payload,
    begins_line,
    object_begins,
    read_literals,
)
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import ParseOf


def begins_python_calls(
    reading: Reading, block: Block, space: str, _found: Marker | None
) -> ParseOf[bool]:
    """Tell whether a payload of calls begins at the cursor, behind white space."""
    character = yield from reading.source.peek()
    return character in ("[", "{") if block.dialect.is_list else begins_line(character, space)


def read_python_calls(reading: Reading, block: Block) -> ParseOf[Payload | Broken]:
    """Read calls (EXT-116), or the values that stand in their place (D53.5)."""
    dialect, source = block.dialect, reading.source
    start = source.offset
    is_of_values = dialect.is_list and not dialect.is_bare and (yield from object_begins(source))
    source.back_to(start)
    if is_of_values:
        return (yield from _read_values(reading, DIALECTS["tool_call"]))
    scanner = CallScanner(is_list=dialect.is_list)
    return (yield from read_literals(source, scanner, partial(_calls_of, scanner, dialect)))


def begins_python_values(
    reading: Reading, _block: Block, _space: str, _found: Marker | None
) -> ParseOf[bool]:
    """Tell whether an object or array begins at the cursor, behind white space."""
    return (yield from reading.source.peek()) in ("{", "[")


def read_python_values(reading: Reading, block: Block) -> ParseOf[Payload | Broken]:
    """Read an object or array of literals (EXT-116)."""
    return (yield from _read_values(reading, block.dialect))


def _read_values(reading: Reading, dialect: Dialect) -> ParseOf[Payload | Broken]:
    """Read literal values, whose calls are those of their JSON by a dialect."""
    scanner = ValueScanner()
    judge = partial(_values_of, scanner, dialect)
    return (yield from read_literals(reading.source, scanner, judge))


def _values_of(scanner: ValueScanner, dialect: Dialect, text: str) -> Sequence[Found]:
    json, values = as_json(scanner.json, text), PayloadScanner()
    values.scan(json, 0)
    return read_payload_calls(values, dialect, "", json)


def _calls_of(scanner: CallScanner, dialect: Dialect, text: str) -> Sequence[Found]:
    """Return the calls of a payload (EXT-116, EXT-047)."""
    found: list[Found] = []
    for written in scanner.calls:
        found += with_note(_read_call(written, dialect, text))
    return found or [Noted("empty")]


def _read_call(written: WrittenCall, dialect: Dialect, text: str) -> Call | Refused:
    """Return a call with its arguments, or a code (EXT-077, EXT-126)."""
    if written.is_bad:
        return Refused("invalid_json")
    return read_object(written.name, as_json(written.arguments, text), "json", dialect, {})
