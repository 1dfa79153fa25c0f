"""What a client of Chat Completions reads of a received message, for who stands in between."""

from typing import Any, TypedDict

from commoncall.turn.receive import Received
from commoncall.turn.reply import settle


class ClientMessage(TypedDict):
    """A message as a client of Chat Completions reads it.

    ``tool_calls`` are those that can be run, those that stood in the text among them. ``notes`` are
    what the model would read of the others, each once.
    """

    content: str | None
    tool_calls: list[dict[str, Any]]
    finish_reason: str | None
    notes: list[str]


def client_message(received: Received, *, finish_reason: str | None = None) -> ClientMessage:
    """Return a received message as a client of Chat Completions reads it.

    Args:
        received: what `receive` or `Stream.finish` returned.
        finish_reason: why the message ended, as the server says it; that of a cut stays.

    Raises:
        TypeError: it is not what `receive` returned.
    """
    told = {one["seq"]: str(one["content"]) for one in settle(received, [])["outputs"]}
    calls = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": call["arguments_json"]},
        }
        for call in received["dispatch"]
    ]
    return {
        "content": received["content"],
        "tool_calls": calls,
        "finish_reason": _reason(received, finish_reason),
        "notes": [*dict.fromkeys(told[one["seq"]] for one in received["answers"])],
    }


def _reason(received: Received, ended: str | None) -> str | None:
    """Return why a message ended: with the calls that can be run, unless it was cut off; where
    there are none, a reason of calls is as good as a stop.
    """
    if received["dispatch"] and not (received.get("truncated") and ended):
        return "tool_calls"
    return "stop" if ended in ("tool_calls", "function_call") else ended
