"""What an extraction gives: content, reasoning, calls, and the input in segments (definitions
"content", "segment"); and what a stream shows of it while the text arrives.

A record holds the whole input, and offsets in it; texts are cut out at the end.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, NotRequired, TypedDict, final

from commoncall.extraction.call_value import Call, Unreadable
from commoncall.json_text import BLANKS, is_blank

SegmentKind = Literal["text", "token", "code", "reasoning", "call", "rejected", "message"]


class Repair(TypedDict):
    """A repair and how often it was made."""

    code: str
    count: int


class Segment(TypedDict):
    """A piece of the input and what became of it."""

    kind: SegmentKind
    text: str
    dialect: NotRequired[str]
    calls: NotRequired[int]
    codes: NotRequired[list[str]]


@final
class TextPart(TypedDict):
    """A piece of the reasoning or of the content."""

    type: Literal["reasoning", "text"]
    text: str


@final
class CallPart(TypedDict):
    """A call, as an index into ``tool_calls``."""

    type: Literal["tool_call"]
    index: int


Part = TextPart | CallPart


class Extraction(TypedDict):
    """The result of an extraction (schema ``extraction/extract``)."""

    content: str | None
    reasoning: str | None
    tool_calls: list[Call]
    unreadable: NotRequired[list[Unreadable]]
    removed: NotRequired[int]
    matched: list[str]
    repairs: list[Repair]
    segments: list[Segment]
    parts: NotRequired[list[Part]]


@final
class TextEvent(TypedDict):
    """Text to show."""

    text: str


@final
class ReasoningEvent(TypedDict):
    """Reasoning, apart from the text."""

    reasoning: str


@final
class CallEvent(TypedDict):
    """A call."""

    call: Call


@final
class UnreadableEvent(TypedDict):
    """A call that was meant and could not be read."""

    unreadable: Unreadable


@final
class Candidate(TypedDict):
    """A long block that has not ended, and that may turn out to be a call or none."""

    dialect: str
    name: str | None
    length: int


@final
class CandidateEvent(TypedDict):
    """What is coming; nothing of it may be run."""

    candidate: Candidate


@final
class CallPlace(TypedDict):
    """A call, as an index into ``tool_calls``."""

    call: int


Event = TextEvent | ReasoningEvent | CallEvent | UnreadableEvent | CandidateEvent
Emitted = TextEvent | ReasoningEvent | CallPlace | CandidateEvent


class Stream(TypedDict):
    """The result of a stream (schema ``extraction/stream``)."""

    result: Extraction
    emitted: list[list[Emitted]]


class Span(NamedTuple):
    """A part of the input that is no text."""

    start: int
    end: int
    kind: SegmentKind
    dialect: str = ""
    calls: int | None = None
    codes: Sequence[str] = ()


@dataclass(slots=True)
class Record:
    """Collects the parts of a result in the order of the text."""

    chunks: list[str] = field(default_factory=list)  # the input
    calls: list[Call] = field(default_factory=list)
    matched: dict[str, None] = field(default_factory=dict)
    repairs: Counter[str] = field(default_factory=Counter)
    reasoning: list[str] = field(default_factory=list)  # in pieces; not even one where it has none
    spans: list[Span] = field(default_factory=list)  # what is not in the content
    lines: set[int] = field(default_factory=set)  # where a line feed counts as text
    code: list[tuple[int, int]] = field(default_factory=list)  # in which a marker was ignored
    marked: list[tuple[int, int]] = field(default_factory=list)  # marked texts
    unreadable: list[Unreadable] = field(default_factory=list)
    removed: int = 0  # how many rejected blocks meant no call, or messages were dropped

    def result(self) -> Extraction:
        """Return the result, with what was lost (EXT-165, EXT-166)."""
        source = "".join(self.chunks)
        segments = self._segments(source)
        result: Extraction = {
            "content": self._content(segments) if self.spans else source,
            "reasoning": "".join(self.reasoning) if self.reasoning else None,
            "tool_calls": self.calls,
            "matched": list(self.matched),
            "repairs": [{"code": code, "count": n} for code, n in sorted(self.repairs.items())],
            "segments": segments,
        }
        if self.unreadable:
            result["unreadable"] = self.unreadable
        if self.removed:
            result["removed"] = self.removed
        return result

    def _segments(self, source: str) -> list[Segment]:
        """Return the whole input in pieces (EXT-092)."""
        spans = self.spans
        if self.code:
            # Code behind an opener that was rejected later lies inside the rejected span.
            code = [Span(start, end, "code") for start, end in self.code]
            spans = sorted(spans + code, key=lambda span: (span.start, -span.end))
        segments: list[Segment] = []
        at = 0
        for start, end, kind, dialect, calls, codes in spans:
            if start < at:
                continue
            if start > at:
                segments.append({"kind": "text", "text": source[at:start]})
            segment: Segment = {"kind": kind, "text": source[start:end]}
            if dialect:
                segment["dialect"] = dialect
                if calls is not None:
                    segment["calls"] = calls
            if codes:
                segment["codes"] = list(codes)
            segments.append(segment)
            at = end
        if at < len(source):
            segments.append({"kind": "text", "text": source[at:]})
        return segments

    def _content(self, segments: Sequence[Segment]) -> str | None:
        """Return the content of an input of which something was removed (EXT-086)."""
        pieces: list[str | None] = []
        end = 0
        for each in segments:
            pieces.append(each["text"] if each["kind"] in ("text", "code") else None)
            end += len(each["text"])
            if end in self.lines:
                pieces.append("\n")
        content = "".join(filter(None, pieces))
        if is_blank(content):
            return None
        if _removed_first(pieces):
            content = content.lstrip(BLANKS)
        if _removed_first(reversed(pieces)):
            content = content.rstrip(BLANKS)
        return content


def _removed_first(pieces: Iterable[str | None]) -> bool:
    """Tell whether something removed, None, stands before the first visible character."""
    first = next(piece for piece in pieces if piece is None or not is_blank(piece))
    return first is None
