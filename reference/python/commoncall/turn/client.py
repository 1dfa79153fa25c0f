"""What a client of Chat Completions reads of a received message, for who stands in between."""

from typing import Any, Final, TypedDict

from commoncall import border
from commoncall.turn.receive import Received
from commoncall.turn.reply import settle

_OF_CALLS: Final = ("tool_calls", "function_call")


class ClientMessage(TypedDict):
    """A message as a client of Chat Completions reads it.

    ``tool_calls`` are those that can be run, those that stood in the text among them. ``notes`` are
    what the model would read of the others, each once.
    """

    content: str | None
    tool_calls: list[dict[str, Any]]
    finish_reason: str
    notes: list[str]


def client_message(received: Received, *, finish_reason: object = None) -> ClientMessage:
    """Return a received message as a client of Chat Completions reads it.

    Args:
        received: what `receive` or `Stream.finish` returned.
        finish_reason: why the message ended, as the server says it. What was cut off stays so.

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
        "finish_reason": _reason(received, border.plain(finish_reason, "finish_reason")),
        "notes": [*dict.fromkeys(told[one["seq"]] for one in received["answers"])],
    }


def _reason(received: Received, ended: object) -> str:
    is_cut = received.get("truncated", False)
    is_said = isinstance(ended, str) and ended not in ("", *_OF_CALLS)
    if received["dispatch"] and not (is_cut and is_said):
        return "tool_calls"
    if isinstance(ended, str) and is_said:
        return ended
    return "length" if is_cut else "stop"
