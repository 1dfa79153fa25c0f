"""The page of scenarios: what a parser has to get right, and which format has a case of it.

The cases of a format are named by it and the scenario: ``extraction.extract.as-qwen3-two``.
"""

from collections import Counter

from tools.site.book import Book, Pages, written
from tools.site.markdown import code, link, table

PAGE = "systems/scenarios.md"
NAMED = "extraction.extract.as-"

SCENARIOS = {
    "one": "single",
    "two": "several",
    "none": "none",
    "empty": "empty",
    "typed": "typed",
    "nested": "nested",
    "escapes": "escapes",
    "unicode": "Unicode",
    "markers": "own markers",
    "cut": "cut in a value",
    "cut-end": "cut at the end",
    "reasoning": "in reasoning",
}
"""The last part of the name of a case, and what heads its column."""


def pages(book: Book) -> Pages:
    """Return the page."""
    return {PAGE: written(PAGE, grid=_grid(book))}


def _grid(book: Book) -> str:
    given = Counter(
        case.data["input"].get("format")
        for case in book.cases.values()
        if isinstance(case.data.get("input"), dict)
        and isinstance(case.data["input"].get("format"), str)
    )
    rows = [
        [
            link(f"formats/{name}.md", code(name)),
            *(_mark(book, f"{NAMED}{name.replace('.', '-')}-{each}") for each in SCENARIOS),
            given[name],
        ]
        for name in sorted(book.formats)
    ]
    return table(["format", *SCENARIOS.values(), "cases"], rows)


def _mark(book: Book, name: str) -> str:
    case = book.cases.get(name)
    return link(case.address, "✓") if case else ""
