"""The linter of ``spec/coverage.md``, which says where each statement of a source is held.

The page has a section for each source of ``sources.md``, in that order, with a table of three
columns: the number of the statement, the statement, and where it is held. Behind them it has one
for each catalogue of refusals, whose rows are a fixed number. ``spec_lint.py`` runs it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from tools.spec_text import (
    CONTRACTS,
    ID,
    LINK,
    MENTION,
    SOURCES_PAGE,
    Page,
    Problem,
    Section,
    Spec,
    table,
)

COVERAGE_PAGE = "coverage.md"
HEAD = ("n", "statement", "where")
OPEN = "open"
OUT_OF_SCOPE = "out of scope:"
CATALOGUES = {"Refused requests": ("R", 14), "Refused histories": ("H", 16)}
"""The sections of what providers refuse: the letter of their rows, and how many there are."""

_CASE = re.compile(rf"`((?:{'|'.join(CONTRACTS.values())})\.[a-z0-9_]+\.[a-z0-9-]+)`")


@dataclass(frozen=True, slots=True)
class Row:
    """One statement: the number of its line, and its three cells as they are written."""

    line: int
    number: str
    statement: str
    where: str


def coverage_problems(spec: Spec, cases: Mapping[str, Collection[str]] | None) -> Iterator[Problem]:
    """Yield every problem of the page.

    ``cases`` are all case ids, each with the requirements that it cites; None leaves them unjudged.
    """
    page = spec.pages.get(COVERAGE_PAGE)
    if page is None:
        yield Problem(f"spec/{COVERAGE_PAGE}", 1, "-", f"no page, but {SOURCES_PAGE} has sources")
        return
    yield from sections_of_sources(spec, page)
    for section in _source_sections(page):
        rows, problems = read_rows(section)
        yield from problems
        if section.heading in spec.sources:
            yield from numbers(rows, f"S{spec.sources.index(section.heading)}")
        elif section.heading in CATALOGUES:
            yield from catalogue(section, rows)
        for row in rows:
            reasons = [*statement(row), *place(row), *links(spec, row)]
            for reason in [*reasons, *(shown(row, cases) if cases is not None else ())]:
                yield _problem(row.line, row.number, reason)


def sections_of_sources(spec: Spec, page: Page) -> Iterator[Problem]:
    """Each source has a section with at least one statement, in the order of the sources."""
    held = [section.heading for section in _source_sections(page)]
    for source in spec.sources:
        if source not in held:
            yield _problem(1, source, "the source has no section")
    for name in CATALOGUES:
        if held.count(name) != 1:
            yield _problem(1, name, "the catalogue has no section, or two")
    for section in _source_sections(page):
        if section.heading in CATALOGUES:
            continue
        if section.heading not in spec.sources:
            yield _problem(section.line, section.heading, f"{SOURCES_PAGE} has no such source")
        elif held.count(section.heading) > 1:
            yield _problem(section.line, section.heading, "the source has two sections")
        elif not read_rows(section)[0]:
            yield _problem(section.line, section.heading, "the source has no statement")
    known = [name for name in held if name in spec.sources]
    if known != sorted(known, key=spec.sources.index):
        yield _problem(1, "-", f"the sections do not stand in the order of {SOURCES_PAGE}")


def read_rows(section: Section) -> tuple[list[Row], list[Problem]]:
    """The statements of a section, and a problem for each row of another form."""
    rows: list[Row] = []
    problems: list[Problem] = []
    for line, cells in table(section, HEAD):
        if cells:
            rows.append(Row(line, *cells))
        else:
            form = f"| {' | '.join(HEAD)} |"
            problems.append(_problem(line, section.heading, f"malformed row; its form is: {form}"))
    return rows, problems


def catalogue(section: Section, rows: Collection[Row]) -> Iterator[Problem]:
    """A catalogue has all of its rows: a refusal that nobody holds is a request that is lost."""
    letter, count = CATALOGUES[section.heading]
    yield from numbers(rows, letter)
    if len(rows) != count:
        yield _problem(section.line, section.heading, f"{len(rows)} rows; there are {count}")


def numbers(rows: Collection[Row], prefix: str) -> Iterator[Problem]:
    """The statements of a section are numbered from 1 without a gap, behind its prefix."""
    for position, row in enumerate(rows, 1):
        wanted = f"{prefix}-{position}"
        if row.number != wanted:
            yield _problem(row.line, row.number, f"out of sequence; it has to be {wanted}")


def statement(row: Row) -> Iterator[str]:
    """A statement is there, in our words: no address leads to where it came from."""
    if not row.statement:
        yield "no statement"
    if "://" in row.statement + row.where:
        yield "an address; rows hold none"


def place(row: Row) -> Iterator[str]:
    """A row names a requirement that holds its statement, or says why none does."""
    if row.where == OPEN:
        yield "open: no requirement holds it yet"
    elif row.where.startswith(OUT_OF_SCOPE):
        if not row.where.removeprefix(OUT_OF_SCOPE).strip():
            yield f"no reason behind `{OUT_OF_SCOPE}`"
    elif not any(ID.match(label) for label, _ in LINK.findall(row.where)):
        yield f"neither the id of a requirement nor `{OUT_OF_SCOPE}` and a reason"


def links(spec: Spec, row: Row) -> Iterator[str]:
    """Every id is a link to what it names; that it exists is a rule for every page."""
    bare = LINK.sub("", row.statement + " " + row.where)
    for name in MENTION.findall(bare):
        yield f"{name} is no link"
    for label, target in LINK.findall(row.statement + " " + row.where):
        if not MENTION.fullmatch(label):
            continue
        requirement = spec.requirements.get(label)
        if requirement:
            is_right = target == f"{requirement.page}#{label.lower()}"
        else:
            is_right = target.startswith(f"../adr/{label.removeprefix('ADR-')}-")
        if not is_right and (requirement or label in spec.adrs):
            yield f"{label} links to {target}"


def shown(row: Row, cases: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Every case that a row names exists and cites a requirement of the row.

    A row that is out of scope has no requirement to show, and one without any has its own problem.
    """
    held = {label for label, _ in LINK.findall(row.where) if ID.match(label)}
    if row.where.startswith(OUT_OF_SCOPE):
        held = set()
    for name in _CASE.findall(row.statement + " " + row.where):
        if name not in cases:
            yield f"the case {name} does not exist"
        elif held and held.isdisjoint(cases[name]):
            yield f"the case {name} cites no requirement of the row"


def _source_sections(page: Page) -> list[Section]:
    return [section for section in page.sections if section.level == 2]


def _problem(line: int, name: str, reason: str) -> Problem:
    return Problem(f"spec/{COVERAGE_PAGE}", line, name, reason)
