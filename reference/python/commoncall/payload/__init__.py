"""The payload contract: what may leave for a provider, and what may stay in the history.

Re-exports the contract's types, and its functions behind the border of Python (`border`).
"""

from commoncall import border
from commoncall.payload.flatten import FlattenedHistory, Form
from commoncall.payload.flatten import flatten_history as flatten_json
from commoncall.payload.foreign_form import (
    ForeignForm,
    ForeignFormError,
    read_messages,
    read_request,
)
from commoncall.payload.history import Disposition, SanitizedHistory
from commoncall.payload.history import sanitize_history as sanitize_history_json
from commoncall.payload.operations import OPERATIONS
from commoncall.payload.profile import OriginMissingError, load_profile
from commoncall.payload.request import RequestRefusedError, SanitizedRequest
from commoncall.payload.request import sanitize_request as sanitize_request_json
from commoncall.payload.sent_name import sent_name
from commoncall.payload.tool_call import ToolCallCheck
from commoncall.payload.tool_call import check_tool_call as check_json

flatten_history = border.public(messages=read_messages)(flatten_json)
sanitize_history = border.public(messages=read_messages)(sanitize_history_json)
sanitize_request = border.public(request=read_request, capability=border.plain)(
    sanitize_request_json
)
check_tool_call = border.public(tool_call=border.plain, tool=border.plain)(check_json)

__all__ = [
    "OPERATIONS",
    "Disposition",
    "FlattenedHistory",
    "ForeignForm",
    "ForeignFormError",
    "Form",
    "OriginMissingError",
    "RequestRefusedError",
    "SanitizedHistory",
    "SanitizedRequest",
    "ToolCallCheck",
    "check_tool_call",
    "flatten_history",
    "load_profile",
    "sanitize_history",
    "sanitize_request",
    "sent_name",
]
