"""Finding markers in a window of the text (definitions "marker", "message header").

A marker stands in the window, or the end of the window cuts it off.
"""

import itertools
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final, Literal, NamedTuple

from commoncall.extraction.dialects import HEADER_LENGTH, Header
from commoncall.extraction.messages import HeaderKind, Messages
from commoncall.json_text import BLANKS_IN_LINE, LETTER_OR_DIGIT, SPACE

MarkerKind = (
    HeaderKind
    | Literal["closer", "end", "bound", "token", "foreign", "blank_line", "misspelt", "tag"]
    | Literal["stray", "lone", "cut_off"]
)
"""What a marker is in the set in which it was found. The end of a message is ``end`` where blocks
are looked for, and ``bound`` where the message is read. A closer of blocks is a ``token`` where
another text is the ``closer``.
"""

LONGEST: Final = 512
"""Longer than any marker of a known dialect, but for blanks before its ``>``."""

SHOWS_TOKEN: Final = 7
"""So much of a control token shows that the end of the text cuts it off."""

MUCH_SPACE: Final = 16
"""So much white space can stand between the end of a message and the next one."""

FIRST_NAME: Final = "[A-Za-z0-9_./:-]{1,64}"  # before the first channel of a text

TAG_NAME: Final = "[A-Za-z｜][A-Za-z0-9_.:｜-]{0,63}"
"""The name of a tag that no dialect knows."""

_JSON: Final = ("{", "[")

LINE_BLANK: Final = f"[{re.escape(BLANKS_IN_LINE)}]"

_GAP: Final = rf"{LINE_BLANK}*+(?:\n{LINE_BLANK}*+)?"
"""What can stand before the ``>`` of a tag."""

_TOOL_TAG = re.compile(rf"<(/?)([A-Za-z0-9_-]{{0,64}}+)({_GAP})(?:(>)|\Z)")


class Marker(NamedTuple):
    """A marker that was found, from ``start`` to ``end`` in the text.

    ``dialects`` are the keys of those that it belongs to: one where it opens, and none where it is
    of no dialect; a reasoning opener has its place in the frame there. ``header`` is the header of
    an opener that has one.
    """

    kind: MarkerKind
    dialects: tuple[str, ...]
    start: int
    end: int
    header: str = ""

    @property
    def opens(self) -> bool:
        """Whether a block begins here."""
        return self.kind in ("opener", "reserved", "stray")

    @property
    def ends_behind(self) -> bool:
        """Whether what it ends goes to behind it; a header or a token ends something before it."""
        return self.kind in ("closer", "bound")

    @property
    def is_token(self) -> bool:
        """Whether it is a token where it closes no block."""
        return self.kind in ("token", "content", "end")

    @property
    def is_no_value(self) -> bool:
        """Whether a ``[`` with which it begins is its own, and no payload begins there."""
        return self.opens or self.is_token or self.kind == "closer"

    def is_closer(self, dialect: str) -> bool:
        """Tell whether it is a closer of this dialect."""
        return self.kind in ("closer", "end") and dialect in self.dialects


_HERE: Final = re.compile("()")


@dataclass(frozen=True, slots=True)
class Sign:
    """A marker: the text with which it begins, and how it goes on, a pattern with ``()`` where it
    is complete, or where the window cuts it off matches to the end of that. By default the text is
    all of it.
    """

    kind: MarkerKind
    dialect: str
    text: str
    rest: re.Pattern[str] = _HERE
    header: Header | None = None
    in_any_case: bool = False  # of ASCII; the text is in lower case

    def match(self, text: str, at: int) -> tuple[int, bool] | None:
        """Return the place behind it in a window, and whether it is whole; None where it is not."""
        behind = at + len(self.text)
        here = text[at:behind]
        if self.in_any_case and here.isascii():
            here = here.lower()
        if here == self.text:
            found = self.rest.match(text, behind)
            return found and (found.end(), found.lastindex is not None)
        is_cut = len(here) < len(self.text) and self.text.startswith(here)
        return (len(text), False) if is_cut else None


class ToolTags(NamedTuple):
    """The tags of tools (definition "tool tag"), which each request has others of."""

    dialect: str = ""
    names: Collection[str] = ()

    def read(self, text: str, at: int, base: int) -> Marker | None:
        """Return the tag at a place in a window, or what the window's end cuts off of one."""
        found = _TOOL_TAG.match(text, at) if self.names else None
        if not found:
            return None
        name, start, end = found[2], base + at, base + found.end()
        if not found[4]:
            is_begin = name in self.names or not found[3]
            is_begin = is_begin and any(one.startswith(name) for one in self.names)
            return Marker("cut_off", (), start, end) if is_begin else None
        kind: MarkerKind = "closer" if found[1] else "opener"
        key = f"{self.dialect} {name}"
        return Marker(kind, (key,), start, end, name) if name in self.names else None


