"""The fast path: clean blocks, as nearly all blocks are, and the prose between them.

What is found is what the careful parsers would find, and where that is not certain nothing is
found here (ADR-0164): a closer in a string, a repair, several values, a number out of range, great
depth. The readers of the kinds of payloads stand in ``clean``.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from commoncall.call_object import is_sendable
from commoncall.extraction.block import SCANNERS
from commoncall.extraction.call_value import Found
from commoncall.extraction.clean import LONG, Read, Reader
from commoncall.extraction.clean.balance import Balance
from commoncall.extraction.dialects import Dialect, Header
from commoncall.extraction.language import Language
from commoncall.extraction.markers import LONGEST
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import ParseOf, Until
from commoncall.json_text import JSON_SPACE, SPACE_RUN, utf8_length

_LINE_END = re.compile(r"[ \t\r]*+(?:\n[ \t\r]*+)?+")

Part = tuple[Dialect, int, int, Sequence[Found] | None]
"""A block, where it begins and ends, and what it holds: None where it is a marker of a section."""


@dataclass(frozen=True, slots=True)
class CleanBlock:
    """How clean blocks of a dialect are read.

    Attributes:
        read: reads a payload; None where there is none.
        border: before it a payload ends: the closer, as models write it, or the begin of the next
            opener; empty where any marker ends it, None where ``read`` looks for the end.
        closes: it is the closer.
        is_named: the name stands in the opener.
    """

    dialect: Dialect
    read: Reader | None
    border: str | None = None
    closes: bool = False
    is_named: bool = False

    def name(self, header: str) -> str | None:
        """Return the name in a header, nothing where it is elsewhere; None where care is needed."""
        name = self.dialect.name_in_header(header) if self.is_named else ""
        return name if not self.is_named or is_sendable(name) else None


@lru_cache
def _clean_block(dialect: Dialect) -> CleanBlock:
    scanner = SCANNERS.get(dialect.scanner)
    if scanner is None:
        return CleanBlock(dialect, None)
    closes = dialect.closer is not None and not scanner.quotes_closers
    read = scanner.clean(dialect)
    return CleanBlock(
        dialect,
        read if dialect.limit_bytes is None else _limited(read, dialect, closes=closes),
        border=None if scanner.quotes_closers else dialect.written_closer or dialect.opener_begin,
        closes=closes,
        is_named=scanner.names_in_openers and isinstance(dialect.opener, Header),
    )


def _limited(read: Reader, dialect: Dialect, *, closes: bool) -> Reader:
    """Return a reader that reads no payload that is too large (EXT-164)."""

    def read_limited(text: str, begin: int, stop: int, name: str, reading: Reading) -> Read | None:
        found = read(text, begin, stop, name, reading)
        limit = reading.caller.limit_of(dialect)
        inner = text[begin : stop if closes else found[1]] if found else ""
        return found if limit is None or utf8_length(inner) <= limit else None

    return read_limited


@lru_cache
def _clean_blocks(
    language: Language,
) -> tuple[dict[int, CleanBlock], dict[int, tuple[str, ...]]]:
    """Return how clean blocks are read, by the ``lastindex`` of their openers, and the dialects of
    closers by theirs.
    """
    openers = language.markers.groups("opener")
    by_opener = {
        index: _clean_block(language.dialects[key]) for index, (key, *_) in openers.items()
    }
    return by_opener, language.markers.groups("closer")


class CleanRun:
    """Reads clean blocks in the window.

    In a window no payload is read here twice: whoever begins to read one says how far it went. What
    is not clean is read again, with care.

    Attributes:
        is_on: the switch of the fast path, without which every character is read with care.
    """

    __slots__ = ("_by_opener", "_closers", "_known", "_read_to", "_reading")
    is_on: ClassVar[bool] = True

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        blocks = _clean_blocks(reading.language) if self.is_on else ({}, {})
        self._by_opener, self._closers = blocks
        self._known: dict[str, str | None] = {}  # the name in the last opener that has a header
        self._read_to = 0  # the offset before which no payload is read here

    def read_blocks(self) -> re.Match[str] | None:
        """Move over clean blocks and prose; return what the search for the next marker found."""
        reading = self._reading
        source, decided, markers = reading.source, reading.decided, reading.language.markers
        text, base, at, code = source.text, source.base, source.at, reading.code
        while match := markers.search(text, at):
            clean = self._by_opener.get(match.lastindex or 0)
            if clean is None:
                break
            read = self._read_behind if clean.read else self._read_section
            parts = read(clean, text, match)
            if not parts:
                break
            if not code.skip_if_dull(text, at, parts[0][1], base + parts[-1][2]):
                self._read_to = min(self._read_to, base + match.end())  # read again behind prose
                break
            for dialect, start, end, found in parts:
                if at < start and decided.shows_events:
                    decided.text(text[at:start])
                if found is None:
                    decided.removed(base + start, base + end, "call", dialect.id, 0)
                else:
                    decided.block(dialect, base + start, base + end, found)
                at = end
            source.at = at
        return match

    def _read_section(
        self, section: CleanBlock, text: str, opener: re.Match[str]
    ) -> Sequence[Part]:
        """Read a section up to behind its closer, if it holds clean blocks and nothing else."""
        dialect, at = section.dialect, opener.end()
        parts: list[Part] = [(dialect, opener.start(), at, None)]
        while True:
            begin = _LINE_END.match(text, at).end()  # type: ignore[union-attr]
            inner = self._reading.language.markers.match(text, begin)
            if inner is None or inner.lastindex is None:
                break
            clean = self._by_opener.get(inner.lastindex)
            if clean is None and len(parts) > 1:
                closes = dialect.key in self._closers.get(inner.lastindex, ())
                return [*parts, (dialect, begin, inner.end(), None)] if closes else ()
            block = self._read_behind(clean, text, inner) if clean else ()
            if not block:
                break
            parts += block
            at = block[0][2]
        return ()

    def read_held(self, block: Block) -> ParseOf[bool]:
        """Wait behind an opener until something may decide about the block; read the block if it is
        clean, else nothing.
        """
        reading, source, dialect = self._reading, self._reading.source, block.dialect
        clean = _clean_block(dialect)
        if not self.is_on or reading.caller.announces or not clean.read:
            return False
        comes = self._closer_comes if dialect.closer else self._value_comes
        stop, end = yield from comes(block)
        if stop >= 0:
            text, base = source.join_kept()
            begin, name = block.inner - base, clean.name(block.header)
            read = name is not None and clean.read(text, begin, stop - base, name, reading)
            if read:
                source.back_to(end or base + read[1])
                reading.skip()
                reading.decide_wrappers()
                reading.decided.block(dialect, block.start, source.offset, read[0])
                return True
        source.back_to(block.inner)
        return False

    def _closer_comes(self, block: Block) -> ParseOf[tuple[int, int]]:
        """Wait until a marker or a blank line came, for nothing else can decide about the block;
        return the offsets of its closer, where that came, else a first one below 0.
        """
        reading, language = self._reading, self._reading.language
        found = yield from reading.seek(language.with_blank_line, wait=language.block_end)
        # With care, the text goes before its parameters become arguments.
        is_long = block.dialect.value_end and reading.source.offset - block.inner > LONG
        is_end = found and not is_long and found.is_closer(block.dialect.key)
        return (found.start, found.end) if found and is_end else (-1, 0)

    def _value_comes(self, _block: Block) -> ParseOf[tuple[int, int]]:
        """Wait until the value of a block without a closer may have ended, which ends the block;
        return the offset behind all that came, below 0 where no value begins or much came already.
        """
        source = self._reading.source
        yield from source.skip_run(SPACE_RUN)
        found = yield from self._reading.marker_here("decision")
        begun = source.text[source.at :]
        if found or begun[:1] not in ("{", "[") or len(begun) > LONGEST:
            return -1, 0
        balance = Balance(begun[0])
        rest = balance.missing(begun)
        if rest is not None:
            source.at = len(source.text) - len(rest)
            yield from source.more(Until(frozenset((balance.closes, "\n")), balance.missing))
        source.at = len(source.text)
        return source.offset, 0

    def _read_behind(self, clean: CleanBlock, text: str, opener: re.Match[str]) -> Sequence[Part]:
        """Read the block behind an opener, if it is clean."""
        begin, border, base = opener.end(), clean.border, self._reading.source.base
        name = self._name(clean, opener) if isinstance(clean.dialect.opener, Header) else ""
        if clean.read is None or name is None:
            return ()
        stop = len(text) + 1  # it is not known
        if border is not None:
            if base + begin < self._read_to:
                return ()
            if border:
                end = text.find(border[0], begin)  # few payloads hold it, and one is found faster
                if not text.startswith(border, end):
                    end = text.find(border, end)
            else:  # a tag is written in many ways
                marker = self._reading.language.markers.search(text, begin)
                end = marker.start() if marker else -1
            stop = end if end >= 0 else len(text)
            self._read_to = base + stop
            if end < 0 and clean.closes:
                return ()
        read = clean.read(text, begin, stop, name, self._reading)
        if read is None:
            return ()
        found, end = read
        if border and clean.closes:
            end = stop + len(border)
        else:
            self._read_to = min(self._read_to, base + end)
        return ((clean.dialect, opener.start(), end, found),)

    def _name(self, clean: CleanBlock, opener: re.Match[str]) -> str | None:
        """Return what ``CleanBlock.name`` says of an opener; often it is the last one again."""
        if opener[0] not in self._known:
            marker = self._reading.language.markers.read(opener, 0)
            self._known = {
                opener[0]: clean.name(marker.header) if marker and marker.kind == "opener" else None
            }
        return self._known[opener[0]]

    def read_bare(self, dialect: Dialect) -> Read | None:
        """Read the bare message at the cursor, if it is clean and all of the window."""
        clean = _clean_block(dialect) if self.is_on else None
        text, at = self._reading.source.text, self._reading.source.at
        stop = len(text.rstrip(JSON_SPACE))
        read = clean.read(text, at, stop, "", self._reading) if clean and clean.read else None
        return read if read and read[1] == stop else None
