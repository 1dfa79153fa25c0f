"""Finding markers in a window of the text (definitions "marker", "message header").

The texts of the dialects become one compiled pattern, which finds a marker that stands in the
window, or one that the end of the window cuts off.
"""

import itertools
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Final, Literal, NamedTuple

from commoncall.call_object import is_sendable
from commoncall.extraction.dialects import HEADER_LENGTH, Header
from commoncall.extraction.messages import HeaderKind, Messages
from commoncall.json_text import BLANKS_IN_LINE, SPACE

MarkerKind = (
    HeaderKind
    | Literal["closer", "end", "bound", "token", "foreign", "blank_line", "misspelt", "tag"]
    | Literal["cut_off"]
)
"""What a marker is: ``end`` ends a message wherever it stands, and ``bound`` only in its place."""

LONGEST: Final = 512
"""Longer than any marker of a known dialect, but for blanks before its ``>``."""

CUT_OFF: Final = 7
"""So much of a control token shows what the end of the text cuts off."""

MUCH_SPACE: Final = 16
"""So much white space can stand between the end of a message and the next one."""

FIRST_NAME: Final = "[A-Za-z0-9_./:-]{1,64}"  # before the first channel of a text

LINE_BLANK: Final = f"[{re.escape(BLANKS_IN_LINE)}]"

_TOOL_TAG = re.compile(r"<(/?)([A-Za-z0-9_-]{0,64}+)(?:(>)|\Z)")


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
        return self.kind in ("opener", "reserved")

    @property
    def is_end(self) -> bool:
        """Whether what it ends goes to behind it; a header ends a message before it."""
        return self.kind in ("closer", "bound")

    @property
    def is_token(self) -> bool:
        """Whether it is a token where it closes no block."""
        return self.kind in ("token", "content", "end")

    @property
    def is_no_value(self) -> bool:
        """Whether a bracket that it begins with is no payload's."""
        return self.opens or self.is_token or self.kind == "closer"

    def is_closer(self, dialect: str) -> bool:
        """Tell whether it is a closer of this dialect."""
        return self.kind in ("closer", "end") and dialect in self.dialects


@dataclass(frozen=True, slots=True)
class Sign:
    """A marker: the characters that can stand at each place of its begin, and how it goes on, a
    pattern with ``()`` where it is complete.
    """

    kind: MarkerKind
    dialect: str
    characters: tuple[str, ...]
    rest: str = "()"
    header: Header | None = None
    is_endless: bool = False


@dataclass(frozen=True)
class ToolTags:
    """The tags of tools (definition "tool tag"). Names are looked up where a tag stands: each
    request has others, and to compile them takes longer than to read its text.
    """

    dialect: str = ""
    names: Collection[str] = ()
    taken: Collection[str] = ()  # by other markers, in lower case

    def has(self, name: str) -> bool:
        """Tell whether a name has tags."""
        return name in self.names and f"<{name.lower()}>" not in self.taken and is_sendable(name)

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(filter(self.has, self.names))

    def read(self, text: str, at: int, base: int) -> Marker | None:
        """Return the tag at a place in a window, or what the window's end cuts off of one."""
        found = _TOOL_TAG.match(text, at) if self.names else None
        if not found:
            return None
        name, start, end = found[2], base + at, base + found.end()
        if not found[3]:
            next_name = self._sorted[bisect_left(self._sorted, name) :][:1]
            is_begin = bool(next_name) and next_name[0].startswith(name)
            return Marker("cut_off", (), start, end) if is_begin else None
        kind: MarkerKind = "closer" if found[1] else "opener"
        key = f"{self.dialect} {name}"
        return Marker(kind, (key,), start, end, name) if self.has(name) else None


NO_TAGS: Final = ToolTags()


