"""The extractor: finds the calls in a text that arrives in chunks of any size.

Most chunks are a few characters, and need not wake the parser of the text (``document``): prose is
shown at once and caught up with later, and a payload is held until something may end it.
"""

from __future__ import annotations

from typing import Final

from commoncall.extraction.document import read_document
from commoncall.extraction.events import Event, Events
from commoncall.extraction.reading import Reading
from commoncall.extraction.record import Extraction, Record
from commoncall.extraction.source import MANY, Pieces
from commoncall.json_text import BLANKS

_BLANKS = frozenset(BLANKS)
_SMALL = 100  # characters that can wait


_EVERY_CHUNK: Final = ""  # stands in every chunk


class Extractor:
    """Feed chunks, then finish; each gives the events that it decided. With a record, ``result`` is
    there after ``finish``; without one, no text is held but that of an open block.

    What becomes of a chunk depends on what the parser waits for: it holds what cannot decide about
    the open block, it shows prose up to what may be a marker, or else it gives the parser all.
    """

    def __init__(
        self,
        reading: Reading,
        record: Record | None,
        events: Events | None,
        *,
        starts_in_reasoning: bool,
    ) -> None:
        self._record = record
        self._events = events
        self._source = reading.source
        self._code = reading.code
        self._markers = reading.language.markers
        self._first = reading.language.first or _EVERY_CHUNK
        self._last, self._other_last = reading.language.last
        self._parse = read_document(reading, starts_in_reasoning=starts_in_reasoning)
        self._waits_for = next(self._parse)
        self._holds = False
        self._shows = False
        self._shown_without = _EVERY_CHUNK  # a chunk without this is shown
        self._held = Pieces()  # what the parser has not been given, and is not shown
        self._small = self._held.small
        self._tail = ""  # the same behind what was shown: blanks, or the begin of a marker
        self._passed: list[str] = []  # prose that was shown, and the parser has not been given
        self._half = ""  # of a surrogate pair, at the end of the last chunk

    def feed(self, chunk: str) -> list[Event]:
        """Read a chunk. Most are so small that each thing done here is dear, so little is done."""
        if self._half or not chunk.isascii():
            chunk = self._whole_pairs(chunk)
        if self._record:
            self._record.chunks.append(chunk)
        if self._holds:
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

    def _whole_pairs(self, chunk: str) -> str:
        """Put the half pair that waited before a chunk, and let one at its end wait (EXT-110)."""
        if self._half:
            halves = (self._half + chunk).encode("utf-16", "surrogatepass")
            chunk, self._half = halves.decode("utf-16", "surrogatepass"), ""
        if "\ud800" <= chunk[-1:] <= "\udbff":
            chunk, self._half = chunk[:-1], chunk[-1]
        return chunk

    def _before_marker(self, chunk: str) -> str:
        """Return what of a chunk can be shown before the begin of a marker that its end cuts off,
        which becomes the tail; nothing where the parser has to read it.
        """
        if not self._shows:
            return ""
        match = self._markers.search(chunk, 0)
        if match is None:
            return chunk
        start = match.start()
        is_begin = match.lastgroup is None and self._markers.read(match, 0) is not None
        if not is_begin or len(chunk) - start > _SMALL:
            return ""
        self._tail = chunk[start:]
        return chunk[:start]

    def _read(self, chunk: str) -> list[Event]:
        """Give a chunk to the parser, unless it can wait for more."""
        if self._waits_for == "visible" and "\n" not in chunk and not chunk.strip(BLANKS):
            self._held.append(chunk)
            return []
        self._catch_up()
        self._source.give(self._held.take() + self._tail + chunk)
        self._tail = ""
        self._waits_for = wait = next(self._parse)
        self._holds = wait == "decision"
        self._shows = wait == "prose" and self._events is not None and self._events.flows
        self._shown_without = self._first if self._shows else _EVERY_CHUNK
        return self._events.take() if self._events else []

    def _catch_up(self) -> None:
        """Move over prose that was shown already."""
        if self._passed:
            text = "".join(self._passed)
            self._passed.clear()
            self._source.base += len(text)
            self._code.add(text)

    def finish(self) -> list[Event]:
        """End the text."""
        self._catch_up()
        if self._record and self._half:
            self._record.chunks.append(self._half)
        if self._held or self._tail or self._half:
            self._source.give(self._held.take() + self._tail + self._half)
            next(self._parse)
        self._source.end()
        for _ in self._parse:
            raise AssertionError("the parser wants text behind the end")
        self._code.finish()
        if self._events:
            self._events.finish()
        return self._events.take() if self._events else []

    def result(self) -> Extraction:
        """Return the result. Call ``finish`` before."""
        assert self._record is not None
        return self._record.result()
