"""What pages of one requirement and one definition have in common; definitions, and both lists."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence

from tools.law.text import plain
from tools.site.book import Book, address_of, anchor_of, leaf
from tools.site.markdown import code, escape, facts, html_link, link, plural

OPEN = {1: 1_400, 2: 700}
"""A longer definition is folded where another page shows it, by how many stand there; else 420."""

FORMAT, FORMATS = "v1/dialects.md#format", "formats/index.md"
"""The definition of a format, and the page of all."""


def pages(book: Book) -> dict[str, str]:
    """Return the page of each definition, and the lists of these and of requirements, by path."""
    made = {leaf(key): leaf_page(book, key) for key in book.spec.definitions}
    for path, title in (("r/index.md", "Requirements"), ("d/index.md", "Definitions")):
        parts = [f"# {title}"]
        for one in book.spec.pages.values():
            if names := one.requirements if title == "Requirements" else one.definitions:
                rows = "\n".join(f"- {link(path, leaf(name), book.label(name))}" for name in names)
                parts.append(f"## {link(path, one.path, one.title)} {{ #{one.title.lower()} }}")
                parts.append(f'<div class="cc-columns" markdown="1">\n\n{rows}\n\n</div>')
        made[path] = "\n\n".join(parts)
    return made


def leaf_page(book: Book, name: str, about: Sequence[str] = (), rest: str = "") -> str:
    """Return a page: the text with its words, beside it what is said about it, below the rest."""
    laws = book.spec.requirements
    one = laws.get(name) or book.spec.definitions[name]
    page, section, label = leaf(name), book.sections[name], book.label(name)
    words = [key for key in one.links if key != name]
    readers = {name, *map(book.label, words)} if name in laws else {label}
    below = f'\n<div class="cc-rest" markdown="1">\n\n{rest}\n\n</div>' if rest else ""
    parts = [
        front(label) + crumbs(book, name),
        f"# {escape(label[0].upper() + label[1:])} {{ #{anchor_of(one)} }}",
        '<div class="cc-leaf" markdown="1">\n<div class="cc-law" markdown="1">',
        book.shown(section.quote, one.page, page, words),
        "## Why" if section.prose and name in laws else "",
        book.shown(section.prose, one.page, page),
        _inlined(book, words, page),
        '</div>\n<aside class="cc-aside" markdown="1">',
        f"## Cite\n\n{_copied(book, name, one.sha256)}",
        *about,
        _flags(book, readers, page),
        _formats(book, {name, *words}, page),
        _used_by(book, name, page),
        f"</aside>{below}\n</div>",
    ]
    return "\n\n".join(filter(None, parts))


def front(title: str) -> str:
    """Return the front matter of a small page."""
    return f"---\ntitle: {json.dumps(title)}\ntemplate: lean.html\n---\n\n"


def crumbs(book: Book, name: str) -> str:
    """Return the way to a requirement or definition: its contract and the section there."""
    law, page = book.law[name], leaf(name)
    way = [html_link(page, law.page, book.spec.pages[law.page].title)]
    chapter, anchor = book.sections[name].chapter
    if chapter:
        way.append(html_link(page, f"{law.page}#{anchor}", chapter))
    text = html_link(page, address_of(law), "In the text")
    whole = f"{' › '.join(way)}<span>{text}</span>"
    return f'<nav class="cc-crumbs" aria-label="Breadcrumb">{whole}</nav>'


def _inlined(book: Book, keys: Sequence[str], page: str) -> str:
    parts = ["## Words in it { #words }"]
    for key in keys:
        one, quote = book.spec.definitions[key], book.sections[key].quote
        opened = " open" if len(one.text) <= OPEN.get(len(keys), 420) else ""
        parts += [
            f'<details class="cc-def" id="def-{one.anchor}" markdown="1"{opened}>\n'
            f"<summary>{one.name}</summary>",
            book.shown(quote, one.page, page),
            facts(link(page, f"{leaf(key)}#used-by", "Where it is used")),
            "</details>",
        ]
    return "\n\n".join(parts) if keys else ""


def _used_by(book: Book, name: str, page: str) -> str:
    users = book.uses.get(name, ())
    text = "\n".join(f"- {link(page, leaf(user), book.label(user))}" for user in users)
    return f"## Used by {{ #used-by }}\n\n{text}" if users else ""


def _flags(book: Book, readers: set[str], page: str) -> str:
    """The flags of profiles that any of ``readers`` reads, and who states them."""
    rows = []
    for flag in book.flags:
        if readers & {*plain([flag.readers]).split(", ")}:
            values = {
                one.path.stem: json.dumps(one.document["flags"][flag.name])
                for one in book.profiles
                if flag.name in one.document["flags"]
            }
            stated = [
                f"{link(page, f'profiles/{name}.md', name)} {code(value)}"
                for name, value in values.items()
            ]
            said = f"{', '.join(stated) or 'stated by no profile'}; absent: {flag.strict}"
            rows.append(f"- {code(flag.name)}: {said}")
    listed = "\n".join(rows)
    return f"## Profiles {{ #profiles }}\n\n{listed}" if rows else ""


def _formats(book: Book, keys: set[str], page: str) -> str:
    """Where the formats are, if the definition of these is among ``keys``."""
    count = plural(len(book.formats), "format")
    return f"## Formats {{ #formats }}\n\n{link(page, FORMATS, count)}" * (FORMAT in keys)


def _copied(book: Book, name: str, sha256: str) -> str:
    path = leaf(name).removesuffix(".md") + "/"
    ref = name if name in book.spec.requirements else path.removesuffix("/")
    cite = f"commoncall:{ref} (CommonCall {book.version}, sha256 {sha256[:8]})"
    texts = {"Citation": cite, "Markdown link": f"[{book.label(name)}]({path})", "Address": path}
    buttons = "".join(
        f'<button type="button" class="cc-copy" data-relative="{path}" '
        f'data-clipboard-text="{html.escape(text)}">{what}</button>'
        for what, text in texts.items()
    )
    said = f'<p class="cc-citation"><code>{html.escape(cite)}</code></p>'
    return f'{said}\n<p class="cc-copies">{buttons}</p>'