NO_TAGS: Final = ToolTags()


class Markers:
    """A set of markers to look for, in whatever order they are given."""

    def __init__(self, signs: Iterable[Sign]) -> None:
        def order(sign: Sign) -> tuple[int, bool, int, bool, str, str]:
            rest = sign.rest.pattern
            return -len(sign.text), not sign.header, -len(rest), sign.in_any_case, sign.text, rest

        # The longest that stands in a place counts, and a header before its begin alone. Of signs
        # that look alike the first says what they are: a marker of all their dialects.
        self._signs: dict[str, list[tuple[Sign, tuple[str, ...]]]] = {}  # by their first character
        ordered = sorted(signs, key=lambda sign: (order(sign), sign.dialect))
        for _, group in itertools.groupby(ordered, key=order):
            alike = [*group]
            row = alike[0], tuple(sign.dialect for sign in alike)
            self._signs.setdefault(row[0].text[:1], []).append(row)
        self._has_tags = ANY_TAG in ordered
        begins = "".join(sorted(self._signs))
        self._begin = re.compile(f"[{re.escape(begins)}]" if begins else "(?!)")

    def read_at(
        self, text: str, at: int, base: int, tags: ToolTags = NO_TAGS, *, is_end: bool = False
    ) -> Marker | None:
        """Return the marker that begins at a place in a window, ``cut_off`` where the window's end
        cuts it off; with ``is_end`` that is the end of the text, which cuts no marker off.

        ``base`` is the offset of the window.
        """
        if self._has_tags and not is_end and (tag := tags.read(text, at, base)):
            return tag
        start = base + at
        for sign, dialects in (*self._signs.get(text[at : at + 1], ()), *self._signs.get("", ())):
            found = sign.match(text, at)
            if not found:
                continue
            behind, is_whole = found
            if not is_whole:
                # A header that is too long already is none: waiting for its end would hold text
                # back for nothing (EXT-115).
                longest = len(sign.text) + _longest(sign.header) if sign.header else len(text)
                if not is_end and behind - at <= longest:
                    return Marker("cut_off", (), start, base + behind)
            elif not sign.header:
                return Marker(sign.kind, dialects, start, base + behind)
            elif kind := _kind(sign.header, text, at, behind, is_first=start == 0):
                # A call where no dialect is active is not shown.
                calls = kind in ("opener", "reserved")
                inner = text[at + len(sign.header.text) : behind].removesuffix(sign.header.end)
                kind = kind if dialects[0] or not calls else "drop"
                return Marker(kind, dialects, start, base + behind, inner)
        return None

    def begun_token(self, text: str, start: int) -> Marker | None:
        """Return the control token, no tag, that a text is the begin of (EXT-204)."""
        if len(text) < SHOWS_TOKEN or LETTER_OR_DIGIT.match(text):
            return None  # a word is no sign of a token
        begun = [
            one
            for one, _ in self._signs.get(text[0], ())
            if one.text.startswith(text) and not one.in_any_case
        ]
        keys = sorted(one.dialect for one in begun if one.kind == "opener")
        if keys:
            return Marker("opener", (keys[0],), start, start + len(text))
        return Marker("token", (), start, start + len(text)) if begun else None

    def first(self, text: str, at: int, base: int, tags: ToolTags = NO_TAGS) -> Marker | None:
        """Return the first marker from a place in a window on."""
        while match := self._begin.search(text, at):
            if found := self.read_at(text, match.start(), base, tags):
                return found
            at = match.start() + 1
        return None


def _kind(header: Header, text: str, at: int, behind: int, *, is_first: bool) -> HeaderKind | None:
    """Tell what a header in a window begins, None where it is none."""
    inner = text[at + len(header.text) : behind]
    has_end = inner.endswith(header.end)
    inner = inner.removesuffix(header.end)
    if len(inner) > HEADER_LENGTH:
        return None
    message = header.message
    if not message:
        return "opener"
    if isinstance(message, Messages):
        if text.startswith(message.ends, at):
            return None  # no header begins where a message ends (D41)
        if not has_end:  # (D41.5)
            before = text[behind : behind + MUCH_SPACE + 1]
            return message.kind_without_end(text[at:behind], before=before, is_first=is_first)
    return message.kind(inner)


def tag_sign(kind: MarkerKind, dialect: str, begin: str, *, in_any_case: bool = True) -> Sign:
    """Return the sign of a tag that begins with ``begin``, in any ASCII case (EXT-010)."""
    rest = re.compile(rf"{_GAP}(?:>()|\Z)")
    text = begin.lower() if in_any_case else begin
    return Sign(kind, dialect, text, rest, in_any_case=in_any_case)


