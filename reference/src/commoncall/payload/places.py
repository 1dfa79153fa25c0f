"""Places in an input as segments, and findings in the order of their places.

A place is kept as segments until the end, so that a member named `10` and position 10 stay apart.
"""

from __future__ import annotations

from collections.abc import Iterable

from commoncall.envelope import Finding

Place = tuple[str | int, ...]
"""Names of members and positions in arrays, from the input down."""

Reported = tuple[Place, str]
"""A place and the code of what was found there."""


def findings_of(reported: Iterable[Reported]) -> list[Finding]:
    """Return findings in the order of their places, then codes (definition "finding")."""
    return [
        {"code": code, "path": pointer(place)}
        for place, code in sorted(reported, key=lambda one: (_order(one[0]), one[1]))
    ]


def pointer(place: Place) -> str:
    """Return the JSON Pointer of a place (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in place)


def _order(place: Place) -> list[tuple[int, str]]:
    # A place has members or positions below it, never both, so their mutual order is free.
    return [(part, "") if isinstance(part, int) else (-1, part) for part in place]
