"""Markers: openers, closers, the reasoning tags and the headers of messages."""

from __future__ import annotations

from dataclasses import dataclass

from tests.slow_extraction.characters import BLANKS, ascii_lower

TAG_DIALECTS = ["tool_call", "tools", "tool_calls", "function_call", "function"]
MESSAGES = "harmony-pseudo"
DIALECTS = [*TAG_DIALECTS, MESSAGES]


@dataclass(frozen=True)
class Marker:
    """A marker that stands at ``start`` and ends before ``end``."""

    kind: str  # "opener", "closer", "reasoning"
    dialect: str  # of a reasoning opener: ""
    start: int
    end: int
    reserved: bool = False


def tag_end(text: str, at: int, begin: str) -> int | None:
    """Return the end of a tag that begins so, then holds blanks at most, then `>` (EXT-011)."""
    end = at + len(begin)
    if ascii_lower(text[at:end]) != begin:
        return None
    while end < len(text) and ord(text[end]) in BLANKS:
        end += 1
    return end + 1 if text[end : end + 1] == ">" else None


def marker_at(text: str, at: int, active: list[str]) -> Marker | None:
    """Return the marker that stands here, of the active dialects or reasoning (EXT-010)."""
    if text[at : at + 1] != "<":
        return None
    for dialect in TAG_DIALECTS:
        if dialect in active:
            for kind, begin in (("opener", "<" + dialect), ("closer", "</" + dialect)):
                end = tag_end(text, at, begin)
                if end is not None:
                    return Marker(kind, dialect, at, end)
    if MESSAGES in active:
        if text.startswith("<|end|>", at):
            return Marker("closer", MESSAGES, at, at + len("<|end|>"))
        header = message_header(text, at)
        if header is not None:
            return header
    end = tag_end(text, at, "<think")
    return None if end is None else Marker("reasoning", "", at, end)


def message_header(text: str, at: int) -> Marker | None:
    """Return the message header that stands here, if it opens a block (message header)."""
    if not text.startswith("<|start|>assistant", at):
        return None
    begin = at + len("<|start|>assistant")
    for length in range(129):
        place = begin + length
        if text.startswith("<|message|>", place):
            break
        if place >= len(text) or text[place] == "\n":
            return None
        if text[place] == "<" and not text.startswith(("<|channel|>", "<|constrain|>"), place):
            return None
    else:
        return None
    end = place + len("<|message|>")
    words = text[begin:place]
    if channel_of(words + "<|message|>") == "tool":
        return Marker("opener", MESSAGES, at, end)
    if any(word in words for word in ("recipient:", "to:", "to=", "<|constrain|>")):
        return Marker("opener", MESSAGES, at, end, reserved=True)
    return None  # EXT-104


def channel_of(header: str) -> str | None:
    """Return the text behind the last `<|channel|>` up to the next `<|`, without blanks around."""
    _, found, rest = header.rpartition("<|channel|>")
    if not found:
        return None
    return rest[: rest.index("<|")].strip("".join(map(chr, BLANKS)))


def reasoning_close(text: str, at: int) -> tuple[int, int]:
    """Return start and end of the first `</think>` from here on, or twice the end of the text."""
    for start in range(at, len(text)):
        end = tag_end(text, start, "</think")
        if end is not None:
            return start, end
    return len(text), len(text)
