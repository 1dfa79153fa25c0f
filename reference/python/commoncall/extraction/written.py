"""Literals that are not written as JSON is, said in JSON while they are scanned (definitions
"literal", "quoted object").
"""

import re
from collections.abc import Mapping
from typing import Final

from commoncall.extraction.literals import LiteralScanner, Need
from commoncall.json_text import PYTHON_WORDS, compact_string, joined_pairs

_ESCAPE: Final = r"\\(?:[\\'\"bfnrt]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})"
_STRING_RUN: Final = {
    quote: re.compile(rf"[^\\{quote}]*+(?:{_ESCAPE}[^\\{quote}]*+)*") for quote in "'\""
}
_ESCAPES: Final = re.compile(r"\\(?:x(..)|u(....)|(.))", re.DOTALL)
_SHORT: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

Written = str | tuple[int, int]
"""A piece of JSON, or the offsets of a string with what stands around it: it may be long."""


class WrittenScanner(LiteralScanner):
    """Scan literals, and note what they are in JSON."""

    strings = _STRING_RUN
    cut_off = re.compile(r"\\(?:x[0-9A-Fa-f]?|u[0-9A-Fa-f]{0,3})?\Z")
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
    pieces: list[str] = []
    for piece in written:
        if isinstance(piece, str):
            pieces.append(piece)
        else:
            pieces.append(_string(text[slice(*piece)], mark))
    return "".join(pieces)


def _string(string: str, mark: str) -> str:
    if string[0] not in _STRING_RUN:
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
