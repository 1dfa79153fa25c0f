"""The extractor: finds the calls in a text that arrives in chunks of any size.

Most chunks are a few characters, and need not wake the parser of the text (``document``): prose is
shown at once and caught up with later, and a payload is held until something may end it.
"""

from collections.abc import Callable, Generator

from commoncall.extraction.document import read_document
from commoncall.extraction.language import ANY
from commoncall.extraction.markers import LONGEST
from commoncall.extraction.reading import Reading
from commoncall.extraction.record import Event, Extraction, Record
from commoncall.extraction.source import MANY, Pieces, Until, Wait
from commoncall.json_text import BLANKS

Chunks = Generator[list[Event], str | None, None]
"""What reads the chunks that are sent, and gives the events of each; None ends the text."""

_SMALL = 100  # characters that can wait


class Extractor:
    """Feed chunks, then finish; each gives the events that it decided. With a record, ``result`` is
    there after ``finish``; without one, no text is held but that of an open block.

    Attributes:
        feed: reads a chunk; behind ``finish`` it raises ValueError. Most are so small that a
            method, and each attribute, would be dear.
    """

    feed: Callable[[str], list[Event]]
    _send: Callable[[str | None], list[Event]]

    def __init__(self, chunks: Chunks, record: Record | None) -> None:
        self._record = record
        next(chunks)
        self.feed = self._send = chunks.send

    def finish(self) -> list[Event]:
        """End the text.

        Raises:
            ValueError: it has ended already.
        """
        events = self._send(None)
        self.feed = self._send = _refuse
        return events

    def result(self) -> Extraction:
        """Return the result. Call ``finish`` before."""
        assert self._record is not None
        return self._record.result()


def _refuse(_chunk: str | None) -> list[Event]:
    raise ValueError("finish has ended this text; the next one needs an extractor of its own")


