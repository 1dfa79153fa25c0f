"""A page for each suite with its cases in full, and the list of the suites."""

import html
import json
from collections.abc import Iterator
from itertools import starmap

from commoncall_kit.suite.incidents import address
from tools.fixtures.authored import REPORT
from tools.site.book import FIXTURES, Book, Pages, leaf, written
from tools.site.cases import Case, Suite, parts_of
from tools.site.markdown import code, escape, facts, html_link, link, listed, plural, table
from tools.site.places import GUIDE
from tools.site.readable import block

LISTED = 12
"""Cases from which on the page of a suite begins with a list of them."""

PAGE = "fixtures/index.md"

HELD = "try/cases.json"
"""For ``assets/cases.mjs``, which finds a case by its id alone."""


def pages(book: Book) -> Pages:
    """Return pages of the suites, their list, the guide to them, and in which suite a case is."""
    guide = (book.root / GUIDE).read_text(encoding="utf-8")
    return {
        PAGE: _index(book),
        GUIDE: book.moved(guide, GUIDE),
        **{suite.page: _page(suite) for suite in book.suites},
        HELD: json.dumps({suite.path: [case.id for case in suite.cases] for suite in book.suites}),
    }


def _page(suite: Suite) -> Iterator[str]:
    """The page of a suite: raw HTML, for cases are most of the site, and a third of it that way."""
    count = plural(len(suite.cases), "case")
    schema = f"schemas/v1/{suite.operation.replace('.', '/')}.md"
    operation = f"operation {link(schema, code(suite.operation))}"
    yield f"# {escape(suite.name)}"
    yield facts(link(PAGE, "Fixtures"), operation, count, link(suite.path, "raw JSON"))
    if len(suite.cases) >= LISTED:
        rows = "\n".join(
            f'<li><a href="#{case.id}">{html.escape(case.title)}</a></li>' for case in suite.cases
        )
        summary = f"<summary>{count}</summary>"
        yield f'<details class="cc-more">{summary}\n<ul>\n{rows}\n</ul>\n</details>'
    yield from map(_shown, suite.cases)
    for gone in suite.withdrawn:
        # Its anchor stays.
        yield f"## {escape(gone['id'])} {{ #{gone['id']} .cc-title }}"
        after = ", ".join(map(code, gone.get("replaced_by", ())))
        yield f"withdrawn {gone['since']}" + f", replaced by {after}" * bool(after)
        yield escape(gone["reason"])


def _index(book: Book) -> str:
    rows = []
    for suite in book.suites:
        cited = {name for case in suite.cases for name in case.requirements}
        name = link(suite.page, escape(suite.name))
        rows.append([name, code(suite.operation), len(suite.cases), len(cited)])
    files = [file for file in (book.root / FIXTURES).iterdir() if file.is_file()]
    beside = sorted(f"{FIXTURES}/{file.name}" for file in files if file.suffix != ".md")
    return written(
        PAGE,
        cases=len(book.cases),
        suites=len(book.suites),
        table=table(["suite", "operation", "cases", "requirements"], rows),
        files=listed(link(path, escape(path)) for path in beside),
    )


def _shown(case: Case) -> str:
    """One case in full as raw HTML without a blank line."""
    cited = ", ".join(html_link(leaf(name), name) for name in case.requirements)
    told = " · ".join([case.get(), cited, *_facts(case)])
    notes = " ".join(case.data.get("notes", "").split())
    rows = [
        f'<h2 id="{case.id}">{html.escape(case.title)}</h2>\n<p class="cc-facts">{told}</p>',
        *([f"<p>{html.escape(notes)}</p>"] if notes else []),
        *starmap(block, parts_of(case.data)),
    ]
    return '<div class="cc-blocks">\n' + "\n".join(rows) + "\n</div>"


def _facts(case: Case) -> Iterator[str]:
    """Yield risk, origin, and what decides whether the case runs."""
    data, origin = case.data, case.data["origin"]
    yield f"risk {data['risk']}"
    ref = origin.get("ref")
    if ref and REPORT.fullmatch(ref):
        ref = f'<a href="{address(ref)}">{ref}</a>'
    elif ref:
        ref = html_link(f"sources.md#{ref}", ref)
    yield f"{origin['kind']} {ref or ''}".rstrip()
    yield from (f"feature <code>{name}</code>" for name in data.get("features", ()))
    yield from (f"only without <code>{name}</code>" for name in data.get("without", ()))
    if "laws" in data:
        yield f"laws {', '.join(data['laws'])}"
    yield f"since {data['since']}"
