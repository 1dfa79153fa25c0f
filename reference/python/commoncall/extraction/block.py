"""The parser of a block: what begins behind its opener (definitions "block", "payload", "undecided
opener").
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial

from commoncall.extraction.failed_block import read_failed
from commoncall.extraction.json_block import FENCE_RUN, opening_fence, read_json
from commoncall.extraction.markers import Marker
from commoncall.extraction.parameters_block import begins_parameters, read_parameters_block
from commoncall.extraction.python_calls import begins_python_calls, read_python_calls
from commoncall.extraction.quoted_object import begins_quoted_object, read_quoted_object
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import Parse, Wait
from commoncall.json_text import LETTER_OR_DIGIT


def read_block(reading: Reading, block: Block, found: Marker | None) -> Parse:
    """Read from behind an opener and its white space; ``found`` is the marker there, no opener."""
    source = reading.source
    character = yield from source.peek()
    if not character:
        reading.reject(block, "truncated")
        return
    space = source.since(block.inner)
    if (yield from _read_payload(reading, block, space, found)):
        return
    no_mention = not space and not found and _begins_foreign_payload(character)
    if found and found.is_closer(block.dialect.key):
        reading.move_behind(found)
        reading.reject(block, "empty", closer=found)
    elif "\n" in space or no_mention or block.dialect.messages:
        yield from read_failed(reading, block)
    else:
        source.back_to(block.inner)
        reading.suspend(block, "not_json")


def _read_payload(
    reading: Reading, block: Block, space: str, found: Marker | None
) -> Generator[Wait, None, bool]:
    """Read the payload that begins at the cursor, and what decides behind it; False where none
    begins.
    """
    character = reading.source.text[reading.source.at]
    scanner = block.dialect.scanner
    read: Callable[[Reading, Block], Parse] = read_json
    begins = False
    if scanner == "parameters":
        begins = yield from begins_parameters(reading, block, space, found)
        read = read_parameters_block
    elif scanner == "python_calls":
        begins = begins_python_calls(block, space, character)
        read = read_python_calls
    elif scanner == "quoted_object":
        begins = yield from begins_quoted_object(reading, block)
        read = read_quoted_object
    elif scanner != "none" and character in FENCE_RUN:
        fence = yield from opening_fence(reading)
        begins = bool(fence)
        read = partial(read_json, fence=fence)
    elif scanner != "none":
        begins = character in "{[" and not (found and found.is_no_value)
    if begins:
        reading.begun = begun = block.with_payload()
        yield from read(reading, begun)
    return begins


def _begins_foreign_payload(character: str) -> bool:
    """Tell whether a payload other than an object or array, or a tag that is no marker, begins."""
    return character in "\"'<" or LETTER_OR_DIGIT.match(character) is not None
