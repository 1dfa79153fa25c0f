"""The playground: a page, the JavaScript package that it runs, and what it shows of the text.

``assets/try.mjs`` is the page's script, ``assets/try_worker.mjs`` asks the package.
"""

from __future__ import annotations

import json

from tools.release.bundle import npm_package
from tools.site.book import Book, Pages, written

PAGE = "try/index.md"


def pages(book: Book) -> Pages:
    """Return the page, the modules of the package, and its data."""
    files = npm_package(book.root)[1].items()
    data = {
        "codes": _codes(book),
        "formats": sorted(book.formats),
        "profiles": {"strict": {}, **{name: one["flags"] for name, one in book.profiles.items()}},
    }
    return {
        PAGE: written(PAGE),
        "try/data.json": json.dumps(data),
        **{f"try/commoncall/{path}": each for path, each in files if path.endswith(".mjs")},
    }


def _codes(book: Book) -> dict[str, dict[str, object]]:
    """Return what each code means, and the requirements that speak of it."""
    told = {id: book.passages[id].quote + book.passages[id].prose for id in book.spec.requirements}
    meanings = {each.code: each.meaning for each in book.spec.codes.values()}
    return {
        name: {"meaning": meaning, "requirements": [id for id in told if f"`{name}`" in told[id]]}
        for name, meaning in sorted(meanings.items())
    }
