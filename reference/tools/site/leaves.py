"""The page of one requirement at ``/r/ID/``, their list, and that of the definitions.

It has the text with its words, beside it what is said about it, and below it its cases.
"""

import html
import json
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from tools.law.text import LIST_ITEM, NOW, Requirement, Withdrawn, plain
from tools.site.book import FIXTURES, Book, Pages, address_of, grouped, leaf
from tools.site.cases import Case, example, parts_of
from tools.site.contract import reasons, withdrawn_line
from tools.site.incidents import PAGE as INCIDENTS
from tools.site.incidents import shown
from tools.site.markdown import (
    code,
    columns,
    escape,
    facts,
    filtered,
    folded,
    html_link,
    link,
    listed,
    plural,
    prose,
    table,
)
from tools.site.readable import blocks
from tools.site.systems import ENDINGS, surveys
from tools.site.systems import PAGE as SYSTEMS

OPEN = {1: 1_400, 2: 700}
"""A longer definition is folded where another page shows it, by how many stand there; else 420."""

SENTENCE = 200
"""So many characters of a requirement stand in the list."""

FEW = 6
"""More reports than these are folded."""

LISTED = 12
"""So many cases of a requirement are listed; of the others their suites are."""


def pages(book: Book) -> Pages:
    """Return the page of each requirement, withdrawn or not, and the lists."""
    return {
        "r/index.md": _rules(book),
        "d/index.md": _words(book),
        **{leaf(id): _page(book, one) for id, one in book.spec.requirements.items()},
        **{leaf(id): _withdrawn(book, one) for id, one in book.spec.withdrawn.items()},
    }


def _rules(book: Book) -> Iterator[str]:
    """Yield every requirement with its sentence; the script of the site adds a field to filter."""
    yield "# Requirements"
    for page in book.spec.pages.values():
        if page.requirements:
            yield f"## {link(page.path, page.title)} {{ #{page.title.lower()} }}"
            rules = (book.spec.requirements[name] for name in page.requirements)
            rows = ([link(leaf(one.id), book.label(one.id)), _begin(one)] for one in rules)
            yield filtered(table(["requirement", "what it says"], rows))


def _begin(one: Requirement) -> str:
    """Return a sentence up to its list or table, cut where it is long."""
    begin, *rest = one.text.replace("`", "").split("\n")
    begin = begin.removesuffix(":") + " …" if rest else begin
    return escape(textwrap.shorten(begin, SENTENCE, placeholder=" …"))


def _words(book: Book) -> Iterator[str]:
    yield "# Definitions"
    for page in book.spec.pages.values():
        if page.definitions:
            yield f"## {link(page.path, page.title)} {{ #{page.title.lower()} }}"
            yield columns(link(name, book.label(name)) for name in page.definitions)


def _withdrawn(book: Book, gone: Withdrawn) -> Iterator[str]:
    """The page of an id that is kept: what took its place."""
    yield _head(book, gone.id, gone.id)
    yield f"# {gone.id} (withdrawn) {{ #{gone.id.lower()} }}"
    yield facts(withdrawn_line(gone))
    yield "Nothing of it binds any more. The id stays, and is never given to another requirement."
    yield from _worded(book, gone)


def _page(book: Book, one: Requirement) -> Iterator[str]:
    """Yield the text with its words, beside it what is said about it, below that the cases."""
    passage, label = book.passages[one.id], book.label(one.id)
    yield _head(book, one.id, label)
    yield f"# {escape(label)} {{ #{one.id.lower()} }}"
    yield '<div class="cc-leaf" markdown="1">\n<div class="cc-law" markdown="1">'
    yield book.shown(passage.quote, one.page, one.links)
    if passage.prose:
        yield f"## Why\n\n{book.shown(passage.prose, one.page)}"
    yield from _inlined(book, one.links)
    yield '</div>\n<aside class="cc-aside" markdown="1">'
    yield f"## Cite\n\n{_copied(book, one)}"
    for title, rows in _beside(book, one).items():
        if rows:
            yield f"## {title}\n\n{listed(rows)}"
    yield '</aside>\n<div class="cc-rest" markdown="1">'
    cases = book.citing.get(one.id, ())
    if case := example(one.id, cases):
        yield from _example(case)
    yield from _reported(book, one.id)
    yield from _kept(book, one.id)
    yield from _worded(book, one)
    yield from _cases(cases)
    yield "</div>\n</div>"


