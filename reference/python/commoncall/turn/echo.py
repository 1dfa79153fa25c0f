"""Calls that the model only repeats: definitions "heard text", "bare form" and "echo" (TRN-024)."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from commoncall.extraction import Extraction
from commoncall.json_text import BLANKS

_HEARD: Final = ("user", "tool", "function")
"""The roles of messages whose words are not the model's own, nor those of who runs it."""

_ESCAPED_UNIT: Final = re.compile(r"\\u([0-9A-Fa-f]{4})")
_NOTHING: Final = re.compile(rf"\\[bfnrt]?|[\b{re.escape(BLANKS)}]")


def echoes(extraction: Extraction, request: object) -> list[bool]:
    """Tell of each call of a text whether it is an echo of a request that was sent."""
    blocks = [each for each in extraction["segments"] if each.get("calls")]
    forms = [_bare(block["text"]) for block in blocks]
    found = _contained(map(_bare, _heard(request)), forms) if forms else set()
    return [
        form in found
        for block, form in zip(blocks, forms, strict=True)
        for _ in range(block["calls"])
    ]


def _heard(request: object) -> Iterator[str]:
    messages = request.get("messages") if isinstance(request, dict) else None
    for message in messages if isinstance(messages, list) else ():
        if isinstance(message, dict) and message.get("role") in _HEARD:
            yield "".join(_strings(message.get("content")))


def _strings(value: object) -> Iterator[str]:
    """Yield the strings of a content."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, dict):
        for name, one in value.items():
            if name != "type":
                yield from _strings(one)


def _bare(text: str) -> str:
    """Return a text without what depends on how it was laid out or escaped."""
    units = _ESCAPED_UNIT.sub(lambda escape: chr(int(escape[1], 16)), text)
    rest = _NOTHING.sub("", units)
    # Two units can be one character.
    return rest.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _contained(texts: Iterable[str], words: Iterable[str]) -> set[str]:
    """Return the words that are part of a text.

    In one pass for all of them, as Aho and Corasick have it: a message can have as many calls as
    a request has lines.
    """
    edges: list[dict[str, int]] = [{}]  # from each beginning of a word to longer ones
    whole: dict[str, int] = {}
    for word in words:
        at = 0
        for char in word:
            below = edges[at].setdefault(char, len(edges))
            if below == len(edges):
                edges.append({})
            at = below
        whole[word] = at
    ends = [0] * len(edges)  # of each beginning, the longest end that is a beginning as well

    def follow(at: int, char: str) -> int:
        while at and char not in edges[at]:
            at = ends[at]
        return edges[at].get(char, 0)

    order = [0]  # the shorter before the longer
    for at in order:
        for char, below in edges[at].items():
            order.append(below)
            ends[below] = follow(ends[at], char) if at else 0
    seen: set[int] = set()
    for text in texts:
        at = 0
        for char in text:
            at = follow(at, char)
            seen.add(at)
    for at in reversed(order):
        if at in seen:
            seen.add(ends[at])
    return {word for word, at in whole.items() if at in seen}
