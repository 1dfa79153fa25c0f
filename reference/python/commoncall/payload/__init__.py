"""The payload contract: what may leave for a provider, and what may stay in the history.

Re-exports the contract's functions and result types; nothing is defined here.
"""

from commoncall.payload.flatten import FlattenedHistory, Form, flatten_history
from commoncall.payload.history import Disposition, SanitizedHistory, sanitize_history
from commoncall.payload.operations import OPERATIONS
from commoncall.payload.profile import OriginMissingError
from commoncall.payload.request import (
    RequestRefusedError,
    SanitizedRequest,
    Strict,
    sanitize_request,
)
from commoncall.payload.sent_name import sent_name
from commoncall.payload.tool_call import EmptyArguments, ToolCallCheck, check_tool_call

__all__ = [
    "OPERATIONS",
    "Disposition",
    "EmptyArguments",
    "FlattenedHistory",
    "Form",
    "OriginMissingError",
    "RequestRefusedError",
    "SanitizedHistory",
    "SanitizedRequest",
    "Strict",
    "ToolCallCheck",
    "check_tool_call",
    "flatten_history",
    "sanitize_history",
    "sanitize_request",
    "sent_name",
]
