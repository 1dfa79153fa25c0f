"""Decision records on the site: front matter becomes a line, and an index lists them.

The theme reads ``status`` in front matter as its own, so none reaches it.
"""

import re
from collections.abc import Iterator, Sequence

from tools.law.adrs import Adr
from tools.law.text import CONTRACTS, SOURCES_PAGE
from tools.site.book import ADRS, Book, Content, Pages, written
from tools.site.markdown import (
    escape,
    facts,
    filtered,
    link,
    table,
    under_title,
    unsearched,
)

_REPEATS = re.compile(
    r"^(#+) (Context and problem statement|Considered options.*|Decision drivers|Consequences"
    r"|Confirmation)$",
    re.MULTILINE | re.IGNORECASE,
)
"""Sections that the search leaves out: what was before the decision, lists of what it weighs, and
names of cases.
"""

_OUTCOME = re.compile("^(#+) (Decision outcome)$", re.MULTILINE)
"""What the search leaves out where no requirement came of it: a title is enough to find that."""


def pages(book: Book) -> Pages:
    """Return the records and their list."""
    rows = []
    made: dict[str, Content] = {}
    for adr in book.adrs.values():
        text = book.moved(adr.body, adr.path)
        for section in (_REPEATS,) if adr.front.get("requirements") else (_REPEATS, _OUTCOME):
            text = section.sub(lambda found: unsearched(found[2], found[1]), text)
        made[adr.path] = under_title(text, facts(*_facts(adr, book.spec.sources)))
        cells = [adr.front.get(name, "") for name in ("date", "status")]
        ids = re.findall(r"\b[A-Z]{3}\b", adr.front.get("requirements", ""))
        contracts = sorted({CONTRACTS[id] for id in ids})
        named = [adr.id, link(adr.path, adr.title), *map(escape, [*cells, ", ".join(contracts)])]
        rows.append(named)
    head = ["number", "title", "date", "status", "contract"]
    return {ADRS: written(ADRS, records=filtered(table(head, rows))), **made}


def _facts(adr: Adr, sources: Sequence[str]) -> Iterator[str]:
    def linked(match: re.Match[str]) -> str:
        return link(f"{SOURCES_PAGE}#{match[0]}", match[0]) if match[0] in sources else match[0]

    yield link(ADRS, "ADRs")
    yield adr.id
    for name, value in adr.front.items():
        shown = re.sub(r"[a-z]+(?:-[a-z]+)+", linked, escape(value))
        if value:
            yield shown if name == "status" else f"{escape(name)} {shown}"
