"""What parts of the text are decided to be: a call, rejected, reasoning, or text.

The states say it here once, in the order of the text. Who wants a result keeps a record of it, who
reads a stream gets events.
"""

from collections.abc import Callable, Collection
from typing import Final

from commoncall.extraction.call_value import Call, Refused, Unreadable
from commoncall.extraction.pairs import Pairs
from commoncall.extraction.parts import PartOfText, Rejected, Text, Whole
from commoncall.extraction.record import Event, Record, SegmentKind, Span
from commoncall.extraction.source import Pieces
from commoncall.json_text import BLANKS

NO_CALL: Final = ("declaration", "not_a_call")
"""Codes of what alone does not mean a call (definition "unreadable call")."""


class Decided:
    """Passes decisions on, in the order of the text."""

    def __init__(
        self,
        record: Record | None,
        new_id: Callable[[], str],
        taken: Collection[str] | None,
        *,
        shows_events: bool,
        native: bool = False,
    ) -> None:
        self.record = record
        self._native: Final = native  # calls came beside the text, and none of it is run
        self._shows_events: Final = shows_events
        self._new_id = new_id
        self._calls = 0
        self._events: list[Event] = []
        self._blanks = Pieces()  # of the answer: what was shown cannot be taken back
        self._is_visible = False  # a visible character of the answer was shown
        self._reasoned = False  # reasoning has begun before
        self._removed = False  # something, since the last visible character
        self._held: list[PartOfText] | None = None  # what is said, where it may not hold
        self._pairs = Pairs(self._take, taken)

    def hold(self) -> None:
        """Pass nothing on that is said from here on, until it is known whether it holds."""
        self._held = []

    def end_hold(self, *, holds: bool) -> None:
        """Pass on what was held, or forget it."""
        held, self._held = self._held or [], None
        for part in held if holds else ():
            self._pairs.say(part)

    @property
    def is_in_pair(self) -> bool:
        """Whether what follows can stand in a foreign pair that has begun."""
        held = (part for part in self._held or () if not isinstance(part, Text))
        first = next(held, None)
        return self._pairs.is_open and (first is None or first.dialect != "")

    def say(self, part: PartOfText) -> None:
        """Say what the next part of the text is."""
        if self._held is None:
            self._pairs.say(part)
        else:
            self._held.append(part)

    def _take(self, part: PartOfText) -> None:
        if isinstance(part, Text):
            self._text(part.text)
        elif isinstance(part, Whole):
            self._block(part)
        elif isinstance(part, Rejected):
            self._rejected(part)
        else:
            self._span(part)

    def _show(self, event: Event) -> None:
        if self.record:
            self.record.events.append(event)
        if self._shows_events:
            self._events.append(event)

    def _text(self, text: str) -> None:
        """Show text, but for blanks that may yet go (EXT-086, EXT-111, EXT-115)."""
        shown = text.rstrip(BLANKS)
        if shown:
            # Blanks at the begin of an answer go where something was removed before them.
            before = self._blanks.take()
            is_first = self._removed and not self._is_visible
            self._show({"text": shown.lstrip(BLANKS) if is_first else before + shown})
            self._is_visible, self._removed = True, False
        self._blanks.append(text[len(shown) :])

    def _call(self, call: Call) -> None:
        """Give a call its id (EXT-081, EXT-114)."""
        call["id"] = self._new_id()
        self._calls += 1
        self._show({"call": call})

    def _block(self, block: Whole) -> None:
        """Give what a block holds; without a call it is rejected, and no repair counts (EXT-005,
        EXT-077, EXT-092).
        """
        codes: list[str] = []
        before, is_lost = self._calls, False
        for item in block.found:
            if isinstance(item, dict):
                if self._native:
                    codes.append("beside_native_calls")
                else:
                    self._call(item)
                continue
            if self._native and item.code == "name_not_sendable":
                continue  # it says something of a call, and there is none
            codes.append(item.code)
            is_lost_call = block.dialect.is_addressed or item.code not in NO_CALL
            if isinstance(item, Refused) and is_lost_call and not self._native:
                self._note_unreadable(item.name, item.code)
                is_lost = True
        calls = self._calls - before
        kind: SegmentKind = "call" if calls else "rejected"
        self._span(Span(block.start, block.end, kind, block.dialect.id, calls or None, codes))
        if calls and self.record:
            self.record.repairs.update(block.repairs)
        if not calls and not is_lost:
            if "not_a_call" in codes and not self._native:
                self._note_unreadable(None, "not_a_call")
            else:
                self._note_no_call()

    def _rejected(self, block: Rejected) -> None:
        """Give a block that is no call (EXT-165, EXT-166)."""
        if block.is_meant and not self._native:
            self._note_unreadable(None, block.code)
        else:
            self._note_no_call()
        codes = (block.code,)
        self._span(Span(block.start, block.end, "rejected", block.dialect.id, codes=codes))

    def _span(self, span: Span) -> None:
        """Give what is not in the content (EXT-092)."""
        if span.kind == "message":
            self._note_no_call()
        if self.record and span.start < span.end:  # reasoning can end where the text begins
            self.record.spans.append(span)
            if span.dialect:
                self.record.matched[span.dialect] = None
        self._removed = True

    def in_reasoning(self, count: int) -> None:
        """Say how many blocks stand in reasoning that is never closed (EXT-207)."""
        for _ in range(0 if self._native else count):
            self._note_unreadable(None, "in_reasoning")

    def _note_unreadable(self, name: str | None, code: str) -> None:
        too_large = code == "payload_too_large"
        lost: Unreadable = {
            "before": self._calls,
            "name": name,
            "error_type": "tool_payload_too_large" if too_large else "tool_payload_parse_error",
        }
        self._show({"unreadable": lost})

    def _note_no_call(self) -> None:
        if self.record:
            self.record.removed += 1

    def reasoning_begins(self) -> None:
        """Say that reasoning begins, parted from the one before (EXT-020)."""
        self._pairs.flush()
        self.reasoning_text("\n" if self._reasoned else "")
        self._reasoned = True
        if self.record:
            self.record.has_reasoning = True

    def reasoning_text(self, text: str) -> None:
        """Say what stands in it, without its tags."""
        if text:
            self._show({"reasoning": text})

    def take_events(self) -> list[Event]:
        """Return the events since the last time, where anyone wants them."""
        events, self._events = self._events, []
        return events

    def finish(self) -> list[Event]:
        """End the text: blanks at its end stay unless something removed stands there."""
        self._pairs.flush()
        blanks = self._blanks.take()
        if blanks and not self._removed:
            self._show({"text": blanks})
        return self.take_events()
