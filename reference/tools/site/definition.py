"""The law piece by piece: what a page of one requirement or definition needs, and definitions.

A definition has a page, and stands in short on the page of each requirement that links it.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.site.adr import Adr
from tools.site.cases import Case
from tools.site.contract import Section, addresses, leaf, section_of, sections
from tools.site.markdown import relative, relative_address, retarget
from tools.spec_text import Definition, Requirement, Spec, Withdrawn

OPEN = {1: 1_400, 2: 700}
"""A longer definition is folded where another page shows it, by how many stand there; else 420."""

FLAGS = "v1/payload.md#flag"
"""The definition with the table of flags."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of profiles: who reads it by id or name, and each profile that states it."""

    name: str
    strict: str
    readers: tuple[str, ...]
    stated: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Book:
    """What pages of requirements and definitions draw on.

    ``moved`` takes text, its file and its page on the site. ``sections``, ``chapters`` and ``uses``
    have ids of requirements and keys of definitions; a chapter is name and anchor of the heading
    above. ``url`` is the address of the site, or empty where any host will do.
    """

    spec: Spec
    moved: Callable[[str, str, str], str]
    cases: Mapping[str, Sequence[Case]]
    adrs: Mapping[str, Adr]
    flags: tuple[Flag, ...]
    version: str
    url: str
    sections: Mapping[str, Section]
    chapters: Mapping[str, tuple[str, str]]
    uses: Mapping[str, Sequence[str]]
    leaves: Mapping[str, str]

    def shown(self, text: str, source: str, page: str, here: Iterable[str] = ()) -> str:
        """Return text of the page ``source`` for ``page``; what is ``here`` is linked in place."""
        whole = text.replace("](#", f"]({source.rpartition('/')[2]}#")
        inside = {key: f"{page}#{_anchor(key)}" for key in here}
        moved = self.moved(whole, f"spec/{source}", page)
        return retarget(moved, page=page, targets={**self.leaves, **inside})


def read_book(
    root: Path,
    spec: Spec,
    moved: Callable[[str, str, str], str],
    cases: Mapping[str, Sequence[Case]],
    adrs: Sequence[Adr],
    version: str,
) -> Book:
    """Gather what the pages need; ``version`` is that of the suite."""
    kept: dict[str, Requirement | Definition] = {**spec.requirements, **spec.definitions}
    found: dict[str, Section] = {}
    chapters: dict[str, tuple[str, str]] = {}
    for page in spec.pages.values():
        names = {kept[name].line - 1: name for name in (*page.requirements, *page.definitions)}
        names |= {
            gone.line - 1: gone.id for gone in spec.withdrawn.values() if gone.page == page.path
        }
        above = {one.line - 1: (one.heading, one.anchor) for one in page.sections if one.level == 2}
        chapter = ("", "")
        for start, lines in sections(page.text):
            chapter = above.get(start, chapter)
            if name := names.get(start):
                chapters[name] = chapter
                if name in kept:
                    found[name] = section_of(lines, facts=name in spec.requirements)
    leaves = {key: leaf(key) for key in spec.definitions}
    leaves |= {address: leaf(name) for name, address in addresses(spec).items()}
    uses = _uses(kept, found)
    flags = tuple(_flags(root, spec))
    by_id = {adr.id: adr for adr in adrs}
    url = _site_url(root)
    return Book(spec, moved, cases, by_id, flags, version, url, found, chapters, uses, leaves)


def front(title: str) -> str:
    """Return the front matter of a small page, which the search does not list."""
    return (
        f"---\ntitle: {json.dumps(title)}\ntemplate: lean.html\nsearch: {{exclude: true}}\n---\n\n"
    )


