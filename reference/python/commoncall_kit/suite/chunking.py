"""The law "chunking": a text that arrives in chunks gives what the whole text gives.

What is emitted has to make up the result, with each call behind the text that stands before it.
When a text has to be emitted is no part of the law: the cases of ``extraction.stream`` state it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from commoncall.json_text import BLANKS, joined_pairs

FEATURE: Final = "streaming"
OPERATION: Final = "extraction.stream"
SIZES: Final = (1, 3, 7)
"""Lengths of the chunks, in code points."""

_NO_BLANKS: Final = dict.fromkeys(map(ord, BLANKS))


def inputs(given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the inputs of the stream for the input of an extraction; none of another input."""
    match given:
        case {"text": str(text), **rest}:
            for size in SIZES:
                yield {"chunks": cut(text, size), **rest}


def cut(text: str, size: int) -> list[str]:
    """Return a text in pieces of so many code points; no piece of an empty one."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def inner(answer: Mapping[str, Any], member: str = "result") -> Mapping[str, Any]:
    """Return the answer of a stream as that of the whole: what stands in a member of its result."""
    match answer:
        case {"result": dict(result)} if isinstance(result.get(member), dict):
            return {"result": result[member]}
    return answer


def broken(given: Mapping[str, Any], answer: Mapping[str, Any]) -> str | None:
    """Say which requirement of EXT-111 to EXT-114 a stream broke and how, or nothing.

    Args:
        given: the input of the stream.
        answer: its answer, whose inner result is as expected.
    """
    match answer:
        case {"result": {"result": dict(result), "emitted": list(emitted)}}:
            pass
        case {"error": _}:
            return None
        case _:
            return "EXT-111: the answer has no emitted"
    if len(emitted) != len(given["chunks"]) + 1:
        return "EXT-111: emitted has not one list for each chunk and one for the end"
    if not all(map(_are_events, emitted)):
        return "EXT-111: emitted holds something else than lists of events"
    events = [event for part in emitted for event in part]
    if any(map(_are_parted, emitted)):
        return "EXT-111: emitted holds a text, or reasoning, as two events that follow each other"
    if _joined(events, "text") != (result["content"] or ""):
        return "EXT-111: the texts that were emitted are not the content"
    if _joined(events, "reasoning") != (result["reasoning"] or ""):
        return "EXT-111: the reasoning that was emitted is not the reasoning"
    calls = [event["call"] for event in events if "call" in event]
    if calls != list(range(len(result["tool_calls"]))):
        return "EXT-114: the calls that were emitted are not the calls, each once and in order"
    if not _are_segments(result.get("segments")):  # who declares none may answer anything there
        return None
    return _misplaced_call(events, result)


def _are_events(part: object) -> bool:
    return isinstance(part, list) and all(
        isinstance(event, dict)
        and all(isinstance(event.get(kind, ""), str) for kind in ("text", "reasoning"))
        for event in part
    )


def _are_parted(events: Sequence[Mapping[str, Any]]) -> bool:
    return any(
        first.keys() == second.keys() and not {"text", "reasoning"}.isdisjoint(first)
        for first, second in pairwise(events)
    )


def _are_segments(segments: object) -> bool:
    def is_one(segment: object) -> bool:
        match segment:
            case {"kind": str(), "text": str(), **rest}:
                return isinstance(rest.get("calls", 0), int)
        return False

    return isinstance(segments, list) and all(map(is_one, segments))


def _joined(events: Sequence[Mapping[str, Any]], kind: str) -> str:
    return joined_pairs("".join(event[kind] for event in events if kind in event))


def _misplaced_call(events: Sequence[Mapping[str, Any]], result: Mapping[str, Any]) -> str | None:
    """Before a call stands the visible text that stands before it in the message."""
    due: list[int] = []  # for each call: so much of the visible text stands before it
    visible = 0
    for segment in result["segments"]:
        if segment["kind"] in ("text", "code"):
            visible += _visible(segment["text"])
        due += [visible] * segment.get("calls", 0)
    shown = 0
    for event in events:
        shown += _visible(event.get("text", ""))
        place = event.get("call")
        if place is not None and due[place : place + 1] not in ([], [shown]):
            return f"EXT-111: call {place} stands behind {shown} visible characters"
    return None


def _visible(text: str) -> int:
    """How long a text is without its blanks, in halves of pairs: an event can end between two."""
    seen = text.translate(_NO_BLANKS)
    return len(seen.encode("utf-16-le", "surrogatepass")) // 2
