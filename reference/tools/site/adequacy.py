"""The page that says what the cases can show: their numbers, and the mutants that they notice.

The numbers of requirements, cases and runs are those of the manifest, the rest those of the lists
of mutants. ``nox -s mutants`` fails where a row is noticed by no case.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from tools.site.book import Book, Pages, grouped, written
from tools.site.markdown import escape, folded, plural, table

PAGE = "adequacy.md"
COUNTED = ("requirements", "cases", "runs")
LISTS = "tests/evidence/mutants"
HEADS = ("mutants", "wrong readings")
FILES = ("*.json", "*/*.json")
"""The lists of the reference, and of the ports."""


def pages(book: Book) -> Pages:
    """Return the page."""
    counts = [_counts(book, files) for files in FILES]
    made = {"contracts": _contracts(book, counts), "mutants": _mutants(book, counts)}
    return {PAGE: written(PAGE, **made)}


def _counts(book: Book, files: str) -> Counter[str]:
    """Return how many rows each requirement has, without those that no input can tell apart."""
    lists = (json.loads(file.read_bytes()) for file in (book.root / LISTS).glob(files))
    return Counter(row["requirement"] for rows in lists for row in rows if "equal" not in row)


def _mutants(book: Book, counts: Sequence[Counter[str]]) -> Iterator[str]:
    of_contract = grouped((one.contract, one) for one in book.spec.requirements.values())
    for contract, ones in of_contract.items():
        rows = (
            [
                one.id,
                escape(one.title),
                "by review" * bool(one.review),
                *(each[one.id] for each in counts),
            ]
            for one in sorted(ones, key=lambda one: one.id)
        )
        found = table(["requirement", "title", "shown", *HEADS], rows)
        yield folded(f"{contract}: {plural(len(ones), 'requirement')}", found)


def _contracts(book: Book, counts: Sequence[Counter[str]]) -> str:
    contracts = {one.id: one.contract for one in book.spec.requirements.values()}
    rows: list[list[Any]] = []
    for each in book.manifest.get("contracts", ()):
        name = each["contract"]
        of_it = [id for id, contract in contracts.items() if contract == name]
        sums = [sum(one[id] for id in of_it) for one in counts]
        rows.append([name, *(each[what] for what in COUNTED), *sums])
    if rows:
        rows.append(["all", *(sum(column) for column in [*zip(*rows, strict=True)][1:])])
    return table(["contract", *COUNTED, *HEADS], rows)
