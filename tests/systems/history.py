"""What each survey came to, one line a run: `history.jsonl`, which only grows.

A report is that of the last run. This file says what changed between versions of a system: a line
has the day, the version, how the cases ended, and the requirements that are not kept in every case.
"""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from commoncall_kit.suite.data import Suite
from commoncall_kit.verdict.survey import Survey, by_requirement

FILE: Final = Path(__file__).parent / "history.jsonl"

Row = Mapping[str, Any]


def row(report: Mapping[str, Any], suite: Suite) -> Row:
    """Return the line of a report. Cases that are no more say nothing of a requirement."""
    known = {case.id for case in suite.cases}
    found = Survey(
        kept=[case for case in report["kept"] if case in known],
        others={case: end for case, end in report["others"].items() if case in known},
        not_offered={},
        incomplete=None,
    )
    ends = Counter(end["outcome"] for end in report["others"].values())
    return {
        "date": report["date"],
        "suite": report["suite"]["digest"],
        "system": report["system"]["name"],
        "version": report["implementation"]["version"],
        "kept": len(report["kept"]),
        **dict(sorted(ends.items())),
        "not_kept": [rule.id for rule in by_requirement(suite, found, []) if rule.broken],
    }


def append(new: Row) -> None:
    """Add a line, where the last one of the system is not of this version and suite."""
    lines = FILE.read_text("utf-8").splitlines() if FILE.exists() else []
    held = [one for one in map(json.loads, lines) if one["system"] == new["system"]]
    named = ("version", "suite")
    if held and all(held[-1][name] == new[name] for name in named):
        return
    with FILE.open("a", encoding="utf-8") as file:
        file.write(json.dumps(new) + "\n")
