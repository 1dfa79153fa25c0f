"""The parser of a block: what begins behind its opener (definitions "block", "payload", "undecided
opener"). A new payload scanner is a row here.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from commoncall.extraction.failed_block import read_failed
from commoncall.extraction.json_block import begins_json, read_json, scan_values
from commoncall.extraction.markers import Marker
from commoncall.extraction.parameters_block import begins_parameters, read_parameters_block
from commoncall.extraction.python_calls import begins_python_calls, read_python_calls, scan_calls
from commoncall.extraction.quoted_object import (
    begins_quoted_object,
    read_quoted_object,
    scan_quoted_object,
)
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.scanned_block import Scan
from commoncall.extraction.source import Parse, ParseOf
from commoncall.json_text import LETTER_OR_DIGIT


class Scanner(NamedTuple):
    """How payloads of one kind are read.

    Attributes:
        begins: tells whether one begins at the cursor, which does not move, given the white space
            behind the opener and the marker here, if there is one.
        read: reads one, and what decides about the block behind it.
        bare: what one begins with that is the whole message; nothing where none can be.
        scan: reads that.
    """

    begins: Callable[[Reading, Block, str, Marker | None], ParseOf[bool]]
    read: Callable[[Reading, Block], Parse]
    bare: str = ""
    scan: Scan = scan_values


SCANNERS: Final[Mapping[str, Scanner]] = {
    "json_values": Scanner(begins_json, read_json, bare="{"),
    "json_object": Scanner(begins_json, read_json, bare="{"),
    "json_array": Scanner(begins_json, read_json, bare="["),
    "json_arguments": Scanner(begins_json, read_json, bare="{"),
    "parameters": Scanner(begins_parameters, read_parameters_block),
    "python_calls": Scanner(begins_python_calls, read_python_calls, bare="[", scan=scan_calls),
    "quoted_object": Scanner(begins_quoted_object, read_quoted_object, scan=scan_quoted_object),
}
"""A dialect whose scanner is none of these has no payload: it can only wrap."""


def read_block(reading: Reading, block: Block, found: Marker | None) -> Parse:
    """Read from behind an opener and its white space; ``found`` is the marker there, no opener."""
    source = reading.source
    character = yield from source.peek()
    if not character:
        reading.reject(block, "truncated")
        return
    space = source.since(block.inner)
    scanner = SCANNERS.get(block.dialect.scanner)
    if scanner and (yield from scanner.begins(reading, block, space, found)):
        reading.begun = block
        yield from scanner.read(reading, block)
        return
    # A payload other than an object or array begins, or a tag that is no marker.
    is_foreign = character in "\"'<" or LETTER_OR_DIGIT.match(character)
    fails = "\n" in space or (is_foreign and not space and not found)
    if found and found.is_closer(block.dialect.key):
        reading.move_behind(found)
        reading.reject(block, "empty", closer=found)
    # An opener is no mention in prose where its line ends behind it, unless it only wraps.
    elif (fails and scanner) or block.dialect.messages:
        yield from read_failed(reading, block)
    else:
        source.back_to(block.inner)
        reading.suspend(block, "not_json")
