"""Openers around openers: what they become once the first block inside is decided (definition
"wrapper").
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from commoncall.extraction.markers import Tag
from commoncall.extraction.output import Output


@dataclass(frozen=True, slots=True)
class _Wrapper:
    opener: Tag
    space: str  # between the opener and the next one


class Wrappers:
    """The wrappers that are open, the innermost last (EXT-049)."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._open: list[_Wrapper] = []
        self._names: Counter[str] = Counter()
        self._counted = 0  # how many of them, from the outermost, have had their first block

    def __bool__(self) -> bool:
        return bool(self._open)

    def open(self, opener: Tag, space: str) -> None:
        """Add an opener that stands before another opener."""
        self._open.append(_Wrapper(opener, space))
        self._names[opener.name] += 1

    def block_counts(self) -> None:
        """The block inside is a call or rejected, so these openers are wrappers."""
        for wrapper in self._open[self._counted :]:
            opener = wrapper.opener
            self._output.block(opener.start, opener.end, opener.name, 0, ())
            self._output.text(wrapper.space)
        self._counted = len(self._open)

    def block_is_text(self) -> None:
        """The block inside is text, so openers that had no block before are text too. All end."""
        for wrapper in self._open[self._counted :]:
            self._output.text(wrapper.opener.raw + wrapper.space)
        self.end()

    def closes(self, tag: Tag) -> bool:
        """Tell whether the tag closes one of them."""
        return tag.kind == "closer" and self._names[tag.name] > 0

    def close(self, closer: Tag) -> None:
        """End the innermost one of the closer's name, and those inside it."""
        while True:
            name = self._open.pop().opener.name
            self._names[name] -= 1
            if name == closer.name:
                break
        self._counted = len(self._open)
        self._output.block(closer.start, closer.end, closer.name, 0, ())

    def end(self) -> None:
        """End all."""
        self._open.clear()
        self._names.clear()
        self._counted = 0
