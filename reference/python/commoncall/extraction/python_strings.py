"""Strings in the spelling of Python, as JSON writes them (definition "literal")."""

from __future__ import annotations

import re
from typing import Final

from commoncall.json_text import compact_string

_ESCAPE: Final = r"\\(?:[\\'\"bfnrt]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4})"
STRING_RUN: Final = {
    quote: re.compile(rf"[^\\{quote}]*+(?:{_ESCAPE}[^\\{quote}]*+)*+") for quote in "'\""
}
_ESCAPES: Final = re.compile(r"\\(?:x(..)|u(....)|(.))", re.DOTALL)
_SHORT: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def written(part: str) -> str:
    """Return a part of a literal as JSON writes it."""
    if part[0] not in STRING_RUN:
        return part
    string = part[1:-1]
    if "\\" in string:
        string = _ESCAPES.sub(_unescaped, string)
        if "\\u" in part:  # two halves of a surrogate pair that meet are one character
            halves = string.encode("utf-16", "surrogatepass")
            string = halves.decode("utf-16", "surrogatepass")
    return compact_string(string)


def _unescaped(match: re.Match[str]) -> str:
    number = match[1] or match[2]
    return chr(int(number, 16)) if number else _SHORT.get(match[3], match[3])
