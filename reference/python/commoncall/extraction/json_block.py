"""Blocks whose payload is JSON, with a code fence around it or not (definition "payload")."""

import re
from functools import partial
from typing import Final

from commoncall.extraction.call_value import read_payload_calls
from commoncall.extraction.markdown import FENCE_LENGTH
from commoncall.extraction.markers import Marker
from commoncall.extraction.payload_scanner import PayloadScanner
from commoncall.extraction.payloads import Broken, Judge, Payload, ended
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import Parse, ParseOf, Source
from commoncall.json_text import SPACE_RUN

FENCE_RUN: Final = {"`": re.compile("`*"), "~": re.compile("~*")}


def begins_json(
    reading: Reading, _block: Block, _space: str, found: Marker | None
) -> ParseOf[bool]:
    """Tell whether a payload begins at the cursor, where the marker is, if any."""
    source = reading.source
    character = source.text[source.at]
    if character not in FENCE_RUN:
        return character in "{[" and not (found and found.is_no_value)
    start = source.offset
    fence = yield from opening_fence(reading)
    source.back_to(start)
    return bool(fence)


def opening_fence(reading: Reading) -> ParseOf[str]:
    """Move over a fence to the payload in it; return its run, nothing where none is (EXT-051)."""
    source = reading.source
    start = source.offset
    yield from source.skip_run(FENCE_RUN[source.text[source.at]])
    run = source.since(start)
    if len(run) < FENCE_LENGTH:
        return ""
    yield from source.literal("json")
    yield from source.skip_run(SPACE_RUN)
    if (yield from source.peek()) not in ("{", "["):
        return ""
    found = yield from reading.marker_here()
    return "" if found and found.is_no_value else run


def read_json(reading: Reading, block: Block) -> ParseOf[Payload | Broken]:
    """Read a payload, of which its JSON says the end, in a fence or not (EXT-040, EXT-042)."""
    source, dialect = reading.source, block.dialect
    is_fenced = source.text[source.at] in FENCE_RUN
    fence = (yield from opening_fence(reading)) if is_fenced else ""
    start = source.offset
    scanner = PayloadScanner(stops=True)
    while True:
        source.at = scanner.scan(source.text, source.at)
        ends_at_once = not dialect.closer and not dialect.separator
        if scanner.is_over or (scanner.complete and ends_at_once):
            break
        if scanner.complete and source.at < len(source.text):
            if dialect.separator and not (yield from _passes(source, scanner, dialect.separator)):
                break
            if (yield from _ends_payload(reading)):
                break
            scanner.takes_further = True
            continue
        if not (yield from source.more()):
            break
    judge = partial(read_payload_calls, scanner, dialect, block.header)
    read = ended(source, scanner, start, judge)
    if isinstance(read, Payload) and fence:
        yield from closing_fence(source, fence)
        if not dialect.is_fenced:
            return read._replace(needed=[*read.needed, "code_fence"])
    return read


def _passes(source: Source, scanner: PayloadScanner, separator: str) -> ParseOf[bool]:
    """Move over a separator and the white space behind it; tell whether one stands there."""
    start = source.offset
    if not (yield from source.literal(separator)):
        return False
    yield from source.skip_run(SPACE_RUN)
    scanner.offset += source.offset - start
    return bool((yield from source.peek()))


def _ends_payload(reading: Reading) -> ParseOf[bool]:
    """Tell whether no further value begins at the cursor."""
    source = reading.source
    if source.text[source.at] not in "{[":
        return True
    found = yield from reading.marker_here()
    return found is not None and found.is_no_value


def closing_fence(source: Source, fence: str) -> Parse:
    """Read the fence behind a payload, if one stands there."""
    end = source.offset
    yield from source.skip_run(SPACE_RUN)
    start = source.offset
    yield from source.skip_run(FENCE_RUN[fence[0]])
    if not source.since(start).startswith(fence):
        source.back_to(end)


def scan_values(_reading: Reading, block: Block) -> tuple[PayloadScanner, Judge]:
    """Return what scans values that no block holds, and what says what they are."""
    # No opener or token is the begin of a value, so none has to be looked for.
    scanner = PayloadScanner()
    return scanner, partial(read_payload_calls, scanner, block.dialect, block.header)
