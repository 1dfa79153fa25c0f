"""The page of one requirement at ``/r/ID/``: the sentence with its words, and what follows."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from itertools import groupby

from tools.site.cases import FEATURED, FEATURED_LENGTH, Case, case_blocks, get_link, show_json
from tools.site.contract import SHOWN, facts_of, leaf, plural, withdrawn_line
from tools.site.definition import (
    Book,
    copied,
    crumbs,
    flags_section,
    front,
    inlined,
    neighbours,
    used_by,
)
from tools.site.markdown import escape, relative, relative_address
from tools.spec_text import Requirement, Withdrawn


def requirement_page(book: Book, one: Requirement) -> str:
    """Return the Markdown page of a requirement."""
    page, section = leaf(one.id), book.sections[one.id]
    quote = book.shown("\n".join(section.quote), one.page, page, one.links)
    prose = book.shown(section.prose, one.page, page)
    definitions = [book.spec.definitions[key].name for key in one.links]
    cases = book.cases.get(one.id, ())
    parts = [
        front(f"{one.id} {one.title}") + crumbs(book, one.id),
        f"# {one.id} {escape(one.title)} {{ #{one.id.lower()} }}",
        '<div class="cc-leaf" markdown="1">\n<div class="cc-law" markdown="1">',
        quote,
        f"## Why\n\n{prose}" if prose else "",
        inlined(book, one.links, page),
        '</div>\n<aside class="cc-aside" markdown="1">',
        f"## Cite\n\n{copied(book, one.id, f'{one.id} {one.title}', one.sha256)}",
        "## Facts\n\n" + "\n".join(f"- {fact}" for fact in _facts(book, one, page)),
        _decisions(book, one, page),
        flags_section(book, {one.id, *definitions}, page),
        used_by(book, one.id, page),
        '</aside>\n<div class="cc-rest" markdown="1">',
        _cases(cases, page),
        "</div>\n</div>",
        neighbours(book, one.id, list(book.spec.pages[one.page].requirements)),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def withdrawn_page(book: Book, gone: Withdrawn) -> str:
    """Return the page of an id that is kept: what took its place."""
    page = leaf(gone.id)
    line = withdrawn_line(gone, page, lambda name: leaf(name) if name in book.sections else None)
    head = f"{front(gone.id)}{crumbs(book, gone.id)}\n\n# {gone.id} (withdrawn)"
    return (
        f"{head} {{ #{gone.id.lower()} }}\n\n{line}\n{{: .cc-facts }}\n\n"
        "Nothing of it binds any more. The id stays, and is never given to another requirement.\n"
    )


def _facts(book: Book, one: Requirement, page: str) -> list[str]:
    """Level, feature, source and history; decisions have a section of their own."""
    level, feature, _, *more = facts_of(one, page, lambda _: None)
    known = {f"changed {version}" for version in one.changes} | set(one.adr)
    if one.changes:
        history = f"since {one.since}, changed {', '.join(one.changes)}"
    else:
        history = f"unchanged since {one.since}"
    feature = "core" if feature == "core" else f"feature <code>{feature}</code>"
    return [
        f"**{level}**, {feature}",
        history,
        *(fact for fact in more if fact not in known),
        f"digest <code>{one.sha256[:8]}</code>",
    ]


def _decisions(book: Book, one: Requirement, page: str) -> str:
    rows = [
        f"- [{name} {book.adrs[name].title}]({relative(page, book.adrs[name].path)})"
        if name in book.adrs
        else f"- {name}"
        for name in one.adr
    ]
    return "## Decisions\n\n" + "\n".join(rows) if rows else ""


def _cases(cases: Sequence[Case], page: str) -> str:
    """A few cases in full, and all as links to their places, by suite."""
    if not cases:
        return ""
    short = [case for case in cases if len(show_json(_shown(case))) <= FEATURED_LENGTH]
    full = "\n\n".join(_featured(case, page) for case in short[:FEATURED])
    lists = "\n".join(_lists(cases, page))
    return f"## {plural(len(cases), 'case')} {{ #cases }}\n\n{full}\n\n{lists}"


def _shown(case: Case) -> dict[str, object]:
    return {name: case.data[name] for name in SHOWN if name in case.data}


def _featured(case: Case, page: str) -> str:
    # The link is Markdown: of links in raw HTML each engine makes something else.
    place = f"[{escape(case.id)}]({relative(page, case.address)}) · {get_link(case, page)}"
    return (
        '<details class="cc-case" open markdown="1">\n'
        f"<summary>{html.escape(case.title)}</summary>\n\n{place}\n{{: .cc-facts }}\n\n"
        f"{case_blocks(case)}\n\n"
        "</details>"
    )


def _lists(cases: Sequence[Case], page: str) -> Iterator[str]:
    # Raw HTML, because there are thousands of these rows.
    ordered = sorted(cases, key=lambda case: case.page)
    for suite, group in groupby(ordered, key=lambda case: case.page):
        name = suite.removeprefix("fixtures/v1/").removesuffix(".md")
        rows = "".join(
            f'<li><a href="{relative_address(page, case.address)}">{html.escape(case.title)}</a> '
            f"<small>{_kind(case)}</small> "
            f'<a href="{relative_address(page, f"c/{case.id}.json")}">JSON</a></li>'
            for case in group
        )
        yield f'<p class="cc-label">{name}</p>\n<ul class="cc-cases">{rows}</ul>'


def _kind(case: Case) -> str:
    """What the case expects where that is an error, and what a port risks that fails it."""
    expect = case.data.get("expect")
    failed = isinstance(expect, dict) and "error" in expect
    return " · ".join([*(["error"] if failed else []), html.escape(str(case.data.get("risk", "")))])