def definition_page(book: Book, key: str) -> str:
    """Return the page of a definition: what it says, the words in it, and what uses it."""
    one = book.spec.definitions[key]
    page, section = leaf(key), book.sections[key]
    words = [name for name in one.links if name != key]
    quote = book.shown("\n".join(section.quote), one.page, page, words)
    parts = [
        front(one.name) + crumbs(book, key),
        f"# {one.name[0].upper()}{one.name[1:]} {{ #{one.anchor} }}",
        '<div class="cc-leaf" markdown="1">\n<div class="cc-law" markdown="1">',
        quote,
        book.shown(section.prose, one.page, page),
        inlined(book, words, page),
        '</div>\n<aside class="cc-aside" markdown="1">',
        f"## Cite\n\n{copied(book, key, one.name, one.sha256)}",
        flags_section(book, {one.name}, page),
        used_by(book, key, page),
        "</aside>\n</div>",
        neighbours(book, key, list(book.spec.pages[one.page].definitions)),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def inlined(book: Book, keys: Sequence[str], page: str) -> str:
    """Return the definitions that a page links, in short, a long one folded."""
    parts = []
    for key in keys:
        one = book.spec.definitions[key]
        quote = book.shown("\n".join(book.sections[key].quote), one.page, page)
        opened = " open" if len(one.text) <= OPEN.get(len(keys), 420) else ""
        link = f"[Where it is used]({relative(page, leaf(key))}#used-by)\n{{: .cc-facts }}"
        parts.append(
            f'<details class="cc-def" id="{_anchor(key)}" markdown="1"{opened}>\n'
            f"<summary>{one.name}</summary>\n\n{quote}\n\n{link}\n\n</details>"
        )
    return "## Words in it { #words }\n\n" + "\n\n".join(parts) if parts else ""


def crumbs(book: Book, name: str) -> str:
    """Return the way to a requirement or definition: its contract and the section there."""
    spec = book.spec
    law: Requirement | Definition | Withdrawn | None
    law = spec.requirements.get(name) or spec.definitions.get(name) or spec.withdrawn[name]
    page, (chapter, anchor) = leaf(name), book.chapters[name]
    links = [(book.spec.pages[law.page].title, law.page)]
    links += [(chapter, f"{law.page}#{anchor}")] if chapter else []
    links.append(("In the text", f"{law.page}#{name.partition('#')[2] or name.lower()}"))
    shown = [
        f'<a href="{relative_address(page, target)}">{html.escape(text)}</a>'
        for text, target in links
    ]
    *way, text = shown
    return (
        f'<nav class="cc-crumbs" aria-label="Breadcrumb">{" › ".join(way)}<span>{text}</span></nav>'
    )


def used_by(book: Book, name: str, page: str) -> str:
    """Return what links a requirement or definition, as a section."""
    items = [
        f"- [{label(book, user)}]({relative(page, leaf(user))})" for user in book.uses.get(name, ())
    ]
    head = "## Used by { #used-by }\n\n"
    if len(items) > 12:
        return f'{head}<div class="cc-long" markdown="1">\n\n{chr(10).join(items)}\n\n</div>'
    return head + "\n".join(items) if items else ""


def label(book: Book, name: str) -> str:
    """Return what a list calls a requirement or definition."""
    one = book.spec.requirements.get(name)
    return f"{name} {one.title}" if one else book.spec.definitions[name].name


def flags_section(book: Book, readers: set[str], page: str) -> str:
    """Return the flags of profiles that any of ``readers`` reads, and who states them."""
    rows = []
    for flag in book.flags:
        if readers & set(flag.readers):
            stated = ", ".join(
                f'<a href="{relative_address(page, f"profiles/{profile}.md")}">{profile}</a> '
                f"<code>{html.escape(value, quote=False)}</code>"
                for profile, value in flag.stated
            )
            rows.append(
                f"<dt><code>{flag.name}</code></dt><dd>{stated or 'stated by no profile'}; "
                f"absent: {flag.strict}</dd>"
            )
    # The strict value is Markdown with code spans only.
    listed = re.sub(r"`([^`]+)`", r"<code>\1</code>", "".join(rows))
    return f'## Profiles {{ #profiles }}\n\n<dl class="cc-flags">{listed}</dl>' if rows else ""


def copied(book: Book, name: str, title: str, sha256: str) -> str:
    """Return the citation and the buttons that copy it, its link and its address."""
    path = leaf(name).removesuffix(".md") + "/"
    where = book.url + path
    ref = name if name in book.spec.requirements else path.removesuffix("/")
    cite = f"commoncall:{ref} (CommonCall {book.version}, sha256 {sha256[:8]})"
    texts = {"Citation": cite, "Markdown link": f"[{title}]({where})", "Address": where}
    buttons = "".join(
        f'<button type="button" class="cc-copy" data-relative="{path}" '
        f'data-clipboard-text="{html.escape(text)}">{name}</button>'
        for name, text in texts.items()
    )
    return (
        f'<p class="cc-citation"><code>{html.escape(cite)}</code></p>\n'
        f'<p class="cc-copies">{buttons}</p>'
    )


def neighbours(book: Book, name: str, names: Sequence[str]) -> str:
    """Return links to the one before and the one after in the text."""
    page, index = leaf(name), names.index(name)
    before = names[index - 1] if index else ""
    after = names[index + 1] if index + 1 < len(names) else ""
    links = [
        f'<a rel="{rel}" href="{relative_address(page, leaf(other))}">{mark[0]}'
        f"{html.escape(label(book, other))}{mark[1]}</a>"
        for rel, other, mark in (("prev", before, ("← ", "")), ("next", after, ("", " →")))
        if other
    ]
    return f'<nav class="cc-next" aria-label="Neighbours">{"".join(links)}</nav>' if links else ""


def leaves_index(book: Book, page: str) -> str:
    """Return the list of all requirements (``r/index.md``) or definitions (``d/index.md``)."""
    kind = page[0]
    parts = ["# Requirements" if kind == "r" else "# Definitions"]
    for one in book.spec.pages.values():
        names = one.requirements if kind == "r" else one.definitions
        if names:
            items = "\n".join(
                f"- [{label(book, name)}]({relative(page, leaf(name))})" for name in names
            )
            head = f"## [{one.title}]({relative(page, one.path)}) {{ #{one.title.lower()} }}"
            parts.append(f'{head}\n\n<div class="cc-columns" markdown="1">\n\n{items}\n\n</div>')
    return "\n\n".join(parts) + "\n"


def _anchor(key: str) -> str:
    return f"def-{key.partition('#')[2]}"


def _uses(
    kept: Mapping[str, Requirement | Definition], found: Mapping[str, Section]
) -> dict[str, list[str]]:
    """Who links a definition in the quote, or names a requirement in quote or prose."""
    uses: dict[str, list[str]] = {}
    for user, one in kept.items():
        section = found[user]
        named = re.findall(r"\b[A-Z]{3}-[0-9]{3}\b", "\n".join([*section.quote, section.prose]))
        for name in dict.fromkeys([*one.links, *named]):
            if name != user and name in kept:
                uses.setdefault(name, []).append(user)
    return uses


def _flags(root: Path, spec: Spec) -> Iterable[Flag]:
    profiles = [
        json.loads(file.read_bytes())
        for file in sorted((root / "spec" / "v1" / "profiles").glob("*.json"))
    ]
    text = spec.definitions[FLAGS].text if FLAGS in spec.definitions else ""
    for line in text.split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and cells[0].startswith("`"):
            name = cells[0].strip("`")
            stated = [
                (str(one["profile"]), json.dumps(one["flags"][name]))
                for one in profiles
                if name in one["flags"]
            ]
            yield Flag(name, cells[2], tuple(cells[4].split(", ")), tuple(stated))


def _site_url(root: Path) -> str:
    """Return ``site_url`` of the engine's configuration with a slash, or nothing."""
    file = root / "mkdocs.yml"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    match = re.search(r"^site_url:\s*(\S+)", text, re.MULTILINE)
    return match[1].rstrip("/") + "/" if match else ""
