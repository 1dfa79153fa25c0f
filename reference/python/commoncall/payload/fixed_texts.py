"""The words that a history is given from outside: spec/v1/codes.md, "Fixed texts", and two names.

None of them may ever hold anything of a call.
"""

INVALID_CALL_RESULT = "Error: this call was not run, because its name or its arguments are invalid."
MISSING_RESULT = "Error: there is no result for this call."
PART_NOT_SHOWN = "This part of the result is no text, and is not shown."
PART_MOVED = "This part of the result is no text, and stands in the message behind the results."
PARTS_OF_RESULTS = "These parts are of the results of tools, in their order."
RESULT_NOT_JSON = "The tool was run, and its result cannot be written as JSON."
RESULTS_RECEIVED = "I have received the results."
MESSAGE_RECEIVED = "I have received the message."
PLEASE_CONTINUE = "Please continue."
CALL_NOT_SHOWN = "A tool was called here, and the call is not shown."

INVALID_NAME = "invalid_tool_call"
"""The name of a call that has none (PAY-067, definition "shown name")."""

UNKNOWN_NAME = "unknown"
"""Whose result it is when no call is answered (definition "shown name")."""
