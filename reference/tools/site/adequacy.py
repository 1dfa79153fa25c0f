"""The page that says what the cases can show: their numbers, the mutants, the trivial adapters.

The numbers of requirements, cases and runs are those of the manifest; the rest is in the record
that ``nox -s mutants -- --record`` writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tools.law.text import Spec
from tools.records import MUTANTS
from tools.site.book import Book, Record, by_contract
from tools.site.markdown import code, escape, folded, in_form, table

PAGE = "adequacy.md"
MANIFEST = "fixtures/v1/manifest.json"
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


def pages(book: Book) -> dict[str, str]:
    """Return the page by its path on the site."""
    record = book.record(MUTANTS, "nox -s mutants -- --record")
    contracts = json.loads((book.root / MANIFEST).read_bytes()).get("contracts", [])
    with in_form(f"{MUTANTS}: not a record of the mutants"):
        when = book.recorded(record["suite"], record["date"])
        parts = [INTRO, *_contracts(contracts, record, book.spec), RUNS]
        parts += [f"Mutants, wrong readings and trivial adapters are {when}."]
        parts += ["## Trivial adapters", *_trivial(record)]
        parts += ["## Mutants", *_requirements(record, book.spec)]
        return {PAGE: "\n\n".join(parts)}


def _contracts(contracts: Sequence[Record], record: Record, spec: Spec) -> Iterator[str]:
    rows: list[list[Any]] = []
    for each in contracts:
        ids = [one.id for one in spec.requirements.values() if one.contract == each["contract"]]
        sums = [sum(record[kind].get(name, 0) for name in ids) for kind in KINDS]
        rows.append([each["contract"], *(each[name] for name in COUNTED), *sums])
    if rows:
        rows.append(["all", *(sum(column) for column in [*zip(*rows, strict=True)][1:])])
        yield table(["contract", *COUNTED, *HEADS], rows)


def _trivial(record: Record) -> Iterator[str]:
    rows = []
    for row in record["trivial"]:
        told = "with" if row["diagnostics"] else "without"
        passed, satisfied = f"{row['passed']} of {row['cases']}", ", ".join(row["satisfied"])
        rows.append([code(row["adapter"]), told, passed, satisfied or "none"])
    yield table(["adapter", "diagnostics", "cases passed", "requirements satisfied"], rows)
    if record["exempt"]:
        yield "Exemptions:"
        yield "\n".join(
            f"- {code(row['adapter'])} satisfies {row['requirement']}: {escape(row['reason'])}."
            for row in record["exempt"]
        )


def _requirements(record: Record, spec: Spec) -> Iterator[str]:
    for contract, ones in by_contract(spec):
        rows = []
        for one in ones:
            counts = [record[kind].get(one.id, 0) for kind in KINDS]
            rows.append([one.id, escape(one.title), "by review" * bool(one.review), *counts])
        found = table(["requirement", "title", "shown", *HEADS], rows)
        yield folded(f"{contract}: {len(rows)} requirements", found)
