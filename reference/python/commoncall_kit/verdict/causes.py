"""Failures with one and the same cause, for the forms that people read.

One operation that is not declared fails all of its cases; a report that has each of them in full
hides what else is wrong.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from commoncall_kit.verdict.report import CaseReport

FEW: Final = 3
"""So many failures of one cause stand for themselves; of more, so many are named."""


def grouped(failures: Sequence[CaseReport]) -> list[list[CaseReport]]:
    """Return failures in their order, those of one cause together where they are more than a few.

    A cause is a reason without a difference: not declared, skipped, the same exception.
    """
    groups: dict[object, list[CaseReport]] = {}
    for case in failures:
        told = case.reason and case.difference is None
        key = (case.outcome, case.scored, case.reason) if told else case.case
        groups.setdefault(key, []).append(case)
    found: list[list[CaseReport]] = []
    for group in groups.values():
        found += [group] if len(group) > FEW else [[case] for case in group]
    return found


def requirements(group: Sequence[CaseReport]) -> str:
    """Return what the cases of a group cite: ``CAP-001 to CAP-022, CAP-026``."""
    return ", ".join(ranges(sorted({name for case in group for name in case.requirements})))


def ranges(names: Sequence[str]) -> Iterator[str]:
    """Yield sorted ids, three or more that follow each other as one text."""
    runs: list[list[str]] = []
    for name in names:
        prefix, _, number = name.rpartition("-")
        before = f"{prefix}-{int(number) - 1:03}" if number.isdecimal() else ""
        if runs and runs[-1][-1] == before:
            runs[-1].append(name)
        else:
            runs.append([name])
    for run in runs:
        yield from run if len(run) < 3 else [f"{run[0]} to {run[-1]}"]
