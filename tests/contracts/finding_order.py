"""The order of findings, told from their paths alone (definition "finding")."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

ARRAYS = {"content", "layers", "messages", "outcomes", "registered", "tool_calls", "tools"}
"""The members whose elements findings name."""


def in_order(findings: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return findings in the order of their places, then codes; positions count as numbers."""
    return sorted(findings, key=lambda one: (place_of(one["path"]), one["code"]))


def place_of(path: str) -> list[tuple[int, str]]:
    names = [name.replace("~1", "/").replace("~0", "~") for name in path.split("/")]
    return [(int(name), "") if before in ARRAYS else (-1, name) for before, name in pairwise(names)]