class Markers:
    """A set of markers to look for, in whatever order they are given."""

    def __init__(self, signs: Iterable[Sign]) -> None:
        alike: dict[tuple[tuple[str, ...], str], list[Sign]] = {}
        # Sorted, so the order in which they are given does not matter.
        for sign in sorted(signs, key=lambda sign: (sign.characters, sign.rest, sign.dialect)):
            alike.setdefault((sign.characters, sign.rest), []).append(sign)
        # Of signs that look alike the first says what they are: a marker of all their dialects.
        self._firsts = [same[0] for same in alike.values()]
        self._has_tags = ANY_TAG in self._firsts
        rows = [
            (same[0].kind, tuple(sign.dialect for sign in same), same[0].header)
            for same in alike.values()
        ]
        begins = ["".join(one.characters) for one in self._firsts]
        named = list(zip(begins, self._firsts, rows, strict=True))
        self._headed = [
            (begin, len(begin) + _longest(one.header)) for begin, one, _ in named if one.header
        ]
        # What is a marker of its own where it begins nothing longer; the longest has the say.
        self._endless = {
            begin: row
            for begin, one, row in sorted(named, key=lambda each: -len(each[0]))
            if one.is_endless
            or (one.rest == "()" and any(begin != it and it.startswith(begin) for it in begins))
        }
        entries = [
            (characters, rest.replace("()", f"(?#{row})()"))
            for row, (characters, rest) in enumerate(alike)
            if rest
        ]
        # Without a marker nothing may match: the empty text would, at each place.
        pattern = _tree(entries, is_root=True) if entries else r"(?!)"
        # What can be written in two ways ends in two places of the pattern: a group for each.
        self._found = [rows[int(row)] for row in re.findall(r"\(\?#([0-9]+)\)\(\)", pattern)]
        compiled = re.compile(pattern)
        # They find in a window, at or from a place on, what ``read`` reads.
        self.match: Callable[[str, int], re.Match[str] | None] = compiled.match
        self.search: Callable[[str, int], re.Match[str] | None] = compiled.search

    def read(self, match: re.Match[str], base: int, tags: ToolTags) -> Marker | None:
        """Return what a match found, ``cut_off`` where the window's end cuts it off; None where it
        is no marker after all, and the search goes on behind its first character.

        ``base`` is the offset of the window.
        """
        start, end = match.span()
        if self._has_tags and (tag := tags.read(match.string, start, base)):
            return tag
        if match.lastindex is None:
            # A header that is too long already is none: waiting for its end would hold text back
            # for nothing (EXT-115).
            for begin, longest in self._headed:
                if end - start > longest and match[0].startswith(begin):
                    return self.without_end(match[0], base + start)
            return Marker("cut_off", (), base + start, base + end)
        kind, dialects, header = self._found[match.lastindex - 1]
        if kind == "tag":
            return None  # of no tool
        if header:
            return self._read_header(match, base, dialects, header)
        if match[0] in self._endless:
            return self.without_end(match.string[start : start + LONGEST], base + start)
        return Marker(kind, dialects, base + start, base + end)

    def _read_header(
        self, match: re.Match[str], base: int, dialects: tuple[str, ...], header: Header
    ) -> Marker | None:
        start, end = match.span()
        behind = match[0][len(header.text) :]
        inner = behind.removesuffix(header.end)
        if len(inner) > HEADER_LENGTH:
            return self.without_end(match[0], base + start)
        judged: MarkerKind | None = header.message.kind(inner) if header.message else "opener"
        if isinstance(header.message, Messages):
            if match[0].startswith(header.message.ends):
                return None  # no header begins where a message ends (D41)
            if behind == inner:  # its end is missing (D41.5)
                judged = header.message.kind_without_end(
                    match[0],
                    before=match.string[end : end + MUCH_SPACE + 1],
                    is_first=base + start == 0,
                )
        if judged in ("opener", "reserved") and not dialects[0]:
            judged = "drop"  # a call where no dialect is active
        if judged is None:
            return self.without_end(match.string[start : start + LONGEST], base + start)
        return Marker(judged, dialects, base + start, base + end, inner)

    def without_end(self, text: str, start: int) -> Marker | None:
        """Return the marker with which a text begins that begins as a header and is none
        (EXT-204).
        """
        begin = next(filter(text.startswith, self._endless), None)
        if begin is None:
            return None
        kind, dialects, _ = self._endless[begin]
        return Marker(kind, dialects, start, start + len(begin))

    def cut_off(self, text: str, start: int) -> Marker | None:
        """Return the control token, no tag, that a text is the begin of (EXT-204)."""
        if len(text) < CUT_OFF:
            return None
        begun = [one for one in self._firsts if "".join(one.characters).startswith(text)]
        keys = sorted(one.dialect for one in begun if one.kind == "opener")
        if keys:
            return Marker("opener", (keys[0],), start, start + len(text))
        return Marker("token", (), start, start + len(text)) if begun else None

    def first(self, text: str, at: int, base: int, tags: ToolTags = NO_TAGS) -> Marker | None:
        """Return the first marker from a place in a window on."""
        while match := self.search(text, at):
            if found := self.read(match, base, tags):
                return found
            at = match.start() + 1
        return None

    def read_at(self, text: str, at: int, base: int, tags: ToolTags = NO_TAGS) -> Marker | None:
        """Return what ``read`` says of a place in a window; None where no marker begins there."""
        match = self.match(text, at)
        return match and self.read(match, base, tags)


