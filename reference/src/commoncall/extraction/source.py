"""The text as a stream: a cursor over the chunks that were fed, for parsers written as generators.

A parser that needs a character which has not come yet yields; whoever drives it feeds a chunk and
resumes it. So whole text and
chunks run through the same code, and no character is read again because a chunk ended.
"""

from __future__ import annotations

import re
from collections.abc import Generator

Parse = Generator[None, None, None]
"""A parser without a result. ``Generator[None, None, T]`` is a parser of T."""


class Source:
    """A cursor over text that is still arriving."""

    def __init__(self) -> None:
        self.offset = 0  # of the cursor, in code points from the start of the text
        self._text = ""
        self._at = 0
        self._behind: list[tuple[str, int]] = []  # what follows the current text, innermost last
        self._ended = False

    def feed(self, chunk: str) -> None:
        """Append a chunk. The parser must have read all that came before."""
        self._text, self._at = chunk, 0

    def end(self) -> None:
        """Say that no chunk follows."""
        self._ended = True

    def peek(self) -> Generator[None, None, str]:
        """Return the next character, or ``""`` at the end of the text."""
        while self._at >= len(self._text):
            if self._behind:
                self._text, self._at = self._behind.pop()
            elif self._ended:
                return ""
            else:
                yield
        return self._text[self._at]

    def window(self) -> tuple[str, int]:
        """Return the text that is at hand and the place of the cursor in it."""
        return self._text, self._at

    def take(self, count: int) -> str:
        """Move the cursor over ``count`` characters that are at hand and return them."""
        piece = self._text[self._at : self._at + count]
        self._at += count
        self.offset += count
        return piece

    def take_some(self, pattern: re.Pattern[str]) -> str:
        """Move over what of a run of a character class is at hand."""
        match = pattern.match(self._text, self._at)
        assert match is not None
        return self.take(match.end() - self._at)

    def take_run(self, pattern: re.Pattern[str]) -> Generator[None, None, str]:
        """Move over the longest run of a character class, given as a pattern that also matches
        nothing.
        """
        pieces: list[str] = []
        while (yield from self.peek()):
            pieces.append(self.take_some(pattern))
            if self._at < len(self._text):
                break
        return "".join(pieces)

    def unread(self, piece: str) -> None:
        """Move the cursor back over characters that were just taken."""
        self.offset -= len(piece)
        self._behind.append((self._text, self._at))
        self._text, self._at = piece, 0
