"""What the engine is told about a page by where it stands: its template, its room, its search.

The law is found on the pages of the contracts. Pages that repeat it, and cases, are left out of the
search: they are most of the words, and answer no question. Ids lead to their pages by themselves
(``assets/site.js``). ``queries.json`` holds what readers ask, and what they must find.
"""

from __future__ import annotations

import re

LEAVE_OUT = "search: {exclude: true}"
BOOST = "search: {{boost: {}}}".format
TABLES = (
    ("search", r"fixtures/v1/README", ""),
    ("search", r"(fixtures/v1|r|d|systems|schemas/v1/formats)/|(coverage|speed)\.md", LEAVE_OUT),
    # Of two that are as good, the list of codes, then payload.
    ("search", r"v1/codes", BOOST(3.12)),
    ("search", r"v1/payload", BOOST(3.1)),
    # Its title would stand before each definition.
    ("search", r"v1/dialects", BOOST(1.5)),
    ("search", r"v1/|formats/index", BOOST(3)),
    ("search", r"profiles/|schemas/", BOOST(0.5)),
    ("search", r"formats/|dialects/|adr/|changelog", BOOST(0.2)),
    ("template", r"([rd]|fixtures/v1)/(?!index|README)|try/", "template: lean.html"),
    # A wide table takes the room of the contents.
    ("hide", r"profiles/|(dialects|formats)/index|systems/(index|findings)", "hide: [toc]"),
)
"""What is told, the form of a path's beginning, and the line; the first that fits counts."""


def front_matter(path: str, own: str = "") -> str:
    """Return the front matter of a page, with the lines that it has of its ``own``."""
    told: dict[str, str] = {}
    for what, form, line in TABLES:
        if re.match(form, path):
            told.setdefault(what, f"{line}\n" if line else "")
    lines = own + "".join(told.values())
    return f"---\n{lines}---\n\n" if lines else ""
