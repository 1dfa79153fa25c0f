"""What parts of the text are decided to be: a call, rejected, reasoning, or text.

The parsers say it here once. Who wants a result keeps a record of it, who reads a stream gets
events.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from commoncall.extraction.call_value import Call, Found, Noted, Refused, Unreadable
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.events import Event, Events
from commoncall.extraction.record import Record, SegmentKind

_NO_CALL: Final = ("declaration", "not_a_call")
"""Codes of call values that do not mean a call (definition "unreadable call")."""


class Decided:
    """Passes decisions on, in the order of the text."""

    __slots__ = ("_calls", "_new_id", "events", "record")

    def __init__(
        self, record: Record | None, events: Events | None, new_id: Callable[[], str]
    ) -> None:
        self.record = record
        self.events = events
        self._new_id = new_id
        self._calls = 0

    def text(self, text: str) -> None:
        """Say that a text is no part of anything else."""
        if self.events and text:
            self.events.text(text)

    def call(self, call: Call) -> None:
        """Say what a call is; it gets its id (EXT-081)."""
        call["id"] = self._new_id()
        self._calls += 1
        if self.record:
            self.record.calls.append(call)
        if self.events:
            self.events.call(call)

    def block(
        self,
        dialect: Dialect,
        start: int,
        end: int,
        found: Sequence[Found],
        repairs: Sequence[str] = (),
    ) -> None:
        """Say what a block with a complete payload holds; without a call it is rejected, and no
        repair counts (EXT-006, EXT-077).
        """
        codes: list[str] = []
        calls, is_lost = self._calls, False
        for item in found:
            if not isinstance(item, Refused | Noted):
                self.call(item)
                continue
            codes.append(item.code)
            if isinstance(item, Refused) and (dialect.is_addressed or item.code not in _NO_CALL):
                self._note_unreadable(item.name, item.code)
                is_lost = True
        calls = self._calls - calls
        kind: SegmentKind = "call" if calls else "rejected"
        self.removed(start, end, kind, dialect.id, calls or None, codes)
        if calls and self.record:
            for code in repairs:
                self.record.repaired(code)
        if not calls and not is_lost:
            self._note_no_call()

    def rejected(self, dialect: Dialect, start: int, end: int, code: str, *, meant: bool) -> None:
        """Say that a block is rejected unjudged, and if a call was ``meant`` (EXT-165, EXT-166)."""
        if meant or dialect.is_addressed:
            self._note_unreadable(None, code)
        else:
            self._note_no_call()
        self.removed(start, end, "rejected", dialect.id, codes=(code,))

    def dropped(self, start: int, end: int) -> None:
        """Say that a message is none of what is read (EXT-166, EXT-191)."""
        self._note_no_call()
        self.removed(start, end, "message")

    def _note_unreadable(self, name: str | None, code: str) -> None:
        too_large = code == "payload_too_large"
        lost: Unreadable = {
            "before": self._calls,
            "name": name,
            "error_type": "tool_payload_too_large" if too_large else "tool_payload_parse_error",
        }
        if self.record:
            self.record.unreadable.append(lost)
        if self.events:
            self.events.unreadable(lost)

    def _note_no_call(self) -> None:
        if self.record:
            self.record.gone += 1

    def removed(
        self,
        start: int,
        end: int,
        kind: SegmentKind,
        dialect: str = "",
        calls: int | None = None,
        codes: Sequence[str] = (),
    ) -> None:
        """Say what is not in the content."""
        if self.record:
            self.record.remove((start, end, kind, dialect, calls, codes))
        if self.events:
            self.events.removed()

    def take_events(self) -> list[Event]:
        """Return the events since the last time, where anyone wants them."""
        return self.events.take() if self.events else []

    def finish(self) -> list[Event]:
        """End the text; return its last events."""
        if self.events:
            self.events.finish()
        return self.take_events()

    # Reasoning

    def reasoning_begins(self) -> Callable[[str], object] | None:
        """Say that reasoning begins; what is returned takes its text, where anyone wants it now."""
        if not self.events:
            return None
        self.events.reasoning_begins()
        return self.events.reasoning

    def reasoning(self, start: int, end: int) -> None:
        """Say where the reasoning stood, without its tags."""
        if self.record:
            self.record.reasoning.append((start, end))
