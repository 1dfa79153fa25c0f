"""Blocks whose payload is JSON, with a code fence around it or not (definition "payload")."""

import re
from functools import partial
from typing import Final

from commoncall.extraction.call_value import read_payload_calls
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.markdown import FENCE_LENGTH
from commoncall.extraction.markers import Marker
from commoncall.extraction.payload_scanner import PayloadScanner
from commoncall.extraction.payloads import Broken, Payload, end_payload
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import Parse, ParseOf, Source
from commoncall.json_text import SPACE_RUN

_FENCE_WORDS: Final = ("json", "tool_call", "tool_code", "tool", "invoke")
"""What a fence around a payload can be named; of two that begin alike the longer comes first."""
FENCE_RUN: Final = {"`": re.compile("`*"), "~": re.compile("~*")}


def _begins(dialect: Dialect) -> str:
    """Return the characters that a payload can begin with."""
    return '{["' if dialect.scanner == "json_arguments" else "{["


def begins_json(
    reading: Reading, block: Block, _space: str, _found: Marker | None
) -> ParseOf[bool]:
    """Tell whether a payload begins at the cursor."""
    source, begins = reading.source, _begins(block.dialect)
    if source.text[source.at] not in FENCE_RUN:
        return (yield from _begins_value(reading, begins))
    start = source.offset
    fence = yield from opening_fence(reading, begins)
    source.back_to(start)
    return bool(fence)


def _begins_value(reading: Reading, begins: str) -> ParseOf[bool]:
    """Tell whether a value begins at the cursor: `[` also begins `[TOOL_CALLS]`."""
    if (yield from reading.source.peek()) not in tuple(begins):
        return False
    found = yield from reading.marker_here()
    return not (found and found.is_no_value)


def opening_fence(reading: Reading, begins: str = "{[") -> ParseOf[str]:
    """Move over a fence to the payload in it; return its run, nothing where none is (EXT-051)."""
    source = reading.source
    run = yield from source.skip_run(FENCE_RUN[source.text[source.at]])
    if len(run) < FENCE_LENGTH:
        return ""
    for word in _FENCE_WORDS:
        if (yield from source.literal(word)):
            break
    yield from source.skip_run(SPACE_RUN)
    return run if (yield from _begins_value(reading, begins)) else ""


def read_json(reading: Reading, block: Block) -> ParseOf[Payload | Broken]:
    """Read a payload, of which its JSON says the end, in a fence or not (EXT-040, EXT-042); a bare
    one stands in both runs of a fence where its dialect has such.
    """
    source, dialect, begins = reading.source, block.dialect, _begins(block.dialect)
    fence = "`" * FENCE_LENGTH if dialect.opens_fence else ""
    if source.text[source.at] in FENCE_RUN:
        fence = yield from opening_fence(reading, begins)
        if not fence:
            return "wrong"
    start, scanner = source.offset, PayloadScanner(begins)
    is_bare, separator = dialect.is_bare, dialect.separator
    is_single = not (dialect.closer or separator or is_bare or dialect.opens_fence)
    yield from read_values(reading, scanner, separator, is_bare=is_bare, is_single=is_single)
    name = dialect.name_in_header(block.header, reading.caller.effective)
    read = end_payload(source, scanner, start, partial(read_payload_calls, scanner, dialect, name))
    if dialect.messages and not isinstance(read, Payload):
        source.back_to(start + scanner.broken_at)
    if not fence or not isinstance(read, Payload):
        return read
    has_end = yield from _closing_fence(source, fence)
    if is_bare and not has_end:
        return "wrong"
    return read if dialect.is_fenced else read._replace(needed=[*read.needed, "code_fence"])


def read_values(
    reading: Reading,
    scanner: PayloadScanner,
    separator: str = "",
    *,
    is_bare: bool = False,
    is_single: bool = False,
) -> Parse:
    """Read values, or one, up to where no further one begins. A separator, if there is one, has to
    stand between two, and in a bare message it can.
    """
    source = reading.source
    while True:
        source.at = scanner.scan(source.text, source.at)
        if scanner.is_over or (scanner.complete and is_single):
            return
        if not scanner.complete or source.at == len(source.text):
            if not (yield from source.more()):
                return
            continue
        if separator and not (yield from _passes(source, scanner, separator)) and not is_bare:
            return
        # Asked before the scanner reads on, which knows no marker.
        if not (yield from _begins_value(reading, "{[")):
            return
        scanner.takes_further = True


def _passes(source: Source, scanner: PayloadScanner, separator: str) -> ParseOf[bool]:
    """Move over a separator and the white space behind it; tell whether one stands there."""
    start = source.offset
    if not (yield from source.literal(separator)):
        return False
    yield from source.skip_run(SPACE_RUN)
    scanner.offset += source.offset - start
    return True


def _closing_fence(source: Source, fence: str) -> ParseOf[bool]:
    """Move behind the fence behind a payload, if one stands there, and tell so."""
    end = source.offset
    yield from source.skip_run(SPACE_RUN)
    if (yield from source.skip_run(FENCE_RUN[fence[0]])).startswith(fence):
        return True
    source.back_to(end)
    return False
