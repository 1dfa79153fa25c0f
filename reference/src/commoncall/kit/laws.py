"""Laws: what follows from a case without being written in it.

A case names its laws; the kit derives further inputs from them and expects the outcome of the case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final


def reversed_members(value: object) -> object:
    """Return the value with the members of every object in the opposite order."""
    if isinstance(value, dict):
        return {name: reversed_members(value[name]) for name in reversed(value)}
    if isinstance(value, list):
        return [reversed_members(item) for item in value]
    return value


INPUT_LAWS: Final[Mapping[str, Callable[[object], object]]] = {
    "key-order": reversed_members,
    # "idempotent" belongs here once an operation returns its input's form; "chunking" asks another
    # operation, see chunking.py. A law that the kit does not know yet is passed over.
}
