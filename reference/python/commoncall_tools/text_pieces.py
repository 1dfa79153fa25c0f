"""What became of each piece of a text, in sentences: ``extract --explain``."""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from commoncall.extraction.dialects import COMMON_DIALECTS
from commoncall.extraction.record import Extraction, Segment
from commoncall_tools.scanning.texts import DEFAULT, leaks
from commoncall_tools.text import read

_QUOTED: Final = ("call", "rejected")
"""The pieces that are shown beside what became of them."""

_WIDTH: Final = 72
"""So many characters of a piece are shown."""

_SHOWN: Final = 5
"""How many formats are named that a marker may be of."""


def lines(text: str, result: Extraction, format: str | None) -> Iterator[str]:
    """Return a line for each piece of a text with its place, for the repairs, and for each place of
    which other formats read more than the one that was asked for.
    """
    meanings = read().codes["extraction"]
    starts = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]
    names = iter([call["name"] for call in result["tool_calls"]])
    pieces = result["segments"]
    at = list(accumulate((len(each["text"]) for each in pieces), initial=0))
    for start, piece in zip(at, pieces, strict=False):
        yield f"{_place(starts, start)}  {_said(piece, names)}"
        if piece["kind"] in _QUOTED:
            yield f"  > {_begun(piece['text'])}"
        for code in piece.get("codes", ()):
            yield f"  {meanings[code].said(code)}"
    for each in result["repairs"]:
        times = f", {each['count']} times" if each["count"] > 1 else ""
        yield f"repaired{times}: {meanings[each['code']].said(each['code'])}"
    for leak in leaks(text):
        if (format or DEFAULT) in leak.formats or not leak.dialects.keys().isdisjoint(
            COMMON_DIALECTS
        ):
            continue  # no other one reads more of it
        more = f" and {len(leak.formats) - _SHOWN} more" if len(leak.formats) > _SHOWN else ""
        shown = ", ".join(leak.formats[:_SHOWN])
        begin = _begun(text[leak.start : leak.end])
        yield f"{_place(starts, leak.start)}  looks like {shown}{more}: {begin}"


def _begun(text: str) -> str:
    """Return the begin of a piece on one line."""
    begin = " ".join(text[: 2 * _WIDTH].split())
    return f"{begin[: _WIDTH - 3]}..." if len(begin) > _WIDTH or len(text) > 2 * _WIDTH else begin


def _place(starts: list[int], at: int) -> str:
    """Return line and column of a character, both from 1."""
    line = bisect_right(starts, at)
    return f"{line}:{at - starts[line - 1] + 1}"


def _said(piece: Segment, names: Iterator[str]) -> str:
    codes = ", ".join(piece.get("codes", ()))
    match piece["kind"]:
        case "text":
            return "text: stays in the content"
        case "code":
            return "code: the markers in it are ignored"
        case "token":
            return f"token: {piece['text']}"
        case "message":
            return "message that is neither content nor reasoning: nothing of it is read"
        case "reasoning":
            return "reasoning, which never ends" if codes else "reasoning"
        case "rejected":
            return f"no call, in {piece['dialect']}: {codes}"
        case "call":
            called = [next(names) for _ in range(piece["calls"])]
            if not called:
                return f"tag around calls, of {piece['dialect']}"
            beside = f"; and no call: {codes}" if codes else ""
            return f"call, in {piece['dialect']}: {', '.join(called)}{beside}"
