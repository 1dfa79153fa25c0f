"""The page of the implementations: what each was found to do, requirement by requirement.

Each file of ``tests/adapters/reports`` is a column. ``nox -s reference -- --record`` writes those
of the two ports here; another port's is made of its report by
``python -m tools.records port``.
``assets/explorer.js`` hides rows, and finds in the cells by what.
"""

from collections.abc import Iterator, Sequence

from tools.law.text import Requirement
from tools.records import PORTS
from tools.site.book import Book, Pages, Record, written
from tools.site.markdown import code, escape, folded, listed, table

PAGE = "implementations/index.md"
OURS = ("reference", "node")
MARKS = {"satisfied": "✓", "by_review": "✓", "not_applicable": "–", "not_run": "?"}
GOOD = ("satisfied", "by_review", "not_applicable")


def pages(book: Book) -> Pages:
    """Return the page."""
    others = {file.stem for file in (book.root / PORTS).glob("*.json")}.difference(OURS)
    paths = [f"{PORTS}/{name}.json" for name in [*OURS, *sorted(others)]]
    records = [book.record(path, "reference") for path in paths]
    made = {
        "facts": _facts(book, records),
        "failing": map(_failing, records),
        "requirements": _requirements(book, records),
    }
    return {PAGE: written(PAGE, **made)}


def _failing(record: Record) -> str:
    failed = [f"`{name}`" for name in record["failed"]]
    fail = folded(f"{_name(record)}: {len(failed)} fail", listed(failed))
    return fail if failed else f"{_name(record)}: no case fails."


def _requirements(book: Book, records: Sequence[Record]) -> Iterator[str]:
    def row(one: Requirement) -> list[str]:
        versions = ", ".join([one.since, *(f"changed {version}" for version in one.changes)])
        return [one.level, one.feature, versions, *(_found(book, each, one) for each in records)]

    def counted(rows: Sequence[Sequence[str]]) -> str:
        ones = [book.spec.requirements[row[0]] for row in rows]
        # The numbers stand where the table opens.
        return "; ".join(f"{_name(record)} {_counts(record, ones)}" for record in records)

    head = ["level", "feature", "since", *map(_name, records)]
    return book.by_contract(head, row, counted, "cc-more cc-contract")


def _name(record: Record) -> str:
    return escape(record["implementation"]["name"])


def _facts(book: Book, records: Sequence[Record]) -> str:
    contracts = {name: None for record in records for name in record["contracts"]}
    columns = []
    for record in records:
        port, suite = record["implementation"], record["suite"]
        cells = {
            "version": escape(port["version"]),
            "language": escape(port["language"]),
            "command": code(record["command"]),
            "record": book.recorded(suite["digest"], record["date"], suite["version"]),
            "features": ", ".join(map(escape, record["features"])),
        }
        for name in contracts:
            found, cells[name] = record["contracts"].get(name, {}), "not claimed"
            if found.get("verdict"):
                cells[name] = f"{_words(found['verdict'])}, {found['passed']:,} cases passed"
        columns.append(cells)
    rows = [[name, *(cells[name] for cells in columns)] for name in columns[0]]
    return table(["what", *map(_name, records)], rows)


def _counts(record: Record, ones: Sequence[Requirement]) -> str:
    found = [_status(record, one) for one in ones]
    kinds = sorted(set(found), key=lambda kind: ((*GOOD, kind).index(kind), kind))
    return ", ".join(f"{found.count(kind)} {_words(kind)}" for kind in kinds)


def _found(book: Book, record: Record, one: Requirement) -> str:
    """The status of a requirement, and where it is violated the failing cases."""
    status = _status(record, one)
    failed = [case.id for case in book.citing.get(one.id, ()) if case.id in record["failed"]]
    mark = MARKS.get(status, "✗")
    shown = f"{mark} {_words(status)}" if status in GOOD else f"**{mark} {_words(status)}**"
    return ", ".join([shown, *(f"`{name}`" for name in failed if status == "violated")])


def _status(record: Record, one: Requirement) -> str:
    """The recorded status; what a record does not know was not run."""
    return str(record["requirements"].get(one.id, "not_run"))


def _words(status: str) -> str:
    return escape(status.replace("_", " "))
