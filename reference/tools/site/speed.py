"""The page of the ratios that `nox -s bench` measured last, which says so where it did not run."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.site.markdown import SiteError, escape, table

PAGE = "speed.md"
REPORT = "build/bench.json"

INTRO = """# Speed

What the reference costs over a floor that any port knows, such as one decoding of the same
payloads. Ratios, because milliseconds say more about the machine. A port may be as slow as it
likes: no requirement is about time but EXT-095, and that one is about growth."""

NOT_RUN = "Not run before this site was built: `nox -s bench` measures them."


def speed_page(root: Path) -> str:
    """Return the page.

    Raises:
        SiteError: a report is there and cannot be read.
    """
    path = root / REPORT
    if not path.exists():
        return f"{INTRO}\n\n{NOT_RUN}\n"
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        return "\n\n".join([INTRO, *_tables(report)]) + "\n"
    except (KeyError, TypeError, ValueError) as error:
        raise SiteError(f"{REPORT}: not a report of the bench ({error!r})") from None


def _tables(report: Mapping[str, Any]) -> Iterator[str]:
    missed = [row for row in report["rows"] if not row["met"]]
    goals = sum(row["goal"] is not None for row in report["rows"])
    yield (
        f"Measured with Python {escape(report['python'])}: {goals - len(missed)} of {goals} goals "
        "are met. Times are CPU time, memory is what the operation takes at most."
    )
    for module, rows in itertools.groupby(report["rows"], key=lambda row: str(row["module"])):
        yield f"## {module.capitalize()}"
        yield table(["case", "over", "ratio", "goal"], map(_cells, rows))


def _cells(row: Mapping[str, Any]) -> list[str]:
    goal = "" if row["goal"] is None else f"{row['goal']:.3g}"
    if goal and not row["met"]:
        goal += ", **missed**"
    return [escape(row["case"]), escape(row["floor"]), f"{row['ratio']:.3g}", goal]
