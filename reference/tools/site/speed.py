"""The page of the ratios that `nox -s bench -- --record` measured last."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tools.site.book import Book, Record
from tools.site.markdown import escape, in_form, table

PAGE = "speed.md"
RECORD = "tests/evidence/bench/record.json"

INTRO = """# Speed

What the reference costs over a floor that any port knows, such as one decoding of the same
payloads. Ratios, because milliseconds say more about the machine. No requirement is about time
but EXT-095, and that one is about growth."""


def pages(book: Book) -> dict[str, str]:
    """Return the page by its path on the site."""
    record = book.record(RECORD, "nox -s bench -- --record")
    with in_form(f"{RECORD}: not a record of the bench"):
        return {PAGE: "\n\n".join([INTRO, *_tables(record)])}


def _tables(record: Record) -> Iterator[str]:
    goals = [row["met"] for row in record["rows"] if row["goal"] is not None]
    yield (
        f"Measured on {escape(record['date'])} with Python {escape(record['python'])}: "
        f"{sum(goals)} of {len(goals)} goals are met. Times are CPU time, memory is what the "
        "operation takes at most."
    )
    for module, rows in itertools.groupby(record["rows"], key=lambda row: str(row["module"])):
        yield f"## {module.capitalize()}"
        yield table(["case", "over", "ratio", "goal"], map(_cells, rows))


def _cells(row: Record) -> list[str]:
    goal = "" if row["goal"] is None else f"{row['goal']:.3g}"
    if goal and not row["met"]:
        goal += ", **missed**"
    return [escape(row["case"]), escape(row["floor"]), f"{row['ratio']:.3g}", goal]
