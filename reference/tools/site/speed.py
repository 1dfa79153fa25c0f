"""The page of the ratios that `nox -s bench -- --record` measured last."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from tools.site.book import Book, Pages, Record, written
from tools.site.markdown import escape, folded, table

PAGE = "speed.md"
RECORD = "tests/evidence/bench/record.json"
GROWTH = "growth: "
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
        yield f"## {module.capitalize()}"
        for is_growth, group in groupby(rows, key=lambda row: row["case"].startswith(GROWTH)):
            alike = list(group)
            # Hundreds of texts, of which each says that nothing grows faster than they do.
            met = f"{GROWTH}{sum(row['met'] for row in alike)} of {len(alike)} goals are met"
            yield folded(met, _table(alike)) if is_growth else _table(alike)


def _table(rows: Iterable[Record]) -> str:
    cells = []
    for row in rows:
        goal = ["", ""] if row["goal"] is None else [row["goal"], MET[row["met"]]]
        cells.append([escape(row["case"]), escape(row["floor"]), row["ratio"], *goal])
    return table(["case", "over", "ratio", "goal", "met"], cells)
