"""The scanner of payloads in another spelling than that of JSON: where their values end.

It reads each character once, in chunks of any size, and keeps places and no text. What a name, a
key and a string look like, the scanners of ``python_calls`` and ``quoted_object`` say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import IntEnum, auto
from typing import Final, NamedTuple

from commoncall.extraction.call_value import Found
from commoncall.extraction.failed_block import read_failed
from commoncall.extraction.json_block import behind_payload
from commoncall.extraction.reading import LETTER_OR_DIGIT, SPACE_RUN, Block, Reading
from commoncall.extraction.source import Parse, Wait
from commoncall.json_text import JSON_SPACE

WORD: Final = rf"(?:[A-Za-z0-9_.+-]++|{LETTER_OR_DIGIT.pattern})++"
WORD_RUN: Final = re.compile(rf"(?:{WORD})?+")
_DIGITS: Final = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+"
_NUMBER: Final = re.compile(_DIGITS)
_CLOSERS: Final = {"[": "]", "{": "}"}


class Need(IntEnum):
    """What a scanner expects next."""

    BETWEEN = auto()  # calls: a further one, or what is not the payload's
    LIST = auto()  # the bracket of a list of calls
    FIRST_CALL = auto()  # a call or "]"
    NAME = auto()  # of a call
    OPEN = auto()  # the bracket behind it
    FIRST_ARGUMENT = auto()  # an argument or ")"
    EQUALS = auto()
    VALUE = auto()
    FIRST_ELEMENT = auto()  # a value or "]"
    KEY = auto()
    FIRST_KEY = auto()  # a key or "}"
    COLON = auto()
    COMMA = auto()  # or the bracket that closes


VALUES: Final = (Need.VALUE, Need.FIRST_ELEMENT)
KEYS: Final = (Need.KEY, Need.FIRST_KEY)
_CLOSABLE: Final = (
    *(Need.FIRST_CALL, Need.FIRST_ARGUMENT, Need.FIRST_ELEMENT, Need.FIRST_KEY),
    Need.COMMA,
)


class Member(NamedTuple):
    """A value with a name; half-open offsets in the payload, with white space around them."""

    key: tuple[int, int]
    value: tuple[int, int]


class LiteralScanner:
    """Scan a payload whose values are written as literals.

    Attributes:
        need: what is expected next.
        error: the offset of what may not stand there; -1 without an error.
        end: the offset behind what is complete.
        is_over: nothing more is read.
        members: the values of the objects that are arguments.
    """

    words: frozenset[str] = frozenset()
    depth = 1
    """How many brackets are open where the members are."""

    def __init__(self, need: Need) -> None:
        self.need = need
        self.error = -1
        self.end = 0
        self.is_over = False
        self.members: list[Member] = []
        self.open: list[str] = []  # the brackets that close what is open
        self.offset = 0
        self._word: list[str] = []
        self._key_at = self._key_end = 0

    def scan(self, text: str, at: int) -> int:
        """Read from a place on; return the place that was come to, before the end of the text where
        it may cut off what begins there.
        """
        base = self.offset - at
        while at < len(text) and not self.is_over:
            self.offset = base + at
            behind = self._read(text, at)
            if behind == at:
                break
            at = behind
        self.offset = base + at
        return at

    def fail(self, offset: int) -> None:
        """Say that something else stands somewhere than what has to."""
        self.error = offset
        self.is_over = True

    @property
    def is_in_token(self) -> bool:
        """Whether what was read last is the begin of a string or of a word."""
        return bool(self._word)

    def _read(self, text: str, at: int) -> int:
        """Read a token, or as much of it as there is; return the place behind that."""
        if text[at] in JSON_SPACE and not self._word:
            return SPACE_RUN.match(text, at).end()  # type: ignore[union-attr]
        if self._word or (self._takes_word() and WORD_RUN.match(text, at, at + 1).end() > at):  # type: ignore[union-attr]
            return self._read_word(text, at)
        self._sign(text[at])
        return at + 1

    def _takes_word(self) -> bool:
        return self.need in VALUES

    def _read_word(self, text: str, at: int) -> int:
        end = WORD_RUN.match(text, at).end()  # type: ignore[union-attr]
        self._word.append(text[at:end])
        if end < len(text):
            word = "".join(self._word)
            self._word.clear()
            self._end_word(word, self.offset + end - at)
            if end == at and not self.is_over:  # it ended with the window
                return self._read(text, at)
        return end

    def _end_word(self, word: str, end: int) -> None:
        """Read a word that is a value, and ends at an offset."""
        self.need = Need.COMMA
        if word not in self.words and not _NUMBER.fullmatch(word):
            self.fail(end - len(word))

    def _sign(self, sign: str) -> None:
        """Read a character of structure."""
        need = self.need
        if self.open and sign == self.open[-1] and need in _CLOSABLE:
            self._end_value()
            self.open.pop()
            self.need = Need.COMMA
            self._closed()
        elif sign == "," and need is Need.COMMA:
            self._end_value()
            self.need = self._behind_comma()
        elif sign in _CLOSERS and need in VALUES:
            self.open.append(_CLOSERS[sign])
            self.need = Need.FIRST_ELEMENT if sign == "[" else Need.FIRST_KEY
        elif sign == ":" and need is Need.COLON:
            self._begin_value()
        else:
            self._other_sign(sign)

    def _begin_value(self) -> None:
        """Read what stands between a key and its value."""
        self.need = Need.VALUE
        if len(self.open) == self.depth:
            self._key_end = self.offset

    def _end_value(self) -> None:
        if self.need is Need.COMMA and len(self.open) == self.depth:
            key, value = (self._key_at, self._key_end), (self._key_end + 1, self.offset)
            self.members.append(Member(key, value))

    def _behind_comma(self) -> Need:
        return Need.KEY if self.open[-1] == "}" else Need.VALUE

    def _closed(self) -> None:
        """Note what a bracket closed."""

    def _other_sign(self, sign: str) -> None:
        """Read a character of structure that is none of a value."""
        self.fail(self.offset)


Judge = Callable[[str, int], Sequence[Found]]
"""Gives the calls of a payload that stands in a text from a place on, and codes of what is none."""


def scan_literals(reading: Reading, scanner: LiteralScanner) -> Parse:
    """Let a scanner read from the cursor on, as far as it does."""
    source = reading.source
    while True:
        source.at = scanner.scan(source.text, source.at)
        wait: Wait = None if scanner.need is Need.BETWEEN else "decision"
        if scanner.is_over or not (yield from source.more(wait)):
            return


def read_literals(
    reading: Reading, block: Block, scanner: LiteralScanner, judge: Judge, start: int
) -> Parse:
    """Read a payload that began at an offset, of which the scanner says the end (EXT-040)."""
    source = reading.source
    yield from scan_literals(reading, scanner)
    if scanner.error >= 0:
        source.back_to(start + scanner.error)
        yield from read_failed(reading, block)
    elif scanner.need is not Need.BETWEEN:
        source.at = len(source.text)
        reading.reject(block, "truncated")
    else:
        source.back_to(start + scanner.end)

        def judged() -> Sequence[Found]:
            text, base = source.join_kept()
            return judge(text, start - base)

        yield from behind_payload(reading, block, judged, [])
