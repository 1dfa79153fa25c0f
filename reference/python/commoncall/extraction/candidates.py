"""Long calls of which a stream shows that they are coming (definition "candidate")."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from commoncall.extraction.dialects import Dialect
from commoncall.extraction.events import Candidate, Event
from commoncall.extraction.extractor import Extractor, Mode
from commoncall.extraction.reading import LONG, Block, Reading

_SPACE: Final = r"[ \t\n\r]*"
_NAME: Final = "([A-Za-z0-9_-]{1,64})"


class Announcer(Extractor):
    """An extractor that also shows candidates, each a few times (EXT-193)."""

    def __init__(self, reading: Reading, *, starts_in_reasoning: bool) -> None:
        super().__init__(reading, starts_in_reasoning=starts_in_reasoning)
        self._come = 0  # how many characters have come, but for half a pair at the end
        self._shown = -1, 0  # where the last candidate began, and how long it was

    def feed(self, chunk: str) -> list[Event]:
        """Read a chunk."""
        is_joined = bool(self._half) and "\udc00" <= chunk[:1] <= "\udfff"
        self._come += len(self._half) + len(chunk) - is_joined
        events = super().feed(chunk)
        self._come -= len(self._half)
        reading = self._reading
        if self._mode is Mode.HOLD and not reading.begun:
            events += self._read("")  # a payload may have begun in what is held
        block = reading.begun
        if block:
            length = self._come - block.start
            start, shown = self._shown
            if length >= (2 * shown if start == block.start else LONG):
                self._shown = block.start, length
                name = _name(block, reading.head())
                coming: Candidate = {"dialect": block.dialect.id, "name": name, "length": length}
                events.append({"candidate": coming})
        return events


def _name(block: Block, head: str) -> str | None:
    found = re.fullmatch(_NAME, block.dialect.name_in_header(block.header))
    if not found and (pattern := _pattern(block.dialect)):
        found = pattern.match(head, block.inner - block.start)
    return found[1] if found else None


@lru_cache
def _pattern(dialect: Dialect) -> re.Pattern[str] | None:
    """Return how a block begins that has its name behind the opener, None where it has none."""
    if dialect.name_in_first_line:
        return re.compile(_SPACE + _NAME + r"(?=[\n<])")
    if dialect.scanner == "quoted_object":
        parts = ["", re.escape(dialect.name_begin), _NAME, r"\{"]
    elif dialect.form.names:
        names = "|".join(map(re.escape, dialect.form.names))
        parts = ["", r"\[?", r"\{", f'"(?:{names})"', ":", f'"{_NAME}"']
    else:
        return None
    return re.compile(_SPACE.join(parts))
