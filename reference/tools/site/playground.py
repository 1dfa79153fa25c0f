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
    data = {
        "codes": book.user_text["codes"],
        "formats": sorted(book.formats),
        "profiles": {"strict": {}, **{name: one["flags"] for name, one in book.profiles.items()}},
    }
    return {
        PAGE: written(PAGE),
        "try/data.json": json.dumps(data),
        **{f"try/commoncall/{path}": each for path, each in files if path.endswith(".mjs")},
    }
