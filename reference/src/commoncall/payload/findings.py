"""Findings of operations that judge many places: how they are collected and put in order."""

from __future__ import annotations

from collections.abc import Sequence

from commoncall.envelope import Finding


def in_order(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings in the order of their paths, then of their codes (definition "finding").

    Array positions compare as numbers. Members at one place have no names that look like numbers:
    no path goes below arguments or an unknown member.
    """
    return sorted(findings, key=lambda finding: (_segments(finding["path"]), finding["code"]))


def rooted(findings: Sequence[Finding], root: str, path: str) -> list[Finding]:
    """Return findings below ``root`` as findings below ``path``."""
    return [{**one, "path": path + one["path"].removeprefix(root)} for one in findings]


def _segments(path: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in path.split("/")]
