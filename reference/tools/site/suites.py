"""A page for each suite with its cases in full, and the list of the suites."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from itertools import starmap
from typing import Any

from tools.site.book import FIXTURES, Book, leaf
from tools.site.cases import Case, Suite, case_files, get_link, parts_of
from tools.site.markdown import code, escape, facts, html_link, link, plural, table
from tools.site.places import GUIDE
from tools.site.readable import block

LISTED = 12
"""Cases from which on the page of a suite begins with a list of them."""

PAGE = "fixtures/index.md"
INDEX = """# Fixtures

{cases} cases in {suites} suites. Each suite has a page for people and a JSON
file for ports. A case alone is at `c/` and its id, such as [{alone}](../{alone}).

{table}

## Raw files

{files}
"""


def pages(book: Book) -> dict[str, str]:
    """Return pages of the suites, their list, the guide to them, and each case, by path."""
    guide = (book.root / GUIDE).read_text(encoding="utf-8")
    made = {suite.page: _page(suite) for suite in book.suites}
    made |= case_files(book.suites, book.version)
    return {PAGE: _index(book), GUIDE: book.moved(guide, GUIDE, GUIDE), **made}


def _page(suite: Suite) -> str:
    """The page of a suite: raw HTML, for cases are most of the site, and a third of it that way."""
    page, count = suite.page, plural(len(suite.cases), "case")
    schema = f"schemas/v1/{suite.operation.replace('.', '/')}.md"
    operation = f"operation {link(page, schema, code(suite.operation))}"
    raw = link(page, suite.path, "raw JSON")
    told = facts(link(page, PAGE, "Fixtures"), operation, count, raw)
    parts = [f"---\ntemplate: lean.html\n---\n\n# {escape(suite.name)}", told]
    if len(suite.cases) >= LISTED:
        rows = "\n".join(
            f'<li><a href="#{case.id}">{html.escape(case.title)}</a>' for case in suite.cases
        )
        summary = f"<summary>{count}</summary>"
        parts.append(f'<details class="cc-more">{summary}\n<ul>\n{rows}\n</ul>\n</details>')
    parts += map(_shown, suite.cases)
    parts += map(_withdrawn, suite.withdrawn)
    return "\n\n".join(parts) + "\n"


def _index(book: Book) -> str:
    rows = []
    for suite in book.suites:
        cited = {name for case in suite.cases for name in case.requirements}
        name = link(PAGE, suite.page, escape(suite.name))
        rows.append([name, code(suite.operation), len(suite.cases), len(cited)])
    files = [file for file in (book.root / FIXTURES).iterdir() if file.is_file()]
    beside = sorted(f"{FIXTURES}/{file.name}" for file in files if file.suffix != ".md")
    return INDEX.format(
        cases=len(book.cases),
        suites=len(book.suites),
        alone=next(iter(book.cases.values())).alone,
        table=table(["suite", "operation", "cases", "requirements"], rows),
        files="\n".join(f"- {link(PAGE, path, escape(path))}" for path in beside),
    )


def _shown(case: Case) -> str:
    """One case in full as raw HTML without a blank line."""
    cited = [html_link(case.page, leaf(name), name) for name in case.requirements]
    told = [get_link(case, case.page, f"{case.id}.json"), ", ".join(cited), *_facts(case)]
    notes = " ".join(case.data.get("notes", "").split())
    rows = [
        f'<h2 id="{case.id}">{html.escape(case.title)}</h2>',
        f'<p class="cc-facts">{" · ".join(told)}</p>',
        *([f"<p>{html.escape(notes)}</p>"] if notes else []),
        *starmap(block, parts_of(case.data)),
    ]
    return '<div class="cc-blocks">\n' + "\n".join(rows) + "\n</div>"


def _facts(case: Case) -> Iterator[str]:
    """Yield risk, origin, and what decides whether the case runs."""
    data, origin = case.data, case.data["origin"]
    yield f"risk {data['risk']}"
    ref = origin.get("ref")
    yield origin["kind"] + (f" {html_link(case.page, f'sources.md#{ref}', ref)}" if ref else "")
    yield from (f"feature <code>{name}</code>" for name in data.get("features", ()))
    yield from (f"only without <code>{name}</code>" for name in data.get("without", ()))
    if "laws" in data:
        yield f"laws {', '.join(data['laws'])}"
    yield f"since {data['since']}"


def _withdrawn(gone: Mapping[str, Any]) -> str:
    """The heading of a case that is no more: its anchor stays."""
    name = gone["id"]
    after = f", replaced by {', '.join(map(code, gone['replaced_by']))}" * ("replaced_by" in gone)
    told = f"withdrawn {gone['since']}{after}"
    return f"## {escape(name)} {{ #{name} .cc-title }}\n\n{told}\n\n{escape(gone['reason'])}"
