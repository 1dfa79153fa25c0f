"""The parser of a block: what begins behind its opener (definitions "block", "payload", "undecided
opener").
"""

from __future__ import annotations

from commoncall.extraction.failed_block import fail
from commoncall.extraction.fence import FENCE_RUN, opening_fence
from commoncall.extraction.json_block import read_json
from commoncall.extraction.markers import Marker
from commoncall.extraction.parameters_block import begins_parameters, read_parameters_block
from commoncall.extraction.reading import LETTER_OR_DIGIT, SPACE_RUN, Block, FindMarker, Reading


def read_block(reading: Reading, block: Block, opener: Marker) -> FindMarker:
    """Read from behind an opener; return an opener that follows at once, as a further block or
    inside this one.
    """
    source = reading.source
    yield from source.skip_run(SPACE_RUN)
    character = yield from source.peek()
    if not character:
        reading.reject_here(block, "truncated")
        return None
    found = yield from reading.marker_here("decision")
    space = source.since(opener.end)
    if found and found.opens:
        reading.code.add(space)
        if reading.code.hides():
            reading.release(block.start)
            return None
        reading.wrappers.open(opener, source.since(block.start))
        return found
    scanner = block.dialect.payload.scanner
    if scanner == "parameters":
        if (yield from begins_parameters(reading, block, space, found)):
            return (yield from read_parameters_block(reading, block.with_payload()))
    elif scanner != "none" and character in "{[":
        return (yield from read_json(reading, block.with_payload(), fence=""))
    elif scanner != "none" and character in FENCE_RUN:
        fence = yield from opening_fence(reading)
        if fence:
            return (yield from read_json(reading, block.with_payload(), fence=fence))
    if found and found.is_closer(block.dialect.key):
        reading.move_behind(found)
        reading.reject_here(block, "empty", closer=found)
        return (yield from reading.between_blocks())
    no_mention = not space and not found and _begins_foreign_payload(character)
    if "\n" in space or no_mention:
        return (yield from fail(reading, block))
    source.back_to(opener.end)
    reading.suspend(block, "not_json", None)
    return None


def _begins_foreign_payload(character: str) -> bool:
    """Tell whether this, directly behind an opener, is the begin of a payload that is no JSON
    object or array, or of a tag that is no marker.
    """
    return character in "\"'<" or LETTER_OR_DIGIT.match(character) is not None
