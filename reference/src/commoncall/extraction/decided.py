"""What parts of the text are decided to be: a call, rejected, reasoning, or text.

The parsers say it here once. Who wants a result keeps a record of it, who reads a stream gets
events.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commoncall.extraction.call_value import Call
from commoncall.extraction.events import Events
from commoncall.extraction.record import Record, SegmentKind


class Decided:
    """Passes decisions on, in the order of the text."""

    __slots__ = ("_events", "_new_id", "_record")

    def __init__(
        self, record: Record | None, events: Events | None, new_id: Callable[[], str]
    ) -> None:
        self._record = record
        self._events = events
        self._new_id = new_id

    def text(self, text: str) -> None:
        """Say that a text is no part of anything else."""
        if self._events and text:
            self._events.text(text)

    def call(self, call: Call) -> None:
        """Say what a call is; it gets its id (EXT-081)."""
        call["id"] = self._new_id()
        if self._record:
            self._record.calls.append(call)
        if self._events:
            self._events.call(call)

    def block(
        self,
        dialect: str,
        start: int,
        end: int,
        found: Sequence[Call | str],
        repairs: Sequence[str] = (),
    ) -> None:
        """Say what a block with a complete payload holds: with a call it is one, without it is
        rejected, and nothing was repaired (EXT-006, EXT-077).

        Args:
            dialect: its id.
            start: the offset of its begin.
            end: the offset of its end.
            found: its calls, and the codes of what is none.
            repairs: the codes of what was repaired in it.
        """
        codes: list[str] = []
        calls = 0
        for item in found:
            if isinstance(item, str):
                codes.append(item)
            else:
                calls += 1
                self.call(item)
        self.removed(start, end, "call" if calls else "rejected", dialect, calls or None, codes)
        if calls and self._record:
            for code in repairs:
                self._record.repaired(code)

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
        if self._record:
            self._record.remove(start, end, kind, dialect, calls, codes)
        if self._events:
            self._events.removed()

    # Reasoning

    def reasoning_begins(self) -> Callable[[str], object] | None:
        """Say that reasoning begins; what is returned takes its text, where anyone wants it now."""
        if not self._events:
            return None
        self._events.reasoning_begins()
        return self._events.reasoning

    def reasoning(self, start: int, end: int) -> None:
        """Say where the reasoning stood, without its tags."""
        if self._record:
            self._record.reasoning.append((start, end))

    # Code

    def count_code(self) -> int:
        """Return how many spans of code were noted so far."""
        return len(self._record.code) if self._record else 0

    def forget_code(self, count: int) -> None:
        """Forget the spans of code but for the first ones."""
        if self._record:
            del self._record.code[count:]