def _reported(book: Book, name: str) -> Iterator[str]:
    """Yield what people reported that a requirement answers."""
    if ones := book.reported.get(name):
        yield f"## {link(INCIDENTS, 'Reported')} {{ #reported }}"
        items = listed(f"{shown(one)}: {prose(one['what'])}" for one in ones)
        yield items if len(ones) <= FEW else folded(plural(len(ones), "report"), items)


def _kept(book: Book, name: str) -> Iterator[str]:
    """Yield which systems keep a requirement and which do not, as far as they were asked."""
    asked = [(each, each.worst[name]) for each in surveys(book) if name in each.worst]
    if asked:
        yield "## Who keeps it { #kept }"
    for worst, (mark, said) in enumerate(ENDINGS):
        if ones := [each.link for each, end in asked if end == worst]:
            summary = f"{mark} {said}: {plural(len(ones), 'system')}"
            yield folded(summary, ", ".join(ones))
    if asked:
        yield f"What a system does otherwise is not always a fault: see {link(SYSTEMS, 'Systems')}."


def _worded(book: Book, one: Requirement | Withdrawn) -> Iterator[str]:
    """Yield the former sentences of a requirement, the newest first."""
    now = one.text if isinstance(one, Requirement) else None
    had = grouped((text, version) for version, text in book.wordings.get(one.id, {}).items())
    for then, versions in reversed(had.items()):
        if then != now:
            yield f"## Wording in {' and '.join(versions)}"
            yield "\n".join(f"> {line}".rstrip() for line in _spaced(then))


def _spaced(text: str) -> Iterator[str]:
    """Yield the lines of a sentence as Markdown: apart, but for those of a list or a table."""
    for before, line in pairwise(["", *text.split("\n")]):
        rows = before.startswith("|") and line.startswith("|")
        if before and not rows and not (LIST_ITEM.match(before) and LIST_ITEM.match(line)):
            yield ""
        yield line


def _head(book: Book, name: str, title: str) -> str:
    """The title, and the way to a requirement: its contract and the section there."""
    law = book.law[name]
    way = html_link(law.page, book.spec.pages[law.page].title)
    chapter, anchor = book.passages[name].chapter if name in book.passages else ("", "")
    if chapter:
        way += f" › {html_link(f'{law.page}#{anchor}', chapter)}"
    text = html_link(address_of(law), "In the text")
    beside = "".join(f" {one}" for one in _neighbours(book, name))
    shown = f'<nav class="cc-crumbs" aria-label="Breadcrumb">{way}<span>{text}{beside}</span></nav>'
    return f"---\ntitle: {json.dumps(title)}\n---\n\n{shown}"


def _neighbours(book: Book, name: str) -> Iterator[str]:
    """Yield links to the requirements before and behind one on its page."""
    names = [*book.spec.pages[book.law[name].page].requirements]
    if name in names:
        at = names.index(name)
        for place, sign in ((at - 1, "‹ {}"), (at + 1, "{} ›")):
            if 0 <= place < len(names):
                yield html_link(leaf(names[place]), sign.format(names[place]))


def _inlined(book: Book, keys: Sequence[str]) -> Iterator[str]:
    if keys:
        yield "## Words in it { #words }"
    for key in keys:
        one = book.spec.definitions[key]
        opened = " open" if len(one.text) <= OPEN.get(len(keys), 420) else ""
        fold = f'<details class="cc-def" id="def-{one.anchor}" markdown="1"{opened}>'
        yield f"{fold}\n<summary>{one.name}</summary>"
        yield book.shown(book.passages[key].quote, one.page)
        yield facts(link(key, "In the text"))
        yield "</details>"


