"""Blocks whose payload is calls in the spelling of Python, which nothing here or elsewhere runs
(definitions "payload of literal calls", "literal").
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from functools import partial
from typing import Final, NamedTuple

from commoncall.extraction.call_value import Call, Found, Noted, Refused, with_note
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.literals import VALUES, LiteralScanner, Member, Need
from commoncall.extraction.python_strings import STRING_RUN, written
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.scanned_block import Judge, read_literals, scan_literals
from commoncall.extraction.source import Parse, Wait
from commoncall.json_text import (
    LETTER_OR_DIGIT,
    PYTHON_WORDS,
    JsonTextError,
    compact_string,
    decode,
)

# The parts of a literal that are of its JSON: no white space, and no comma before a bracket.
_PARTS: Final = re.compile(
    r"""'(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+"|True|False|None|,(?![ \t\n\r]*+[\]}])"""
    r"""|[^ \t\n\r,'"TFN]++""",
    re.DOTALL,
)
_WORDS: Final = ("true", "false", "null", *PYTHON_WORDS)


class _Call(NamedTuple):
    name: str
    arguments: list[tuple[str, Member]]


class _Scanner(LiteralScanner):
    """Scan calls: a list of them, or one on each line.

    Attributes:
        calls: the calls, in order.
    """

    words = frozenset(_WORDS)
    strings = STRING_RUN
    cut_off = re.compile(r"\\(?:x[0-9A-Fa-f]?|u[0-9A-Fa-f]{0,3})?\Z")

    def __init__(self, *, is_list: bool) -> None:
        super().__init__(Need.LIST if is_list else Need.NAME)
        self.is_list = is_list
        self.depth = 2 if is_list else 1
        self.calls: list[_Call] = []
        self._names: list[str] = []  # of the arguments of the last call
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

    def _takes_word(self) -> bool:
        return super()._takes_word() or self.need in (
            *(Need.NAME, Need.FIRST_CALL),
            Need.FIRST_ARGUMENT,
        )

    def _end_word(self, word: str, end: int) -> None:
        if self.need is Need.FIRST_ARGUMENT:
            self._names.append(word)
            self.need = Need.EQUALS
        elif self.need in VALUES:
            super()._end_word(word, end)
        else:
            self.calls.append(_Call(word, []))
            self.need = Need.OPEN

    def _behind_comma(self) -> Need:
        """Return what may follow a comma, where the bracket that closes may follow it, too."""
        if len(self.open) < self.depth:
            return Need.FIRST_CALL
        if len(self.open) == self.depth:
            return Need.FIRST_ARGUMENT
        return Need.FIRST_KEY if self.open[-1] == "}" else Need.FIRST_ELEMENT

    def _closed(self) -> None:
        if len(self.open) == self.depth - 1 and self.calls:
            self._end_call()
        if not self.open:
            self.end = self.offset + 1
            self.is_over = self.is_list
            self.need = Need.BETWEEN

    def _end_call(self) -> None:
        self.calls[-1].arguments.extend(zip(self._names, self.members, strict=True))
        self._names.clear()
        self.members.clear()

    def _other_sign(self, sign: str) -> None:
        if sign == "[" and self.need is Need.LIST:
            self.open.append("]")
            self.need = Need.FIRST_CALL
        elif sign == "(" and self.need is Need.OPEN:
            self.open.append(")")
            self.need = Need.FIRST_ARGUMENT
        elif sign == "=" and self.need is Need.EQUALS:
            self._begin_value()
        elif self.need is Need.BETWEEN:
            self.is_over = True
        else:
            super()._other_sign(sign)


def begins_name(character: str) -> bool:
    """Tell whether a line that begins so can be a call."""
    return character == "_" or LETTER_OR_DIGIT.match(character) is not None


def begins_python_calls(block: Block, space: str, character: str) -> bool:
    """Tell whether a payload of calls begins with a character that stands behind white space."""
    if block.dialect.is_list:
        return character == "["
    return begins_name(character) and (not space or "\n" in space)


def read_python_calls(reading: Reading, block: Block) -> Parse:
    """Read calls, and what stands behind them (EXT-116, EXT-179)."""
    scanner = _Scanner(is_list=block.dialect.is_list)
    judge = partial(_calls_of, scanner)
    yield from read_literals(reading, block, scanner, judge, reading.source.offset)


def read_bare_list(reading: Reading, dialect: Dialect) -> Generator[Wait, None, tuple[int, Judge]]:
    """Read a list of calls that no block holds; return its length, 0 where the text is none, and
    what says what its calls are.
    """
    scanner = _Scanner(is_list=dialect.is_list)
    yield from scan_literals(reading, scanner)
    return scanner.end, partial(_calls_of, scanner)


def _calls_of(scanner: _Scanner, text: str, start: int) -> Sequence[Found]:
    """Return the calls of a payload that stands in a text from a place on (EXT-179, EXT-047)."""
    found: list[Found] = []
    for name, arguments in scanner.calls:
        texts = [(key, _json(text, start, *member.value)) for key, member in arguments]
        call = _read_call(name, texts)
        if isinstance(call, Refused):
            return [call]
        found += with_note(call)
    return found or [Noted("empty")]


def _read_call(name: str, texts: Sequence[tuple[str, str]]) -> Call | Refused:
    """Return a call with arguments, each a JSON text, or a code (EXT-076, EXT-123, EXT-126)."""
    arguments_json = "{" + ",".join(f"{compact_string(key)}:{text}" for key, text in texts) + "}"
    try:
        arguments = decode(arguments_json)
    except JsonTextError:
        return Refused("invalid_json")
    assert isinstance(arguments, dict)
    if len(arguments) < len(texts):
        return Refused("ambiguous_arguments", name)
    return {"id": "", "name": name, "arguments": arguments, "arguments_json": arguments_json}


def _json(text: str, start: int, begin: int, end: int) -> str:
    """Return the JSON text of a value that stands between two offsets of a payload."""
    parts = _PARTS.findall(text, start + begin, start + end)
    return "".join([PYTHON_WORDS.get(part) or written(part) for part in parts])
