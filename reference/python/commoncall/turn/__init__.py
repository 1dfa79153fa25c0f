"""The turn contract: how do the four contracts meet, outbound and inbound?

Re-exports the contract's types, and its functions behind the border of Python (`border`). This is
the only contract that imports the others.
"""

from commoncall.turn.client import ClientMessage, client_message
from commoncall.turn.joined import ChoiceNotSingleError
from commoncall.turn.operations import OPERATIONS
from commoncall.turn.prepare import Prepared
from commoncall.turn.receive import Answer, ModelMessage, PlanMismatchError, Received, TurnCall
from commoncall.turn.reply import Stream, receive, settle
from commoncall.turn.sending import Reading, Sent, UnknownModelWarning, prepare
from commoncall.turn.settle import CallOutcome, Settled
from commoncall.turn.stream import Shown

__all__ = [
    "OPERATIONS",
    "Answer",
    "CallOutcome",
    "ChoiceNotSingleError",
    "ClientMessage",
    "ModelMessage",
    "PlanMismatchError",
    "Prepared",
    "Reading",
    "Received",
    "Sent",
    "Settled",
    "Shown",
    "Stream",
    "TurnCall",
    "UnknownModelWarning",
    "client_message",
    "prepare",
    "receive",
    "settle",
]
