"""The changelog as a page."""

import re

from tools.site.book import Book, Pages
from tools.site.markdown import unsearched

FILE = "CHANGELOG.md"
PAGE = "changelog.md"
_HEADING = re.compile(r"^(##+) \[?([^\]\n]*)\]?(.*)$", re.MULTILINE)


def pages(book: Book) -> Pages:
    """Return the page. The search finds it, and the law as it is now: not what changed."""
    changes = book.moved((book.root / FILE).read_text(encoding="utf-8"), FILE)
    return {PAGE: _HEADING.sub(lambda found: unsearched(found[2] + found[3], found[1]), changes)}
