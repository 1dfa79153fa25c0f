"""The operations of all contracts, by name."""

from collections.abc import Mapping
from typing import Final

from commoncall.capability import operations as capability
from commoncall.event import operations as event
from commoncall.extraction import operations as extraction
from commoncall.interface import operations as interface
from commoncall.operation import Operation
from commoncall.payload import operations as payload
from commoncall.turn import operations as turn

OPERATIONS: Final[Mapping[str, Operation]] = {
    **payload.OPERATIONS,
    **capability.OPERATIONS,
    **event.OPERATIONS,
    **extraction.OPERATIONS,
    **turn.OPERATIONS,
    **interface.OPERATIONS,
}
