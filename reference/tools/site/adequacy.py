"""The page that says what the cases can show: their numbers, the mutants, the trivial adapters.

The numbers of requirements, cases and runs are those of the manifest; the rest is in the record
that ``nox -s mutants -- --record`` writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tools.records import MUTANTS
from tools.site.book import Book, Record
from tools.site.markdown import code, escape, folded, listed, table

PAGE = "adequacy.md"
COUNTED = ("requirements", "cases", "runs")
KINDS = ("mutants", "readings", "equal", "alive")
HEADS = ("mutants", "wrong readings", "of them equal", "alive")

INTRO = """# Adequacy

A number of cases says little: in known suites an adapter that does nothing passes a third to two
thirds of them. Three measurements say more. A **mutant** is the reference with one planted fault;
a requirement counts only when a case that cites it fails on such a fault. A **wrong reading** is
the Node port, made to take one sentence of the text as an honest porter could misread it; some are
**equal**: no input can tell them apart. **Alive** is what no case notices. A **trivial adapter**
answers in the right shape without doing the work; it has to satisfy no requirement."""

RUNS = """A run is one question to an adapter that declares every feature: each case twice, and
once more for most laws that it names."""


def parts(book: Book) -> Iterator[str]:
    """Yield the parts of the page."""
    record = book.record(MUTANTS, "mutants")
    yield INTRO
    yield from _contracts(book, record)
    yield RUNS
    when = book.recorded(record["suite"], record["date"])
    yield f"Mutants, wrong readings and trivial adapters are {when}."
    yield "## Trivial adapters"
    rows = []
    for row in record["trivial"]:
        told = "with" if row["diagnostics"] else "without"
        passed, satisfied = f"{row['passed']} of {row['cases']}", ", ".join(row["satisfied"])
        rows.append([code(row["adapter"]), told, passed, satisfied or "none"])
    yield table(["adapter", "diagnostics", "cases passed", "requirements satisfied"], rows)
    if record["exempt"]:
        yield "Exemptions:"
        yield listed(
            f"{code(row['adapter'])} satisfies {row['requirement']}: {escape(row['reason'])}."
            for row in record["exempt"]
        )
    yield "## Mutants"
    for contract, ones in book.by_contract():
        rows = []
        for one in ones:
            counts = [record[kind].get(one.id, 0) for kind in KINDS]
            rows.append([one.id, escape(one.title), "by review" * bool(one.review), *counts])
        found = table(["requirement", "title", "shown", *HEADS], rows)
        yield folded(f"{contract}: {len(rows)} requirements", found)


def _contracts(book: Book, record: Record) -> Iterator[str]:
    ids = {contract: [one.id for one in ones] for contract, ones in book.by_contract()}
    rows: list[list[Any]] = []
    for each in book.manifest.get("contracts", ()):
        known = ids.get(each["contract"], ())
        sums = [sum(record[kind].get(name, 0) for name in known) for kind in KINDS]
        rows.append([each["contract"], *(each[name] for name in COUNTED), *sums])
    if rows:
        rows.append(["all", *(sum(column) for column in [*zip(*rows, strict=True)][1:])])
        yield table(["contract", *COUNTED, *HEADS], rows)
