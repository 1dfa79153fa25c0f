"""The payload contract as operations: JSON in, outcome out.

The envelopes are checked here (PAY-001, PAY-030, PAY-060, PAY-090), and nothing inside them.
"""

from typing import Final

from commoncall.envelope import Members, Operation, are_strings, pure
from commoncall.payload.flatten import Form, flatten_history
from commoncall.payload.history import Disposition, sanitize_history
from commoncall.payload.profile import is_profile
from commoncall.payload.request import sanitize_request
from commoncall.payload.tool_call import EmptyArguments, check_tool_call

is_call_input: Final = Members(
    {"tool_call": object}, {"truncated": bool, "empty_arguments": EmptyArguments, "tool": object}
)
_is_strict: Final = Members({"provider": str, "model": str, "callsite": str})
is_request_input: Final = Members(
    {"request": object, "capability": object}, {"strict": _is_strict, "profile": is_profile}
)
is_history_input: Final = Members(
    {"messages": list, "disposition": Disposition}, {"open_turn": bool, "profile": is_profile}
)
is_flatten_input: Final = Members({"messages": list, "form": Form}, {"effective": are_strings})

OPERATIONS: dict[str, Operation] = {
    "payload.check_tool_call": pure(is_call_input, check_tool_call),
    "payload.sanitize_request": pure(is_request_input, sanitize_request),
    "payload.sanitize_history": pure(is_history_input, sanitize_history),
    "payload.flatten_history": pure(is_flatten_input, flatten_history),
}
