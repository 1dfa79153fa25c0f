"""The turn contract: how do the four contracts meet, outbound and inbound?

Re-exports the contract's functions and result types; nothing is defined here. This is the only
contract that imports the others.
"""

from commoncall.turn.operations import OPERATIONS
from commoncall.turn.prepare import Prepared, prepare
from commoncall.turn.receive import Answer, ModelMessage, Received, TurnCall, receive
from commoncall.turn.settle import CallOutcome, Settled, settle

__all__ = [
    "OPERATIONS",
    "Answer",
    "CallOutcome",
    "ModelMessage",
    "Prepared",
    "Received",
    "Settled",
    "TurnCall",
    "prepare",
    "receive",
    "settle",
]