def tag_sign(kind: MarkerKind, dialect: str, begin: str) -> Sign:
    """Return the sign of a tag that begins with ``begin``, in any ASCII case (EXT-010)."""
    blanks = rf"{LINE_BLANK}*+(?:\n{LINE_BLANK}*+)?"
    return Sign(kind, dialect, _folded(begin), rf"{blanks}(?:>()|\Z)")


def text_sign(kind: MarkerKind, dialect: str, text: str) -> Sign:
    """Return the sign of a marker that is one fixed text."""
    return Sign(kind, dialect, tuple(text))


def header_sign(dialect: str, header: Header, begin: str = "") -> Sign:
    """Return the sign of an opener with a header, which begins with a text, or else its own."""
    text = tuple(begin or header.text)
    return Sign("opener", dialect, text, _header(header), header)


def endless_sign(kind: MarkerKind, dialect: str, text: str, header: Header) -> Sign:
    """Return the sign of what begins as a header, and is none (EXT-204)."""
    return Sign(kind, dialect, tuple(text), f"(?!{_header(header)})()", is_endless=True)


def channel_sign(kind: MarkerKind, dialect: str, text: str) -> Sign:
    """Return the sign of a channel that is no header (D41.6). It stands where such a text begins
    as a header, so nothing looks for it.
    """
    return Sign(kind, dialect, tuple(text), "", is_endless=True)


def named_sign(dialect: str, header: Header, channel: str) -> Sign:
    """Return the sign of a header that is a name and a channel of calls (EXT-190)."""
    behind = _tree([(tuple(channel + header.end), "()")])
    return Sign("opener", dialect, (), FIRST_NAME + "+" + behind, header)


def bound_sign(end: str, follows: Sequence[str]) -> Sign:
    """Return the sign of an end that stands before one of some texts or at the end of the text."""
    return Sign("bound", "", tuple(end), rf"(?:(?=\Z)()|{_before(follows)})")


def _before(follows: Sequence[str]) -> str:
    """Return the pattern of the place before white space and one of some texts, or of what can
    become these.
    """
    space = f"{SPACE}{{0,{MUCH_SPACE}}}+"
    begun = _tree([(tuple(text), "(?!)") for text in follows])
    return f"(?:(?={space}(?:{'|'.join(map(re.escape, follows))}))()|{space}{begun})"


def _longest(header: Header) -> int:
    """Return how much can stand behind the begin of a header, with its end, or what lacks it."""
    ends = header.message.ends if isinstance(header.message, Messages) else ()
    behind = [len(header.end), *(MUCH_SPACE + len(end) for end in ends)]
    return HEADER_LENGTH + max(behind)


