"""Chunks of Chat Completions, as events of other interfaces become them.

Holds the definition "usage of an end" of spec/v1/interfaces.md.
"""

from collections.abc import Sequence
from typing import Any, Final

from commoncall.forms import is_whole
from commoncall.interface.table import JsonObject


def chunk(delta: JsonObject, reason: str | None = None) -> JsonObject:
    """Return the chunk for a delta, or for the end of a reply."""
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def ended(reason: str, usage: JsonObject | None, stop: object = None) -> JsonObject:
    """Return the chunk with which a reply ends; ``stop`` is the stop sequence that matched."""
    matched = {"stop_reason": stop} if isinstance(stop, str) and stop else {}
    end: JsonObject = {"choices": [{"index": 0, "delta": {}, "finish_reason": reason, **matched}]}
    return end if usage is None else {**end, "usage": usage}


def usage_of(
    prompt: Sequence[object], completion: object, details: JsonObject, reasoning: object = None
) -> JsonObject | None:
    """Return what a reply used; None where nothing of its text is told."""
    if all(count is None for count in (*prompt, completion)):
        return None
    before, after = sum(map(count_of, prompt)), count_of(completion)
    usage: JsonObject = {
        "prompt_tokens": before,
        "completion_tokens": after,
        "total_tokens": before + after,
    }
    told = {name: count_of(count) for name, count in details.items() if count is not None}
    if told:
        usage["prompt_tokens_details"] = told
    if reasoning is not None:
        usage["completion_tokens_details"] = {"reasoning_tokens": count_of(reasoning)}
    return usage


_MOST_TOKENS: Final = 10**15
"""More are no count: the sum of two such is exact in binary64."""


def count_of(value: Any) -> int:
    """Return a number of tokens; 0 for what is none."""
    return int(value) if is_whole(value) and 0 <= value <= _MOST_TOKENS else 0


def called(number: int, identifier: object, name: object) -> JsonObject:
    """Return the chunk with which a call begins."""
    function = {"name": name, "arguments": ""}
    call = {"index": number, "id": identifier, "type": "function", "function": function}
    return chunk({"tool_calls": [call]})


def more(number: int | None, arguments: str) -> JsonObject:
    """Return the chunk with a piece of the arguments of a call."""
    return chunk({"tool_calls": [{"index": number, "function": {"arguments": arguments}}]})
