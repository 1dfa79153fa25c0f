"""Findings of the parts in one order, as findings of a turn."""

from __future__ import annotations

from collections.abc import Iterable

from commoncall.envelope import Finding

_ARRAYS = {"layers", "registered", "messages", "tools", "tool_calls"}
"""The members whose elements findings name."""


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings in the order of their paths, then of their codes (definition "finding")."""
    return sorted(findings, key=lambda finding: (_segments(finding["path"]), finding["code"]))


def _segments(path: str) -> list[tuple[int, str]]:
    # A segment is a position where an array stands before it, and the name of a member elsewhere,
    # digits or not.
    names = [name.replace("~1", "/").replace("~0", "~") for name in path.split("/")]
    return [
        (int(name), "") if before in _ARRAYS else (-1, name)
        for before, name in zip(["", *names], names, strict=False)
    ]
