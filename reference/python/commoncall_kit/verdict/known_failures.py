"""Known failures: what a port admits for now, each with a reason, an issue and a last day.

An entry names one case or one requirement, never a pattern. It excuses what fails, and nothing
else: an entry that has come true, or run out, is itself a fault.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from commoncall_kit.suite import kept_files
from commoncall_kit.suite.data import Suite
from commoncall_kit.verdict.conformance import BAD, CaseResult

EntryKind = Literal["case", "requirement"]
EntryState = Literal["fails", "stale", "expired", "idle"]
"""``idle``: the run says nothing of it. ``stale`` and ``expired`` are faults of the list."""


class KnownFailuresError(Exception):
    """The file is out of form, or names what does not exist. The text says it in one line."""


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """One entry; ``expires`` is the last day on which it counts, and ``state`` what a run says."""

    kind: EntryKind
    id: str
    reason: str
    issue: str
    expires: str
    state: EntryState = "idle"


def read(content: bytes, suite: Suite) -> list[KnownFailure]:
    """Read the file of a port: ``schemas/v1/formats/known-failures.schema.json``.

    Raises:
        KnownFailuresError: it is out of form, or an id is not one of the suite.
    """
    rows = kept_files.read(content, "known-failures", KnownFailuresError)["known_failures"]
    entries = [_entry(row, at) for at, row in enumerate(rows)]
    exist = {"case": {case.id for case in suite.cases}, "requirement": set(suite.requirements)}
    seen = set[str]()
    for entry in entries:
        if entry.id not in exist[entry.kind]:
            raise KnownFailuresError(f"no {entry.kind} {entry.id} in this suite")
        if entry.id in seen:
            raise KnownFailuresError(f"{entry.id} stands twice")
        seen.add(entry.id)
    return entries


def judge(
    entries: Sequence[KnownFailure],
    suite: Suite,
    results: Sequence[CaseResult],
    today: date | None,
) -> tuple[list[KnownFailure], dict[str, str]]:
    """Hold each entry to the outcomes of a run; without a date none expires.

    Returns:
        The entries with their states, and the cases whose failure they excuse, each with the id of
        its entry.
    """
    outcomes = {result.case.id: result.outcome for result in results}
    judged: list[KnownFailure] = []
    excused: dict[str, str] = {}
    for entry in entries:
        named = {
            case.id: outcomes.get(case.id, "not_run")
            for case in suite.cases
            if entry.id in (case.id, *case.requirements)
        }
        state = _state(entry, named.values(), today)
        judged.append(replace(entry, state=state))
        if state == "fails":
            excused |= {name: entry.id for name, outcome in named.items() if outcome in BAD}
    return judged, excused


def _state(entry: KnownFailure, outcomes: Collection[str], today: date | None) -> EntryState:
    if today is not None and entry.expires < today.isoformat():
        return "expired"
    if any(outcome in BAD for outcome in outcomes):
        return "fails"
    return "idle" if "not_run" in outcomes else "stale"


def _entry(row: Mapping[str, str], at: int) -> KnownFailure:
    kind: EntryKind = "case" if "case" in row else "requirement"
    try:
        date.fromisoformat(row["expires"])
    except ValueError:  # a schema knows no calendar
        raise KnownFailuresError(
            f"known_failures[{at}].expires is a day that never comes"
        ) from None
    return KnownFailure(kind, row[kind], row["reason"], row["issue"], row["expires"])
