"""The event contract: what is observed of each call, without leaking its arguments.

Re-exports the contract's functions and types; nothing is defined here.
"""

from commoncall.event.hashing import ArgumentsError, ArgumentsHash, Key, hash_arguments
from commoncall.event.metrics import BOUNDS, Metrics, measure
from commoncall.event.operations import OPERATIONS
from commoncall.event.recorder import Call, Event, Output, PlannedEvent, Recorder, ResultEvent
from commoncall.event.texts import CANNED_RESULT, MESSAGES, ErrorType

__all__ = [
    "BOUNDS",
    "CANNED_RESULT",
    "MESSAGES",
    "OPERATIONS",
    "ArgumentsError",
    "ArgumentsHash",
    "Call",
    "ErrorType",
    "Event",
    "Key",
    "Metrics",
    "Output",
    "PlannedEvent",
    "Recorder",
    "ResultEvent",
    "hash_arguments",
    "measure",
]
