"""What parts of the text are decided to be: a call, rejected, reasoning, or text.

The parsers say it here once. Who wants a result keeps a record of it, who reads a stream gets
events.
"""

from collections.abc import Callable, Sequence
from typing import Final

from commoncall.extraction.call_value import Call, Found, Refused, Unreadable
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.record import Event, Record, SegmentKind
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
        *,
        shows_events: bool,
        native: bool = False,
    ) -> None:
        self.record = record
        self._native: Final = native  # calls came beside the text, and none of it is run
        self.shows_events: Final = shows_events
        self._new_id = new_id
        self._calls = 0
        self._events: list[Event] = []
        self._blanks = Pieces()  # of the answer: what was shown cannot be taken back
        self._is_visible = self._reasoned = False  # such text was shown
        self._removed = False  # something, since the last visible character
        self._held: list[Callable[[], None]] | None = None  # what is said, where it may not hold

    # What may not hold

    def hold(self) -> None:
        """Pass nothing on that is said from here on, until it is known whether it holds."""
        self._held = []

    def release(self, *, holds: bool) -> None:
        """Pass on what was held, or forget it."""
        held, self._held = self._held or [], None
        for say in held if holds else ():
            say()

    def _is_held(self, say: Callable[[], None]) -> bool:
        if self._held is None:
            return False
        self._held.append(say)
        return True

    # What is decided

    def _show(self, event: Event) -> None:
        if self.shows_events:
            self._events.append(event)

    def text(self, text: str) -> None:
        """Say that a text is no part of anything else (EXT-112, EXT-115)."""
        if self._is_held(lambda: self.text(text)):
            return
        if not self.shows_events or not text:
            return
        shown = text.rstrip(BLANKS)
        if not shown:
            self._blanks.append(text)
            return
        before = self._blanks.take()
        is_first = self._removed and not self._is_visible
        self._show({"text": shown.lstrip(BLANKS) if is_first else before + shown})
        blanks = text[len(shown) :]
        if blanks:
            self._blanks.append(blanks)
        self._is_visible, self._removed = True, False

    def call(self, call: Call) -> None:
        """Say what a call is; it gets its id (EXT-081, EXT-114)."""
        call["id"] = self._new_id()
        self._calls += 1
        if self.record:
            self.record.calls.append(call)
        if self.shows_events:
            self._events.append({"call": call})

    def block(
        self,
        dialect: Dialect,
        start: int,
        end: int,
        found: Sequence[Found],
        repairs: Sequence[str] = (),
    ) -> None:
        """Say what a block with a complete payload holds; without a call it is rejected, and no
        repair counts (EXT-006, EXT-077, EXT-091).
        """
        if self._is_held(lambda: self.block(dialect, start, end, found, repairs)):
            return
        codes: list[str] = []
        before, is_lost = self._calls, False
        for item in found:
            if isinstance(item, dict):
                if self._native:
                    codes.append("beside_native_calls")
                else:
                    self.call(item)
                continue
            if self._native and item.code == "name_not_sendable":
                continue  # it is no call
            codes.append(item.code)
            is_lost_call = dialect.is_addressed or item.code not in NO_CALL
            if isinstance(item, Refused) and is_lost_call and not self._native:
                self._note_unreadable(item.name, item.code)
                is_lost = True
        calls = self._calls - before
        kind: SegmentKind = "call" if calls else "rejected"
        self.removed(start, end, kind, dialect.id, calls or None, codes)
        if calls and self.record:
            self.record.repairs.update(repairs)
        if not calls and not is_lost:
            if "not_a_call" in codes and not self._native:
                self._note_unreadable(None, "not_a_call")
            else:
                self._note_no_call()

    def rejected(self, dialect: Dialect, start: int, end: int, code: str, *, meant: bool) -> None:
        """Say that a block is rejected unjudged, and if a call was ``meant`` (EXT-165, EXT-166)."""
        if self._is_held(lambda: self.rejected(dialect, start, end, code, meant=meant)):
            return
        if meant and not self._native:
            self._note_unreadable(None, code)
        else:
            self._note_no_call()
        self.removed(start, end, "rejected", dialect.id, codes=(code,))

    def dropped(self, start: int, end: int) -> None:
        """Say that a message is none of what is read (EXT-166, EXT-190)."""
        self._note_no_call()
        self.removed(start, end, "message")

    def in_reasoning(self, count: int) -> None:
        """Say how many blocks stand in reasoning that is never closed (EXT-205)."""
        for _ in range(0 if self._native else count):
            self._note_unreadable(None, "in_reasoning")

    def _note_unreadable(self, name: str | None, code: str) -> None:
        too_large = code == "payload_too_large"
        lost: Unreadable = {
            "before": self._calls,
            "name": name,
            "error_type": "tool_payload_too_large" if too_large else "tool_payload_parse_error",
        }
        if self.record:
            self.record.unreadable.append(lost)
        self._show({"unreadable": lost})

    def _note_no_call(self) -> None:
        if self.record:
            self.record.removed += 1

    def removed(
        self,
        start: int,
        end: int,
        kind: SegmentKind,
        dialect: str = "",
        calls: int | None = None,
        codes: Sequence[str] = (),
    ) -> None:
        """Say what is not in the content (EXT-090)."""
        if self._is_held(lambda: self.removed(start, end, kind, dialect, calls, codes)):
            return
        if self.record:
            self.record.spans.append((start, end, kind, dialect, calls, codes))
            if dialect:
                self.record.matched[dialect] = None
        self._removed = True

    # Reasoning

    def reasoning_begins(self) -> None:
        """Say that reasoning begins, parted from the one before (EXT-020)."""
        self.reasoning_text("\n" if self._reasoned else "")
        self._reasoned = True

    def reasoning_text(self, text: str) -> None:
        """Say what stands in it, without its tags."""
        if self.record:
            self.record.reasoning.append(text)
        if text:
            self._show({"reasoning": text})

    # Events

    def take_events(self) -> list[Event]:
        """Return the events since the last time, where anyone wants them."""
        events, self._events = self._events, []
        return events

    def finish(self) -> list[Event]:
        """End the text: blanks at its end stay unless something removed stands there."""
        blanks = self._blanks.take()
        if blanks and not self._removed:
            self._show({"text": blanks})
        return self.take_events()
