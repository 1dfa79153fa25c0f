"""Blocks whose payload a scanner reads: how they end, and what may stand behind the payload
(definition "machine", D5.24 to D5.27).
"""

from collections.abc import Callable, Sequence

from commoncall.extraction.call_value import Found
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.failed_block import read_failed, read_unshown
from commoncall.extraction.literals import LiteralScanner, begins_name
from commoncall.extraction.markers import Marker
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import Parse, ParseOf
from commoncall.json_text import SPACE_RUN

_GOES_ON = ',}]:"'
"""With these a payload goes on that only seemed to end (definition "machine", D5.24 to D5.27)."""

Judge = Callable[[str, int], Sequence[Found]]
"""Gives the calls of a payload that stands in a text from a place on, and codes of what is none."""

Scan = Callable[[Dialect], tuple[LiteralScanner, Judge]]
"""Returns what scans the payloads of a dialect, and what says what they hold."""


def begins_line(character: str, space: str) -> bool:
    """Tell whether a line that begins with a name stands behind an opener and white space."""
    return begins_name(character) and (not space or "\n" in space)


def move_behind_payload(
    reading: Reading, block: Block, scanner: LiteralScanner, start: int
) -> ParseOf[bool]:
    """Move behind a payload that began at an offset, and tell so; where the scanner found no end of
    it, end the block (EXT-040, EXT-042).
    """
    source = reading.source
    if scanner.error >= 0:
        source.back_to(start + scanner.error)
        yield from read_failed(reading, block)
    elif not scanner.complete:
        source.at = len(source.text)
        reading.reject(block, "truncated")
    else:
        source.back_to(start + scanner.end)
        return True
    return False


def read_literals(reading: Reading, block: Block, scanner: LiteralScanner, judge: Judge) -> Parse:
    """Read a payload, of which the scanner says the end (EXT-040)."""
    source, start = reading.source, reading.source.offset
    while True:
        source.at = scanner.scan(source.text, source.at)
        if scanner.is_over or not (yield from source.more()):
            break
    if (yield from move_behind_payload(reading, block, scanner, start)):
        yield from behind_payload(reading, block, start, judge)


def behind_payload(
    reading: Reading, block: Block, start: int, judge: Judge, needed: Sequence[str] = ()
) -> Parse:
    """Decide about a block whose payload began at an offset and ends at the cursor, with the
    repairs that it needed (EXT-040).
    """
    source = reading.source
    end = source.offset

    def judged() -> Sequence[Found]:
        text, base = source.join_kept()
        return judge(text, start - base)

    # Behind the partner of its mark nothing is of it.
    if block.dialect.closer is None or (yield from reading.at_partner()):
        reading.end_block(block, judged, needed)
        return
    yield from source.skip_run(SPACE_RUN)
    character = yield from source.peek()
    found = yield from reading.marker_here()
    if found and found.is_closer(block.dialect.key):
        reading.move_behind(found)
        reading.end_block(block, judged, needed, closer=found)
    elif character and character in _GOES_ON:
        yield from read_failed(reading, block)
    else:
        source.back_to(end)
        if not character and block.dialect.messages:
            reading.end_block(block, judged, needed)
        elif not character or (found and _replaces_closer(reading, block, found)):
            reading.end_block(block, judged, [*needed, "missing_closer"])
        elif block.dialect.messages:
            yield from read_unshown(reading, block, "trailing_text")
        else:
            reading.suspend(block, "trailing_text", end)


def _replaces_closer(reading: Reading, block: Block, marker: Marker) -> bool:
    """Tell whether a marker behind a complete payload stands in for its closer."""
    of_message = marker.kind == "drop" or block.dialect.key in marker.dialects
    is_header = block.dialect.messages is not None and of_message
    return marker.is_no_value or is_header or reading.wrappers.closes(marker)
