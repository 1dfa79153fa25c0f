"""Prose and clean blocks in one run, as far as they go in the window (see ``clean``).

No payload is read here a second time: whoever begins to read one says how far it went, in
``clean_from``.
"""

from __future__ import annotations

import re

from commoncall.extraction.clean import CleanBlock
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.reading import Reading


def read_clean_blocks(reading: Reading) -> re.Match[str] | None:
    """Move over clean blocks and the prose between them.

    Returns what the search for the next marker found.
    """
    source, decided = reading.source, reading.decided
    search, openers = reading.language.markers.search, reading.language.clean
    skip_if_dull = reading.code.skip_if_dull
    text, base, at = source.text, source.base, source.at
    while match := search(text, at):
        start, begin = match.span()
        clean = openers.get(match.lastgroup)
        if clean is None:
            break
        head = clean.head(text, begin)
        if head is None and not clean.begins(text, begin):
            break
        closer = _closer(reading, clean, begin)
        if closer < 0:
            break
        call = clean.read_usual(text, head, closer) if head else None
        found = None if call else clean.read_any(text, begin, closer)
        end = closer + len(clean.closer)
        if not (call or found) or not skip_if_dull(text, at, start, base + end):
            break
        if at < start:
            decided.text(text[at:start])
        source.at = at = end
        if call:
            decided.call(call)
            decided.removed(base + start, base + end, "call", clean.dialect.id, 1)
        else:
            decided.block(clean.dialect, base + start, base + end, found or ())
    return match


def clean_to(reading: Reading, dialect: Dialect, at: int) -> int:
    """Return the place up to which the host's decoder may read values of a payload."""
    source = reading.source
    if source.base + at < reading.clean_from:
        return 0
    end = len(source.text)
    clean = reading.language.clean_blocks.get(dialect.key)
    if clean is None:
        reading.clean_from = source.base + end
        return end
    closer = _closer(reading, clean, at)
    return closer if closer >= 0 else end


def _closer(reading: Reading, clean: CleanBlock, begin: int) -> int:
    """Return the place of the first closer behind ``begin``, -1 where there is none or a block
    before was read up to it already.
    """
    text, base = reading.source.text, reading.source.base
    if base + begin < reading.clean_from:
        return -1
    # One character is found much faster than several.
    closer = text.find(clean.closer[0], begin)
    if not text.startswith(clean.closer, closer):
        closer = text.find(clean.closer, begin)
    reading.clean_from = base + (closer if closer >= 0 else len(text))
    return closer
