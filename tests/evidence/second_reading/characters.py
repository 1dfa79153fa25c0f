"""Characters and lines, as the section Text of the vocabulary has them."""

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


ASCII_LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

SIGNS = [
    *((0xAB, 0xAB), (0xBB, 0xBB), (0x200B, 0x206F), (0x2190, 0x245F), (0x2500, 0x2775)),
    *(
        (0x2794, 0x2BFF),
        (0x3001, 0x3003),
        (0x3008, 0x301F),
        (0xD800, 0xDFFF),
        (0xFEFF, 0xFEFF),
        (0xFF01, 0xFF0F),
    ),
    *((0xFF1A, 0xFF20), (0x1F300, 0x1FAFF)),
]
"""First and last of what is above U+007F and neither a blank nor a letter or digit."""


def is_letter_or_digit(character: str) -> bool:
    """Vocabulary, letter or digit."""
    point = ord(character)
    if point <= 0x7F:
        return character in ASCII_LETTERS_AND_DIGITS
    return point not in BLANKS and not any(first <= point <= last for first, last in SIGNS)


def utf8_length(text: str) -> int:
    """Return the bytes of a text in UTF-8; a surrogate outside a pair counts as 3 (EXT-164).

    A pair is one character here.
    """
    return sum(
        1 if c <= "\x7f" else 2 if c <= "\u07ff" else 3 if c <= "\uffff" else 4 for c in text
    )


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
