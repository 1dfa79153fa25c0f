"""The linter of ``spec/coverage.md``, which says where each statement of a source is held.

The page has a section for each source of ``sources.md``, and behind them one for each catalogue of
refusals. Each has a table of three columns: the number of the statement, the statement, and where
it is held. ``lint.py`` runs it.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from tools.law.text import (
    CONTRACTS,
    COVERAGE_PAGE,
    ID,
    LINK,
    OUT_OF_SCOPE,
    SOURCES_PAGE,
    Page,
    Problem,
    Section,
    Spec,
    table,
)

HEAD = ("n", "statement", "where")
MALFORMED = f"malformed row; its form is: | {' | '.join(HEAD)} |"
CATALOGUES = {"Refused requests": "R", "Refused histories": "H"}
"""The sections of what providers refuse, with the letter of their rows."""

_CASE = re.compile(rf"`((?:{'|'.join(CONTRACTS.values())})\.[a-z0-9_]+\.[a-z0-9-]+)`")


def coverage_problems(spec: Spec, cases: Mapping[str, Collection[str]] | None) -> Iterator[Problem]:
    """Yield every problem of the page.

    ``cases`` are all case ids, each with the requirements that it cites; None leaves them unjudged.
    """
    page = spec.pages.get(COVERAGE_PAGE)
    if page is None:
        yield Problem(f"spec/{COVERAGE_PAGE}", 1, "-", f"no page, but {SOURCES_PAGE} has sources")
        return
    letters = {source: f"S{number}" for number, source in enumerate(spec.sources)} | CATALOGUES
    sections = [section for section in page.sections if section.level == 2]
    names = [section.heading for section in sections]
    if names != list(letters):
        reason = f"the sections are not the sources of {SOURCES_PAGE} and the catalogues, in order"
        yield page.problem(1, "-", reason)
    for section in sections:
        yield from _rows(page, section, letters.get(section.heading, ""), cases)


def _rows(
    page: Page, section: Section, letter: str, cases: Mapping[str, Collection[str]] | None
) -> Iterator[Problem]:
    rows = 0
    for line, cells in table(section, HEAD):
        if not cells:
            yield page.problem(line, section.heading, MALFORMED)
            continue
        rows += 1
        number, statement, where = cells
        if number != f"{letter}-{rows}":
            yield page.problem(line, number, f"out of sequence; it has to be {letter}-{rows}")
        if not statement:
            yield page.problem(line, number, "no statement")
        found = [] if cases is None else _shown(statement, where, cases)
        for reason in (*_held(where), *found):
            yield page.problem(line, number, reason)
    if not rows:
        yield page.problem(section.line, section.heading, "no statement")


def _held(where: str) -> Iterator[str]:
    """A row names a requirement that holds its statement, or says why none does."""
    reason = where.startswith(OUT_OF_SCOPE) and where.removeprefix(OUT_OF_SCOPE).strip()
    if not reason and not any(ID.match(label) for label, _ in LINK.findall(where)):
        yield f"neither the id of a requirement nor `{OUT_OF_SCOPE}` and a reason"


def _shown(statement: str, where: str, cases: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Every case that a row names exists, and cites a requirement of the row, if there is one."""
    holding = {label for label, _ in LINK.findall(where) if ID.match(label)}
    for name in _CASE.findall(statement + " " + where):
        if name not in cases:
            yield f"the case {name} does not exist"
        elif holding and holding.isdisjoint(cases[name]) and not where.startswith(OUT_OF_SCOPE):
            yield f"the case {name} cites no requirement of the row"
