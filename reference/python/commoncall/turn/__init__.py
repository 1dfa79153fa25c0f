"""The turn contract: how do the four contracts meet, outbound and inbound?

Re-exports the contract's functions and result types; nothing is defined here. This is the only
contract that imports the others.
"""

from commoncall.turn.joined import ChoiceNotSingleError
from commoncall.turn.operations import OPERATIONS
from commoncall.turn.prepare import Prepared, prepare
from commoncall.turn.receive import (
    Answer,
    ModelMessage,
    PlanMismatchError,
    Received,
    TurnCall,
    receive,
)
from commoncall.turn.settle import CallOutcome, Settled, settle
from commoncall.turn.stream import Shown, Stream

__all__ = [
    "OPERATIONS",
    "Answer",
    "CallOutcome",
    "ChoiceNotSingleError",
    "ModelMessage",
    "PlanMismatchError",
    "Prepared",
    "Received",
    "Settled",
    "Shown",
    "Stream",
    "TurnCall",
    "prepare",
    "receive",
    "settle",
]
