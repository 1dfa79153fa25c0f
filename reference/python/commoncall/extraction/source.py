"""The text that has come: a window on what is not read yet, at offsets in the whole text.

A parser is a generator. It reads from the window as from a whole text, and yields where the window
ends, until more has come. So whole texts and chunks run through the same code.
"""

import re
from collections.abc import Generator
from typing import TypeVar

from commoncall.json_text import is_blank

Result = TypeVar("Result")
ParseOf = Generator[None, None, Result]
"""A parser, by its result. It yields where it needs more text."""

Parse = ParseOf[None]
"""A parser without a result."""

_SMALL = 512
"""A piece below this many characters gets the next one too: each takes memory of its own."""

_AT_ONCE = 1 << 14
"""How much of a chunk comes at once: to say where an error is, the decoder of the host counts the
lines of the window before it.
"""


class Pieces(list[str]):
    """A text in pieces."""

    def append(self, piece: str) -> None:
        """Add to the end."""
        if self and len(self[-1]) < _SMALL:
            self[-1] += piece
        else:
            super().append(piece)

    def tail(self, length: int) -> str:
        """Return the last ``length`` characters."""
        first = len(self)
        while first and length > 0:
            first -= 1
            length -= len(self[first])
        return "".join(self[first:])[max(-length, 0) :]

    def take(self) -> str:
        """Return the text and forget it."""
        text = "".join(self)
        self.clear()
        return text


class Source:
    """The window ``text``, whose offset is ``base``, and the place ``at`` of the cursor in it."""

    def __init__(self) -> None:
        self.text = ""
        self.at = 0
        self.base = 0
        self._chunk = ""  # that was laid down
        self._begun = 0  # how much of it came
        self._ended = False
        self._mark = -1  # the offset from which on all is kept; -1: nothing is
        self._kept = Pieces()  # of that what stands before the window
        self._is_held = False  # the mark stays

    @property
    def offset(self) -> int:
        """The offset of the cursor."""
        return self.base + self.at

    @property
    def last(self) -> int:
        """The offset behind all that has come."""
        return self.base + len(self.text)

    def give(self, chunk: str) -> None:
        """Lay a chunk down for the parser that waits."""
        self._chunk, self._begun = chunk, 0

    def end(self, parser: Parse) -> None:
        """Say that no chunk follows, to the parser that waits."""
        self._ended = True
        for _ in parser:
            raise AssertionError("the parser wants text behind the end")

    def more(self, *, visible: bool = False) -> ParseOf[bool]:
        """Wait for a chunk, and put it behind what is left of the window; False at the end.

        With ``visible``, wait for a visible character or a line feed: who reads the window from its
        begin for each chunk of blanks would need time with the square of their number.
        """
        if not self._chunk:
            if self._ended:
                return False
            yield
        come = [self._taken()]
        while visible and come[-1] and "\n" not in come[-1] and is_blank(come[-1]):
            if not self._chunk:
                yield
            come.append(self._taken())
        if self._mark >= 0:
            self._kept.append(self.text[max(self._mark - self.base, 0) : self.at])
        rest = self.text[self.at :]
        self.base += self.at
        self.text, self.at = "".join([rest, *come]), 0
        return len(self.text) > len(rest)

    def _taken(self) -> str:
        """Return the next of what was laid down; ``""`` at the end of the text."""
        start, self._begun = self._begun, self._begun + _AT_ONCE
        taken = self._chunk[start : self._begun]
        if self._begun >= len(self._chunk):
            self._chunk, self._begun = "", 0
        return taken

    def peek(self) -> ParseOf[str]:
        """Return the next character, or ``""`` at the end of the text."""
        while self.at == len(self.text):
            if not (yield from self.more()):
                return ""
        return self.text[self.at]

    def skip_run(self, run: re.Pattern[str]) -> ParseOf[str]:
        """Move over the longest run of a character class, and return it; the pattern also matches
        nothing.
        """
        skipped: list[str] = []
        while True:
            start, self.at = self.at, run.match(self.text, self.at).end()  # type: ignore[union-attr]
            skipped.append(self.text[start : self.at])
            if self.at < len(self.text) or not (yield from self.more()):
                return "".join(skipped)

    def skip_line(self) -> Parse:
        """Move behind the next line feed, or to the end of the text."""
        while not (end := self.text.find("\n", self.at) + 1):
            self.at = len(self.text)
            if not (yield from self.more()):
                return
        self.at = end

    def literal(self, text: str) -> ParseOf[bool]:
        """Move over a text if it stands here, and tell so."""
        while True:
            here = self.text[self.at : self.at + len(text)]
            if here == text:
                self.at += len(text)
                return True
            if not text.startswith(here) or not (yield from self.more()):
                return False

    def stands(self, text: str) -> ParseOf[bool]:
        """Tell whether a text stands here, in a block: what it begins with is kept."""
        start = self.offset
        stands = yield from self.literal(text)
        self.back_to(start)
        return stands

    # Going back

    @property
    def is_marked(self) -> bool:
        """Whether the text is kept from a place on."""
        return self._mark >= 0

    def mark(self, offset: int) -> None:
        """Keep the text from a place of the window on. Who comes back to a place, or asks for the
        text from there, says so before reading on.
        """
        if not self._is_held:
            self._kept.take()
            self._mark = offset

    def unmark(self) -> None:
        """Keep nothing longer, unless it is held."""
        self.mark(-1)

    def hold(self) -> None:
        """Keep all from the cursor on, whatever is marked and unmarked behind it."""
        self.mark(self.offset)
        self._is_held = True

    def end_hold(self) -> str:
        """Return what was held, up to the cursor, and keep nothing longer."""
        text, self._is_held = self.since(self._mark), False
        self.unmark()
        return text

    def since(self, offset: int, end: int | None = None) -> str:
        """Return the text from a place, in the window or not before the mark, to the cursor or an
        end.
        """
        end = self.offset if end is None else end
        if offset >= self.base:
            return self.text[offset - self.base : end - self.base]
        return (self._kept.tail(self.base - offset) + self.text[: self.at])[: end - offset]

    def back_to(self, offset: int) -> None:
        """Move the cursor back to a place that is not before the mark."""
        back = [self.text]
        while offset < self.base:
            back.append(self._kept.pop())
            self.base -= len(back[-1])
        self.text = "".join(reversed(back))
        self.at = offset - self.base
