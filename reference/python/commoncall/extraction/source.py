"""The text as a stream: a window on what has come and was not read yet, for parsers written as
generators.

A parser reads from the window at C speed, and asks for more where the window ends. Whole text and
chunks so run through the same code: a whole text is one window.
"""

import itertools
import re
from collections.abc import Generator
from typing import TypeVar

from commoncall.json_text import is_blank

Result = TypeVar("Result")
ParseOf = Generator[None, None, Result]
"""A parser, by its result. It yields where it needs more text."""

Parse = ParseOf[None]
"""A parser without a result."""

_MANY = 128
"""How many small pieces are kept apart: each takes more memory than its characters."""

_MUCH = 1 << 14
"""How much of a chunk comes at once: to say where an error is, the decoder of the host counts the
lines of the window before it.
"""


class Pieces:
    """A text in pieces, of which the last ones are small."""

    def __init__(self) -> None:
        self._large: list[str] = []
        self._small: list[str] = []

    def __bool__(self) -> bool:
        return bool(self._small or self._large)

    def append(self, piece: str) -> None:
        """Add to the end."""
        self._small.append(piece)
        if len(self._small) == _MANY:
            self._large.append("".join(self._small))
            self._small.clear()

    def pop(self) -> str:
        """Take a piece from the end."""
        return (self._small or self._large).pop()

    def tail(self, length: int) -> list[str]:
        """Return the last ``length`` characters, in pieces."""
        tail: list[str] = []
        for piece in itertools.chain(reversed(self._small), reversed(self._large)):
            if length <= 0:
                break
            tail.append(piece[max(len(piece) - length, 0) :])
            length -= len(piece)
        tail.reverse()
        return tail

    def take(self) -> str:
        """Return the text and forget it."""
        text = "".join([*self._large, *self._small])
        self._large.clear()
        self._small.clear()
        return text


class Source:
    """The window ``text``, whose offset is ``base``, and the place ``at`` of the cursor in it."""

    def __init__(self) -> None:
        self.text = ""
        self.at = 0
        self.base = 0
        self._chunk = ""
        self._ended = False
        self._kept = Pieces()  # what was kept from the mark on, up to the place ``_mark``
        self._mark = -1  # in the window, the begin of what has to be kept; -1: nothing has
        self._marked = 0  # the offset of the mark
        self._held: Pieces | None = None  # what was kept before the mark, where that is held

    @property
    def offset(self) -> int:
        """The offset of the cursor."""
        return self.base + self.at

    def give(self, chunk: str) -> None:
        """Lay a chunk down for the parser that waits."""
        self._chunk = chunk

    def end(self) -> None:
        """Say that no chunk follows."""
        self._ended = True

    def more(self, *, visible: bool = False) -> ParseOf[bool]:
        """Wait for a chunk, and put it behind what is left of the window; False at the end.

        With ``visible``, wait for a visible character or a line feed: who reads the window from its
        begin for each chunk of blanks would need time with the square of their number.
        """
        if self._ended and not self._chunk:
            return False
        come = [(yield from self._taken())]
        while visible and come[-1] and "\n" not in come[-1] and is_blank(come[-1]):
            come.append((yield from self._taken()))
        rest = self.text[self.at :]
        if self._mark >= 0:
            self._kept.append(self.text[self._mark : self.at])
            self._mark = 0
        self.base += self.at
        self.text, self.at = "".join([rest, *come]), 0
        return len(self.text) > len(rest)

    def _taken(self) -> ParseOf[str]:
        """Return what was laid down, or wait for it; ``""`` at the end of the text."""
        if not self._chunk:
            yield
        taken, self._chunk = self._chunk[:_MUCH], self._chunk[_MUCH:]
        return taken

    def peek(self) -> ParseOf[str]:
        """Return the next character, or ``""`` at the end of the text."""
        while self.at == len(self.text):
            if not (yield from self.more()):
                return ""
        return self.text[self.at]

    def skip_run(self, run: re.Pattern[str]) -> Parse:
        """Move over the longest run of a character class; the pattern also matches nothing."""
        while True:
            self.at = run.match(self.text, self.at).end()  # type: ignore[union-attr]
            if self.at < len(self.text) or not (yield from self.more()):
                return

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

    def mark(self, offset: int) -> None:
        """Keep the text from a place of the window on."""
        if self._held is not None:
            self._held.append(self.since(self._marked, offset))
        self._kept.take()
        self._mark, self._marked = offset - self.base, offset

    def unmark(self) -> None:
        """Keep nothing longer, unless it is held."""
        if self._held is None:
            self._kept.take()
            self._mark = -1

    def hold(self, offset: int) -> None:
        """Keep all from a place of the window on, whatever is marked and unmarked behind it."""
        self.mark(offset)
        self._held = Pieces()

    def release(self) -> str:
        """Return what was held, up to the cursor, and keep nothing longer."""
        assert self._held is not None
        self.mark(self.offset)
        text, self._held = self._held.take(), None
        self.unmark()
        return text

    def join_kept(self) -> tuple[str, int]:
        """Return a text that holds all from the mark to the cursor, and its offset."""
        if not self._kept:
            return self.text, self.base
        self._kept.append(self.text[self._mark : self.at])
        self.text, self.base = self.text[self.at :], self.offset  # so that it is not held twice
        self.at = self._mark = 0
        text = self._kept.take()
        self._kept.append(text)
        return text, self.base - len(text)

    def since(self, offset: int, end: int | None = None) -> str:
        """Return the text from a place that is not before the mark to the cursor, or an end."""
        beyond = 0 if end is None else self.offset - end
        if offset >= self.base:
            return self.text[offset - self.base : self.at - beyond]
        assert self._mark >= 0
        pieces = self._kept.tail(self.base + self._mark - offset)
        pieces.append(self.text[self._mark : self.at])
        while beyond:
            piece = pieces.pop()
            if len(piece) > beyond:
                pieces.append(piece[:-beyond])
            beyond = max(beyond - len(piece), 0)
        return "".join(pieces)

    def back_to(self, offset: int) -> None:
        """Move the cursor back to a place that is not before the mark."""
        start = self.base + self._mark
        if offset < start:
            assert self._mark >= 0
            back = [self.text[self._mark :]]
            while offset < start:
                back.append(self._kept.pop())
                start -= len(back[-1])
            self.text = "".join(reversed(back))
            self.base, self._mark = start, 0
        self.at = offset - self.base
