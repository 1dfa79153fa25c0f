"""What became of each piece of a text, in sentences: ``extract --explain``."""

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from itertools import accumulate
from typing import Final

from commoncall.dialect_data import format_ids
from commoncall.extraction.dialects import DIALECTS, Dialect, Header, Tag
from commoncall.extraction.formats import NO_FORMAT, load_format
from commoncall.extraction.record import Extraction, Segment
from commoncall_tools.text import Code, read

_QUOTED: Final = ("call", "rejected")
"""The pieces that are shown beside what became of them."""

_WIDTH: Final = 72
"""So many characters of a piece are shown."""

_SHOWN: Final = 5
"""How many formats are named that a marker may be of."""


def lines(text: str, result: Extraction, format: str | None) -> Iterator[str]:
    """Return a line for each piece of a text with its place, for the repairs, and for what the text
    looks like that was not asked for.
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
            yield f"  {_meant(code, meanings)}"
    for each in result["repairs"]:
        times = f", {each['count']} times" if each["count"] > 1 else ""
        yield f"repaired{times}: {_meant(each['code'], meanings)}"
    active = (NO_FORMAT if format is None else load_format(format)).dialects
    found = _foreign(zip(at, pieces, strict=False), active)
    if found:
        start, marker = min((at, marker) for marker, at in found.items())
        formats = _formats_with(found.keys(), text)
        more = f" and {len(formats) - _SHOWN} more" if len(formats) > _SHOWN else ""
        shown = ", ".join(formats[:_SHOWN]) or "a dialect that no format has"
        yield f"{_place(starts, start)}  looks like {shown}{more}: {marker}"


def _meant(code: str, meanings: Mapping[str, Code]) -> str:
    """Return a code with its meaning, and the requirements that demand it."""
    meaning, requirements = meanings[code]
    by = f" [{', '.join(requirements)}]" if requirements else ""
    return f"{code}: {meaning}{by}"


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


def _foreign(pieces: Iterator[tuple[int, Segment]], active: Collection[str]) -> dict[str, int]:
    """Return what other dialects begin with and stands where no call was found, each with its
    first place.
    """
    others = {text for id in DIALECTS if id not in active for text in _begins(DIALECTS[id])}
    others -= {text for id in active for text in _begins(DIALECTS[id])}
    found: dict[str, int] = {}
    for start, piece in pieces:
        if piece["kind"] in ("text", "rejected"):
            for other in others - found.keys():
                at = piece["text"].find(other)
                if at >= 0:
                    found[other] = start + at
    return found


def _begins(dialect: Dialect) -> list[str]:
    """Return how the blocks of a dialect, its section and its parameters begin; a message also in
    the middle of its header, up to which the prompt can hold it.
    """
    openers = [_begin(each.opener) for each in dialect.with_section() if each.opener]
    openers += dialect.messages.opened[:1] if dialect.messages else ()
    return [*openers, dialect.name_begin] if dialect.scanner == "parameters" else openers


def _texts(dialect: Dialect) -> list[str]:
    """Return all fixed texts of a dialect."""
    closers = [_begin(each.closer, "/") for each in dialect.with_section() if each.closer]
    inner = [dialect.name_end, dialect.value_begin, dialect.value_end]
    return [*_begins(dialect), *closers, *filter(None, inner)]


def _begin(marker: Tag | Header | str, slash: str = "") -> str:
    if isinstance(marker, Tag):
        return f"<{slash}{marker.name}>"
    return marker.text if isinstance(marker, Header) else marker


def _formats_with(begins: Collection[str], text: str) -> list[str]:
    """Return the formats with one of some begins, first those of whose texts the fewest are not in
    a text.
    """
    stand = {}
    for id in format_ids():
        dialects = [DIALECTS[one] for one in load_format(id).dialects]
        if any(begin in begins for one in dialects for begin in _begins(one)):
            stand[id] = [each in text for one in dialects for each in _texts(one)]
    return sorted(stand, key=lambda id: (stand[id].count(False), -stand[id].count(True), id))
