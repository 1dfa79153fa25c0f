"""What a stream shows while the text arrives: its text, its reasoning and its calls, in order."""

from typing import TypedDict, final

from commoncall.extraction.call_value import Call, Unreadable


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
