"""Long calls of which a stream shows that they are coming (definition "candidate")."""

import re
from functools import lru_cache
from typing import Final

from commoncall.call_object import SENDABLE
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.reading import LONG, Block, Reading
from commoncall.extraction.record import Candidate, Event
from commoncall.json_text import SPACE

_SPACE: Final = f"{SPACE}*"
_NAME: Final = f"({SENDABLE})"


class Candidates:
    """Shows that a long call is coming, a few times for each (EXT-193)."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._begin = -1  # where the last candidate began
        self._length = 0  # with which it was shown last

    def take(self) -> list[Event]:
        """Return what is to be shown behind a chunk."""
        block = self._reading.begun
        if block is None:
            return []
        long = self._reading.source.last - block.start
        if long < (2 * self._length if self._begin == block.start else LONG):
            return []
        self._begin, self._length = block.start, long
        name = _name(block, self._reading.head())
        coming: Candidate = {"dialect": block.dialect.id, "name": name, "length": long}
        return [{"candidate": coming}]


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
    if dialect.quote:
        parts = ["", re.escape(dialect.name_begin), _NAME, r"[{(]"]
    elif dialect.form.names:
        names = "|".join(map(re.escape, dialect.form.names))
        parts = ["", r"\[?", r"\{", f'"(?:{names})"', ":", f'"{_NAME}"']
    else:
        return None
    return re.compile(_SPACE.join(parts))
