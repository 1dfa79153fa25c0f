"""The linter of ``spec/coverage.md``, which says where each statement of a source is held.

The page has a section for each source of ``sources.md``, in that order, with a table of three
columns: the number of the statement, the statement, and where it is held. Behind them it has one
for each catalogue of refusals, whose rows are a fixed number. ``lint.py`` runs it.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from tools.law.text import (
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
MALFORMED = f"malformed row; its form is: | {' | '.join(HEAD)} |"
OPEN = "open"
OUT_OF_SCOPE = "out of scope:"
CATALOGUES = {"Refused requests": ("R", 15), "Refused histories": ("H", 16)}
"""The sections of what providers refuse: the letter of their rows, and how many there are."""

_CASE = re.compile(rf"`((?:{'|'.join(CONTRACTS.values())})\.[a-z0-9_]+\.[a-z0-9-]+)`")


def coverage_problems(spec: Spec, cases: Mapping[str, Collection[str]] | None) -> Iterator[Problem]:
    """Yield every problem of the page.

    ``cases`` are all case ids, each with the requirements that it cites; None leaves them unjudged.
    """
    page = spec.pages.get(COVERAGE_PAGE)
    if page is None:
        yield Problem(f"spec/{COVERAGE_PAGE}", 1, "-", f"no page, but {SOURCES_PAGE} has sources")
        return
    sections = [section for section in page.sections if section.level == 2]
    yield from sections_in_order(spec, page, sections)
    for section in sections:
        rows = 0
        for line, cells in table(section, HEAD):
            if not cells:
                yield page.problem(line, section.heading, MALFORMED)
                continue
            rows += 1
            number, statement, where = cells
            reasons = [*numbered(spec, section, number, rows), *stated(statement, where)]
            reasons += [*held(where), *linked(spec, statement + " " + where)]
            if cases is not None:
                reasons += shown(statement, where, cases)
            yield from (page.problem(line, number, reason) for reason in reasons)
        _, count = CATALOGUES.get(section.heading, ("", rows))
        if rows != count:
            reason = f"{rows} rows; there are {count}"
            yield page.problem(section.line, section.heading, reason)
        elif not rows and section.heading in spec.sources:
            yield page.problem(section.line, section.heading, "the source has no statement")


def sections_in_order(spec: Spec, page: Page, sections: Sequence[Section]) -> Iterator[Problem]:
    """Each source has a section, in the order of the sources, and so has each catalogue."""
    names = [section.heading for section in sections]
    for source in spec.sources:
        if source not in names:
            yield page.problem(1, source, "the source has no section")
    for name in CATALOGUES:
        if names.count(name) != 1:
            yield page.problem(1, name, "the catalogue has no section, or two")
    for section in sections:
        if section.heading not in {*spec.sources, *CATALOGUES}:
            yield page.problem(section.line, section.heading, f"{SOURCES_PAGE} has no such source")
        elif section.heading in spec.sources and names.count(section.heading) > 1:
            yield page.problem(section.line, section.heading, "the source has two sections")
    known = [name for name in names if name in spec.sources]
    if known != sorted(known, key=spec.sources.index):
        yield page.problem(1, "-", f"the sections do not stand in the order of {SOURCES_PAGE}")


def numbered(spec: Spec, section: Section, number: str, position: int) -> Iterator[str]:
    """The statements of a section are numbered from 1 without a gap, behind its prefix."""
    prefix, _ = CATALOGUES.get(section.heading, ("", 0))
    if section.heading in spec.sources:
        prefix = f"S{spec.sources.index(section.heading)}"
    if prefix and number != f"{prefix}-{position}":
        yield f"out of sequence; it has to be {prefix}-{position}"


def stated(statement: str, where: str) -> Iterator[str]:
    """A statement is there, in our words: no address leads to where it came from."""
    if not statement:
        yield "no statement"
    if "://" in statement + where:
        yield "an address; rows hold none"


def held(where: str) -> Iterator[str]:
    """A row names a requirement that holds its statement, or says why none does."""
    if where == OPEN:
        yield "open: no requirement holds it yet"
    elif where.startswith(OUT_OF_SCOPE):
        if not where.removeprefix(OUT_OF_SCOPE).strip():
            yield f"no reason behind `{OUT_OF_SCOPE}`"
    elif not any(ID.match(label) for label, _ in LINK.findall(where)):
        yield f"neither the id of a requirement nor `{OUT_OF_SCOPE}` and a reason"


def linked(spec: Spec, text: str) -> Iterator[str]:
    """Every id is a link to what it names; that it exists is a rule for every page."""
    for name in MENTION.findall(LINK.sub("", text)):
        yield f"{name} is no link"
    for label, target in LINK.findall(text):
        requirement = spec.requirements.get(label)
        if requirement:
            is_right = target == f"{requirement.page}#{label.lower()}"
        else:
            is_right = target.startswith(f"../adr/{label.removeprefix('ADR-')}-")
        if not is_right and (requirement or label in spec.adrs):
            yield f"{label} links to {target}"


def shown(statement: str, where: str, cases: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Every case that a row names exists and cites a requirement of the row.

    A row that is out of scope has no requirement to show, and one without any has its own problem.
    """
    holding = {label for label, _ in LINK.findall(where) if ID.match(label)}
    for name in _CASE.findall(statement + " " + where):
        if name not in cases:
            yield f"the case {name} does not exist"
        elif holding and holding.isdisjoint(cases[name]) and not where.startswith(OUT_OF_SCOPE):
            yield f"the case {name} cites no requirement of the row"
