"""The page of the implementations: what each was found to do, requirement by requirement.

Each file of ``tests/adapters/reports`` is a column. ``nox -s reference -- --record`` writes those
of the two ports here; another port's is made of its report by ``python -m tools.records port``.
``assets/explorer.js`` hides rows, and finds in the cells by what.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tools.records import PORTS
from tools.site.book import Book, by_contract
from tools.site.cases import Case
from tools.site.markdown import SiteError, code, escape, folded, link, table
from tools.site.recorded import read_record, recorded
from tools.spec_text import Requirement, Spec

PAGE = "implementations/index.md"
OURS = ("reference", "node")
COMMAND = "nox -s reference -- --record"
GOOD = ("satisfied", "by_review", "not_applicable")

INTRO = """# Implementations

What the conformance kit found when it drove each implementation. A requirement is *satisfied* when
every case that cites it passed; *by review* when no case can show it, so that nothing was shown
here either; *not applicable* when the implementation does not declare its feature; *not run* when
the record knows nothing of it."""


def pages(book: Book) -> dict[str, str]:
    """Return the page by its path on the site.

    Raises:
        SiteError: a record is missing, or cannot be read.
    """
    others = {file.stem for file in (book.root / PORTS).glob("*.json")}.difference(OURS)
    paths = [f"{PORTS}/{name}.json" for name in [*OURS, *sorted(others)]]
    records = [read_record(book.root, path, COMMAND) for path in paths]
    cases = {case.id: case for suite in book.suites for case in suite.cases}
    try:
        parts = [INTRO, _facts(book.digest, records), "## Failing cases"]
        parts += [_failing(record, cases) for record in records]
        parts += ["## Requirements", *_requirements(records, book.spec, cases)]
    except (KeyError, TypeError, AttributeError) as error:
        raise SiteError(f"{PORTS}: not a record of a port ({error!r})") from None
    # The address is the page's own, so that it works wherever the site stands.
    parts.append('<script src="../assets/explorer.js" defer></script>')
    return {PAGE: "\n\n".join(parts)}


def _name(record: Mapping[str, Any]) -> str:
    return escape(record["implementation"]["name"])


def _facts(digest: str, records: Sequence[Mapping[str, Any]]) -> str:
    """Return what is said of each implementation as a whole, a column for each."""

    def when(record: Mapping[str, Any]) -> str:
        suite = record["suite"]
        return recorded(digest, suite["digest"], record["date"], suite["version"])

    def contract(name: str, record: Mapping[str, Any]) -> str:
        found = record["contracts"].get(name, {})
        if not found.get("verdict"):
            return "not claimed"
        return f"{_words(found['verdict'])}, {found['passed']} cases passed"

    def suite(record: Mapping[str, Any]) -> str:
        return f"{escape(record['suite']['version'])} {code(record['suite']['digest'][:19])}"

    named = {name: None for record in records for name in record["contracts"]}
    rows = [
        ["version", *(escape(record["implementation"]["version"]) for record in records)],
        ["language", *(escape(record["implementation"]["language"]) for record in records)],
        ["command", *(code(record["command"]) for record in records)],
        ["record", *map(when, records)],
        ["suite", *map(suite, records)],
        ["features", *(", ".join(map(escape, record["features"])) for record in records)],
        *([name, *(contract(name, record) for record in records)] for name in named),
    ]
    return table(["what", *map(_name, records)], rows)


def _failing(record: Mapping[str, Any], cases: Mapping[str, Case]) -> str:
    failed = [f"- {_case(name, cases)}" for name in record["failed"]]
    said = f"**{len(failed)}** fail:" if failed else "no case fails."
    return "\n".join([f"{_name(record)}: {said}", *([""] if failed else []), *failed])


def _case(name: str, cases: Mapping[str, Case]) -> str:
    """The id of a case, a link where the suite has it."""
    found = cases.get(name)
    return link(PAGE, found.address, escape(name)) if found else code(name)


def _requirements(
    records: Sequence[Mapping[str, Any]], spec: Spec, cases: Mapping[str, Case]
) -> Iterator[str]:
    """Yield a folded table for each contract; the numbers stand where it opens."""
    head = ["requirement", "title", "level", "feature", "since", *map(_name, records)]
    for contract, ones in by_contract(spec):
        counts = "; ".join(f"{_name(record)} {_counts(record, ones)}" for record in records)
        rows = [_row(one, records, cases) for one in ones]
        yield folded(f"{contract}: {counts}", table(head, rows), "cc-more cc-contract")


def _counts(record: Mapping[str, Any], rows: Sequence[Requirement]) -> str:
    """Return how many of the rows have which status, satisfied ones first."""
    found = [_status(record, one) for one in rows]
    kinds = sorted(set(found), key=lambda kind: ((*GOOD, kind).index(kind), kind))
    return ", ".join(f"{found.count(kind)} {_words(kind)}" for kind in kinds)


def _row(
    one: Requirement, records: Sequence[Mapping[str, Any]], cases: Mapping[str, Case]
) -> list[str]:
    versions = ", ".join([one.since, *(f"changed {version}" for version in one.changes)])
    return [one.id, escape(one.title), one.level, one.feature, versions] + [
        ", ".join([_shown(_status(record, one)), *_failed(one, record, cases)])
        for record in records
    ]


def _failed(
    one: Requirement, record: Mapping[str, Any], cases: Mapping[str, Case]
) -> Iterator[str]:
    """Yield the failing cases of a requirement that is violated."""
    for name in record["failed"] if _status(record, one) == "violated" else ():
        if name in cases and one.id in cases[name].requirements:
            yield _case(name, cases)


def _status(record: Mapping[str, Any], one: Requirement) -> str:
    """Return the recorded status; what a record does not know was not run."""
    return str(record["requirements"].get(one.id, "not_run"))


def _shown(status: str) -> str:
    return _words(status) if status in GOOD else f"**{_words(status)}**"


def _words(status: str) -> str:
    return escape(status.replace("_", " "))
