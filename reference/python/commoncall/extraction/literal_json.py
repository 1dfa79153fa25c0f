"""Literals as JSON: what is written in the spelling of Python, and between quotes of its own
(definitions "literal", "quoted object").

What is no literal becomes what is no JSON, so the host's decoder judges also what no scanner read.
What stands between the strings is short and repeats: how JSON writes it is remembered.
"""

import re
from functools import lru_cache
from typing import Final

from commoncall.extraction.literals import WORD
from commoncall.json_text import (
    JSON_SPACE,
    LETTER_OR_DIGIT,
    PYTHON_WORDS,
    SPACE,
    compact_string,
    joined_pairs,
)

NAME: Final = r"[A-Za-z_][A-Za-z0-9_]{0,63}"
_NO_JSON: Final = "?"
# White space between two words parts them, and stays.
_GAP = rf"(?<![A-Za-z0-9_.+{JSON_SPACE}-]){SPACE}++|(?<!{SPACE}){SPACE}++(?![A-Za-z0-9_.+-])"
_PYTHON_WORD = rf"\b({'|'.join(PYTHON_WORDS)})\b"
_ARGUMENT = rf"(?<![A-Za-z0-9_.+-])(?<!{LETTER_OR_DIGIT.pattern})({WORD}){SPACE}*+="
_PLUS = r"(?<![A-Za-z0-9_.+-])\+(?=[0-9])"
_LAST_COMMA = rf",(?={SPACE}*+[\]}})])"
_CALLS = re.compile(rf"({NAME})\(|(\))|{_ARGUMENT}|{_PYTHON_WORD}|{_LAST_COMMA}|{_PLUS}|{_GAP}")
# A string that nobody closed, a call behind one on its line, a comma behind nothing.
_STRANGE = re.compile(rf'"|\)[ \t\r]*{NAME}|[\[({{]{SPACE}*+,')
NO_BARE: Final = r"""\n,=(){}\[\]"'"""
"""What stands in no name and no key without quotes, as characters of a set."""
_BARE = rf"[^ \t\r:{NO_BARE}]++"
_OBJECT = re.compile(rf"""({_BARE}(?:[ \t\r]++{_BARE})*)({SPACE}*+[:=])?|{_GAP}|(["'()=])""")
_SIGNS: Final = {"(": "{", ")": "}", "=": ":"}
_STRINGS = r"""'(?:[^'\\]++|\\.)*'|"(?:[^"\\]++|\\.)*\""""
_STRING = re.compile(f"({_STRINGS})", re.DOTALL)
_ESCAPE: Final = r"\\(?:[\\'\"bfnrt]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})"
STRING_RUN: Final = {
    quote: re.compile(rf"[^\\{quote}]*+(?:{_ESCAPE}[^\\{quote}]*+)*") for quote in "'\""
}
ESCAPE_BEGIN: Final = re.compile(r"\\(?:x[0-9A-Fa-f]?|u[0-9A-Fa-f]{0,3})?\Z")
"""An escape that the end of the text cuts off."""
_ESCAPES: Final = re.compile(r"\\(?:x(..)|u(....)|(.))", re.DOTALL)
_SHORT: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def python_as_json(text: str) -> tuple[str, int, int]:
    """Return calls, each as ``["name",{…}]``, or the arguments of one, and how many calls and
    arguments begin in the text.
    """
    pieces = _STRING.split(text)
    calls = arguments = 0
    for place in range(0, len(pieces), 2):
        pieces[place], begun, named = _calls_between(pieces[place])
        calls += begun
        arguments += named
    pieces[1::2] = map(_python_string, pieces[1::2])
    return "".join(pieces), calls, arguments


def quoted_as_json(text: str, begin: int, end: int, quote: str, *, is_python: bool) -> str:
    """Return an object that stands in a text: its strings are between its quotes, or literals."""
    pieces = _quoted_string(quote).split(text[begin:end])
    pieces[::2] = [_members_between(piece, quote[0], is_python) for piece in pieces[::2]]
    for place in range(1, len(pieces), 2):  # one by one, and no name: each may be long
        pieces[place] = _string_between(pieces[place], len(quote))
    return "".join(pieces)


def _string_between(string: str, length: int) -> str:
    if string[0] in STRING_RUN:
        return _python_string(string)
    return compact_string(string[length:-length])


@lru_cache
def _quoted_string(quote: str) -> re.Pattern[str]:
    mark = re.escape(quote)
    return re.compile(f"({mark}.*?{mark}|{_STRINGS})", re.DOTALL)


@lru_cache(256)
def _calls_between(text: str) -> tuple[str, int, int]:
    calls = arguments = 0

    def written(match: re.Match[str]) -> str:
        nonlocal calls, arguments
        call, end, argument, word = match.groups()
        if call:
            calls += 1
            return f'["{call}",{{'
        if argument:
            arguments += 1
            return f'"{argument}":'
        return "}]" if end else PYTHON_WORDS[word] if word else ""

    if _STRANGE.search(text):
        return _NO_JSON, 0, 0
    return _CALLS.sub(written, text), calls, arguments


@lru_cache(256)
def _members_between(text: str, mark: str, is_python: bool) -> str:
    def written(match: re.Match[str]) -> str:
        bare, is_key, sign = match.groups()
        if is_key:
            return compact_string(bare) + ":"
        if sign:
            return _SIGNS.get(sign, _NO_JSON)
        return PYTHON_WORDS.get(bare, bare) if bare and is_python else bare or ""

    return _NO_JSON if mark in text else _OBJECT.sub(written, text)


def _python_string(string: str) -> str:
    inner = string[1:-1]
    if "\\" in inner:
        if STRING_RUN[string[0]].fullmatch(inner) is None:
            return _NO_JSON
        inner = _ESCAPES.sub(_unescaped, inner)
        if "\\u" in string:  # two halves of a surrogate pair that meet are one character
            inner = joined_pairs(inner)
    return compact_string(inner)


def _unescaped(match: re.Match[str]) -> str:
    number = match[1] or match[2]
    return chr(int(number, 16)) if number else _SHORT.get(match[3], match[3])
