"""The page of one requirement at ``/r/ID/``: the sentence with its words, and what follows."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from itertools import groupby, islice

from tools.law.text import Requirement, Withdrawn
from tools.site.book import Book, leaf
from tools.site.cases import Case, case_blocks, get_link
from tools.site.contract import reasons, withdrawn_line
from tools.site.leaves import crumbs, front, leaf_page
from tools.site.markdown import escape, facts, html_link, link, plural

FEATURED = 2
"""Cases that stand in full under a requirement."""

FEATURED_LENGTH = 3_000
"""A longer case is never shown under a requirement, only linked."""


def pages(book: Book) -> dict[str, str]:
    """Return the page of each requirement, also of withdrawn ones, by path on the site."""
    made = {leaf(one.id): _withdrawn(book, one) for one in book.spec.withdrawn.values()}
    for name, one in book.spec.requirements.items():
        about = [_facts(one, leaf(name)), _decisions(book, one, leaf(name))]
        cases = _cases(book.citing.get(name, ()), leaf(name))
        made[leaf(name)] = leaf_page(book, name, about, cases)
    return made


def _withdrawn(book: Book, gone: Withdrawn) -> str:
    """The page of an id that is kept: what took its place."""
    head = f"{front(gone.id)}{crumbs(book, gone.id)}\n\n# {gone.id} (withdrawn)"
    return (
        f"{head} {{ #{gone.id.lower()} }}\n\n{facts(withdrawn_line(gone))}\n\n"
        "Nothing of it binds any more. The id stays, and is never given to another requirement.\n"
    )


def _facts(one: Requirement, page: str) -> str:
    history = f"unchanged since {one.since}"
    if one.changes:
        history = f"since {one.since}, changed {', '.join(one.changes)}"
    feature = "core" if one.feature == "core" else f"feature <code>{one.feature}</code>"
    digest = f"digest <code>{one.sha256[:8]}</code>"
    told = [f"**{one.level}**, {feature}", history, *reasons(one, page), digest]
    return "## Facts\n\n" + "\n".join(f"- {fact}" for fact in told)


def _decisions(book: Book, one: Requirement, page: str) -> str:
    found = [book.adrs[name] for name in one.adr]
    rows = [f"- {link(page, adr.path, f'{adr.id} {adr.title}')}" for adr in found]
    return "## Decisions\n\n" + "\n".join(rows) if rows else ""


def _cases(cases: Sequence[Case], page: str) -> str:
    """A few cases in full, and all as links to their places, by suite."""
    if not cases:
        return ""
    short = islice((case for case in cases if len(case.shown) <= FEATURED_LENGTH), FEATURED)
    full = "\n\n".join(_featured(case, page) for case in short)
    lists = "\n".join(_lists(cases, page))
    return f"## {plural(len(cases), 'case')} {{ #cases }}\n\n{full}\n\n{lists}"


def _featured(case: Case, page: str) -> str:
    # The link is Markdown: of links in raw HTML each engine makes something else.
    place = facts(link(page, case.address, escape(case.id)), get_link(case, page))
    return (
        '<details class="cc-case" open markdown="1">\n'
        f"<summary>{html.escape(case.title)}</summary>\n\n{place}\n\n{case_blocks(case)}\n\n"
        "</details>"
    )


def _lists(cases: Sequence[Case], page: str) -> Iterator[str]:
    # Raw HTML, because there are thousands of these rows.
    ordered = sorted(cases, key=lambda case: case.page)
    for suite, group in groupby(ordered, key=lambda case: case.page):
        name = suite.removeprefix("fixtures/v1/").removesuffix(".md")
        rows = "".join(
            f"<li>{html_link(page, case.address, case.title)} <small>{_kind(case)}</small> "
            f"{html_link(page, case.alone, 'JSON')}</li>"
            for case in group
        )
        yield f'<p class="cc-label">{name}</p>\n<ul class="cc-cases">{rows}</ul>'


def _kind(case: Case) -> str:
    """What the case expects where that is an error, and what a port risks that fails it."""
    risk = case.data["risk"]
    return f"error · {risk}" if "error" in case.data["expect"] else str(risk)
