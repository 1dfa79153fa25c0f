"""Reading a tag at the cursor: an opener, a closer, or a text that only began like one
(definition "marker").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator
from dataclasses import dataclass
from typing import Literal

from commoncall.extraction.dialects import FOREIGN_OPENINGS, REASONING
from commoncall.extraction.source import Source
from commoncall.json_text import BLANKS

BLANK_RUN = re.compile(f"[{re.escape(BLANKS)}]*")

TagKind = Literal["opener", "closer", "reasoning", "foreign", "none"]


@dataclass(frozen=True, slots=True)
class Tag:
    """What a reader found: a marker of a dialect, or, of the kind ``none``, characters that are
    no marker.

    ``raw`` are its characters in the text, ``start`` is their offset.
    """

    kind: TagKind
    name: str
    raw: str
    start: int

    @property
    def end(self) -> int:
        """The offset behind it."""
        return self.start + len(self.raw)

    def is_marker(self, kind: TagKind, name: str) -> bool:
        """Tell whether it is this marker of this dialect."""
        return self.kind == kind and self.name == name


class MarkerReader:
    """Reads the markers of a set of dialects."""

    def __init__(self, dialects: Collection[str]) -> None:
        self._tags: dict[str, tuple[TagKind, str]] = {f"<{REASONING}": ("reasoning", REASONING)}
        for name in dialects:
            self._tags[f"<{name}"] = ("opener", name)
            self._tags[f"</{name}"] = ("closer", name)
        self._heads = _heads(self._tags)
        self._heads_with_foreign = self._heads | _heads(FOREIGN_OPENINGS)

    def read(self, source: Source, *, foreign: bool = False) -> Generator[None, None, Tag]:
        """Read from a ``<`` on.

        With ``foreign``, the openings of other dialects' payloads are markers of the kind
        ``foreign``.
        """
        start = source.offset
        heads = self._heads_with_foreign if foreign else self._heads
        raw = source.take(1)
        while (character := (yield from source.peek())) and ascii_lower(raw + character) in heads:
            raw += source.take(1)
            if foreign and ascii_lower(raw) in FOREIGN_OPENINGS:
                return Tag("foreign", "", raw, start)
        tag = self._tags.get(ascii_lower(raw))
        if tag is None:
            return Tag("none", "", raw, start)
        raw += yield from source.take_run(BLANK_RUN)
        if (yield from source.peek()) != ">":
            return Tag("none", "", raw, start)
        return Tag(*tag, raw + source.take(1), start)


def reasoning_closer() -> MarkerReader:
    """Return a reader that knows ``</think>`` alone, as a closer."""
    reader = MarkerReader(())
    reader._tags = {f"</{REASONING}": ("closer", REASONING)}
    reader._heads = _heads(reader._tags)
    return reader


def opener_pattern(name: str) -> re.Pattern[str]:
    """Return a pattern of the openers of one dialect."""
    return re.compile(f"<{name}{BLANK_RUN.pattern}>", re.ASCII | re.IGNORECASE)


def ascii_lower(text: str) -> str:
    """Fold A to Z and nothing else: the Kelvin sign is no k."""
    return text.lower() if text.isascii() else text


def _heads(texts: Collection[str]) -> frozenset[str]:
    return frozenset(text[:length] for text in texts for length in range(1, len(text) + 1))