class Parser:
    """The parser of the text, and what it waits for.

    Attributes:
        until: what has to come in a block; None elsewhere.
        shown_without: behind prose that was shown: the character without which more is shown.
        held: what the parser has not been given, and is not shown.
        rest: the end of what came, in which something may have begun that is awaited.
        passed: prose that was shown, and the parser has not been given.
        tail: what is behind that: blanks, or the begin of a marker.
        half: of a surrogate pair, at the end of the last chunk.
    """

    until: Until | None
    shown_without: str
    _waits_for: Wait

    def __init__(self, reading: Reading, *, starts_in_reasoning: bool) -> None:
        self.reading = reading
        self.held = Pieces()
        self.passed: list[str] = []
        self.rest = self.tail = self.half = ""
        self._parse = read_document(reading, starts_in_reasoning=starts_in_reasoning)
        self._wait()

    def take(self, chunk: str) -> list[Event]:
        """Read a chunk; ``read_chunks`` itself does what this does with most."""
        if self.until:
            self.held.small.append(chunk)
            return [] if self.waits(self.until) else self.read("")
        chunk, self.tail = self.tail + chunk, ""
        shown = self._shown(chunk)
        if shown < 0:
            if self._waits_for == "visible" and "\n" not in chunk and not chunk.strip(BLANKS):
                self.held.append(chunk)
                return []
            return self.read(chunk)
        text = chunk[:shown].rstrip(BLANKS)
        self.tail = chunk[len(text) :]
        if not text:
            return [] if len(self.tail) < _SMALL else self.read("")
        self.passed.append(text)
        if len(self.passed) >= MANY or len(text) > _SMALL:
            self._catch_up()
        return [{"text": text}]

    def waits(self, until: Until) -> bool:
        """Tell whether what is held has to wait for more."""
        small = self.held.small
        if len(small) < MANY and until.lasts.isdisjoint(small[-1]):
            return True
        rest = until.missing(self.rest + self.held.join())
        self.rest = rest or ""
        return rest is not None and len(rest) <= LONGEST

    def read(self, chunk: str) -> list[Event]:
        """Give a chunk to the parser, with what waited for it."""
        self._catch_up()
        self.reading.source.give(self.held.take() + self.tail + chunk)
        self.tail = ""
        self._wait()
        return self.reading.decided.take_events()

    def _wait(self) -> None:
        self._waits_for = wait = next(self._parse)
        self.until, self.shown_without = None, ANY
        if wait == "prose" and self.reading.decided.flows:
            self.shown_without = self.reading.language.first
        elif wait == "decision" or isinstance(wait, Until):
            source = self.reading.source
            self.until = wait if isinstance(wait, Until) else self.reading.language.decision
            self.rest = source.text[source.at :]

    def _catch_up(self) -> None:
        """Move over prose that was shown already."""
        if self.passed:
            text = "".join(self.passed)
            self.passed.clear()
            self.reading.source.base += len(text)
            self.reading.code.add(text)

    def _shown(self, chunk: str) -> int:
        """Return how much of a chunk can be shown, up to the begin of a marker that its end cuts
        off; -1 where the parser has to read it.
        """
        if self.shown_without not in chunk:
            return len(chunk)
        if self._waits_for != "prose" or not self.reading.decided.flows:
            return -1
        match = self.reading.language.markers.search(chunk, 0)
        if match is None:
            return len(chunk)
        # What is so short is no header that is longer than those of openers.
        is_begin = match.lastindex is None and len(chunk) - match.start() <= _SMALL
        return match.start() if is_begin else -1

    def whole_pairs(self, chunk: str) -> str:
        """Record a chunk behind the half pair that waited; let one at its end wait (EXT-110)."""
        if self.half:
            halves = (self.half + chunk).encode("utf-16", "surrogatepass")
            chunk, self.half = halves.decode("utf-16", "surrogatepass"), ""
        if "\ud800" <= chunk[-1:] <= "\udbff":
            chunk, self.half = chunk[:-1], chunk[-1]
        if record := self.reading.decided.record:
            record.chunks.append(chunk)
        return chunk

    def finish(self) -> list[Event]:
        """End the text."""
        self._catch_up()
        source, record = self.reading.source, self.reading.decided.record
        if record and self.half:
            record.chunks.append(self.half)
        if left := self.held.take() + self.tail + self.half:
            source.give(left)
            next(self._parse)
        source.end()
        for _ in self._parse:
            raise AssertionError("the parser wants text behind the end")
        self.reading.code.finish()
        return self.reading.decided.finish()


def read_chunks(parser: Parser) -> Chunks:
    """Read the chunks that are sent.

    What only adds to what is shown, or held, is read here.
    """
    record, passed, small = parser.reading.decided.record, parser.passed, parser.held.small
    until, first, tail, half = parser.until, parser.shown_without, "", ""
    last = other = ""
    events: list[Event] = []
    while (chunk := (yield events)) is not None:
        if half or not chunk.isascii():
            chunk = parser.whole_pairs(chunk)
            half = parser.half
        elif record:
            record.chunks.append(chunk)
        if until:
            small.append(chunk)
            has_come = last in chunk or other in chunk or len(small) >= MANY
            if not has_come or parser.waits(until):
                events = []
                continue
            events = parser.read("")
        else:
            if tail:
                chunk = tail + chunk
                tail = parser.tail = ""
            if first not in chunk and len(chunk) < _SMALL and len(passed) < MANY:
                text = chunk.rstrip(BLANKS)
                if text:
                    if text is not chunk:
                        tail = parser.tail = chunk[len(text) :]
                    passed.append(text)
                    events = [{"text": text}]
                    continue
            events = parser.take(chunk)
        until, first, tail = parser.until, parser.shown_without, parser.tail
        if until:
            lasts = (*until.lasts, *until.lasts)  # one stands for two
            last, other = lasts[:2] if len(lasts) < 5 else (ANY, ANY)
    yield parser.finish()
