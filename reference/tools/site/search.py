"""Which pages the search knows, and which of them come first.

The law is found on the pages of the contracts. Pages that repeat it, and cases, are left out: they
are most of the words, and answer no question. Ids lead to their pages by themselves
(``assets/site.js``). ``queries.json`` holds what readers ask, and what they must find.
"""

from __future__ import annotations

LEAVE_OUT = "exclude: true"
RULES = (
    ("fixtures/v1/README.md", ""),
    ("fixtures/v1/", LEAVE_OUT),
    ("r/", LEAVE_OUT),
    ("d/", LEAVE_OUT),
    ("systems/", LEAVE_OUT),
    ("coverage.md", LEAVE_OUT),
    ("speed.md", LEAVE_OUT),
    ("v1/codes.md", "boost: 3.12"),  # of two that are as good, the list of codes, then payload
    ("v1/payload.md", "boost: 3.1"),
    ("v1/dialects.md", "boost: 1.5"),  # whose title would stand before each definition
    ("v1/", "boost: 3"),
    ("profiles/", "boost: 0.5"),
    ("formats/index.md", "boost: 3"),
    ("formats/", "boost: 0.2"),
    ("dialects/", "boost: 0.2"),
    ("schemas/v1/formats/", LEAVE_OUT),
    ("schemas/", "boost: 0.5"),
    ("adr/", "boost: 0.2"),
    ("changelog.md", "boost: 0.2"),
)
"""The beginning of a path and what the search is told; the first that fits counts."""


def with_front_matter(path: str, text: str) -> str:
    """Return a page with what the search is told about it, beside the front matter that it has."""
    told = next((rule for prefix, rule in RULES if path.startswith(prefix)), "")
    own, end, page = text.removeprefix("---\n").partition("---\n")
    if not text.startswith("---\n"):
        own, end, page = "", "---\n\n", text
    known = not told or "search:" in own
    return text if known else f"---\n{own}search:\n  {told}\n{end}{page}"
