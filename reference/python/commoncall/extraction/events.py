"""What a stream shows while the text arrives: its text, its reasoning and its calls, in order.

What was shown cannot be taken back, so blanks wait until it is known that they do not stand at the
end (definition "content").
"""

from __future__ import annotations

from typing import TypedDict, final

from commoncall.extraction.call_value import Call, Unreadable
from commoncall.extraction.source import Pieces
from commoncall.json_text import BLANKS


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


Event = TextEvent | ReasoningEvent | CallEvent | UnreadableEvent | CandidateEvent


class Events:
    """Collects events; it ``flows`` where text was shown last, and none is held back behind."""

    __slots__ = ("_blanks", "_ready", "_reasoned", "_removed", "_seen_visible", "flows")

    def __init__(self) -> None:
        self.flows = False
        self._ready: list[Event] = []
        self._blanks = Pieces()  # they may stand at the end
        self._seen_visible = False
        self._removed = False  # since the last visible character
        self._reasoned = False

    def take(self) -> list[Event]:
        """Return the events since the last time."""
        ready, self._ready = self._ready, []
        return ready

    def text(self, text: str) -> None:
        """Add text of the answer (EXT-112, EXT-115)."""
        shown = text.rstrip(BLANKS)
        if not shown:
            self._blanks.append(text)
            self.flows = False
            return
        if self._removed and not self._seen_visible:
            visible = shown.lstrip(BLANKS)
        else:
            visible = self._blanks.take() + shown
        self._blanks.take()
        self._ready.append({"text": visible})
        blanks = text[len(shown) :]
        if blanks:
            self._blanks.append(blanks)
        self.flows, self._seen_visible, self._removed = not blanks, True, False

    def reasoning(self, text: str) -> None:
        """Add reasoning (EXT-112)."""
        if text:
            self._ready.append({"reasoning": text})

    def reasoning_begins(self) -> None:
        """Part a further reasoning from the one before (EXT-023)."""
        if self._reasoned:
            self.reasoning("\n")
        self._reasoned = True

    def call(self, call: Call) -> None:
        """Add a call (EXT-114)."""
        self._ready.append({"call": call})

    def unreadable(self, lost: Unreadable) -> None:
        """Add a call that could not be read (EXT-165)."""
        self._ready.append({"unreadable": lost})

    def removed(self) -> None:
        """Say that something was removed here."""
        self._removed = True
        self.flows = False

    def finish(self) -> None:
        """End the text: blanks at its end stay unless something removed stands there."""
        blanks = self._blanks.take()
        if blanks and not self._removed:
            self._ready.append({"text": blanks})
