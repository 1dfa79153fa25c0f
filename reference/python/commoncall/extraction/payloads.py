"""What a reader says of a payload: it is whole, wrong at the cursor, or cut off by the text."""

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

from commoncall.extraction.call_value import Found
from commoncall.extraction.literals import LiteralScanner, begins_name
from commoncall.extraction.markers import Marker
from commoncall.extraction.source import ParseOf, Source
from commoncall.json_text import SPACE_RUN

_OF_NAME: Final = re.compile(r"[A-Za-z0-9_.-]")
_LONGEST_NAME: Final = 64

Judge = Callable[[str], Sequence[Found]]
"""Gives the calls of a payload, and codes of what is none."""


class Payload(NamedTuple):
    """A whole payload."""

    start: int
    end: int
    judge: Judge
    needed: Sequence[str]  # the repairs that it needed
    closer: Marker | None = None  # which the payload itself has at its end


Broken = Literal["wrong", "cut"]


def begins_line(character: str, space: str) -> bool:
    """Tell whether a line that begins with a name stands behind an opener and white space."""
    return begins_name(character) and (not space or "\n" in space)


def short_name(source: Source) -> ParseOf[str]:
    """Move over a name that stands alone, and return it; ``""`` where it has no character or more
    than 64: it is held back while it may be one (D55.4, D62.4).
    """
    name = ""
    while _OF_NAME.match((yield from source.peek())):
        name += source.text[source.at]
        source.at += 1
        if len(name) > _LONGEST_NAME:
            return ""
    return name


def object_begins(source: Source) -> ParseOf[bool]:
    """Move into an object, if one stands at the cursor or as the first element of an array."""
    if (yield from source.literal("[")):
        yield from source.skip_run(SPACE_RUN)
    return (yield from source.literal("{"))


def read_literals(
    source: Source, scanner: LiteralScanner, judge: Judge
) -> ParseOf[Payload | Broken]:
    """Read a payload, of which a scanner says the end."""
    start = source.offset
    while True:
        source.at = scanner.scan(source.text, source.at)
        if scanner.is_over or not (yield from source.more()):
            return end_payload(source, scanner, start, judge)


def end_payload(
    source: Source, scanner: LiteralScanner, start: int, judge: Judge
) -> Payload | Broken:
    """Move behind a payload that began at an offset, or to the error in it; return what it is."""
    if scanner.error >= 0:
        source.back_to(start + scanner.error)
        return "wrong"
    if not scanner.complete:
        return "cut"
    source.back_to(start + scanner.end)
    return Payload(start, source.offset, judge, [edit.code for edit in scanner.edits])
