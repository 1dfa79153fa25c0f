"""Blocks whose payload is calls in the spelling of Python, which nothing here or elsewhere runs
(definitions "payload of literal calls", "literal").
"""

import re
from collections.abc import Sequence
from functools import partial

from commoncall.extraction.call_value import Call, Found, Noted, Refused, new_call, with_note
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.literal_json import STRING_RUN, python_as_json
from commoncall.extraction.literals import VALUES, LiteralScanner, Need
from commoncall.extraction.markers import Marker
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.scanned_block import Judge, begins_line, begins_name, read_literals
from commoncall.extraction.source import Parse, ParseOf
from commoncall.json_text import PYTHON_WORDS, JsonTextError, decode


class _Scanner(LiteralScanner):
    """Scan calls: a list of them, or one on each line."""

    word_needs = (*VALUES, Need.NAME, Need.FIRST_CALL, Need.FIRST_ARGUMENT)
    words = LiteralScanner.words.union(PYTHON_WORDS)
    strings = STRING_RUN
    cut_off = re.compile(r"\\(?:x[0-9A-Fa-f]?|u[0-9A-Fa-f]{0,3})?\Z")

    def __init__(self, *, is_list: bool) -> None:
        super().__init__(Need.LIST if is_list else Need.NAME)
        self.is_list = is_list
        # The name of each, and the offsets behind its "(" and behind its ")".
        self.calls: list[tuple[str, int, int]] = []
        self._name, self._start = "", 0  # of the call that is open
        self._has_line_feed = False  # behind the last call

    def _read(self, text: str, at: int) -> int:
        if self.need is Need.BETWEEN and begins_name(text[at]):
            if not self._has_line_feed:
                self.is_over = True
                return at
            self.need, self._has_line_feed = Need.NAME, False
        behind = super()._read(text, at)
        if self.need is Need.BETWEEN:
            self._has_line_feed = self._has_line_feed or "\n" in text[at:behind]
        return behind

    def _end_word(self, word: str, end: int) -> None:
        if self.need is Need.FIRST_ARGUMENT:
            self.need = Need.EQUALS
        elif self.need in VALUES:
            super()._end_word(word, end)
        else:
            self._name, self.need = word, Need.OPEN

    def _behind_comma(self) -> Need:
        """Return what may follow a comma, where the bracket that closes may follow it, too."""
        if self.is_list and len(self.open) == 1:
            return Need.FIRST_CALL
        behind = {")": Need.FIRST_ARGUMENT, "}": Need.FIRST_KEY, "]": Need.FIRST_ELEMENT}
        return behind[self.open[-1]]

    def _closed(self, bracket: str) -> None:
        if bracket == ")":
            self.calls.append((self._name, self._start, self.offset + 1))
        if not self.open:
            self.end = self.offset + 1
            self.is_over = self.is_list
            self.need = Need.BETWEEN

    def _other_sign(self, sign: str) -> None:
        if sign == "[" and self.need is Need.LIST:
            self.open.append("]")
            self.need = Need.FIRST_CALL
        elif sign == "(" and self.need is Need.OPEN:
            self.open.append(")")
            self.need, self._start = Need.FIRST_ARGUMENT, self.offset + 1
        elif sign == "=" and self.need is Need.EQUALS:
            self.need = Need.VALUE
        elif self.need is Need.BETWEEN:
            self.is_over = True
        else:
            super()._other_sign(sign)


def begins_python_calls(
    reading: Reading, block: Block, space: str, _found: Marker | None
) -> ParseOf[bool]:
    """Tell whether a payload of calls begins at the cursor, behind white space."""
    character = yield from reading.source.peek()
    return character == "[" if block.dialect.is_list else begins_line(character, space)


def read_python_calls(reading: Reading, block: Block) -> Parse:
    """Read calls, and what stands behind them (EXT-116)."""
    scanner, judge = scan_calls(block.dialect)
    yield from read_literals(reading, block, scanner, judge)


def scan_calls(dialect: Dialect) -> tuple[LiteralScanner, Judge]:
    """Return what scans calls, in a block or not, and what says what they are."""
    scanner = _Scanner(is_list=dialect.is_list)
    return scanner, partial(_calls_of, scanner)


def _calls_of(scanner: _Scanner, text: str, start: int) -> Sequence[Found]:
    """Return the calls of a payload that stands in a text from a place on (EXT-116, EXT-047)."""
    found: list[Found] = []
    for name, begin, end in scanner.calls:
        call = _read_call(name, text[start + begin : start + end])
        if isinstance(call, Refused):
            return [call]
        found += with_note(call)
    return found or [Noted("empty")]


def _read_call(name: str, written: str) -> Call | Refused:
    """Return a call with its arguments, or a code (EXT-077, EXT-126)."""
    as_json, _, count = python_as_json(written)
    arguments_json = "{" + as_json.removesuffix("]")
    try:
        arguments = decode(arguments_json)
    except JsonTextError:
        return Refused("invalid_json")
    call = new_call(name, arguments, arguments_json)
    return Refused("ambiguous_arguments", name) if len(call["arguments"]) < count else call
