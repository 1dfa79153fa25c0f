"""The law "streamed": a message that arrives in chunks is received as the whole message is.

When what is shown is free within what EXT-115 leaves open, so it is judged here by what follows
from the result, as the law "chunking" does for a text.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, Final

from commoncall.json_text import is_blank, joined_pairs
from commoncall_kit.suite import chunking
from commoncall_kit.suite.chunking import SIZES, cut

FEATURE: Final = "streaming"
OPERATION: Final = "turn.stream"
KINDS: Final = (("reasoning", "reasoning"), ("text", "content"))
"""What is shown, and the member of what was received that it makes up."""

ORDER: Final = ("reasoning", "text", "refusal")

inner = partial(chunking.inner, member="received")


def inputs(given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the inputs of the stream for the input of a whole message.

    None where no chunks give the message: its text is an array, it has a call in the legacy form,
    or a call that is no object, without a visible name, or with arguments that are neither absent
    nor a string.
    """
    match given:
        case {
            "message": {"text": None | str(), "tool_calls": None | list() as calls} as message,
            **rest,
        }:
            is_legacy = message.get("function_call") is not None
            if not is_legacy and all(map(_is_sent, calls or [])):
                for size in SIZES:
                    yield {"chunks": list(_chunks(message, size)), **rest}


def broken(given: Mapping[str, Any], answer: Mapping[str, Any]) -> str | None:
    """Say which part of TRN-069 a stream broke and how, or nothing.

    Args:
        given: the input of the stream.
        answer: its answer, in which what was received is as expected.
    """
    match answer:
        case {"result": {"received": dict(received), "shown": list(shown)}}:
            pass
        case {"error": _}:
            return None
        case _:
            return "TRN-069: the answer has no shown"
    if len(shown) != len(given["chunks"]) + 1:
        return "TRN-069: shown has not one list for each chunk and one for the end"
    if not all(_is_list(pieces) for pieces in shown):
        return "TRN-069: a list of shown holds something twice, in another order, or empty"
    for kind, member in KINDS:
        texts = [piece[kind] for pieces in shown for piece in pieces if kind in piece]
        if joined_pairs("".join(texts)) != (received[member] or ""):
            return f"TRN-069: what is shown as {kind} is not the {member}"
    return None


def _is_list(pieces: object) -> bool:
    if not isinstance(pieces, list) or not all(isinstance(one, dict) for one in pieces):
        return False
    kinds = [kind for one in pieces for kind in one]
    in_order = [kind for kind in ORDER if kind in kinds]
    texts = [text for one in pieces for text in one.values()]
    return kinds == in_order and all(text and isinstance(text, str) for text in texts)


_APART: Final = ("tool_calls", "truncated", "function_call")
"""The members of a message that are no member of a delta, or have chunks of their own."""


def _is_sent(call: Any) -> bool:
    match call:
        case {"function": {"name": str(name), **rest}}:
            return not is_blank(name) and isinstance(rest.get("arguments", ""), str)
    return False


def _chunks(message: Mapping[str, Any], size: int) -> Iterator[dict[str, Any]]:
    """Cut a message: its texts, the heads of its calls, and their arguments in turns."""
    yield _chunk({"role": "assistant", "content": None})
    for name, value in message.items():
        if name not in _APART:
            member = "content" if name == "text" else name
            pieces = (cut(value, size) or [""]) if isinstance(value, str) else [value]
            yield from (_chunk({member: piece}) for piece in pieces)
    calls = message["tool_calls"] or []
    for index, call in enumerate(calls):
        function = {name: value for name, value in call["function"].items() if name != "arguments"}
        yield _chunk({"tool_calls": [{**call, "index": index, "function": function}]})
    columns = [_cut(call["function"].get("arguments"), size) for call in calls]
    for turn in zip_longest(*columns):
        entries = [
            {"index": index, "function": {"arguments": piece}}
            for index, piece in enumerate(turn)
            if piece is not None
        ]
        yield _chunk({"tool_calls": entries})
    reason = "length" if message.get("truncated") else "tool_calls" if calls else "stop"
    yield {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


def _chunk(delta: Mapping[str, Any]) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def _cut(text: str | None, size: int) -> Sequence[str]:
    return [] if text is None else cut(text, size) or [""]