def fence_sign(kind: MarkerKind, dialect: str, text: str) -> Sign:
    """Return the sign of a marker with the run of a fence, which stands before JSON alone."""
    return Sign(kind, dialect, text, re.compile(_before(_JSON)))


def channel_sign(kind: MarkerKind, dialect: str, channel: str, name: str) -> Sign:
    """Return the sign of a channel that is no header (D41.6). The name is no part of its text: of
    two signs the one with the longer text counts, and a header that begins so goes first.
    """
    return Sign(kind, dialect, channel, re.compile(f"{re.escape(name)}()"))


def header_sign(dialect: str, header: Header, begin: str = "") -> Sign:
    """Return the sign of an opener with a header, which begins with a text, or else its own."""
    return Sign("opener", dialect, begin or header.text, re.compile(_header(header)), header)


def named_sign(dialect: str, header: Header, channel: str) -> Sign:
    """Return the sign of a header that is a name and a channel of calls (EXT-190)."""
    rest = re.compile(f"{FIRST_NAME}+{_begun(channel + header.end, '()')}")
    return Sign("opener", dialect, "", rest, header)


def bound_sign(end: str, follows: Sequence[str]) -> Sign:
    """Return the sign of an end that stands before one of some texts or at the end of the text."""
    return Sign("bound", "", end, re.compile(rf"(?:(?=\Z)()|{_before(follows)})"))


def _before(follows: Sequence[str]) -> str:
    """Return the pattern of the place before white space and one of some texts, or of what can
    become these.
    """
    space = f"{SPACE}{{0,{MUCH_SPACE}}}+"
    begun = "|".join(_begun(text, "(?!)") for text in follows)
    return f"(?:(?={space}(?:{'|'.join(map(re.escape, follows))}))()|{space}(?:{begun}))"


def _begun(text: str, rest: str) -> str:
    """Return the pattern of a text and what follows it, or of its begin at the window's end."""
    return reduce(lambda behind, each: rf"(?:{re.escape(each)}{behind}|\Z)", reversed(text), rest)


def _longest(header: Header) -> int:
    """Return how much can stand behind the begin of a header, with its end, or what lacks it."""
    ends = header.message.ends if isinstance(header.message, Messages) else ()
    space = MUCH_SPACE if header.is_before_json else 0
    return HEADER_LENGTH + max(len(header.end) + space, *(MUCH_SPACE + len(end) for end in ends), 0)


def misspelt_sign(word: str) -> Sign:
    """Return the sign of a closing tag whose name begins with a word (definition "parameter")."""
    rest = re.compile(r"[A-Za-z0-9_.-]{0,32}(?:>()|\Z)")
    return Sign("misspelt", "", f"</{word}", rest)


ANY_TAG: Final = Sign("tag", "", "<", re.compile("(?!)"))
"""Where the tag of a tool may begin."""

BLANK_LINE: Final = Sign("blank_line", "", "\n", re.compile(rf"{LINE_BLANK}*+(?:\n()|\Z)"))
"""The line feed before a blank line, with that line."""


def _header(header: Header) -> str:
    """Return the pattern of a header with its end; a token counts as one character in it."""
    message = header.message if isinstance(header.message, Messages) else None
    none = re.escape(header.end[0]) + "`{" * (message is not None)
    # In that of a message a line feed can stand before its end, and before a token but a channel.
    line = rf"(?>\n{SPACE}{{0,{MUCH_SPACE - 1}}}+|)" if header.message else ""
    channel = header.message.channel if header.message else ""
    tokens = [("" if one == channel else line, one) for one in header.tokens]
    inner = "|".join([rf"[^\n<{none}]", *(before + re.escape(one) for before, one in tokens)])
    # White space around a name can hold line feeds, but for one that is the end itself.
    has_lines = header.message is None and header.end[0] != "\n"
    space = rf"{SPACE}{{0,{HEADER_LENGTH}}}" if has_lines else ""
    # The begin of a token is that of the end, but no end.
    done = _before(_JSON) if header.is_before_json else "()"
    cut = (before + _begun(one, "(?!)") for before, one in tokens)
    ends = "|".join([line + _begun(header.end, done), *cut])
    whole = rf"(?>{space}(?:{inner}){{0,{HEADER_LENGTH}}}{space})"
    if message:  # its end can be missing (D41.5)
        return f"{whole}(?:{ends}|{_before(('{', *message.ends))})"
    whole += f"(?:{ends})"
    if not header.bare:
        return whole
    behind = "(?::[0-9]+)?" if header.counter else f"(?:{re.escape(header.id)})?"
    word = "[A-Za-z0-9_.-]{1,64}"
    before = f"(?:{word}{re.escape(header.behind)})?" if header.behind else ""
    name = f"{SPACE}{{0,{MUCH_SPACE}}}+{before}{word}"
    return rf"(?:{name}{behind}{_before(header.bare)}|{whole})"
