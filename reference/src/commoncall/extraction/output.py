"""What an extraction gives: events in order, the text trimmed, the segments (definitions
"content", "segment").

The events are the only way out for text, so that the content of a result is what a stream has
shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NotRequired, TypedDict

from commoncall.json_text import BLANKS

SegmentKind = Literal["text", "code", "reasoning", "call", "rejected"]


class Call(TypedDict):
    """A tool call (definition "call")."""

    id: str
    name: str
    arguments: dict[str, object]
    arguments_json: str


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


class Extraction(TypedDict):
    """The result of an extraction (schema ``extraction/extract``)."""

    content: str | None
    reasoning: str | None
    tool_calls: list[Call]
    matched: list[str]
    repairs: list[Repair]
    segments: list[Segment]


class TextEvent(TypedDict):
    """Text to show."""

    text: str


class ReasoningEvent(TypedDict):
    """Reasoning, apart from the text."""

    reasoning: str


class CallEvent(TypedDict):
    """A call, as an index into ``tool_calls``."""

    call: int


Event = TextEvent | ReasoningEvent | CallEvent


@dataclass(slots=True)
class _Span:
    start: int
    end: int
    kind: SegmentKind
    dialect: str | None = None
    calls: int | None = None
    codes: Sequence[str] = ()


@dataclass(slots=True)
class Output:
    """Collects the parts of a result in the order of the text."""

    calls: list[Call] = field(default_factory=list)
    matched: list[str] = field(default_factory=list)
    repairs: dict[str, int] = field(default_factory=dict)
    _spans: list[_Span] = field(default_factory=list)
    _events: list[Event] = field(default_factory=list)
    _content: list[str] = field(default_factory=list)
    _reasoning: list[str] | None = None
    _blanks: list[str] = field(default_factory=list)  # not shown yet: they may stand at the end
    _seen_visible: bool = False
    _removed: bool = False  # since the last visible character
    _ever_removed: bool = False

    def text(self, text: str) -> None:
        """Add text of the answer (EXT-086, EXT-112, EXT-115)."""
        body = text.lstrip(BLANKS)
        if not body:
            self._blanks.append(text)
            return
        lead = "".join(self._blanks) + text[: len(text) - len(body)]
        if self._seen_visible or not self._removed:
            self._show(lead)
        self._seen_visible, self._removed = True, False
        visible = body.rstrip(BLANKS)
        self._show(visible)
        self._blanks = [body[len(visible) :]]

    def reasoning_begins(self) -> None:
        """Begin a reasoning segment (EXT-023)."""
        if self._reasoning is None:
            self._reasoning = []
        else:
            self.reasoning("\n")

    def reasoning(self, text: str) -> None:
        """Add to the reasoning."""
        assert self._reasoning is not None
        if text:
            self._reasoning.append(text)
            self._events.append({"reasoning": text})

    def reasoning_ends(self, start: int, end: int, *, unclosed: bool) -> None:
        """Note the segment of a reasoning whose text was added."""
        self._remove(_Span(start, end, "reasoning", codes=["unclosed"] if unclosed else ()))

    def call(self, call: Call) -> None:
        """Add a call; its block is noted with ``block`` (EXT-080, EXT-114)."""
        self._events.append({"call": len(self.calls)})
        self.calls.append(call)

    def block(self, start: int, end: int, dialect: str, calls: int, codes: Sequence[str]) -> None:
        """Note a block that gave calls, or the tag of a wrapper, which gives none of its own."""
        self._match(dialect)
        self._remove(_Span(start, end, "call", dialect, calls, codes))

    def rejected(self, start: int, end: int, dialect: str, codes: Sequence[str]) -> None:
        """Note a block that gave no call (EXT-050, EXT-090)."""
        self._match(dialect)
        self._remove(_Span(start, end, "rejected", dialect, None, codes))

    def repaired(self, code: str) -> None:
        """Count a repair (EXT-091)."""
        self.repairs[code] = self.repairs.get(code, 0) + 1

    def take_events(self) -> list[Event]:
        """Return the events since the last time."""
        events, self._events = self._events, []
        return events

    def finish(self) -> None:
        """End the text: blanks at its end stay unless something removed stands there."""
        if not self._removed:
            self._show("".join(self._blanks))
        self._blanks = []

    def result(self, source: str, code: Sequence[tuple[int, int]]) -> Extraction:
        """Return the result, given the code in which markers were ignored (EXT-087)."""
        nothing_left = self._ever_removed and not self._seen_visible
        return {
            "content": None if nothing_left else "".join(self._content),
            "reasoning": None if self._reasoning is None else "".join(self._reasoning),
            "tool_calls": self.calls,
            "matched": self.matched,
            "repairs": [
                {"code": item, "count": self.repairs[item]} for item in sorted(self.repairs)
            ],
            "segments": self._segments(source, code),
        }

    def _segments(self, source: str, code: Sequence[tuple[int, int]]) -> list[Segment]:
        """Return the whole input in pieces (EXT-092, EXT-093)."""
        spans = self._spans + [_Span(start, end, "code") for start, end in code]
        segments: list[Segment] = []
        at = 0
        # Code behind an opener that was rejected later lies inside the rejected span.
        for span in sorted(spans, key=lambda span: (span.start, -span.end)):
            if span.start < at:
                continue
            if span.start > at:
                segments.append({"kind": "text", "text": source[at : span.start]})
            segments.append(_segment(span, source))
            at = span.end
        if at < len(source):
            segments.append({"kind": "text", "text": source[at:]})
        return segments

    def _show(self, text: str) -> None:
        if text:
            self._content.append(text)
            self._events.append({"text": text})

    def _remove(self, span: _Span) -> None:
        self._spans.append(span)
        self._removed = self._ever_removed = True

    def _match(self, dialect: str) -> None:
        if dialect not in self.matched:
            self.matched.append(dialect)


def _segment(span: _Span, source: str) -> Segment:
    segment: Segment = {"kind": span.kind, "text": source[span.start : span.end]}
    if span.dialect is not None:
        segment["dialect"] = span.dialect
    if span.calls is not None:
        segment["calls"] = span.calls
    if span.codes:
        segment["codes"] = list(span.codes)
    return segment
