"""The flags of a profile as the judge takes them, and what it says of a request.

Names and values are those of the table in `spec/v1/payload.md`.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

Flags = Mapping[str, Any]

PAGE: Final = Path(__file__).parents[3] / "spec" / "v1" / "payload.md"
ROW: Final = re.compile(r"> \| `(\w+)` \| (.*) \| (.*) \| (.*) \| .* \|")
"""A row of the table of flags: name, values, strict value, open value, and who reads it."""


def _value(cell: str) -> Any:
    empty: Final[Mapping[str, Any]] = {"the empty list": [], "the empty object": {}}
    return empty[cell] if cell in empty else json.loads(cell.strip("`"))


_ROWS: Final = [
    row.groups() for row in map(ROW.fullmatch, PAGE.read_text("utf-8").splitlines()) if row
]

COMMON: Final[Flags] = {name: _value(open_) for name, _, _, open_ in _ROWS}
"""The flags where no profile is given: only what nobody takes is refused."""

STRICTEST: Final[Flags] = {name: _value(strict) for name, _, strict, _ in _ROWS}
"""The flags of the empty profile: what one provider refuses is refused."""

_KINDS: Final[Mapping[str, list[Any]]] = {
    "a boolean": [True, False],
    "a limit": [None, 1],
    "names": [[]],
    "choices": [[]],
    "refusals": [[]],
    "required members": [{}],
    "other names": [{}],
}

VALUES: Final[Mapping[str, list[Any]]] = {
    name: [*_KINDS[values], *([STRICTEST[name]] if values == "a limit" else [])]
    if values in _KINDS
    else [_value(value) for value in values.split(", ")]
    for name, values, _, _ in _ROWS
}
"""Values of each flag, of limits and names a few."""


class Violation(NamedTuple):
    """A rule that a request breaks, and where: a path into the request, for people."""

    rule: str
    at: str


def flags_of(profile: Flags | None) -> Flags:
    """Return all flags: the common ones without a profile, else the strictest that it eases.

    What is no profile, as a case may have it, eases nothing.
    """
    if profile is None:
        return COMMON
    if not isinstance(profile, dict):
        return STRICTEST
    base = COMMON if profile.get("base") == "open" else STRICTEST
    return {**base, **{name: value for name, value in profile.items() if name != "base"}}


def is_sent_name(name: object, flags: Flags) -> bool:
    """Tell whether a tool can have this name (rule R-5)."""
    start = {"any": "A-Za-z0-9_-", "letter": "A-Za-z"}
    if not isinstance(name, str) or not 1 <= len(name) <= 64:
        return False
    return _consists_of(start[flags["name_start"]], name[0]) and _consists_of("A-Za-z0-9_-", name)


def is_filled_list(value: object) -> bool:
    """Tell whether a value is a list with an element."""
    return isinstance(value, list) and bool(value)


def _consists_of(characters: str, text: str) -> bool:
    return re.fullmatch(f"[{characters}]*", text) is not None
