"""The extractor: finds the calls in a text that arrives in chunks of any size.

Most chunks are a few characters, and need not wake the parser of the text (``document``): prose is
shown at once and caught up with later, and a payload is held until something may end it.
"""

from collections.abc import Callable, Generator

from commoncall.extraction.document import read_document
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
        shows: prose was shown, and more is.
        held: what the parser has not been given, and is not shown.
        rest: the end of what came, in which something may have begun that is awaited.
        passed: prose that was shown, and the parser has not been given.
        tail: what is behind that: blanks, or the begin of a marker.
        half: of a surrogate pair, at the end of the last chunk.
    """

    until: Until | None
    shows: bool
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
            has_come = len(self.held.small) >= MANY or not self.until.lasts.isdisjoint(chunk)
            return self.read_held(self.until) if has_come else []
        chunk, self.tail = self.tail + chunk, ""
        shown = self._shown(chunk) if self.shows else -1
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
            self.catch_up()
        return [{"text": text}]

    def read_held(self, until: Until) -> list[Event]:
        """Read what is held, unless it has to wait for more."""
        text = self.rest + self.held.news()
        rest = until.missing(text)
        self.rest = rest or ""
        return self.read("", len(text)) if rest is None or len(rest) > LONGEST else []

    def read(self, chunk: str, untold: int | None = None) -> list[Event]:
        """Give a chunk to the parser, with what waited for it (see ``Source.give``)."""
        self.catch_up()
        text = self.held.take() + self.tail + chunk
        self.tail = ""
        self._record(text)
        self.reading.source.give(text, untold)
        self._wait()
        return self.reading.decided.take_events()

    def _record(self, text: str) -> None:
        if record := self.reading.decided.record:
            record.chunks.append(text)

    def _wait(self) -> None:
        self._waits_for = wait = next(self._parse)
        language, source = self.reading.language, self.reading.source
        self.shows = wait == "prose" and self.reading.decided.flows
        self.until = None
        if wait == "decision" or isinstance(wait, Until):
            self.until = wait if isinstance(wait, Until) else language.decision
            self.rest = source.text[source.at :]

    def catch_up(self) -> None:
        """Move over prose that was shown already."""
        if self.passed:
            text = "".join(self.passed)
            self.passed.clear()
            self._record(text)
            self.reading.source.base += len(text)
            self.reading.code.add(text)

    def _shown(self, chunk: str) -> int:
        """Return how much of a chunk can be shown, up to the begin of a marker that its end cuts
        off; -1 where the parser has to read it.
        """
        match = self.reading.language.markers.search(chunk, 0)
        if match is None:
            return len(chunk)
        # What is so short is no header that is longer than those of openers.
        is_begin = match.lastindex is None and len(chunk) - match.start() <= _SMALL
        return match.start() if is_begin else -1

    def whole_pairs(self, chunk: str) -> str:
        """Return a chunk behind the half pair that waited; let one at its end wait (EXT-110)."""
        if self.half:
            halves = (self.half + chunk).encode("utf-16", "surrogatepass")
            chunk, self.half = halves.decode("utf-16", "surrogatepass"), ""
        if "\ud800" <= chunk[-1:] <= "\udbff":
            chunk, self.half = chunk[:-1], chunk[-1]
        return chunk

    def finish(self) -> list[Event]:
        """End the text."""
        self.catch_up()
        events = self.read(self.half) if self.held or self.tail or self.half else []
        self.reading.source.end()
        for _ in self._parse:
            raise AssertionError("the parser wants text behind the end")
        self.reading.code.finish()
        return events + self.reading.decided.finish()


def read_chunks(parser: Parser) -> Chunks:
    """Read the chunks that are sent.

    A chunk that only adds to what is shown, or held, is read here.
    """
    passed, hold = parser.passed, parser.held.small.append
    events: list[Event] = []
    while True:
        # A half pair goes behind the tail and before the chunk. Each text has "" in it.
        until, tail = (None, "") if parser.half else (parser.until, parser.tail)
        first = parser.reading.language.first if parser.shows and not parser.half else ""
        one, other, *more = (*until.lasts, *until.lasts) if until else ("", "")
        is_apart = until.lasts.isdisjoint if until and len(more) > 2 else None
        for _ in range(MANY):
            if (chunk := (yield events)) is None:
                yield parser.finish()
                return
            is_whole = chunk.isascii() or not "\ud800" <= chunk[-1:] <= "\udbff"
            if until and is_whole:
                hold(chunk)
                if one in chunk or other in chunk or (is_apart and not is_apart(chunk)):
                    events = parser.read_held(until)
                    if parser.until is not until:
                        break
                else:
                    events = []
                continue
            if tail:
                chunk = tail + chunk
                tail = parser.tail = ""
            text = chunk.rstrip(BLANKS)
            if text and first not in chunk and is_whole and len(chunk) < _SMALL:
                if text is not chunk:
                    tail = parser.tail = chunk[len(text) :]
                passed.append(text)
                events = [{"text": text}]
                continue
            events = parser.take(parser.whole_pairs(chunk))
            break
        else:  # they become one piece
            if until:
                events += parser.read_held(until)
            parser.catch_up()
