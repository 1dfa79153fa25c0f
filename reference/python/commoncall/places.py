"""Places in an input as segments, and findings in the order of their places.

Shared ground of the contracts. Names of members and positions in arrays stay apart, so that a
member named `10` is no position 10.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from commoncall.envelope import Finding

Place = tuple[str | int, ...]
"""Names of members and positions in arrays, from the input down."""

Reported = tuple[Place, str]
"""A place and the code of what was found there."""

_ARRAYS: Final = frozenset({"content", "layers", "messages", "registered", "tool_calls", "tools"})
"""The members whose elements findings name."""


def finding(place: Place, code: str) -> Finding:
    """Return the finding of a code at a place."""
    return {"code": code, "path": pointer(place)}


def findings_of(reported: Iterable[Reported]) -> list[Finding]:
    """Return findings in the order of their places, then codes (definition "finding")."""
    ordered = sorted(reported, key=lambda one: (_order(one[0]), one[1]))
    return [finding(place, code) for place, code in ordered]


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings in the order of their paths, then codes (definition "finding")."""
    return sorted(findings, key=lambda one: (_order(place_of(one["path"])), one["code"]))


def rooted(findings: Iterable[Finding], root: str, path: str) -> list[Finding]:
    """Return findings below ``root`` as findings below ``path``."""
    return [{**one, "path": path + one["path"].removeprefix(root)} for one in findings]


def pointer(place: Place) -> str:
    """Return the JSON Pointer of a place (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in place)


def place_of(path: str) -> Place:
    """Return the place that the path of a finding points to."""
    names = [name.replace("~1", "/").replace("~0", "~") for name in path.split("/")]
    return tuple(int(name) if before in _ARRAYS else name for before, name in pairwise(names))


def _order(place: Place) -> list[tuple[int, str]]:
    # A place has members or positions below it, never both, so their mutual order is free.
    return [(part, "") if isinstance(part, int) else (-1, part) for part in place]
