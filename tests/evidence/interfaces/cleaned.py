"""A conversation of an interface as it leaves: read, sanitised and written."""

from collections.abc import Sequence
from typing import Any, Final, get_args

from commoncall import interface as interfaces
from commoncall.interface import Interface
from commoncall.payload import sanitize_history, sanitize_request

INTERFACES: Final[Sequence[Interface]] = get_args(Interface)
CAPABLE: Final = {
    "tool_calls_supported": True,
    "tool_choice": ["auto", "none", "required", "named"],
    "parallel_tool_calls": True,
}


def sanitised(interface: Interface, request: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a request that was read, sanitised and written, and the codes of what was found."""
    read = interfaces.read(interface, request)
    clean = sanitize_request(read["request"], capability=CAPABLE, profile=interface)
    members: Any = clean["request"]
    history = sanitize_history(members["messages"], disposition="answer", profile=interface)
    sent = {**members, "messages": history["messages"]}
    written = interfaces.write(interface, sent, read["carried"])
    found = [*read["findings"], *clean["findings"], *history["findings"], *written["findings"]]
    return written["request"], [each["code"] for each in found]
