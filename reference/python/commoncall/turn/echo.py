"""Calls that the model only repeats: definitions "heard text", "bare form" and "echo" (TRN-024)."""

import re
from collections.abc import Iterator
from typing import Final

from commoncall.extraction import Extraction
from commoncall.json_text import BLANKS, joined_pairs

_HEARD: Final = ("user", "tool", "function")
"""The roles of messages whose words are not the model's own, nor those of who runs it."""

_ESCAPED_UNIT: Final = re.compile(r"\\u([0-9A-Fa-f]{4})")
_NOTHING: Final = re.compile(rf"\\[bfnrt]?|[\b{re.escape(BLANKS)}]")


def echoes(extraction: Extraction, request: object) -> list[bool]:
    """Tell of each call of a text whether it is an echo of a request that was sent."""
    blocks = [each for each in extraction["segments"] if each.get("calls")]
    heard = [_bare(text) for text in _heard(request)] if blocks else []
    echoed: list[bool] = []
    for block in blocks:
        form = _bare(block["text"])
        echoed += [any(form in text for text in heard)] * block["calls"]
    return echoed


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
    return joined_pairs(_NOTHING.sub("", units))
