"""Blocks of which nothing is read: those with an error in their payload, and messages that are
addressed (definitions "failed block", "message header").
"""

from __future__ import annotations

from commoncall.extraction.dialects import Dialect
from commoncall.extraction.markers import Marker
from commoncall.extraction.reading import Block, FindMarker, Reading
from commoncall.extraction.source import Parse


def fail(reading: Reading, block: Block) -> FindMarker:
    """Read a failed block from its error on, and what follows it; return the opener of a further
    block.
    """
    yield from read_failed(reading, block)
    return (yield from reading.between_blocks())


def read_failed(reading: Reading, block: Block) -> Parse:
    """Read a failed block from its error to the closer that balances it (EXT-043, EXT-044)."""
    source, own = reading.source, reading.language.own(block.dialect.key)
    error = source.offset
    source.back_to(block.start)
    source.release()
    size = reading.size_of(block)
    missing = skip = 0
    while found := (yield from reading.seek(own, size.add if size else None, skip=skip)):
        skip = 1  # only the closer that balances the block is read whole
        if found.start < error:
            missing += found.kind == "opener"
            continue
        if found.kind == "blank_line":
            reading.code.skip_to(found.start)
            code = reading.reject(block, found.start, "invalid_json", size=size)
            reading.wrappers.end()
            yield from _read_muted(reading, block.dialect, missing, code)
            return
        missing += 1 if found.kind == "opener" else -(found.kind == "closer")
        if not missing:
            reading.move_behind(found)
            break
    reading.reject_here(block, "invalid_json", size=size)


def _read_muted(reading: Reading, dialect: Dialect, missing: int, code: str) -> Parse:
    """Read the text behind the blank line of a failed block, in which no marker counts."""
    decided, own = reading.decided, reading.language.own(dialect.key)
    skip = 0
    while found := (yield from reading.seek(own, decided.text, skip=skip)):
        if found.kind != "blank_line":
            missing += 1 if found.kind == "opener" else -(found.kind == "closer")
        if not missing:
            reading.move_behind(found)
            decided.removed(found.start, found.end, "rejected", dialect.id, codes=(code,))
            break
        skip = 1
    reading.skip()


def reject_reserved(reading: Reading, block: Block, _opener: Marker) -> FindMarker:
    """Read a message that is addressed, up to its end; none of it is shown (EXT-103)."""
    reading.source.release()
    size = reading.size_of(block)
    closers = reading.language.reserved_closers(block.dialect.key)
    closer = yield from reading.seek(closers, size.add if size else None)
    if closer:
        reading.move_behind(closer)
    reading.reject_here(block, "reserved_header", size=size)
    return (yield from reading.between_blocks())
