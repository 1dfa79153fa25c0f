"""The page of the implementations: what each was found to do, and what it does not.

Each file of ``tests/adapters/reports`` is a column. ``nox -s reference -- --record`` writes those
of the two ports here; another port's is made of its report by
``python -m tools.records``.
"""

from collections.abc import Sequence
from functools import partial

from tools.records import PORTS
from tools.site.book import Book, Pages, Record, written
from tools.site.markdown import code, escape, folded, listed, plural, table

PAGE = "implementations/index.md"
OURS = ("reference", "node")
VIOLATED = ("violated", "not_run")
"""The verdicts on a requirement that are named; all others are as they should be."""


def pages(book: Book) -> Pages:
    """Return the page."""
    others = {file.stem for file in (book.root / PORTS).glob("*.json")}.difference(OURS)
    paths = [f"{PORTS}/{name}.json" for name in [*OURS, *sorted(others)]]
    records = [book.record(path, "reference") for path in paths]
    made = {
        "facts": _facts(book, records),
        "failing": map(partial(_failing, book), records),
    }
    return {PAGE: written(PAGE, **made)}


def _failing(book: Book, record: Record) -> str:
    """What an implementation does not keep: requirements with their verdicts, and cases."""
    verdicts = {one: record["requirements"].get(one, "not_run") for one in book.spec.requirements}
    named = [f"{one} {_words(end)}" for one, end in verdicts.items() if end in VIOLATED]
    failed = [f"`{name}`" for name in record["failed"]]
    head = f"{_name(record)}: {plural(len(failed), 'case')} of {len(named)} requirements"
    return folded(head, listed(named + failed)) if named or failed else f"{_name(record)}: nothing."


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


def _words(status: str) -> str:
    return escape(status.replace("_", " "))
