"""Places in an input as segments, and what is found there.

Shared ground of the contracts. Names of members and positions in arrays stay apart until a place is
written, so that a member named `10` is no position 10.
"""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from commoncall.envelope import Finding

Place = tuple[str | int, ...]
"""Names of members and positions in arrays, from the input down."""


_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_INDEX: Final = re.compile("0|[1-9][0-9]{0,8}")
_FRAGMENT: Final = re.compile(r"#(?:/(?:[^%]|%[0-9A-Fa-f]{2})*)?", re.DOTALL)
_PERCENT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_LONGEST: Final = 40
"""A name of a member is cut behind so many characters."""


class Found(NamedTuple):
    """A code, where it was found, the size in UTF-8 bytes of what was judged, if it has one, that
    it can be repaired, and the repairs that were made.
    """

    place: Place
    code: str
    size: int | None = None
    repairable: bool = False
    repairs: tuple[str, ...] = ()


class Findings:
    """What one operation found. Places are written once, at the end."""

    def __init__(self) -> None:
        self.found: list[Found] = []

    def add(self, place: Place, code: str) -> None:
        """Add a code that was found at a place."""
        self.found.append(Found(place, code))

    def extend(self, found: Iterable[Found], below: Place = ()) -> None:
        """Add what was found below a place."""
        self.found += [one._replace(place=(*below, *one.place)) for one in found]

    def rendered(self, is_refused: Callable[[Found], bool] = lambda one: False) -> list[Finding]:
        """Return the findings, each once, in the order of places, then codes (def. "finding")."""
        ordered = sorted(self.found, key=lambda one: (_order(one.place), one.code))
        found: list[Finding] = []
        for one in dict.fromkeys(ordered):
            finding = rendered(one)
            if is_refused(one):
                finding["refused"] = True
            found.append(finding)
        return found


def rendered(found: Found, below: str = "") -> Finding:
    """Return a finding as a result has it; ``below`` is the pointer to where its place begins."""
    finding: Finding = {"code": found.code, "path": below + pointer(found.place)}
    if found.size is not None:
        finding["bytes"] = found.size
    if found.repairable:
        finding["repairable"] = True
    if found.repairs:
        finding["repairs"] = [*found.repairs]
    return finding


def pointer(place: Place) -> str:
    """Return the JSON Pointer of a place (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in place)


def read_pointer(text: str) -> tuple[str, ...]:
    """Return the names of a JSON Pointer. What leads into an array is written as a name, too."""
    return tuple(name.replace("~1", "/").replace("~0", "~") for name in text.split("/")[1:])


def referred(reference: object, root: object) -> object:
    """Return what a local reference names, None where that is nothing: ``#`` and, percent-encoded,
    a JSON Pointer.
    """
    if not isinstance(reference, str) or not _FRAGMENT.fullmatch(reference):
        return None
    try:
        return found_at(root, read_pointer(_PERCENT.sub(_decoded, reference)))
    except UnicodeDecodeError:
        return None


def _decoded(encoded: re.Match[str]) -> str:
    return bytes.fromhex(encoded[0].replace("%", "")).decode()


def found_at(value: object, names: Iterable[str], absent: object = None) -> object:
    """Return what stands where the names of a pointer lead, ``absent`` where that is nothing."""
    for name in names:
        if isinstance(value, dict):
            value = value.get(name, absent)
        elif isinstance(value, list) and _INDEX.fullmatch(name) and int(name) < len(value):
            value = value[int(name)]
        else:
            return absent
    return value


def at(value: Any, place: Place, absent: object = None) -> Any:
    """Return what stands at a place of a JSON value, ``absent`` where that is nothing."""
    for step in place:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return absent
    return value


def dotted(place: Place) -> str:
    """Return a place for people, as in ``messages[3].role``."""
    parts = (f"[{part}]" if isinstance(part, int) else _named(part) for part in place)
    return "".join(parts).removeprefix(".") or "the input"


def _named(name: str) -> str:
    if _PLAIN.match(name) and len(name) <= _LONGEST:
        return f".{name}"
    cut = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
    return f"[{json.dumps(cut)}]"


def _order(place: Place) -> list[tuple[int, str]]:
    # A place has members or positions below it, never both, so their mutual order is free.
    return [(part, "") if isinstance(part, int) else (-1, part) for part in place]
