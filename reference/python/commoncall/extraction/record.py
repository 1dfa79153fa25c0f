"""What an extraction gives: content, reasoning, calls, and the input in segments (definitions
"content", "segment"); and what a stream shows of it while the text arrives.

A record holds the whole input, and offsets in it; texts are cut out at the end.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, NotRequired, TypedDict, final

from commoncall.extraction.call_value import Call, Unreadable

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
class CallPlace(TypedDict):
    """A call, as an index into ``tool_calls``."""

    call: int


Event = TextEvent | ReasoningEvent | CallEvent | UnreadableEvent
Emitted = TextEvent | ReasoningEvent | CallPlace


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
    events: list[Event] = field(default_factory=list)  # all that a stream shows
    has_reasoning: bool = False  # also where that is empty
    matched: dict[str, None] = field(default_factory=dict)
    repairs: Counter[str] = field(default_factory=Counter)
    spans: list[Span] = field(default_factory=list)  # what is not in the content
    code: list[tuple[int, int]] = field(default_factory=list)  # in which a marker was ignored
    marked: list[tuple[int, int]] = field(default_factory=list)  # marked texts
    removed: int = 0  # how many rejected blocks meant no call, or messages were dropped

    def result(self) -> Extraction:
        """Return the result, with what was lost (EXT-165, EXT-166)."""
        events = self.events
        content = "".join(each["text"] for each in events if "text" in each)
        reasoning = "".join(each["reasoning"] for each in events if "reasoning" in each)
        result: Extraction = {
            "content": content if content or not self.spans else None,
            "reasoning": reasoning if self.has_reasoning else None,
            "tool_calls": [each["call"] for each in events if "call" in each],
            "matched": list(self.matched),
            "repairs": [{"code": code, "count": n} for code, n in sorted(self.repairs.items())],
            "segments": self._segments("".join(self.chunks)),
        }
        if unreadable := [each["unreadable"] for each in events if "unreadable" in each]:
            result["unreadable"] = unreadable
        if self.removed:
            result["removed"] = self.removed
        return result

    def _segments(self, source: str) -> list[Segment]:
        """Return the whole input in pieces (EXT-092)."""
        # Code behind an opener that was rejected later lies inside the rejected span.
        code = [Span(start, end, "code") for start, end in self.code]
        spans = sorted([*self.spans, *code], key=lambda span: (span.start, -span.end))
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
