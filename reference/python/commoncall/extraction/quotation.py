"""Quotations: where an opener begins no block (definitions "quotation", "marked text")."""

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from commoncall.extraction.literals import Need
from commoncall.extraction.markers import TAG_NAME
from commoncall.extraction.payload_scanner import PayloadScanner
from commoncall.extraction.source import ParseOf, Source
from commoncall.json_text import BLANKS_IN_LINE

_PARTNERS: Final = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "「": "」"}
_INNER_BLANKS: Final = " \u00a0\u202f"
"""One of them can stand inside « and »."""
_QUOTED_TAG: Final = re.compile(rf"<({TAG_NAME})>\Z")
"""What can stand behind a mark, as part of it."""
LONGEST_MARK: Final = 2 + len("<>") + 64

_BEGIN: Final = re.compile(
    r"<(?:!--|(?<=\n<)((?ai:(?:tool|function)_(?:result|response|output)s?))>)"
)
"""How a comment or the result of a call begins (D14.3, D14.5)."""
_COMMENT_END: Final = re.compile("-->")
_LONGEST_SIGN: Final = len("</function_responses>")

_DIGITS: Final = frozenset("0123456789")
_LIST_MARKERS: Final = frozenset("-*+.)")
_PREFIX: Final = frozenset(BLANKS_IN_LINE + "-*+0123456789")


class Partner(NamedTuple):
    """What ends marked text."""

    tag: str  # the closing tag before the mark, "" where there is none
    mark: str


@dataclass(slots=True)
class Marked:
    """What is marked text if the partner comes in its place."""

    start: int
    partner: Partner
    has_content: bool  # a header of a message to show has come before
    has_opener: bool = False


def partner_behind(before: str) -> Partner | None:
    """Return the partner of the opening mark that a text ends with, None where it has none."""
    tag = _QUOTED_TAG.search(before)
    if tag:
        before = before[: tag.start()]
    if before[-2:-1] == "«" and before[-1] in _INNER_BLANKS:
        before = before[:-1]
    mark = _PARTNERS.get(before[-1:])
    return Partner(f"</{tag[1]}>" if tag else "", mark) if mark else None


def partner_stands(source: Source, partner: Partner) -> ParseOf[bool]:
    """Tell whether a partner stands at the cursor, which does not move."""
    start = source.offset
    stands = yield from source.literal(partner.tag)
    character = yield from source.peek()
    if partner.mark == "»" and character and character in _INNER_BLANKS:
        source.at += 1
        character = yield from source.peek()
    source.back_to(start)
    return stands and character == partner.mark


class Lines:
    """The line that is being read: whether a ">" makes it one of a block quote."""

    def __init__(self) -> None:
        self.is_quoted = False
        self._in_prefix = True  # nothing but blanks and list markers so far
        self._before = ""  # the character before

    def read(self, text: str) -> None:
        """Read text that is of no marker."""
        start = text.rfind("\n") + 1
        if start:
            self.__init__()  # type: ignore[misc]
        if not self._in_prefix:
            return
        for character in text[start:]:
            self._in_prefix = self._is_prefix(character)
            if not self._in_prefix:
                break
            self._before = character

    def _is_prefix(self, character: str) -> bool:
        """Read a character; tell whether the next one can quote the line."""
        before = self._before
        if before in _DIGITS:
            return character in _DIGITS or character in ".)"
        if character == ">":
            self.is_quoted = before not in _LIST_MARKERS
        return character in _PREFIX

    def skip(self, text: str = "") -> None:
        """Move over what is no prose, or over a marker that is text and whose line feeds count."""
        if "\n" in text:
            self.is_quoted = False
        self._in_prefix = False


class Comments:
    """The comments of a text, and the results of calls that a model wrote in it."""

    def __init__(self) -> None:
        self.is_open = False
        self._tail = "\n"  # in which a sign can begin
        self._end = _COMMENT_END  # of what began last

    def sign(self, text: str, at: int) -> int:
        """Return the place behind the next begin, or behind the end of what is open, from a place
        of a text on; 0 where none ends in it.
        """
        sign, tail = self._end if self.is_open else _BEGIN, self._tail
        near = sign.search(tail + text[at : at + _LONGEST_SIGN])  # can have begun before
        found = near or sign.search(text, at)
        if not found:
            self._tail = (tail + text[max(at, len(text) - _LONGEST_SIGN) :])[-_LONGEST_SIGN:]
            return 0
        is_comment = not self.is_open and found[1] is None
        if not self.is_open:
            self._end = _COMMENT_END if is_comment else re.compile(f"(?ai:</{found[1]}>)")
        # "-->" can share its dashes with the "<!--" before it (D14.3).
        self._tail = "--" if is_comment else ""
        return found.end() + (at - len(tail) if near else 0)

    def end(self) -> None:
        """Say that nothing is open, as in front of a block."""
        self.is_open, self._tail = False, ""

    def skip(self) -> None:
        """Say that something was taken out of the text here."""
        self._tail = ""


class Strings:
    """The strings of the JSON with which a text begins."""

    def __init__(self) -> None:
        self._scanner = PayloadScanner()
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
        # Behind the JSON, or at what is none, where the scanner leaves text unread: no string is
        # known there. Half an escape is unread, too, but that is in a string.
        is_between = scanner.need is Need.BETWEEN and (scanner.end > 0 or bool(self._rest))
        self.is_over = scanner.is_over or is_between

    def interrupt(self) -> None:
        """Say that something is taken out of the text here; the JSON can begin behind it."""
        self.is_over = self.is_over or bool(self._scanner.sequence)
