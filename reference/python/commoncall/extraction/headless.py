"""Blocks with which a message begins and whose opener is missing (definition "headless block")."""

from collections.abc import Sequence
from functools import partial

from commoncall.extraction.call_value import read_payload_calls
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.json_block import read_values
from commoncall.extraction.parameters_block import read_headless_parameters
from commoncall.extraction.payload_scanner import PayloadScanner
from commoncall.extraction.payloads import Broken, Payload
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import ParseOf, Source
from commoncall.json_text import SPACE_RUN

HeadlessBlock = tuple[Dialect, Payload]
"""The dialect of a block, and its payload."""


def read_headless(reading: Reading) -> ParseOf[HeadlessBlock | None]:
    """Read a block whose opener is missing, if one begins at the cursor, to behind its closer; else
    the cursor is somewhere behind it (EXT-222).
    """
    source, headless = reading.source, reading.language.headless
    start = source.offset
    for dialect in headless.lines:
        block = Block(dialect, start, start, "")
        if read := _as_headless((yield from read_headless_parameters(reading, block))):
            return dialect, read
        source.back_to(start)
    if headless.json and (yield from begins_call(source, headless.members)):
        source.back_to(start)
        return (yield from _read_json(reading))
    return None


def _as_headless(read: Payload | Broken) -> Payload | None:
    """Return a payload that needs no repair, with the one that its block needs."""
    if not isinstance(read, Payload) or read.needed:
        return None
    return read._replace(needed=["missing_opener"])


def begins_call(source: Source, members: Sequence[str]) -> ParseOf[bool]:
    """Tell whether an object begins at the cursor, or an array with one, whose first member is one
    of a call: what else begins so is shown at once.
    """
    if (yield from source.literal("[")):
        yield from source.skip_run(SPACE_RUN)
    if not (yield from source.literal("{")):
        return False
    yield from source.skip_run(SPACE_RUN)
    for name in members:
        if (yield from source.literal(f'"{name}"')):
            return True
    return False


def _read_json(reading: Reading) -> ParseOf[HeadlessBlock | None]:
    """Read values up to a closer, which says of which dialect they are."""
    source, scanner, dialects = reading.source, PayloadScanner(), reading.language.headless.json
    start = source.offset
    yield from read_values(reading, scanner)
    if not scanner.complete or scanner.edits:
        return None
    end = start + scanner.end
    source.back_to(end)
    yield from source.skip_run(SPACE_RUN)
    closer = yield from reading.marker_here()
    keys = closer.dialects if closer and closer.kind == "closer" else ()
    dialect = next((one for one in dialects if one.key in keys), None)
    if not closer or not dialect:
        return None
    reading.move_behind(closer)
    judge = partial(read_payload_calls, scanner, dialect, "")
    return dialect, Payload(start, end, judge, ["missing_opener"], closer)
