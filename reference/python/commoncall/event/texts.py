"""The fixed texts of the event contract: error types with their messages, and the canned result.

Nothing here is ever made of input (EVT-021, EVT-053). spec/v1/codes.md lists the same texts.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeGuard

ErrorType = Literal[
    "tool_payload_too_large",
    "tool_payload_parse_error",
    "tool_payload_truncated",
    "tool_echoed",
    "tool_not_available",
    "tool_denied",
    "tool_timeout",
    "tool_aborted",
    "tool_error",
]

MESSAGES: Final[Mapping[ErrorType, str]] = {
    "tool_payload_too_large": "The tool call was not run: its payload is too large.",
    "tool_payload_parse_error": "The tool call was not run: its payload could not be read.",
    "tool_payload_truncated": "The tool call was not run: the output was cut off before its end.",
    "tool_echoed": (
        "The tool call was not run: it repeats a text that stood in a message or a result."
    ),
    "tool_not_available": "The tool call was not run: the tool is not available.",
    "tool_denied": "The tool call was not run: it was denied.",
    "tool_timeout": "The tool call took too long and was given up.",
    "tool_aborted": "The tool call was aborted before it had a result.",
    "tool_error": "The tool call failed.",
}

CANNED_RESULT: Final = '{"ok":true}'
"""What a call that went well shows when nothing was returned (EVT-048)."""

UNKNOWN_TOOL: Final = "unknown"
"""The label of every call whose name may not be shown (definition "label")."""


def is_error_type(value: object) -> TypeGuard[ErrorType]:
    """Tell whether a value is an error type."""
    return isinstance(value, str) and value in MESSAGES
