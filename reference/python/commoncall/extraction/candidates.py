"""Long calls of which a stream shows that they are coming (definition "candidate")."""

import re
from functools import lru_cache
from typing import Final

from commoncall.extraction.dialects import Dialect
from commoncall.extraction.extractor import Chunks, Parser
from commoncall.extraction.reading import LONG, Block
from commoncall.extraction.record import Candidate, Event

_SPACE: Final = r"[ \t\n\r]*"
_NAME: Final = "([A-Za-z0-9_-]{1,64})"


def announce_chunks(parser: Parser) -> Chunks:
    """Read the chunks that are sent, and show candidates, each a few times (EXT-193)."""
    reading, come = parser.reading, 0
    last, shown = -1, 0  # where the last candidate began, and how long it was
    events: list[Event] = []
    while True:
        whole = parser.whole_pairs((yield events))
        come += len(whole)
        events = parser.take(whole)
        if parser.until and not reading.begun:
            events += parser.read("")  # a payload may have begun in what is held
        block = reading.begun
        if block:
            length = come - block.start
            if length >= (2 * shown if last == block.start else LONG):
                last, shown = block.start, length
                if parser.until:
                    events += parser.read("")  # its name may stand in what is held
                name = _name(block, reading.head())
                coming: Candidate = {"dialect": block.dialect.id, "name": name, "length": length}
                events.append({"candidate": coming})


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
        parts = ["", re.escape(dialect.name_begin), _NAME, r"\{"]
    elif dialect.form.names:
        names = "|".join(map(re.escape, dialect.form.names))
        parts = ["", r"\[?", r"\{", f'"(?:{names})"', ":", f'"{_NAME}"']
    else:
        return None
    return re.compile(_SPACE.join(parts))
