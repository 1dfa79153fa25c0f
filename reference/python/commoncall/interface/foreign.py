"""Requests of Chat Completions where one of another interface is due."""

from collections.abc import Mapping
from typing import Any

from commoncall.interface.blocks import list_in
from commoncall.places import Place


def chat_sign(request: Mapping[str, Any]) -> Place | None:
    """Return where a request has the form of Chat Completions, None where it has not.

    An endpoint of another interface refuses it; its calls and results would be read as words.
    """
    for at, tool in enumerate(list_in(request, "tools")):
        if isinstance(tool, dict) and isinstance(tool.get("function"), dict):
            return ("tools", at, "function")
    for at, message in enumerate(list_in(request, "messages")):
        if isinstance(message, dict) and isinstance(message.get("tool_calls"), list):
            return ("messages", at, "tool_calls")
        if isinstance(message, dict) and message.get("role") == "tool":
            return ("messages", at, "role")
    return None
