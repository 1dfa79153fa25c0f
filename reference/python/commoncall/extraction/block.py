"""The parser of a block: what begins behind its opener (definitions "block", "payload", "undecided
opener"). A new payload scanner is a row here.
"""

from collections.abc import Callable, Generator, Mapping
from typing import Final, NamedTuple

from commoncall.extraction.clean import Reader
from commoncall.extraction.clean.json_payload import clean_arguments, clean_values
from commoncall.extraction.clean.literal_payload import clean_calls, clean_object
from commoncall.extraction.clean.parameters_payload import clean_parameters
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.failed_block import read_failed
from commoncall.extraction.json_block import begins_json, read_json, scan_values
from commoncall.extraction.markers import Marker
from commoncall.extraction.parameters_block import begins_parameters, read_parameters_block
from commoncall.extraction.python_calls import begins_python_calls, read_python_calls, scan_calls
from commoncall.extraction.quoted_object import begins_quoted_object, read_quoted_object
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.scanned_block import Scan
from commoncall.extraction.source import Parse, Wait
from commoncall.json_text import LETTER_OR_DIGIT


class Scanner(NamedTuple):
    """How payloads of one kind are read.

    Attributes:
        begins: tells whether one begins at the cursor, which does not move, given the white space
            behind the opener and the marker here, if there is one.
        read: reads one, and what decides about the block behind it.
        clean: returns what reads a clean one of a dialect.
        bare: what one begins with that is the whole message; nothing where none can be.
        scan: reads that.
        names_in_openers: the name of a call can stand in the opener.
        quotes_closers: a value may hold the closer, so ``clean`` looks for the end itself.
    """

    begins: Callable[[Reading, Block, str, Marker | None], Generator[Wait, None, bool]]
    read: Callable[[Reading, Block], Parse]
    clean: Callable[[Dialect], Reader]
    bare: str = ""
    scan: Scan = scan_values
    names_in_openers: bool = False
    quotes_closers: bool = False


_JSON: Final = Scanner(begins_json, read_json, clean_values, "{")
SCANNERS: Final[Mapping[str, Scanner]] = {
    "json_values": _JSON,
    "json_object": _JSON,
    "json_array": _JSON._replace(bare="["),
    "json_arguments": _JSON._replace(clean=clean_arguments, names_in_openers=True),
    "parameters": Scanner(
        *(begins_parameters, read_parameters_block, clean_parameters),
        names_in_openers=True,
        quotes_closers=True,
    ),
    "python_calls": Scanner(begins_python_calls, read_python_calls, clean_calls, "[", scan_calls),
    "quoted_object": Scanner(begins_quoted_object, read_quoted_object, clean_object),
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
