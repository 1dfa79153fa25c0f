"""A reply that comes in chunks, as its client sees it: text at once, calls at the end."""

import codecs
from collections.abc import Iterator
from typing import Final

from commoncall import turn
from commoncall_serve.exchange import Exchange, Json, other_parts, parsed
from commoncall_serve.front import DONE, Front

READ: Final = frozenset(("content", "refusal", "tool_calls", "function_call"))
"""The members of a delta that are read; the others go on as they came, and so do parts of a
content that are no text.
"""

SHOWN: Final = {"text": "content", "reasoning": "reasoning_content", "refusal": "refusal"}
"""The members of a delta for what a stream shows."""


class CutError(Exception):
    """A stream ended before its message did: nothing of it is run."""


class Events:
    """Cuts the bytes of server-sent events into events, each a list of lines without their ends."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._line = ""
        self._event: list[str] = []
        self._is_return = False

    def feed(self, data: bytes) -> Iterator[list[str]]:
        """Yield the events that are whole now; CR LF, LF and CR end a line, and nothing else."""
        text = self._decoder.decode(data)
        if self._is_return and text.startswith("\n"):
            text = text[1:]
        if text:
            self._is_return = text.endswith("\r")
        first, *more = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._line += first
        for piece in more:
            if self._line:
                self._event.append(self._line)
            elif self._event:
                yield self._event
                self._event = []
            self._line = piece


class Words:
    """The text that a client was shown, over all tries.

    A model that is asked again often begins with the same words. What a client has is not shown
    twice; other words follow behind an empty line.
    """

    def __init__(self) -> None:
        self._said = self._before = ""
        self._heard: str | None = None

    def begin(self) -> None:
        """Begin a try."""
        self._before = self._said.rstrip()
        self._heard = "" if self._before else None

    def add(self, text: str) -> str:
        """Return what is to be shown for the next text of the model."""
        if self._heard is not None:
            self._heard += text
            if self._before.startswith(self._heard):
                return ""
            heard, self._heard = self._heard, None
            again = heard.removeprefix(self._before)
            text = f"\n\n{heard}" if again == heard else again
        self._said += text
        return text


class Chunks:
    """A message in chunks, of one try or of several: what a client was shown stays shown.

    ``feed`` each chunk of a reply, then ``finish``. Where the model is asked again, `begin` and do
    so with the next reply; else ``last`` is the end.

    Attributes:
        ended: the reason why the message ended; None: it did not yet.
    """

    ended: str | None
    _stream: turn.Stream

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._head: Json = {}
        self._words = Words()
        self.begin()

    def begin(self) -> None:
        """Begin a try."""
        self._stream = self._exchange.stream()
        self.ended = None
        self._words.begin()

    def feed(self, chunk: Json) -> Json:
        """Return what the client sees of a chunk that has a choice; also one with nothing in it,
        which tells the client that the server still works.
        """
        choice = chunk["choices"][0]
        shown = self._stream.feed(chunk)
        self.ended = choice.get("finish_reason") or self.ended
        given = choice.get("delta") or {}
        delta = {name: one for name, one in given.items() if name not in READ}
        if parts := other_parts(given.get("content")):
            delta["content"] = parts
        if self._head:
            delta.pop("role", None)
        else:
            self._head = {name: one for name, one in chunk.items() if name != "usage"}
        kept = {name: one for name, one in self._head.items() if name in ("id", "created")}
        choice = {**choice, "finish_reason": None, "delta": self._with(delta, shown)}
        choice.pop("message", None)
        return {**chunk, **kept, "choices": [choice]}

    def done(self) -> None:
        """Take what ends a stream, which is the end of one whose server gives no reason."""
        self._stream.feed(DONE)

    def finish(self) -> list[Json]:
        """End a try, and return the rest of its text.

        Raises:
            CutError: there was no message.
        """
        if not self._head:
            raise CutError
        received = self._stream.finish()
        # What had no form that can be read is counted, and stands in the log.
        received["findings"] = [*received["findings"], *self._stream.findings]
        self._exchange.take(received, self._stream.message["tool_calls"])
        delta = self._with({}, self._stream.rest)
        return [self._chunk(delta, None)] if delta else []

    def last(self) -> Json:
        """Return the end of the message: its calls, and in words those that were not run."""
        seen = turn.client_message(self._exchange.received, finish_reason=self.ended)
        self._words.begin()
        delta = self._with({}, [{"text": "\n".join(seen["notes"])}] if seen["notes"] else [])
        if calls := seen["tool_calls"]:
            delta["tool_calls"] = [{"index": at, **call} for at, call in enumerate(calls)]
        return self._chunk(delta, seen["finish_reason"] or "stop")

    def _chunk(self, delta: Json, reason: str | None) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return {**self._head, "choices": [choice]}

    def _with(self, delta: Json, listed: list[turn.Shown]) -> Json:
        """Return a delta with what is shown."""
        for shown in listed:
            for kind, text in shown.items():
                words = self._words.add(str(text)) if kind == "text" else str(text)
                if words:
                    delta[SHOWN[kind]] = _joined(delta.get(SHOWN[kind]), words)
        return delta


def _joined(before: object, text: str) -> object:
    """Return what a delta has with a text behind it; beside parts a text is one as well."""
    if isinstance(before, list):
        return [*before, {"type": "text", "text": text}]
    return f"{before or ''}{text}"


class EventChunks:
    """The same for server-sent events, in the form that the client speaks.

    Attributes:
        is_error: whether the server said that it failed, which the client was told.
    """

    is_error: bool
    _is_over: bool
    _behind: list[str]

    def __init__(self, exchange: Exchange, front: Front) -> None:
        self._chunks = Chunks(exchange)
        self._front = front
        self._reset()

    def begin(self) -> None:
        """Begin a try."""
        self._chunks.begin()
        self._reset()

    def _reset(self) -> None:
        self.is_error = self._is_over = False
        self._behind = []

    def feed(self, event: list[str]) -> str:
        """Return what the client sees of an event."""
        data = [line[5:].removeprefix(" ") for line in event if line.startswith("data:")]
        text = "\n".join(data)
        if text.strip() == DONE:
            self._is_over = True
            self._chunks.done()
            return ""
        match chunk := parsed(text):
            case {"error": error} if error:
                self.is_error = True
            case {"choices": [dict(), *_]}:
                return self._front.chunk(self._chunks.feed(chunk))
        other = self._front.other(event, chunk)
        if self._chunks.ended and not self.is_error:
            self._behind.append(other)
            return ""
        return other

    def finish(self) -> str:
        """End a try, and return the rest of its text.

        Raises:
            CutError: the message did not come to its end.
        """
        if not (self._chunks.ended or self._is_over):
            raise CutError
        return "".join(map(self._front.chunk, self._chunks.finish()))

    def last(self) -> str:
        """Return the end of the stream."""
        return "".join([self._front.chunk(self._chunks.last()), *self._behind, self._front.end()])