def _copied(book: Book, one: Requirement) -> str:
    path, cite = f"r/{one.id}/", book.citation(one)
    texts = {"Citation": cite, "Markdown link": f"[{book.label(one.id)}]({path})", "Address": path}
    buttons = "".join(
        f'<button type="button" class="cc-copy" data-relative="{path}" '
        f'data-clipboard-text="{html.escape(text)}">{what}</button>'
        for what, text in texts.items()
    )
    said = f'<p class="cc-citation"><code>{html.escape(cite)}</code></p>'
    return f'{said}\n<p class="cc-copies">{buttons}</p>'


def _beside(book: Book, one: Requirement) -> dict[str, list[str]]:
    """Return what is said about a requirement, under its headings."""
    decisions = (book.adrs[each] for each in one.adr)
    readers = {one.id, *map(book.label, one.links)}
    users = book.uses.get(one.id, ())
    return {
        "Facts": _facts(one, book.wordings.get(one.id, {})),
        "Decisions": [link(adr.path, f"{adr.id} {adr.title}") for adr in decisions],
        "Profiles": [*_flags(book, readers)],
        "Used by": [link(leaf(user), book.label(user)) for user in users],
    }


def _facts(one: Requirement, had: Mapping[str, str]) -> list[str]:
    history = f"unchanged since {one.since}"
    if one.changes:
        sentences = pairwise({**had, NOW: one.text}.items())
        same = {version for (_, before), (version, text) in sentences if text == before}
        linked = " (a definition that it links)"
        changes = (version + linked * (version in same) for version in one.changes)
        history = f"since {one.since}, changed {', '.join(changes)}"
    feature = "core" if one.feature == "core" else f"feature <code>{one.feature}</code>"
    digest = f"digest <code>{one.sha256[:8]}</code>"
    return [f"**{one.level}**, {feature}", history, *reasons(one), digest]


def _flags(book: Book, readers: set[str]) -> Iterator[str]:
    """Yield the flags of profiles that any of ``readers`` reads, and who states them."""
    for flag in book.flags:
        if readers & {*plain([flag.readers]).split(", ")}:
            stated = [
                f"{link(f'profiles/{name}.md', name)} {code(json.dumps(one['flags'][flag.name]))}"
                for name, one in book.profiles.items()
                if flag.name in one["flags"]
            ]
            said = f"{', '.join(stated) or 'stated by no profile'}; absent: {flag.strict}"
            yield f"{code(flag.name)}: {said}"


def _example(case: Case) -> Iterator[str]:
    """Yield a case in full."""
    yield "## Example { #example }"
    title = f"<summary>{html.escape(case.title)}</summary>"
    yield f'<details class="cc-case" open markdown="1">\n{title}'
    # The link is Markdown: of links in raw HTML each engine makes something else.
    yield facts(link(case.address, escape(case.id)), case.get())
    yield blocks(parts_of(case.data))
    yield "</details>"


def _cases(cases: Sequence[Case]) -> Iterator[str]:
    """Yield links to the first cases, and how many there are in each suite."""
    if not cases:
        return
    yield f"## {plural(len(cases), 'case')} {{ #cases }}"
    rows = "".join(
        f"<li>{html_link(case.address, case.title)} <small>{case.kind}</small> {case.get()}</li>"
        for case in cases[:LISTED]
    )
    yield f'<ul class="cc-cases">{rows}</ul>'
    if len(cases) > LISTED:
        counts = sorted(Counter(case.page for case in cases).items())
        yield "All of them, by suite:"
        yield columns(f"{link(page, page[len(FIXTURES) + 1 : -3])} {n}" for page, n in counts)
