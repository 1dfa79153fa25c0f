"""The turn contract: how do the four contracts meet, outbound and inbound?

Re-exports the contract's types, and its functions behind the border of Python (`border`). This is
the only contract that imports the others.
"""

from commoncall import border
from commoncall.capability.operations import are_sections
from commoncall.capability.registry import read_registries
from commoncall.payload.foreign_form import read_request
from commoncall.turn.joined import ChoiceNotSingleError
from commoncall.turn.operations import OPERATIONS
from commoncall.turn.prepare import Prepared
from commoncall.turn.prepare import prepare as prepare_json
from commoncall.turn.receive import Answer, ModelMessage, PlanMismatchError, Received, TurnCall
from commoncall.turn.reply import Stream, read_outcomes, read_received, receive
from commoncall.turn.settle import CallOutcome, Settled
from commoncall.turn.settle import settle as settle_json
from commoncall.turn.stream import Shown

prepare = border.public(
    request=read_request,
    registries=read_registries,
    targets=border.formed(list, "list"),
    registered=border.names,
    layers=border.formed(list, "list"),
    sections=border.formed(are_sections, "list of sections"),
)(prepare_json)
settle = border.public(received=read_received, outcomes=read_outcomes)(settle_json)

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
