"""The page of the ratios that `nox -s bench -- --record` measured last."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from tools.site.book import Book
from tools.site.markdown import escape, table

PAGE = "speed.md"
RECORD = "tests/evidence/bench/record.json"

INTRO = """# Speed

What the reference costs over a floor that any port knows, such as one decoding of the same
payloads. Ratios, because milliseconds say more about the machine. No requirement is about time
but EXT-095, and that one is about growth."""


def parts(book: Book) -> Iterator[str]:
    """Yield the parts of the page."""
    record = book.record(RECORD, "bench")
    goals = [row["met"] for row in record["rows"] if row["goal"] is not None]
    yield INTRO
    yield (
        f"Measured on {escape(record['date'])} with Python {escape(record['python'])}: "
        f"{sum(goals)} of {len(goals)} goals are met. Times are CPU time, memory is what the "
        "operation takes at most."
    )
    for module, rows in groupby(record["rows"], key=lambda row: str(row["module"])):
        cells = []
        for row in rows:
            goal = "" if row["goal"] is None else f"{row['goal']:.3g}"
            missed = ", **missed**" * bool(goal and not row["met"])
            case, floor = escape(row["case"]), escape(row["floor"])
            cells.append([case, floor, f"{row['ratio']:.3g}", goal + missed])
        yield f"## {module.capitalize()}"
        yield table(["case", "over", "ratio", "goal"], cells)
