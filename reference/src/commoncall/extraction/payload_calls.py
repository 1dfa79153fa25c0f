"""The calls of a complete JSON payload (definitions "call value", "call payload")."""

from __future__ import annotations

from commoncall.extraction.call_value import (
    Found,
    Noted,
    Refused,
    read_arguments,
    read_call,
    with_note,
)
from commoncall.extraction.dialects import Dialect, name_in_header
from commoncall.extraction.payload_scanner import PayloadScanner, repaired


def read_payload_calls(
    text: str, start: int, scanner: PayloadScanner, dialect: Dialect, header: str
) -> list[Found]:
    """Return the calls of a payload and the codes of what is none (EXT-047, EXT-074, EXT-075,
    EXT-077).

    Args:
        text: in which the payload stands.
        start: where it begins.
        scanner: what read it.
        dialect: of its block.
        header: of its block.
    """
    scans = dialect.payload.scanner
    if scans == "json_arguments":
        return _call_of_arguments(text, start, scanner, name_in_header(dialect, header))
    if scans == "json_object" and not scanner.is_one_object:
        return [Refused("not_a_call")]
    if scans == "json_array" and not scanner.is_one_array:
        return [Refused("not_a_call")]
    payload = text[start : start + scanner.end] if scanner.edits else ""
    found: list[Found] = []
    for value in scanner.values:
        if not value.is_object:
            found.append(Refused("not_a_call"))
            continue
        begin, end = start + value.start, start + value.end
        source = text
        if payload:
            source = repaired(payload, value.start, value.end, scanner.edits)
            begin, end = 0, len(source)
        found += with_note(read_call(source, begin, end, dialect))
    return found or [Noted("empty")]


def _call_of_arguments(text: str, start: int, scanner: PayloadScanner, name: str) -> list[Found]:
    """Read a payload that is the arguments of one call (EXT-116)."""
    arguments = None
    if scanner.is_one_object:
        payload = text[start : start + scanner.end]
        value = scanner.values[0]
        arguments = repaired(payload, value.start, value.end, scanner.edits)
    return with_note(read_arguments(name, arguments))
