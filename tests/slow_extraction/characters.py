"""Characters and lines, as the section Text of the vocabulary has them."""

from __future__ import annotations

import unicodedata

JSON_WHITE_SPACE = " \t\n\r"

BLANKS = frozenset(
    [
        *(*range(0x09, 0x0E), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B)),
        *(0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
    ]
)
"""Vocabulary, blank."""


def is_blank(text: str) -> bool:
    """Tell whether a text holds no visible character; the empty text holds none."""
    return all(ord(character) in BLANKS for character in text)


def is_letter_or_digit(character: str) -> bool:
    """Vocabulary, letter or digit."""
    return unicodedata.category(character)[0] in "LN"


def utf8_length(text: str) -> int:
    """Return the bytes of a text in UTF-8; a surrogate outside a pair counts as 3 (EXT-164)."""
    length = at = 0
    while at < len(text):
        pair = "\ud800" <= text[at] <= "\udbff" and "\udc00" <= text[at + 1 : at + 2] <= "\udfff"
        if pair or text[at] > "\uffff":
            length += 4
        else:
            length += 1 if text[at] < "\x80" else 2 if text[at] < "\u0800" else 3
        at += 2 if pair else 1
    return length


def ascii_lower(text: str) -> str:
    """Vocabulary, ASCII case."""
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


def skip_json_white_space(text: str, at: int) -> int:
    """Return the place of the first character from ``at`` on that is no JSON white space."""
    while at < len(text) and text[at] in JSON_WHITE_SPACE:
        at += 1
    return at


def run_end(text: str, at: int) -> int:
    """Return the place behind the run of the character at ``at``."""
    end = at
    while end < len(text) and text[end] == text[at]:
        end += 1
    return end


def line_start(text: str, at: int) -> int:
    """Return where the line of a place begins."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Return where the line of a place ends: at its line feed, or at the end of the text."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def is_blank_line(text: str, start: int) -> bool:
    """Tell whether a blank line begins here; only a line feed ends one (vocabulary, line)."""
    end = line_end(text, start)
    return end < len(text) and is_blank(text[start:end])


def next_blank_line(text: str, behind: int) -> int | None:
    """Return where the first blank line begins that begins behind a place."""
    for start in range(behind + 1, len(text)):
        if text[start - 1] == "\n" and is_blank_line(text, start):
            return start
    return None
