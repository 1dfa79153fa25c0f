"""Decision records on the site: front matter becomes a line, and an index lists them.

The theme reads ``status`` in front matter as its own, so none reaches it.
"""

import re
from collections.abc import Iterator, Sequence

from tools.law.adrs import Adr
from tools.law.text import SOURCES_PAGE
from tools.site.book import ADRS, Book, Content, Pages, written
from tools.site.markdown import escape, facts, link, table, under_title, unsearched

_REPEATS = re.compile(
    r"^(#+) (Considered Options|Consequences|Confirmation)$", re.MULTILINE | re.IGNORECASE
)
"""Sections that the search leaves out: lists of what the outcome weighs, and names of cases."""


def pages(book: Book) -> Pages:
    """Return the records and their list."""
    rows = []
    made: dict[str, Content] = {}
    for adr in book.adrs.values():
        text = _REPEATS.sub(
            lambda found: unsearched(found[2], found[1]), book.moved(adr.body, adr.path)
        )
        made[adr.path] = under_title(text, facts(*_facts(adr, book.spec.sources)))
        rows.append([adr.id, link(adr.path, adr.title), escape(adr.front.get("status", ""))])
    head = ["number", "title", "status"]
    return {ADRS: written(ADRS, records=table(head, rows)), **made}


def _facts(adr: Adr, sources: Sequence[str]) -> Iterator[str]:
    def linked(match: re.Match[str]) -> str:
        return link(f"{SOURCES_PAGE}#{match[0]}", match[0]) if match[0] in sources else match[0]

    yield link(ADRS, "ADRs")
    yield adr.id
    for name, value in adr.front.items():
        shown = re.sub(r"[a-z]+(?:-[a-z]+)+", linked, escape(value))
        if value:
            yield shown if name == "status" else f"{escape(name)} {shown}"
