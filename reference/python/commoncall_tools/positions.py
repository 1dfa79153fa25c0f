"""Lines of a JSON text by JSON Pointer, for reports that name a file."""

import json
import re
from collections.abc import Collection, Iterator
from typing import Final

from commoncall.json_text import SPACE_RUN
from commoncall.places import pointer

_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+')


def lines_of(text: str, places: Collection[str]) -> dict[str, int]:
    """Return for each place the line on which its value begins, from 1.

    Args:
        text: JSON that was parsed before, in which no member stands twice. Where the whole is the
            one place that is asked for, it can be any text.
        places: JSON Pointers. What is not there, as a member that is missing, has the line of what
            it would stand in.
    """
    begin = SPACE_RUN.match(text)
    assert begin is not None  # it matches nothing, too
    counted = begin.end()
    line = 1 + text.count("\n", 0, counted)
    found = {"": line}
    wanted = {above for place in places for above in _from_the_root(place)}
    for place, start in _values(text, wanted) if len(wanted) > 1 else ():
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


def _values(text: str, wanted: Collection[str]) -> Iterator[tuple[str, int]]:
    """Give the pointer of each wanted value and where it begins, in the order of the text.

    Args:
        text: as in `lines_of`.
        wanted: with each pointer those of all that it stands in. No other is ever made: together
            they would be as long as the text is deep, times its length.
    """
    # What is open: its pointer, None where it is not wanted, and the position or the name in it.
    above: list[tuple[str | None, int | str | None]] = []
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
            if place is not None and at is not None:
                place += pointer((at,))
            if place not in wanted:
                place = None
            if place is not None:
                yield place, token.start()
            if what in ("[", "{"):
                above.append((place, 0 if what == "[" else None))
