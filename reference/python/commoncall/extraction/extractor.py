"""The extractor: finds the calls in a text that arrives in chunks of any size.

Most chunks are a few characters, and need not wake the parser of the text (``document``): prose is
shown at once and caught up with later, and a payload is held until something may end it.
"""

from __future__ import annotations

from enum import Enum, auto

from commoncall.extraction.document import read_document
from commoncall.extraction.events import Event
from commoncall.extraction.language import ANY
from commoncall.extraction.reading import Reading
from commoncall.extraction.record import Extraction
from commoncall.extraction.source import MANY, Pieces, Wait
from commoncall.json_text import BLANKS

_BLANKS = frozenset(BLANKS)
_SMALL = 100  # characters that can wait


class Mode(Enum):
    """What becomes of a chunk. The parser gets all that a mode does not take."""

    SHOW = auto()  # behind prose that was shown: it is shown too, up to what may be a marker
    HOLD = auto()  # in a block: it waits unless something in it may end the block
    HOLD_BLANKS = auto()  # it waits if it is blank and has no line feed
    READ = auto()


# Looking a member up in an enumeration is dear beside the rest.
_SHOW, _HOLD, _HOLD_BLANKS = Mode.SHOW, Mode.HOLD, Mode.HOLD_BLANKS


class Extractor:
    """Feed chunks, then finish; each gives the events that it decided. With a record, ``result`` is
    there after ``finish``; without one, no text is held but that of an open block.
    """

    def __init__(self, reading: Reading, *, starts_in_reasoning: bool) -> None:
        self._reading = reading
        self._record = reading.decided.record
        self._shown_without = ANY
        self._last = self._other_last = ANY
        self._parse = read_document(reading, starts_in_reasoning=starts_in_reasoning)
        self._mode = self._mode_for(next(self._parse))
        self._held = Pieces()  # what the parser has not been given, and is not shown
        self._small = self._held.small
        self._tail = ""  # the same behind what was shown: blanks, or the begin of a marker
        self._passed: list[str] = []  # prose that was shown, and the parser has not been given
        self._half = ""  # of a surrogate pair, at the end of the last chunk

    def feed(self, chunk: str) -> list[Event]:
        """Read a chunk. Most are so small that each thing done here is dear, a call of a method
        too, so little is done.
        """
        if self._half or not chunk.isascii():
            chunk = self._whole_pairs(chunk)
        if self._record:
            self._record.chunks.append(chunk)
        if self._mode is _HOLD:
            if self._last not in chunk and self._other_last not in chunk:
                small = self._small
                small.append(chunk)
                if len(small) == MANY:
                    self._held.join()
                return []
        else:
            if self._tail:
                chunk = self._tail + chunk
                self._tail = ""
            text = chunk if self._shown_without not in chunk else self._before_marker(chunk)
            if text:
                if text[-1] in _BLANKS:
                    text = text.rstrip(BLANKS)
                    self._tail = chunk[len(text) :]
                    if not text:
                        return [] if len(chunk) < _SMALL else self._read("")
                passed = self._passed
                passed.append(text)
                if len(passed) == MANY or len(text) > _SMALL:
                    self._catch_up()
                return [{"text": text}]
            if self._tail:
                return []
        return self._read(chunk)

    def _before_marker(self, chunk: str) -> str:
        """Return what of a chunk can be shown before the begin of a marker that its end cuts off,
        which becomes the tail; nothing where the parser has to read it.
        """
        if self._mode is not _SHOW:
            return ""
        markers = self._reading.language.markers
        match = markers.search(chunk, 0)
        if match is None:
            return chunk
        start = match.start()
        is_begin = match.lastgroup is None and markers.read(match, 0) is not None
        if not is_begin or len(chunk) - start > _SMALL:
            return ""
        self._tail = chunk[start:]
        return chunk[:start]

    def _whole_pairs(self, chunk: str) -> str:
        """Put the half pair that waited before a chunk, and let one at its end wait (EXT-110)."""
        if self._half:
            halves = (self._half + chunk).encode("utf-16", "surrogatepass")
            chunk, self._half = halves.decode("utf-16", "surrogatepass"), ""
        if "\ud800" <= chunk[-1:] <= "\udbff":
            chunk, self._half = chunk[:-1], chunk[-1]
        return chunk

    def _read(self, chunk: str) -> list[Event]:
        """Give a chunk to the parser, with what waited for it."""
        if self._mode is _HOLD_BLANKS and "\n" not in chunk and not chunk.strip(BLANKS):
            self._held.append(chunk)
            return []
        self._catch_up()
        self._reading.source.give(self._held.take() + self._tail + chunk)
        self._tail = ""
        self._mode = self._mode_for(next(self._parse))
        self._shown_without = self._reading.language.first if self._mode is _SHOW else ANY
        return self._reading.decided.take_events()

    def _mode_for(self, wait: Wait) -> Mode:
        """Return what becomes of chunks while the parser waits."""
        if wait == "decision" or isinstance(wait, tuple):
            lasts = self._reading.language.lasts if wait == "decision" else wait
            self._last, self._other_last = lasts
            return _HOLD
        if wait == "visible":
            return _HOLD_BLANKS
        events = self._reading.decided.events
        flows = wait == "prose" and events is not None and events.flows
        return _SHOW if flows else Mode.READ

    def _catch_up(self) -> None:
        """Move over prose that was shown already."""
        if self._passed:
            text = "".join(self._passed)
            self._passed.clear()
            self._reading.source.base += len(text)
            self._reading.code.add(text)

    def finish(self) -> list[Event]:
        """End the text."""
        self._catch_up()
        if self._record and self._half:
            self._record.chunks.append(self._half)
        source = self._reading.source
        if self._held or self._tail or self._half:
            source.give(self._held.take() + self._tail + self._half)
            next(self._parse)
        source.end()
        for _ in self._parse:
            raise AssertionError("the parser wants text behind the end")
        self._reading.code.finish()
        return self._reading.decided.finish()

    def result(self) -> Extraction:
        """Return the result. Call ``finish`` before."""
        assert self._record is not None
        return self._record.result()
