"""The event contract: what is observed of each call, without leaking its arguments.

Re-exports the contract's functions and types; nothing is defined here.
"""

from commoncall.event.form import Event, EventError, PlannedEvent, ResultEvent
from commoncall.event.hashing import ArgumentsError, ArgumentsHash, Key, hash_arguments
from commoncall.event.metrics import BOUNDS, Metrics, measure
from commoncall.event.operations import OPERATIONS
from commoncall.event.otel import Telemetry, to_otel
from commoncall.event.recorder import Output, PlannedCall, Recorder
from commoncall.event.texts import CANNED_RESULT, MESSAGES, ErrorType

__all__ = [
    "BOUNDS",
    "CANNED_RESULT",
    "MESSAGES",
    "OPERATIONS",
    "ArgumentsError",
    "ArgumentsHash",
    "ErrorType",
    "Event",
    "EventError",
    "Key",
    "Metrics",
    "Output",
    "PlannedCall",
    "PlannedEvent",
    "Recorder",
    "ResultEvent",
    "Telemetry",
    "hash_arguments",
    "measure",
    "to_otel",
]
