"""The page that says what the cases can show: their numbers, the mutants, the trivial adapters.

The numbers of requirements, cases and runs are those of the manifest; the rest is in the record
that ``nox -s mutants -- --record`` writes.
"""

from collections.abc import Iterator
from typing import Any

from tools.records import MUTANTS
from tools.site.book import Book, Pages, Record, grouped, written
from tools.site.markdown import code, escape, folded, plural, table

PAGE = "adequacy.md"
COUNTED = ("requirements", "cases", "runs")
KINDS = ("mutants", "readings", "equal", "alive")
HEADS = ("mutants", "wrong readings", "of them equal", "alive")


def pages(book: Book) -> Pages:
    """Return the page."""
    record = book.record(MUTANTS, "mutants")
    made = {
        "contracts": _contracts(book, record),
        "when": book.recorded(record["suite"], record["date"]),
        "trivial": _trivial(record),
        "mutants": _mutants(book, record),
    }
    return {PAGE: written(PAGE, **made)}


def _trivial(record: Record) -> str:
    rows = []
    for row in record["trivial"]:
        told = "with" if row["diagnostics"] else "without"
        satisfied = ", ".join(row["satisfied"]) or "none"
        rows.append([code(row["adapter"]), told, row["passed"], row["cases"], satisfied])
    return table(["adapter", "diagnostics", "passed", "of cases", "requirements satisfied"], rows)


def _mutants(book: Book, record: Record) -> Iterator[str]:
    of_contract = grouped((one.contract, one) for one in book.spec.requirements.values())
    for contract, ones in of_contract.items():
        rows = (
            [
                one.id,
                escape(one.title),
                "by review" * bool(one.review),
                *(record[kind].get(one.id, 0) for kind in KINDS),
            ]
            for one in sorted(ones, key=lambda one: one.id)
        )
        found = table(["requirement", "title", "shown", *HEADS], rows)
        yield folded(f"{contract}: {plural(len(ones), 'requirement')}", found)


def _contracts(book: Book, record: Record) -> str:
    contracts = {one.id: one.contract for one in book.spec.requirements.values()}
    rows: list[list[Any]] = []
    for each in book.manifest.get("contracts", ()):
        name = each["contract"]
        of_it = [id for id, contract in contracts.items() if contract == name]
        sums = [sum(record[kind].get(id, 0) for id in of_it) for kind in KINDS]
        rows.append([name, *(each[what] for what in COUNTED), *sums])
    if rows:
        rows.append(["all", *(sum(column) for column in [*zip(*rows, strict=True)][1:])])
    return table(["contract", *COUNTED, *HEADS], rows)
