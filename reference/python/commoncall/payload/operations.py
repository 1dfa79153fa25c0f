"""The payload contract as operations: JSON in, outcome out.

The forms of the inputs are those of the schemas (PAY-001).
"""

from commoncall.operation import Operation, by_name, pure
from commoncall.payload.flatten import flatten_history
from commoncall.payload.history import sanitize_history
from commoncall.payload.request import sanitize_request
from commoncall.payload.tool_call import check_tool_call

OPERATIONS: dict[str, Operation] = by_name(
    pure("payload.check_tool_call", check_tool_call),
    pure("payload.sanitize_request", sanitize_request),
    pure("payload.sanitize_history", sanitize_history),
    pure("payload.flatten_history", flatten_history),
)
