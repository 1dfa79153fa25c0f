"""Lines of a JSON text by JSON Pointer, for reports that name a file."""

import json
import re
from collections.abc import Collection, Iterator
from typing import Final

from commoncall.places import pointer

_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+')


def lines_of(text: str, places: Collection[str]) -> dict[str, int]:
    """Return for each place the line on which its value begins, from 1.

    Args:
        text: JSON that was parsed before, in which no member stands twice.
        places: JSON Pointers. What is not there, as a member that is missing, has the line of what
            it would stand in.
    """
    wanted = {above for place in places for above in _from_the_root(place)}
    found: dict[str, int] = {}
    line, counted = 1, 0
    for place, start in _values(text):
        if place in wanted:
            line += text.count("\n", counted, start)
            counted = start
            found[place] = line
    return {
        place: next(found[above] for above in reversed(_from_the_root(place)) if above in found)
        for place in places
    }


def _from_the_root(place: str) -> list[str]:
    """Return a pointer and those of all that it stands in, the root first."""
    return [place[:at] for at, character in enumerate(place) if character == "/"] + [place]


def _values(text: str) -> Iterator[tuple[str, int]]:
    """Give the pointer of each value and where it begins, in the order of the text."""
    # What is open: its pointer, and the position or the name that is read in it.
    above: list[tuple[str, int | str | None]] = []
    for token in _TOKEN.finditer(text):
        what = token[0]
        place, at = above[-1] if above else ("", None)
        if what in ("]", "}"):
            above.pop()
        elif what == ",":
            above[-1] = place, at + 1 if isinstance(at, int) else None
        elif above and at is None:
            above[-1] = place, str(json.loads(what))
        elif what != ":":
            place = "" if at is None else place + pointer((at,))
            yield place, token.start()
            if what in ("[", "{"):
                above.append((place, 0 if what == "[" else None))
