"""Chunks of Chat Completions, as events of other interfaces become them."""

from commoncall.interface.table import JsonObject


def chunk(delta: JsonObject, reason: str | None = None) -> JsonObject:
    """Return the chunk for a delta, or for the end of a reply."""
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def called(number: int, identifier: object, name: object) -> JsonObject:
    """Return the chunk with which a call begins."""
    function = {"name": name, "arguments": ""}
    call = {"index": number, "id": identifier, "type": "function", "function": function}
    return chunk({"tool_calls": [call]})


def more(number: int | None, arguments: str) -> JsonObject:
    """Return the chunk with a piece of the arguments of a call."""
    return chunk({"tool_calls": [{"index": number, "function": {"arguments": arguments}}]})
