"""The first page: its numbers, counted when the site is built, and a requirement as it is read."""

from __future__ import annotations

import re

from tools.records import MUTANTS
from tools.site.book import Book, leaf
from tools.site.contract import boxed, reasons
from tools.site.markdown import escape, facts, link
from tools.site.recorded import read_record

PAGE = "index.md"
MARK = "<!-- numbers -->"
"""Where the numbers stand in the text; elsewhere than on the site it shows nothing."""

_SOURCE = re.compile(r"^```\n### ([A-Z]{3}-[0-9]{3})\n.*?^```$", re.DOTALL | re.MULTILINE)


def pages(book: Book) -> dict[str, str]:
    """Return the page with the numbers in place of the mark, and no requirement as Markdown."""
    record = read_record(book.root, MUTANTS, "nox -s mutants -- --record")
    numbers = (
        (len(book.spec.requirements), "requirements", "r/index.md"),
        (len(book.cases), "cases", "fixtures/index.md"),
        (sum(record["mutants"].values()), "mutants of the reference", "adequacy.md"),
        (len(book.adrs), "decision records", "adr/index.md"),
    )
    items = "\n".join(f"- [**{count:,}** {what}]({page})" for count, what, page in numbers)
    shown = f'<div class="cc-numbers" markdown="1">\n\n{items}\n\n</div>'
    text = book.moved(book.spec.pages[PAGE].text, f"spec/{PAGE}", PAGE)
    return {PAGE: _SOURCE.sub(lambda match: _card(book, match[1]), text).replace(MARK, shown)}


def _card(book: Book, name: str) -> str:
    """A requirement as its contract shows it, with the whole line of facts."""
    one, section = book.spec.requirements[name], book.sections[name]
    changed = [f"changed {version}" for version in one.changes]
    told = [one.level, one.feature, f"since {one.since}", *changed, *one.adr, *reasons(one, PAGE)]
    return boxed(
        name,
        section.quote,
        f"### {link(PAGE, leaf(name), name)} {escape(one.title)} {{ #{name.lower()} }}",
        facts(*told),
        book.shown(section.quote, one.page, PAGE),
        book.shown(section.prose, one.page, PAGE),
    )
