"""The scanner of payloads: where their values end. It knows brackets, commas, words and strings.

It reads each character once, in chunks of any size. What a name, a key and a string look like, the
scanners of ``payload_scanner``, ``call_scanner`` and ``quoted_object`` say. ``WrittenScanner`` also
notes in JSON what is written otherwise (definitions "literal", "quoted object").
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, auto
from typing import Final, Literal

from commoncall.json_text import (
    JSON_SPACE,
    LETTER_OR_DIGIT,
    PYTHON_WORDS,
    SPACE_RUN,
    compact_string,
    joined_pairs,
)

WORD: Final = rf"(?>(?:[A-Za-z0-9_.+-]++|{LETTER_OR_DIGIT.pattern})+)"
WORD_RUN: Final = re.compile(rf"(?:{WORD})?")
NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_CLOSERS: Final = {"[": "]", "{": "}"}


EditCode = Literal["control_chars", "escaped_apostrophe", "missing_object_close", "trailing_comma"]


@dataclass(frozen=True, slots=True)
class Edit:
    """A repair: ``missing_object_close`` inserts at ``offset``, the others change a character."""

    offset: int
    code: EditCode


def begins_name(character: str) -> bool:
    """Tell whether a name can begin so that stands outside JSON."""
    return character == "_" or LETTER_OR_DIGIT.match(character) is not None


class Need(IntEnum):
    """What a scanner expects next."""

    BETWEEN = auto()  # values or calls: a further one, or what is not the payload's
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


VALUES: Final[Sequence[Need]] = (Need.VALUE, Need.FIRST_ELEMENT)
KEYS: Final = (Need.KEY, Need.FIRST_KEY)
TEXTS: Final = (*VALUES, *KEYS)
"""Where a string may stand."""
_CLOSABLE: Final = (
    Need.FIRST_CALL,
    Need.FIRST_ARGUMENT,
    Need.FIRST_ELEMENT,
    Need.FIRST_KEY,
    Need.COMMA,
)


class LiteralScanner:
    """Scan a payload whose values are written as literals."""

    edits: Sequence[Edit] = ()
    """The repairs that were needed."""
    word_needs = VALUES
    """Where a word may stand."""
    words = frozenset(("true", "false", "null"))
    strings: Mapping[str, re.Pattern[str]] = {}
    """For each quote what can stand behind it."""
    half_escape = re.compile(r"(?!)")
    """The begin of an escape, at the end of what came."""

    def __init__(self, need: Need) -> None:
        self.need = need  # what is expected next
        self.error = -1  # the offset of what may not stand there; -1 without an error
        self.end = 0  # the offset behind what is complete
        self.is_over = False  # nothing more is read
        self.open: list[str] = []  # the brackets that close what is open
        self.offset = 0
        self._word: list[str] = []
        self._quote = ""  # of the string that is open
        self._string_at = 0  # the offset of its quote
        self._string_end = -1  # the offset behind the last one

    @property
    def in_string(self) -> bool:
        """Whether a string is open."""
        return self._quote != ""

    @property
    def complete(self) -> bool:
        """Whether something was read, and nothing is open."""
        return self.need is Need.BETWEEN and self.end > 0

    @property
    def broken_at(self) -> int:
        """The offset of the error, or of the string that is open at the end, or that ends directly
        before the error: a message that ends can have left it open (definition "broken message").
        """
        at = self.offset if self.error < 0 else self.error
        is_open = self._quote if self.error < 0 else at == self._string_end
        return self._string_at if is_open else at

    def scan(self, text: str, at: int) -> int:
        """Read from a place on; return the place that was come to, before the end of the text where
        it may cut off what begins there, or that is not the payload's.
        """
        base = self.offset - at
        while at < len(text) and not self.is_over:
            self.offset = base + at
            read = self._read_string if self._quote else self._read
            behind = read(text, at)
            if behind == at:
                break
            at = behind
        self.offset = base + at
        return at

    def fail(self, offset: int) -> None:
        """Say that something else stands somewhere than what has to."""
        self.error = offset
        self.is_over = True

    def _read(self, text: str, at: int) -> int:
        """Read a token, or as much of it as there is; return the place behind that."""
        character = text[at]
        if self._word:
            return self._read_word(text, at)
        if character in JSON_SPACE:
            return SPACE_RUN.match(text, at).end()  # type: ignore[union-attr]
        if character in self.strings and self.need in TEXTS:
            return self._begin_string(at, character)
        if self.need in self.word_needs and self._word_end(text, at, at + 1) > at:
            return self._read_word(text, at)
        self._sign(character)
        return at + 1

    def _begin_string(self, at: int, quote: str) -> int:
        self._quote, self._string_at = quote, self.offset
        return at + len(quote)

    def _read_string(self, text: str, at: int) -> int:
        end = self.strings[self._quote].match(text, at).end()  # type: ignore[union-attr]
        if text.startswith(self._quote, end):
            self._end_string(self.offset + end + 1 - at)
            return end + 1
        if end < len(text) and not self.half_escape.match(text, end):
            self.offset += end - at
            return self._read_odd(text, end)
        return end

    def _end_string(self, end: int) -> None:
        """Read the end of a string, behind which an offset is."""
        self._quote, self._string_end = "", end
        self.need = Need.COLON if self.need in KEYS else Need.COMMA

    def _read_odd(self, text: str, at: int) -> int:
        """Read what may not stand in a string."""
        self.fail(self.offset)
        return at

    def _word_end(self, text: str, at: int, to: int) -> int:
        return WORD_RUN.match(text, at, to).end()  # type: ignore[union-attr]

    def _read_word(self, text: str, at: int) -> int:
        end = self._word_end(text, at, len(text))
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
        if word not in self.words and not NUMBER.fullmatch(word):
            self.fail(end - len(word))

    def _sign(self, sign: str) -> None:
        """Read a character of structure."""
        need = self.need
        if self.open and sign == self.open[-1] and need in _CLOSABLE:
            self.open.pop()
            self.need = Need.COMMA
            self._closed(sign)
        elif sign == "," and need is Need.COMMA:
            self.need = self._behind_comma()
        elif sign in _CLOSERS and need in VALUES:
            self.open.append(_CLOSERS[sign])
            self.need = Need.FIRST_ELEMENT if sign == "[" else Need.FIRST_KEY
        elif sign == ":" and need is Need.COLON:
            self.need = Need.VALUE
        else:
            self._other_sign(sign)

    def _behind_comma(self) -> Need:
        """Return what may follow a comma, where the bracket that closes may, too."""
        return Need.FIRST_KEY if self.open[-1] == "}" else Need.FIRST_ELEMENT

    def _closed(self, bracket: str) -> None:
        """Note that a bracket closed what was open."""

    def _other_sign(self, sign: str) -> None:
        """Read a character of structure that is none of a value."""
        self.fail(self.offset)


_ESCAPE: Final = r"\\(?:[\\'\"bfnrt]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})"
_WRITTEN_RUN: Final = {
    quote: re.compile(rf"[^\\{quote}]*+(?:{_ESCAPE}[^\\{quote}]*+)*") for quote in "'\""
}
_ESCAPES: Final = re.compile(r"\\(?:x(..)|u(....)|(.))", re.DOTALL)
_SHORT: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

Written = str | tuple[int, int]
"""A piece of JSON, or the offsets of a string with what stands around it: it may be long."""


class WrittenScanner(LiteralScanner):
    """Scan literals, and note what they are in JSON."""

    strings = _WRITTEN_RUN
    half_escape = re.compile(r"\\(?:x[0-9A-Fa-f]?|u[0-9A-Fa-f]{0,3})?\Z")
    signs: Mapping[str, str] = {"(": "[", ")": "]", "=": ":"}
    """How JSON writes the signs that it does not have."""

    def __init__(self, need: Need) -> None:
        super().__init__(need)
        self.json: list[Written] = []

    def _end_string(self, end: int) -> None:
        self.json.append((self._string_at, end))
        super()._end_string(end)

    def _end_word(self, word: str, end: int) -> None:
        self.json.append(PYTHON_WORDS.get(word, word))
        super()._end_word(word, end)

    def _sign(self, sign: str) -> None:
        if sign in ")]}" and self.json[-1:] == [","]:
            self.json.pop()
        self.json.append(self.signs.get(sign, sign))
        super()._sign(sign)


def as_json(written: list[Written], text: str, mark: str = "") -> str:
    """Return the JSON of literals in a text that was scanned; a string that no quotation marks are
    around stands between two of a mark.
    """
    pieces = (
        piece if isinstance(piece, str) else _string(text[slice(*piece)], mark) for piece in written
    )
    return "".join(pieces)


def _string(string: str, mark: str) -> str:
    if string[0] not in _WRITTEN_RUN:
        return compact_string(string[len(mark) : -len(mark)])
    inner = string[1:-1]
    if "\\" in inner:
        inner = _ESCAPES.sub(_unescaped, inner)
        if "\\u" in string:  # two halves of a surrogate pair that meet are one character
            inner = joined_pairs(inner)
    return compact_string(inner)


def _unescaped(match: re.Match[str]) -> str:
    number = match[1] or match[2]
    return chr(int(number, 16)) if number else _SHORT.get(match[3], match[3])
