"""The playground: a page, the JavaScript package that it runs, and what it shows of the text.

``assets/try.mjs`` is the page's script, ``assets/try_worker.mjs`` asks the package.
"""

import json

from tools.release.bundle import npm_package
from tools.site.book import Book, Pages, written

PAGE = "try/index.md"


def pages(book: Book) -> Pages:
    """Return the page, the modules of the package, and its data."""
    files = npm_package(book.root)[1].items()
    meanings = {each.code: each.meaning for each in book.spec.codes.values()}
    data = {
        "codes": {
            name: {"meaning": meaning, "requirements": speaking(book, f"`{name}`")}
            for name, meaning in sorted(meanings.items())
        },
        "formats": sorted(book.formats),
        "profiles": {"strict": {}, **{name: one["flags"] for name, one in book.profiles.items()}},
    }
    return {
        PAGE: written(PAGE),
        "try/data.json": json.dumps(data),
        **{f"try/commoncall/{path}": each for path, each in files if path.endswith(".mjs")},
    }


def speaking(book: Book, mark: str) -> list[str]:
    """Return the rules that have it; else those beside it in a definition, or who links that."""
    law, passages = book.spec.requirements, book.passages
    own = [id for id in law if mark in passages[id].quote + passages[id].prose]
    lines = (line for key in book.spec.definitions for line in passages[key].quote.split("\n"))
    beside = " ".join(line for line in lines if mark in line)
    using = [id for id in law if any(mark in passages[key].quote for key in law[id].links)]
    return own or [id for id in law if id in beside] or using
