"""Blocks whose payload is a name and an object with strings between quotes of its own (definition
"quoted object").
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from commoncall.extraction.call_value import Found, with_note
from commoncall.extraction.dialects import Dialect, Kind
from commoncall.extraction.literals import KEYS, TEXTS, VALUES, Need, WrittenScanner, as_json
from commoncall.extraction.markers import Marker
from commoncall.extraction.parameters import read_object
from commoncall.extraction.payloads import Broken, Payload, read_literals, short_name
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.source import ParseOf
from commoncall.json_text import JSON_SPACE, PYTHON_WORDS, compact_string

_NO_BARE: Final = r"""\n,=(){}\[\]"'"""
"""What stands in no name and no key without quotes, as characters of a set."""
_NAME_RUN: Final = re.compile(f"[^{_NO_BARE}]*+")
_KEY_RUN: Final = re.compile(f"[^:{_NO_BARE}]*+")
_BRACKETS: Final = {"{": "}", "(": ")"}
_BARE: Final = (Need.NAME, *KEYS)


class _Scanner(WrittenScanner):
    """Scan a name and an object."""

    word_needs = (*VALUES, *_BARE)
    signs: Mapping[str, str] = {"(": "{", ")": "}", "=": ":"}

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(Need.NAME)
        self.words = self.words.union(PYTHON_WORDS) if dialect.python else self.words
        self.name = ""
        self._mark = dialect.quote

    def _read(self, text: str, at: int) -> int:
        if text[at] == self._mark[0] and self.need in TEXTS and not self._word:
            if text.startswith(self._mark, at):
                return self._begin_string(at, self._mark)
            if self._mark.startswith(text[at:]):
                return at
        return super()._read(text, at)

    def _read_string(self, text: str, at: int) -> int:
        if self._quote != self._mark:
            return super()._read_string(text, at)
        end = text.find(self._mark, at)
        if end < 0:
            return max(at, len(text) - len(self._mark) + 1)
        self._end_string(self.offset + end + len(self._mark) - at)
        return end + len(self._mark)

    def _word_end(self, text: str, at: int, to: int) -> int:
        if self.need not in _BARE:
            return super()._word_end(text, at, to)
        if self.need is Need.NAME and not self._word and text[at] == ":":
            return at  # a colon stands behind something
        run = _NAME_RUN if self.need is Need.NAME else _KEY_RUN
        end = run.match(text, at, to).end()  # type: ignore[union-attr]
        quote = text.find(self._mark[0], at, end)
        return end if quote < 0 else quote

    def _end_word(self, word: str, end: int) -> None:
        if self.need is Need.NAME:
            self.name, self.need = word.strip(JSON_SPACE), Need.OPEN
        elif self.need in KEYS:
            self.json.append(compact_string(word.strip(JSON_SPACE)))
            self.need = Need.COLON
        else:
            super()._end_word(word, end)

    def _closed(self, bracket: str) -> None:
        if not self.open:
            self.end = self.offset + 1
            self.is_over = True
            self.need = Need.BETWEEN

    def _behind_comma(self) -> Need:
        return Need.VALUE if self.open[-1] == "]" else Need.KEY

    def _other_sign(self, sign: str) -> None:
        if sign in _BRACKETS and self.need is Need.OPEN:
            self.open.append(_BRACKETS[sign])
            self.need = Need.FIRST_KEY
        elif sign == "=" and self.need is Need.COLON:
            self.need = Need.VALUE
        else:
            super()._other_sign(sign)


def begins_quoted_object(
    reading: Reading, block: Block, _space: str, _found: Marker | None
) -> ParseOf[bool]:
    """Tell whether a payload of a name and an object begins at the cursor."""
    source, begin = reading.source, block.dialect.name_begin
    if (yield from source.stands(begin)):
        return True
    start = source.offset
    yield from source.literal(begin[-1])  # all else of it can be missing, or this, too (D55.4)
    begins = bool((yield from short_name(source))) and (yield from source.peek()) == "{"
    source.back_to(start)
    return begins


def read_quoted_object(reading: Reading, block: Block) -> ParseOf[Payload | Broken]:
    """Read a name and an object (EXT-116, EXT-122, EXT-124)."""
    dialect = block.dialect
    scanner = _Scanner(dialect)

    def judge(text: str) -> Sequence[Found]:
        written = as_json(scanner.json, text, dialect.quote)
        name = reading.caller.tool_name(scanner.name)
        kind: Kind = "typed" if dialect.typed else "string"
        return with_note(read_object(name, written, kind, dialect, reading.caller.declared))

    if not (yield from reading.source.literal(dialect.name_begin)):
        if dialect.is_bare:
            return "wrong"
        yield from reading.source.literal(dialect.name_begin[-1])
    return (yield from read_literals(reading.source, scanner, judge))
