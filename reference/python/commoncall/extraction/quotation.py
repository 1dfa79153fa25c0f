"""Quotations: where an opener stands and begins no block (definitions "quotation", "marked text").

Quoted lines and comments are told by the tracker of code, which reads lines anyway.
"""

from dataclasses import dataclass
from typing import Final

from commoncall.extraction.literals import Need
from commoncall.extraction.payload_scanner import PayloadScanner
from commoncall.extraction.source import ParseOf, Source

_PARTNERS: Final = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "「": "」"}
_INNER_BLANKS: Final = " \u00a0\u202f"
"""One of them can stand inside « and »."""
LONGEST_MARK: Final = 2


@dataclass(slots=True)
class Marked:
    """What is marked text if the partner comes in its place."""

    start: int
    partner: str
    has_opener: bool = False


def partner_behind(before: str) -> str:
    """Return the partner of the opening mark that a text ends with, nothing where it has none."""
    if before[-1:] and before[-1] in _INNER_BLANKS and before[-2:-1] == "«":
        return "»"
    return _PARTNERS.get(before[-1:], "")


def partner_stands(source: Source, partner: str) -> ParseOf[bool]:
    """Tell whether a partner stands at the cursor, which does not move."""
    character = yield from source.peek()
    if partner == "»" and character and character in _INNER_BLANKS:
        return (yield from source.stands(character + partner))
    return character == partner


class Strings:
    """The strings of the JSON with which a text begins."""

    def __init__(self) -> None:
        self._scanner = PayloadScanner(stops=True)
        self._rest = ""  # the begin of an escape
        self.is_over = False  # no string is known any more

    @property
    def is_open(self) -> bool:
        """Whether the text that was read ends in one."""
        return not self.is_over and self._scanner.in_string

    def read(self, text: str) -> None:
        """Read text that nothing but what was read before stands in front of."""
        scanner, text = self._scanner, self._rest + text
        at = scanner.scan(text, 0)
        self._rest = text[at:]
        is_between = scanner.need is Need.BETWEEN and (scanner.end > 0 or bool(self._rest))
        self.is_over = scanner.is_over or is_between

    def interrupt(self) -> None:
        """Say that something is taken out of the text here; the JSON can begin behind it."""
        self.is_over = self.is_over or bool(self._scanner.sequence)
