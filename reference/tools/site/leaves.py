"""What the pages of one requirement and of one definition have in common, and their lists."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Sequence
from typing import Final

from tools.site.book import Book, address_of, anchor_here, anchor_of, leaf
from tools.site.markdown import facts, html_link, link, relative_address
from tools.spec_text import Definition, Requirement, plain

OPEN: Final = {1: 1_400, 2: 700}
"""A longer definition is folded where another page shows it, by how many stand there; else 420."""

LONG: Final = 12
"""A longer list of users is cut by the style sheet."""


def leaf_page(
    book: Book,
    one: Requirement | Definition,
    heading: str,
    *,
    about: Iterable[str] = (),
    readers: Iterable[str],
    rest: str = "",
) -> str:
    """Return a page: the text with its words, what is said about it beside, the rest below.

    ``readers`` are the names by which a flag says who reads it.
    """
    name = one.id if isinstance(one, Requirement) else f"{one.page}#{one.anchor}"
    page, section, whole = leaf(name), book.sections[name], book.spec.pages[one.page]
    words = [key for key in one.links if key != name]
    beside = whole.requirements if isinstance(one, Requirement) else whole.definitions
    parts = [
        front(book.label(name)) + crumbs(book, name),
        f"# {heading} {{ #{anchor_of(one)} }}",
        '<div class="cc-leaf" markdown="1">\n<div class="cc-law" markdown="1">',
        book.shown(section.quote, one.page, page, words),
        "## Why" if section.prose and isinstance(one, Requirement) else "",
        book.shown(section.prose, one.page, page),
        _inlined(book, words, page),
        '</div>\n<aside class="cc-aside" markdown="1">',
        f"## Cite\n\n{_copied(book, name, one.sha256)}",
        *about,
        _flags(book, {*readers}, page),
        _used_by(book, name, page),
        f'</aside>\n<div class="cc-rest" markdown="1">\n\n{rest}\n\n</div>\n</div>'
        if rest
        else "</aside>\n</div>",
        _neighbours(book, name, beside),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def leaves_index(book: Book, page: str) -> str:
    """Return the list of all requirements (``r/index.md``) or definitions (``d/index.md``)."""
    parts = ["# Requirements" if page.startswith("r") else "# Definitions"]
    for one in book.spec.pages.values():
        names = one.requirements if page.startswith("r") else one.definitions
        if names:
            items = "\n".join(f"- {link(page, leaf(name), book.label(name))}" for name in names)
            head = f"## {link(page, one.path, one.title)} {{ #{one.title.lower()} }}"
            parts.append(f'{head}\n\n<div class="cc-columns" markdown="1">\n\n{items}\n\n</div>')
    return "\n\n".join(parts) + "\n"


def front(title: str) -> str:
    """Return the front matter of a small page, which the search does not list."""
    lines = [f"title: {json.dumps(title)}", "template: lean.html", "search: {exclude: true}"]
    return "\n".join(["---", *lines, "---", "", ""])


def crumbs(book: Book, name: str) -> str:
    """Return the way to a requirement or definition: its contract and the section there."""
    law, page = book.law[name], leaf(name)
    way = [html_link(page, law.page, book.spec.pages[law.page].title)]
    chapter, anchor = book.sections[name].chapter
    if chapter:
        way.append(html_link(page, f"{law.page}#{anchor}", chapter))
    text = html_link(page, address_of(law), "In the text")
    return (
        f'<nav class="cc-crumbs" aria-label="Breadcrumb">{" › ".join(way)}<span>{text}</span></nav>'
    )


def _inlined(book: Book, keys: Sequence[str], page: str) -> str:
    """The definitions that a page links, in short, a long one folded."""
    parts = ["## Words in it { #words }"]
    for key in keys:
        one = book.spec.definitions[key]
        quote = book.shown(book.sections[key].quote, one.page, page)
        opened = " open" if len(one.text) <= OPEN.get(len(keys), 420) else ""
        where = facts(link(page, f"{leaf(key)}#used-by", "Where it is used"))
        parts.append(
            f'<details class="cc-def" id="{anchor_here(key)}" markdown="1"{opened}>\n'
            f"<summary>{one.name}</summary>\n\n{quote}\n\n{where}\n\n</details>"
        )
    return "\n\n".join(parts) if keys else ""


def _used_by(book: Book, name: str, page: str) -> str:
    """What links a requirement or definition."""
    items = [f"- {link(page, leaf(user), book.label(user))}" for user in book.uses.get(name, ())]
    text = "\n".join(items)
    if len(items) > LONG:
        text = f'<div class="cc-long" markdown="1">\n\n{text}\n\n</div>'
    return f"## Used by {{ #used-by }}\n\n{text}" if items else ""


def _flags(book: Book, readers: set[str], page: str) -> str:
    """The flags of profiles that any of ``readers`` reads, and who states them."""
    stating = [(file.path.stem, file.document["flags"]) for file in book.profiles]
    rows = []
    for flag in book.flags:
        if readers & set(plain([flag.readers]).split(", ")):
            stated = ", ".join(
                f"{html_link(page, f'profiles/{name}.md', name)} "
                f"<code>{html.escape(json.dumps(flags[flag.name]), quote=False)}</code>"
                for name, flags in stating
                if flag.name in flags
            )
            # The strict value is Markdown with code spans only.
            strict = re.sub(r"`([^`]+)`", r"<code>\1</code>", plain([flag.strict]))
            rows.append(
                f"<dt><code>{flag.name}</code></dt><dd>{stated or 'stated by no profile'}; "
                f"absent: {strict}</dd>"
            )
    listed = f'<dl class="cc-flags">{"".join(rows)}</dl>'
    return f"## Profiles {{ #profiles }}\n\n{listed}" if rows else ""


def _copied(book: Book, name: str, sha256: str) -> str:
    """The citation and the buttons that copy it, its link and its address."""
    path = leaf(name).removesuffix(".md") + "/"
    where = book.url + path
    ref = name if name in book.spec.requirements else path.removesuffix("/")
    cite = f"commoncall:{ref} (CommonCall {book.version}, sha256 {sha256[:8]})"
    texts = {"Citation": cite, "Markdown link": f"[{book.label(name)}]({where})", "Address": where}
    buttons = "".join(
        f'<button type="button" class="cc-copy" data-relative="{path}" '
        f'data-clipboard-text="{html.escape(text)}">{what}</button>'
        for what, text in texts.items()
    )
    return (
        f'<p class="cc-citation"><code>{html.escape(cite)}</code></p>\n'
        f'<p class="cc-copies">{buttons}</p>'
    )


def _neighbours(book: Book, name: str, names: Sequence[str]) -> str:
    """Links to the one before and the one after in the text."""
    index = names.index(name)
    links = [
        f'<a rel="{rel}" href="{relative_address(leaf(name), leaf(other))}">'
        f"{html.escape(text.format(book.label(other)))}</a>"
        for rel, text, found in (
            ("prev", "← {}", names[:index][-1:]),
            ("next", "{} →", names[index + 1 :][:1]),
        )
        for other in found
    ]
    return f'<nav class="cc-next" aria-label="Neighbours">{"".join(links)}</nav>' if links else ""
