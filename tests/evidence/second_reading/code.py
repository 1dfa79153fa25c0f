"""Code: fences, inline code and indented lines, each from the character at which it begins."""

from dataclasses import dataclass
from typing import Any

from tests.evidence.second_reading.characters import (
    BLANKS,
    is_blank,
    is_blank_line,
    line_end,
    line_start,
    next_blank_line,
    run_end,
)
from tests.evidence.second_reading.markers import Markers


@dataclass(frozen=True)
class Fence:
    """The run that opened a fence."""

    character: str
    length: int


@dataclass(frozen=True)
class Code:
    """Code from ``start`` to before ``end``.

    ``is_segment`` tells whether it can be a segment: a whole fence and inline code can (segment).
    """

    start: int
    end: int
    is_segment: bool = False


def only_list_markers(prefix: str) -> bool:
    """Tell whether the begin of a line holds only blanks, `>` and list markers (fence)."""
    at = 0
    while at < len(prefix):
        if ord(prefix[at]) in BLANKS or prefix[at] in ">-*+":
            at += 1
            continue
        digits = at
        while digits < len(prefix) and prefix[digits] in "0123456789":
            digits += 1
        if digits == at or prefix[digits : digits + 1] not in (".", ")"):
            return False
        at = digits + 1
    return True


def opens_fence(text: str, at: int) -> Fence | None:
    """Return the fence that a run opens here, if any (fence)."""
    if text[at] not in "`~":
        return None
    end = run_end(text, at)
    if end - at < 3 or not only_list_markers(text[line_start(text, at) : at]):
        return None
    if text[at] == "`" and "`" in text[end : line_end(text, end)]:
        return None
    return Fence(text[at], end - at)


def closes_fence(text: str, at: int, fence: Fence) -> bool:
    """Tell whether a run stands here that ends the fence, if this is a later line than its own."""
    if text[at] != fence.character:
        return False
    end = run_end(text, at)
    return (
        end - at >= fence.length
        and only_list_markers(text[line_start(text, at) : at])
        and is_blank(text[end : line_end(text, end)])
    )


def fence_end(text: str, at: int, fence: Fence) -> int:
    """Return the place behind the run that ends a fence that opens here, or behind the text."""
    for place in range(line_end(text, at), len(text)):
        if closes_fence(text, place, fence):
            return run_end(text, place)
    return len(text)


def inline_end(markers: Markers, at: int) -> int:
    """Return the end of the inline code that begins with the run here (inline code).

    What stands in an opener, ignored or not, ends none (code).
    """
    text = markers.text
    run = run_end(text, at)
    blank = next_blank_line(text, run)
    last = len(text) if blank is None else blank - 1
    place = run
    while place < last:
        opener = markers.at(place)
        if opener is not None and opener.kind == "opener":
            place = opener.end
            continue
        end = run_end(text, place)
        if text[place] == "`" and end - place == run - at:
            return end
        place = end
    return last


def is_indented(text: str, start: int) -> bool:
    """Tell whether a line is not blank and its leading blanks count 4 or more (indented line)."""
    line = text[start : line_end(text, start)]
    count = 0
    for character in line:
        if ord(character) not in BLANKS:
            return count >= 4
        count += 4 if character == "\t" else 1
    return False


class Reader:
    """Finds the code of a text that is read as prose, from the front to the back.

    It remembers which lines were indented ones, since the next line depends on it, and which fence
    is open where fences extract. Everything else stands in the text.
    """

    def __init__(self, markers: Markers, *, extract: bool) -> None:
        self.markers = markers
        self.text = markers.text
        self.extract = extract
        self.indented: set[int] = set()
        self.open: Fence | None = None
        self.comment: int | None = None  # where one begins that is open (quotation)
        self.removed: list[tuple[int, int, Any]] = []  # what was taken out of the text

    def copy(self) -> "Reader":
        """Return one that knows the same and goes on alone."""
        other = Reader(self.markers, extract=self.extract)
        other.indented, other.open = set(self.indented), self.open
        other.comment, other.removed = self.comment, self.removed
        return other

    def code_at(self, at: int) -> Code | None:
        """Return the code that begins here (code).

        Where fences extract, the rest of a fence is no code, and none begins in it; the run that
        ends it is passed over.
        """
        text = self.text
        if self.comment is not None and self.ends_comment(at):
            self.comment = None
        if self.open is not None:
            if self.comment is None and closes_fence(text, at, self.open):
                self.open = None
                return Code(at, run_end(text, at))
            self.begin_comment(at)
            return None
        if at == line_start(text, at):
            code = self.indented_line(at)
            if code is not None:
                return code
        self.begin_comment(at)
        if self.comment is not None:
            return None
        if text[at] not in "`~":
            return None
        fence = opens_fence(text, at)
        if fence is not None and self.extract:
            self.open = fence
            return Code(at, line_end(text, at))
        if fence is not None:
            return Code(at, fence_end(text, at, fence), is_segment=True)
        return Code(at, inline_end(self.markers, at), is_segment=True) if text[at] == "`" else None

    def begin_comment(self, at: int) -> None:
        """Begin a comment if none is open and one begins here (quotation)."""
        if self.comment is None and self.text.startswith("<!--", at):
            self.comment = at

    def ends_comment(self, at: int) -> bool:
        """Tell whether the comment that is open ends before a place (quotation)."""
        assert self.comment is not None
        return any(
            self.text.startswith("-->", end) and not self.is_removed(end)
            for end in range(self.comment + 2, at - 2)
        )

    def is_removed(self, at: int) -> bool:
        """Tell whether a place is of what was taken out of the text."""
        removed = [each for each in self.removed if each[2]["kind"] != "code"]
        return any(start <= at < end for start, end, _ in removed)

    def indented_line(self, start: int) -> Code | None:
        """Return the code of an indented line, up to a fence that opens on it."""
        text = self.text
        if self.open is not None or start == 0 or not is_indented(text, start):
            return None
        before = line_start(text, start - 1)
        if before not in self.indented and not is_blank_line(text, before):
            return None
        self.indented.add(start)
        end = line_end(text, start)
        for place in range(start, end):
            if opens_fence(text, place):
                return Code(start, place)
        return Code(start, end)

    def is_first_on_indented(self, at: int, since: int) -> bool:
        """Tell whether what stands behind the white space that begins at ``since`` is the first on
        an indented line.
        """
        start = line_start(self.text, at)
        return start > since and self.indented_line(start) is not None
