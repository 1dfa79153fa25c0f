"""Blocks of which nothing is read: those with an error in their payload, and messages that are
addressed (definitions "failed block", "message header").
"""

from commoncall.extraction.dialects import Dialect
from commoncall.extraction.language import message_ends
from commoncall.extraction.markers import BLANK_LINE
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import Parse
from commoncall.json_text import utf8_length


def read_failed(reading: Reading, block: Block) -> Parse:
    """Read a failed block from its error to the closer that balances it (EXT-043)."""
    if block.dialect.messages:
        yield from read_unshown(reading, block, "invalid_json")
        return
    source, own = reading.source, reading.language.balancing(block.dialect, BLANK_LINE)
    error = source.offset
    reading.keep_head()
    source.back_to(block.start)
    source.unmark()
    # The inner text is counted and not kept, where its length matters; the opener is none of it.
    size = -utf8_length(source.text[source.at : block.inner - source.base])

    def count(text: str) -> None:
        nonlocal size
        size += utf8_length(text)

    each = None if block.dialect.limit_bytes is None else count
    missing = skip = 0  # a closer before the error stood in a string, and an opener can be the own
    while found := (yield from reading.seek(own, each, skip=skip)):
        skip = 1  # only the closer that balances the block is read whole
        if found.kind == "blank_line":
            if found.start >= error:
                reading.reject(block, "invalid_json", end=found.start, size=size)
                reading.wrappers.end()
                reading.end_unmarked()
                yield from _read_muted(reading, block.dialect, missing)
                return
        elif found.kind != "closer":
            missing += 1
        elif found.start >= error:
            missing -= 1
            if not missing:
                reading.move_behind(found)
                break
    reading.reject(block, "invalid_json", size=size)


def _read_muted(reading: Reading, dialect: Dialect, missing: int) -> Parse:
    """Read on to what balances a failed block; no marker counts, so nothing waits (EXT-115)."""
    own, text = reading.language.balancing(dialect), reading.decided.text
    while missing and (found := (yield from reading.seek(own, text, whole=True))):
        reading.move_behind(found)
        missing += -1 if found.kind == "closer" else 1
    reading.is_behind_block = False
    reading.skip()


def read_unshown(reading: Reading, block: Block, code: str) -> Parse:
    """Read a message that is addressed, up to its end; none of it is shown (EXT-040, EXT-190)."""
    reading.keep_head()
    reading.source.unmark()
    yield from reading.to_end(message_ends(block.dialect))
    reading.reject(block, code, size=0)
