"""Openers around openers: what they become once the first block inside is decided (definition
"wrapper").
"""

from typing import NamedTuple

from commoncall.extraction.markers import Marker


class Wrapper(NamedTuple):
    """An opener that stands before another opener, and its text with the white space behind it."""

    opener: Marker
    text: str


class Wrappers:
    """The wrappers that are open, the innermost last (EXT-049)."""

    def __init__(self) -> None:
        self._open: list[Wrapper] = []
        self._decided = 0  # how many of them, from the outermost, have had their first block

    def __bool__(self) -> bool:
        return bool(self._open)

    def open(self, opener: Marker, text: str) -> None:
        """Add an opener that stands before another opener."""
        self._open.append(Wrapper(opener, text))

    def newly_decided(self) -> list[Wrapper]:
        """Return those that become wrappers now, or text: the ones without a block before."""
        undecided = self._open[self._decided :]
        self._decided = len(self._open)
        return undecided

    def closes(self, marker: Marker) -> bool:
        """Tell whether the marker closes one of them; those inside, asked in vain, end with it."""
        return any(marker.is_closer(each.opener.dialects[0]) for each in reversed(self._open))

    def close(self, closer: Marker) -> str:
        """End the innermost one that the marker closes, and those inside it; return its key."""
        while (name := self._open.pop().opener.dialects[0]) not in closer.dialects:
            pass
        self._decided = len(self._open)
        return name

    def end(self) -> None:
        """End all."""
        self._open.clear()
        self._decided = 0
