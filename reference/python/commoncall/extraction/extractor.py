"""The extractor: finds the calls in a text that arrives in chunks of any size.

Most chunks are a few characters, and need not wake the parser of the text (``document``): prose is
shown at once and caught up with later, and a payload is held until something may end it.
"""

from collections.abc import Callable, Generator

from commoncall.extraction.document import read_document
from commoncall.extraction.markers import LONGEST
from commoncall.extraction.reading import Reading
from commoncall.extraction.record import Event, Extraction
from commoncall.extraction.source import MANY, Pieces, Until, Wait
from commoncall.json_text import BLANKS

Chunks = Generator[list[Event], str, None]
"""What reads the chunks that are sent, and gives the events of each."""

_SMALL = 100  # characters that can wait


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
            return self.read_held(self.until)
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
            self._catch_up()
        return [{"text": text}]

    def read_held(self, until: Until) -> list[Event]:
        """Read what is held, unless it has to wait for more."""
        text = self.rest + self.held.news()
        length, rest = len(text), until.missing(text)
        del text
        self.rest = rest or ""
        return self.read("", length) if rest is None or len(rest) > LONGEST else []

    def read(self, chunk: str, unsought: int | None = None) -> list[Event]:
        """Give a chunk to the parser, with what waited for it (see ``Source.give``)."""
        self._catch_up()
        # No name holds the text here while it is read.
        self.reading.source.give(self._recorded(self.held.take() + self.tail + chunk), unsought)
        self.tail = ""
        self._wait()
        return self.reading.decided.take_events()

    def _recorded(self, text: str) -> str:
        if record := self.reading.decided.record:
            record.chunks.append(text)
        return text

    def _wait(self) -> None:
        self._waits_for = wait = next(self._parse)
        self.shows = wait == "prose" and self.reading.decided.flows
        until = self.reading.language.decision if wait == "decision" else wait
        self.until = until if isinstance(until, Until) else None
        source = self.reading.source
        self.rest = source.text[source.at :] if self.until else ""

    def _catch_up(self) -> None:
        """Move over prose that was shown already."""
        if self.passed:
            text = self._recorded("".join(self.passed))
            self.passed.clear()
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
        if _ends_in_half(chunk):
            chunk, self.half = chunk[:-1], chunk[-1]
        return chunk

    def finish(self) -> list[Event]:
        """End the text."""
        self._catch_up()
        events = self.read(self.half) if self.held or self.tail or self.half else []
        self.reading.source.end()
        for _ in self._parse:
            raise AssertionError("the parser wants text behind the end")
        self.reading.code.finish()
        return events + self.reading.decided.finish()


def read_chunks(parser: Parser) -> Chunks:
    """Read the chunks that are sent. Two loops read what only adds to what is held, or shown."""
    small, passed = parser.held.small, parser.passed
    many, first = range(MANY), parser.reading.language.markers.begins
    until, (one, other, is_apart) = None, _lasts(None)
    events: list[Event] = []
    while True:
        chunk = yield events
        if parser.until is not until:
            until = parser.until
            one, other, is_apart = _lasts(until)
        if until and not parser.half:
            for _ in many:
                has_come = (one in chunk or other in chunk) and not (is_apart and is_apart(chunk))
                if has_come or (not chunk.isascii() and _ends_in_half(chunk)):
                    break
                small.append(chunk)
                chunk = yield []
            if chunk.isascii() or not _ends_in_half(chunk):
                small.append(chunk)
                events = parser.read_held(until)
                continue
        elif parser.shows and not parser.half:
            chunk, parser.tail = parser.tail + chunk, ""
            for _ in many:
                text = chunk.rstrip(BLANKS)
                if first in chunk or not text or len(chunk) >= _SMALL:
                    break
                if not chunk.isascii() and _ends_in_half(chunk):
                    break
                passed.append(text)
                if text is chunk:
                    chunk = yield [{"text": text}]
                else:
                    parser.tail = chunk[len(text) :]
                    chunk = parser.tail + (yield [{"text": text}])
                    parser.tail = ""
        events = parser.take(parser.whole_pairs(chunk))


def _ends_in_half(chunk: str) -> bool:
    return "\ud800" <= chunk[-1:] <= "\udbff"


def _lasts(until: Until | None) -> tuple[str, str, Callable[[str], bool] | None]:
    """Return the characters that are awaited; where they are not two, what tells that none came."""
    lasts: frozenset[str] = until.lasts if until else frozenset()
    one, other = (*lasts, *lasts)[:2] if 0 < len(lasts) < 3 else ("", "")
    return one, other, lasts.isdisjoint if len(lasts) > 2 else None


class Extractor:
    """Feed chunks, then finish; each gives the events that it decided. With a record, ``result`` is
    there after ``finish``; without one, no text is held but that of an open block.

    Attributes:
        feed: reads a chunk; behind ``finish`` it raises ValueError. Most are so small that a
            method, and each attribute, would be dear.
    """

    feed: Callable[[str], list[Event]]

    def __init__(self, chunks: Chunks, parser: Parser) -> None:
        self._chunks, self._parser = chunks, parser
        next(chunks)
        self.feed = chunks.send

    def finish(self) -> list[Event]:
        """End the text.

        Raises:
            ValueError: it has ended already.
        """
        events = self.feed("")  # which fails where ``finish``, or an error, ended the text
        self._chunks.close()  # for whoever holds its ``send``
        self.feed = _refuse
        return events + self._parser.finish()

    def result(self) -> Extraction:
        """Return the result. Call ``finish`` before."""
        record = self._parser.reading.decided.record
        assert record
        return record.result()


def _refuse(_chunk: str) -> list[Event]:
    raise ValueError("finish has ended this text; the next one needs an extractor of its own")
