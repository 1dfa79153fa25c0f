"""The repairs of a text that is nearly JSON, where it can mean one thing alone (definition
"repairable text" of spec/v1/payload.md).
"""

import re
from typing import Final

from commoncall.json_text import JSON_SPACE, compact, decode_object

_STRING: Final = r'"[^"\\]*+(?:\\.[^"\\]*+)*"?'
"""A string, closed or cut off."""

# A string; a comma that no value stands before, which is taken here so that it stays; one that only
# a closing bracket stands behind.
_TOKEN: Final = re.compile(
    rf"(?P<string>{_STRING})|[\[{{][{JSON_SPACE}]*+,|(?P<comma>,)(?=[{JSON_SPACE}]*+[\]}}])",
    re.DOTALL,
)
_BOUND: Final = re.compile(rf"{_STRING}|[\[\]{{}}]", re.DOTALL)
_EMPTY: Final = re.compile(rf"\{{[{JSON_SPACE}]*\}}")
_IN_STRING: Final = re.compile(r"\\(?P<apostrophe>')|\\.|(?P<control>[\x00-\x1f])", re.DOTALL)


def repaired_object(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the repaired text of an object and its repairs; None where no repairs make it one.

    It has to be called only of what is no JSON text: any other needs no repair.
    """
    made: set[str] = set()

    def in_string(match: re.Match[str]) -> str:
        match match.lastgroup:
            case "apostrophe":
                made.add("escaped_apostrophe")
                return "'"
            case "control":
                made.add("control_chars")
                return compact(match[0])[1:-1]
        return match[0]

    def token(match: re.Match[str]) -> str:
        match match.lastgroup:
            case "string":
                return _IN_STRING.sub(in_string, match[0])
            case "comma":
                made.add("trailing_comma")
                return ""
        return match[0]

    repaired = _TOKEN.sub(token, text)
    *others, last = _values(repaired)
    if others and all(one == last or _EMPTY.fullmatch(one) for one in others):
        made.add("repeated_object")
        repaired = last
    if decode_object(repaired) is None:
        return None
    return repaired, tuple(sorted(made))


def _values(text: str) -> list[str]:
    """Return the parts of a text that end where no bracket is open, or with the text."""
    parts: list[str] = []
    depth = start = 0
    for found in _BOUND.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(found[0], 0)
        if depth == 0:
            parts.append(text[start : found.end()].strip(JSON_SPACE))
            start = found.end()
    rest = text[start:].strip(JSON_SPACE)
    return [*parts, rest] if rest else parts
