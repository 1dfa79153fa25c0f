"""The readers of payloads (definition "payload scanner"). A new one is a row here."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from commoncall.extraction.json_block import begins_json, read_json
from commoncall.extraction.markers import Marker
from commoncall.extraction.parameters_block import begins_parameters, read_parameters_block
from commoncall.extraction.payloads import Broken, Payload
from commoncall.extraction.python_calls import (
    begins_python_calls,
    begins_python_values,
    read_python_calls,
    read_python_values,
)
from commoncall.extraction.quoted_object import begins_quoted_object, read_quoted_object
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import ParseOf


class Reader(NamedTuple):
    """How payloads of one kind are read.

    Attributes:
        begins: tells whether one begins at the cursor, which does not move, given the white space
            behind the opener and the marker here, if there is one.
        read: reads one.
        bare: what one begins with that is the whole message; nothing where none can be.
    """

    begins: Callable[[Reading, Block, str, Marker | None], ParseOf[bool]]
    read: Callable[[Reading, Block], ParseOf[Payload | Broken]]
    bare: str = ""


READERS: Final[Mapping[str, Reader]] = {
    "json_values": Reader(begins_json, read_json, bare="{"),
    "json_object": Reader(begins_json, read_json, bare="{"),
    "json_array": Reader(begins_json, read_json, bare="["),
    "json_arguments": Reader(begins_json, read_json, bare="{"),
    "parameters": Reader(begins_parameters, read_parameters_block),
    "python_calls": Reader(begins_python_calls, read_python_calls, bare="["),
    "python_values": Reader(begins_python_values, read_python_values, bare="["),
    "quoted_object": Reader(begins_quoted_object, read_quoted_object),
}
"""A dialect whose reader is none of these has no payload: it can only wrap."""
