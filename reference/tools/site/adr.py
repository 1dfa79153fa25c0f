"""Decision records on the site: front matter becomes a line, and an index lists them.

The theme reads ``status`` in front matter as its own, so none reaches it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from tools.law.text import SOURCES_PAGE
from tools.site.markdown import (
    SiteError,
    escape,
    facts,
    in_form,
    link,
    table,
    under_title,
    unsearched,
)

if TYPE_CHECKING:
    from tools.site.book import Book, Pages

PAGE = "adr/index.md"
INTRO = """# Decision records

Why the text says what it says, and what was rejected. The form is MADR 4."""

_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_REPEATS = re.compile(
    r"^(#+) (Considered Options|Consequences|Confirmation)$", re.MULTILINE | re.IGNORECASE
)
"""Sections that the search leaves out: lists of what the outcome weighs, and names of cases."""

_TITLE = re.compile(r"# +(?:(?:ADR[- ])?[0-9]{4}[.:]? +)?(.+?) *(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class Adr:
    """One decision record: ``front`` is its front matter as text, ``body`` what follows that."""

    id: str
    path: str
    title: str
    front: Mapping[str, str]
    body: str


def read_adrs(root: Path) -> list[Adr]:
    """Read ``adr/NNNN-*.md`` of ``root`` in order.

    Raises:
        SiteError: front matter that is no mapping, or no title.
    """
    adrs = []
    for file in sorted((root / "adr").glob("[0-9][0-9][0-9][0-9]-*.md")):
        path, text = f"adr/{file.name}", file.read_text(encoding="utf-8")
        front, body = {}, _FRONT.sub("", text).lstrip("\n")
        if match := _FRONT.match(text):
            with in_form(f"{path}: the front matter is no YAML, or no mapping"):
                # Every scalar stays the text that the author wrote, dates too.
                data = yaml.load(match[1], Loader=yaml.BaseLoader)
                lists = {name: value for name, value in data.items() if isinstance(value, list)}
                front = data | {name: ", ".join(value) for name, value in lists.items()}
        title = _TITLE.match(body)
        if title is None:
            raise SiteError(f"{path}: no title")
        adrs.append(Adr(f"ADR-{file.name[:4]}", path, title[1], front, body))
    return adrs


def pages(book: Book) -> Pages:
    """Return the records and their list."""
    made: Pages = {PAGE: _list(book)}
    for adr in book.adrs.values():
        text = _REPEATS.sub(
            lambda found: unsearched(found[2], found[1]), book.moved(adr.body, adr.path)
        )
        made[adr.path] = under_title(text, facts(*_facts(adr, book.spec.sources)))
    return made


def _list(book: Book) -> Iterator[str]:
    rows = [
        [adr.id, link(adr.path, adr.title), escape(adr.front.get("status", ""))]
        for adr in book.adrs.values()
    ]
    yield INTRO
    yield table(["number", "title", "status"], rows)


def _facts(adr: Adr, sources: Sequence[str]) -> Iterator[str]:
    def linked(match: re.Match[str]) -> str:
        return link(f"{SOURCES_PAGE}#{match[0]}", match[0]) if match[0] in sources else match[0]

    yield link(PAGE, "ADRs")
    yield adr.id
    for name, value in adr.front.items():
        shown = re.sub(r"[a-z]+(?:-[a-z]+)+", linked, escape(value))
        if value:
            yield shown if name == "status" else f"{escape(name)} {shown}"
