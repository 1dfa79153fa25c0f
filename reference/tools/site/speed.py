"""The page of the ratios that `nox -s bench -- --record` measured last."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from tools.site.book import Book, Pages, Record, written
from tools.site.markdown import escape, table

PAGE = "speed.md"
RECORD = "tests/evidence/bench/record.json"
MET = {True: "yes", False: "**no**"}


def pages(book: Book) -> Pages:
    """Return the page."""
    record = book.record(RECORD, "bench")
    goals = [row["met"] for row in record["rows"] if row["goal"] is not None]
    made = {
        "date": escape(record["date"]),
        "python": escape(record["python"]),
        "met": f"{sum(goals)} of {len(goals)}",
        "modules": _modules(record),
    }
    return {PAGE: written(PAGE, **made)}


def _modules(record: Record) -> Iterator[str]:
    for module, rows in groupby(record["rows"], key=lambda row: str(row["module"])):
        cells = []
        for row in rows:
            goal = ["", ""] if row["goal"] is None else [row["goal"], MET[row["met"]]]
            cells.append([escape(row["case"]), escape(row["floor"]), row["ratio"], *goal])
        yield f"## {module.capitalize()}"
        yield table(["case", "over", "ratio", "goal", "met"], cells)
