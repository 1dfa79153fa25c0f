"""What an agent of some 560 lines of its own does with calls and histories, on this package:
validate before storing, repair arguments, sanitise before sending, join, keep a cursor.

It makes up no words: what the endpoint does not take, a finding says.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from commoncall.payload import check_tool_call, sanitize_history

Messages = list[dict[str, Any]]
HERE = {"provider": "gemini", "model": "any"}


def is_valid_tool_call(call: object) -> bool:
    """Tell whether a call may be stored as it is."""
    return check_tool_call(call)["valid"]


def repaired_arguments(call: Mapping[str, Any]) -> str | None:
    """Return the arguments that a call means, or None where that would be a guess."""
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    kept = sanitize_history([asked], disposition="skip", open_turn=True)["messages"]
    calls: Any = kept[0]["tool_calls"] if kept else None
    return calls[0]["function"]["arguments"] if calls else None


def sanitized(messages: Sequence[object], *, keep_invalid: bool = True) -> Messages:
    """Return a stored history that may be sent: whole pairs, no poison, no empty message."""
    disposition: Any = "answer" if keep_invalid else "skip"
    return sanitize_history(messages, disposition=disposition)["messages"]


def for_strict_api(messages: Sequence[object], *, is_gemini: bool = False) -> Messages:
    """Return the history without the members that a strict API refuses."""
    flags: dict[str, Any] = {"base": "open", "unknown_members": "none"}
    if is_gemini:  # which wants its signatures back, also from a store without marks
        flags |= {"opaque_members": ["extra_content"], "origin": HERE, "unmarked": HERE}
    return sanitize_history(messages, disposition="answer", profile=flags)["messages"]


def joined(messages: Sequence[object], flushed: int) -> tuple[Messages, int]:
    """Join neighbours, and say how many of the messages left were among the first ``flushed``."""
    flags = {"base": "open", "repeated_roles": False, "bridges": False}
    found = sanitize_history(messages, disposition="answer", profile=flags, positions=True)
    cursor = sum(at is not None and at < flushed for at in found["positions"])
    return found["messages"], cursor
