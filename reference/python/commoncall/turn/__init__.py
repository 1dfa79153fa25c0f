"""The turn contract: how do the four contracts meet, outbound and inbound?

Re-exports the contract's functions and result types; nothing is defined here. This is the only
contract that imports the others.
"""

from commoncall.turn.operations import OPERATIONS
from commoncall.turn.prepare import Prepared, prepare
from commoncall.turn.receive import Answer, Message, Received, TurnCall, receive
from commoncall.turn.settle import Outcome, Settled, settle

__all__ = [
    "OPERATIONS",
    "Answer",
    "Message",
    "Outcome",
    "Prepared",
    "Received",
    "Settled",
    "TurnCall",
    "prepare",
    "receive",
    "settle",
]
