"""Blocks whose payload is a name and an object with strings between quotes of its own (definition
"quoted object").
"""

import re
from collections.abc import Sequence
from typing import Final

from commoncall.extraction.call_value import Found, name_of, with_note
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.literal_json import NO_BARE, quoted_as_json
from commoncall.extraction.literals import KEYS, TEXTS, VALUES, LiteralScanner, Need
from commoncall.extraction.markers import Marker
from commoncall.extraction.parameters import read_object
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.scanned_block import read_literals
from commoncall.extraction.source import Parse, ParseOf
from commoncall.json_text import JSON_SPACE, PYTHON_WORDS

BARE_RUN: Final = re.compile(f"[^{NO_BARE}]*+")
_BARE: Final = (Need.NAME, *KEYS)


class _Scanner(LiteralScanner):
    """Scan a name and an object."""

    word_needs = (*VALUES, *_BARE)

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(Need.NAME)
        self.words = self.words.union(PYTHON_WORDS) if dialect.python else self.words
        self.name_end = 0  # the offset behind the name, and white space behind that
        self._mark = dialect.quote

    def _read(self, text: str, at: int) -> int:
        if text[at] == self._mark[0] and self.need in TEXTS and not self._word:
            if text.startswith(self._mark, at):
                self._quote = self._mark
                return at + len(self._mark)
            if self._mark.startswith(text[at:]):
                return at
        return super()._read(text, at)

    def _read_string(self, text: str, at: int) -> int:
        end = text.find(self._quote, at)
        if end < 0:
            return max(at, len(text) - len(self._quote) + 1)
        self._end_string()
        return end + len(self._mark)

    def _word_end(self, text: str, at: int, to: int) -> int:
        if self.need not in _BARE:
            return super()._word_end(text, at, to)
        end = BARE_RUN.match(text, at, to).end()  # type: ignore[union-attr]
        quote = text.find(self._mark[0], at, end)
        return end if quote < 0 else quote

    def _end_word(self, word: str, end: int) -> None:
        if self.need in _BARE:
            self.need = Need.OPEN if self.need is Need.NAME else Need.COLON
        else:
            super()._end_word(word, end)

    def _closed(self, bracket: str) -> None:
        if not self.open:
            self.end = self.offset + 1
            self.is_over = True
            self.need = Need.BETWEEN

    def _other_sign(self, sign: str) -> None:
        if sign == "{" and self.need is Need.OPEN:
            self.name_end = self.offset
            self.open.append("}")
            self.need = Need.FIRST_KEY
        else:
            super()._other_sign(sign)


def begins_quoted_object(
    reading: Reading, block: Block, _space: str, _found: Marker | None
) -> ParseOf[bool]:
    """Tell whether a payload of a name and an object begins at the cursor."""
    return (yield from reading.source.stands(block.dialect.name_begin))


def read_quoted_object(reading: Reading, block: Block) -> Parse:
    """Read a name and an object, and what stands behind it (EXT-116, EXT-122, EXT-124)."""
    source, dialect = reading.source, block.dialect
    yield from source.literal(dialect.name_begin)
    scanner = _Scanner(dialect)

    def judge(text: str, start: int) -> Sequence[Found]:
        begin, end = start + scanner.name_end, start + scanner.end
        name = text[start:begin].strip(JSON_SPACE)
        written = quoted_as_json(text, begin, end, dialect.quote, is_python=dialect.python)
        return with_note(read_object(name_of(name), written, dialect, reading.caller.declared))

    yield from read_literals(reading, block, scanner, judge)