def misspelt_sign(word: str) -> Sign:
    """Return the sign of a closing tag whose name begins with a word (definition "parameter")."""
    return Sign("misspelt", "", tuple(f"</{word}"), r"[A-Za-z0-9_.-]{0,32}(?:>()|\Z)")


def opening_sign(text: str) -> Sign:
    """Return the sign of the opening of another dialect's payload, in any ASCII case."""
    return Sign("foreign", "", _folded(text))


ANY_TAG: Final = Sign("tag", "", ("<",), "(?=[/A-Za-z0-9_-])()")
"""Where the tag of a tool may begin."""

BLANK_LINE: Final = Sign("blank_line", "", ("\n",), rf"{LINE_BLANK}*+(?:\n()|\Z)")
"""The line feed before a blank line, with that line."""


def _header(header: Header) -> str:
    """Return the pattern of a header with its end; a token counts as one character in it."""
    message = header.message if isinstance(header.message, Messages) else None
    none = re.escape(header.end[0]) + "`{" * (message is not None)
    inner = "|".join([rf"[^\n<{none}]", *map(re.escape, header.tokens)])
    # White space around a name can hold line feeds, but for one that is the end itself.
    has_lines = header.message is None and header.end[0] != "\n"
    space = rf"{SPACE}{{0,{HEADER_LENGTH}}}" if has_lines else ""
    # The begin of a token is that of the end, but no end.
    ends = [(tuple(header.end), "()"), *((tuple(token), "(?!)") for token in header.tokens)]
    whole = rf"(?>{space}(?:{inner}){{0,{HEADER_LENGTH}}}{space})"
    if message:  # its end can be missing (D41.5)
        return f"{whole}(?:{_tree(ends)}|{_before(('{', *message.ends))})"
    whole += _tree(ends)
    if not header.bare:
        return whole
    behind = "(?::[0-9]+)?" if header.counter else f"(?:{re.escape(header.id)})?"
    word = "[A-Za-z0-9_.-]{1,64}"
    before = f"(?:{word}{re.escape(header.behind)})?" if header.behind else ""
    name = f"{SPACE}{{0,{MUCH_SPACE}}}+{before}{word}"
    return rf"(?:{name}{behind}{_before(header.bare)}|{whole})"


def _folded(text: str) -> tuple[str, ...]:
    """Fold A to Z and nothing else: the Kelvin sign is no k (EXT-010)."""
    return tuple(letter.lower() + letter.upper() if letter.isalpha() else letter for letter in text)


Entry = tuple[tuple[str, ...], str]
"""The characters that can stand at each place, and the pattern of what follows them."""


def _tree(entries: Sequence[Entry], *, is_root: bool = False) -> str:
    """Return a pattern that matches one of the entries, or its begin at the end of the window.

    No character begins two branches, so the entries that go on with it meet in one, whatever their
    order. Where several end, the first has the say.
    """
    places = zip(*(characters for characters, _ in entries), strict=False)
    shared = itertools.takewhile(lambda place: len(set(place)) == 1, places)
    run = [f"[{re.escape(first)}]" for first, *_ in shared]
    if len(run) > 1 and not is_root:  # it is faster than a branch at each of its characters
        begin = reduce(lambda begin, first: rf"(?:{first}{begin}|\Z)", run[-2::-1], r"\Z")
        behind = _tree([(characters[len(run) :], rest) for characters, rest in entries])
        return f"(?:{''.join(run)}{behind}|{begin})"
    branches: dict[str, list[Entry]] = {}
    ends: list[str] = []
    for characters, rest in entries:
        if characters:
            for character in characters[0]:
                branches.setdefault(character, []).append((characters[1:], rest))
        else:
            ends.append(rest)
    alike: dict[tuple[Entry, ...], str] = {}
    for character, following in branches.items():
        alike[tuple(following)] = alike.get(tuple(following), "") + character
    ways = [f"[{re.escape(first)}]" + _tree(following) for following, first in alike.items()]
    ways += ends if is_root else [r"\Z", *ends] if ways or not ends else ends
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
