"""The page of one definition at ``/d/``: what it says, the words in it, and what uses it."""

from __future__ import annotations

from tools.site.book import Book, leaf
from tools.site.leaves import leaf_page, leaves_index


def pages(book: Book) -> dict[str, str]:
    """Return the page of each definition and their list, by path on the site."""
    made = {"d/index.md": leaves_index(book, "d/index.md")}
    for key, one in book.spec.definitions.items():
        heading = one.name[0].upper() + one.name[1:]
        made[leaf(key)] = leaf_page(book, one, heading, readers={one.name})
    return made
