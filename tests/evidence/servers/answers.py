"""The recorded answers: which server said what to a request of which shape.

A shape is what a request has in `tools` and in `tool_choice`, and nothing else decides. The table
knows nothing of the reference; for a shape that nobody sent to a server there is no answer.
"""

import json
from pathlib import Path
from typing import Any, Final, NotRequired, TypedDict


class Answer(TypedDict):
    """The answer of a server to one shape; the message is a short signature of the real one."""

    tools: str
    tool_choice: str
    status: int
    message: NotRequired[str]


class Server(TypedDict):
    """A server of one version, started with some flags, and whether it then takes tools."""

    flags: str
    takes_tools: bool
    answers: list[Answer]


SERVERS: Final[dict[str, Server]] = json.loads(
    Path(__file__).with_name("answers.json").read_text(encoding="ascii")
)["servers"]


def answer_of(server: str, request: dict[str, Any]) -> Answer | None:
    """Return what a server answered to a request of this shape, or None where nobody asked."""
    shape = shape_of(request)
    for answer in SERVERS[server]["answers"]:
        if (answer["tools"], answer["tool_choice"]) == shape:
            return answer
    return None


def shape_of(request: dict[str, Any]) -> tuple[str, str]:
    """Return what a request has in `tools` and in `tool_choice`, in the words of the table."""
    tools = request.get("tools", "absent")
    if isinstance(tools, list):
        tools = "filled" if tools else "empty"
    choice = request.get("tool_choice", "absent")
    if isinstance(choice, dict):
        choice = "named"
    return "null" if tools is None else str(tools), "null" if choice is None else str(choice)
