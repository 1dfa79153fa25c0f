"""The first page: its numbers, counted when the site is built, and a requirement as it is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tools.records import MUTANTS
from tools.site.cases import Suite
from tools.site.contract import facts_of, leaf
from tools.site.definition import Book
from tools.site.markdown import Resolve, escape
from tools.site.recorded import read_record

PAGE = "index.md"
MARK = "<!-- numbers -->"
"""Where the numbers stand in the text; elsewhere than on the site it shows nothing."""

_SOURCE = re.compile(r"^```\n### ([A-Z]{3}-[0-9]{3})\n.*?^```$", re.DOTALL | re.MULTILINE)


def home_page(text: str, root: Path, book: Book, suites: Sequence[Suite], resolve: Resolve) -> str:
    """Return the page with the numbers in place of the mark, and no requirement as Markdown."""
    record = read_record(root, MUTANTS, "nox -s mutants -- --record")
    numbers = (
        (len(book.spec.requirements), "requirements", "r/index.md"),
        (sum(len(suite.cases) for suite in suites), "cases", "fixtures/index.md"),
        (sum(record["mutants"].values()), "mutants of the reference", "adequacy.md"),
        (len(book.adrs), "decision records", "adr/index.md"),
    )
    items = [f"- [**{count:,}** {what}]({page})" for count, what, page in numbers]
    shown = "\n".join(['<div class="cc-numbers" markdown="1">', "", *items, "", "</div>"])
    return _SOURCE.sub(lambda match: _card(book, match[1], resolve), text).replace(MARK, shown)


def _card(book: Book, name: str, resolve: Resolve) -> str:
    """A requirement as its contract shows it, with the whole line of facts."""
    one, section = book.spec.requirements[name], book.sections[name]
    return "\n\n".join(
        [
            f'<div class="cc-req" id="{name}" markdown="1">',
            f"### [{name}]({leaf(name)}) {escape(one.title)} {{ #{name.lower()} }}",
            " · ".join(facts_of(one, PAGE, resolve)) + "\n{: .cc-facts }",
            book.shown("\n".join(section.quote), one.page, PAGE),
            book.shown(section.prose, one.page, PAGE),
            "</div>",
        ]
    )
