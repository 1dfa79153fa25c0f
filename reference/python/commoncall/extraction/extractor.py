"""The extractor: finds the calls in a text that arrives in chunks of any size."""

from commoncall.extraction.machine import read_text
from commoncall.extraction.reading import Reading
from commoncall.extraction.record import Event, Extraction
from commoncall.json_text import whole_pairs


class Extractor:
    """Feed chunks, then finish; each gives the events that it decided. With a record, ``result`` is
    there after ``finish``; without one, no text is held but that of an open block.
    """

    def __init__(self, reading: Reading, *, starts_in_reasoning: bool) -> None:
        self._reading = reading
        self._parse = read_text(reading, starts_in_reasoning=starts_in_reasoning)
        self._half = ""  # of a surrogate pair, at the end of the last chunk
        self._has_ended = False
        next(self._parse)  # to where it wants the first chunk

    def feed(self, chunk: str) -> list[Event]:
        """Read a chunk.

        Raises:
            ValueError: ``finish``, or an error, has ended the text.
        """
        if self._has_ended:
            raise ValueError("this text has ended; the next one needs an extractor of its own")
        chunk, self._half = whole_pairs(self._half + chunk)  # EXT-110
        return self._read(chunk) if chunk else []

    def finish(self) -> list[Event]:
        """End the text.

        Raises:
            ValueError: it has ended already.
        """
        self.feed("")  # which says so where the text has ended
        events = self._read(self._half) if self._half else []
        self._has_ended = True
        return events + self._end()

    def result(self) -> Extraction:
        """Return the result. Call ``finish`` before."""
        record = self._reading.decided.record
        assert record
        return record.result()

    def marked(self) -> list[tuple[int, int]]:
        """Return the half-open offsets of marked texts. Call ``finish`` before."""
        record = self._reading.decided.record
        assert record
        return record.marked

    def _end(self) -> list[Event]:
        self._reading.source.end(self._parse)
        self._reading.code.finish()
        return self._reading.decided.finish()

    def _read(self, chunk: str) -> list[Event]:
        decided = self._reading.decided
        if decided.record:
            decided.record.chunks.append(chunk)
        self._reading.source.give(chunk)
        self._has_ended = True  # if the parser raises, of which nobody can read on
        next(self._parse)
        self._has_ended = False
        return decided.take_events()
