"""The formats for people: a grid, and a page for each; below the grid, what no format can say.

A sample is what a template wrote, as the session ``templates`` recorded it. ``no_formats.json`` has
the ways of writing calls that are no data, with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.law.formats import REASONING
from tools.site.book import Book
from tools.site.dialects import named, sample
from tools.site.markdown import code, escape, facts, in_form, table, unsearched
from tools.site.profiles import reference
from tools.site.readable import blocks

PAGE = "formats/index.md"
NO_FORMATS = Path(__file__).with_name("no_formats.json")
TEXT = """---
hide: [toc]
tags: {names}
---

# Formats of models

What the models of a family write, as data: the [dialects](../dialects/index.md) that are active
with it, the markers of reasoning, and tokens. Who knows the model, or what a server calls its
parser, takes the format: `commoncall extract --format NAME`. The [law](../v1/dialects.md#formats)
says what it means.

{grid_head}

{grid}

{others_head}

These ways of writing calls have no format today, and nothing in them is read as a call.

{others}"""

Document = Mapping[str, Any]


def pages(book: Book) -> dict[str, str]:
    """Return the grid and the page of each format, by path on the site."""
    made = {}
    for name, one in book.formats.items():
        with in_form(f"spec/v1/formats/{name}.json: not a format"):
            made[f"formats/{name}.md"] = _page(book, one)
    with in_form(f"{NO_FORMATS.name}: not a list of what is no format"):
        rows = json.loads(NO_FORMATS.read_bytes())
        page = TEXT.format(
            names=json.dumps([row["id"] for row in rows]),
            grid_head=unsearched("##", "All formats"),
            grid=_grid(book.formats.values()),
            others_head=unsearched("##", "Not data, because"),
            others=_others(rows, book.formats),
        )
    return {PAGE: page} | made


def _grid(formats: Iterable[Document]) -> str:
    rows = []
    for one in formats:
        called: dict[str, list[str]] = {}
        for each in one["names"]:
            # A name is seen in one version of a program.
            called.setdefault(each["in"].split()[0], []).append(code(each["name"]))
        first = f"{named(one['id'] + '.md')}<br>{escape(one['title'])}"
        names = (f"{escape(program)} {', '.join(known)}" for program, known in called.items())
        rows.append([first, _dialects(one), " · ".join(names)])
    return table(["format", "dialects", "what programs call it"], rows)


def _dialects(one: Document) -> str:
    return _lines(named(f"../dialects/{name}.md") for name in one["dialects"])


def _others(rows: Sequence[Document], formats: Collection[str]) -> str:
    """The ways of writing calls that are no data; one that is a format by now stops the site."""
    shown = []
    for row in rows:
        if row["id"] in formats:
            raise ValueError(f"{row['id']} is a format")
        first, by, because = (escape(row[name]) for name in ("id", "by", "because"))
        shown.append([first, by, code(row["form"]), because])
    return table(["name", "written by", "form", "because"], shown)


def _page(book: Book, one: Document) -> str:
    name = one["id"]
    called = (f"{code(each['name'])} by {escape(each['in'])}" for each in one["names"])
    known = [("models", _lines(map(code, one["models"]))), ("name", _lines(called))]
    marks = {"reasoning": one.get("reasoning", REASONING), "tokens": one.get("tokens", [])}
    seen = (
        [each["kind"], reference(each["ref"]), escape(each["says"])] for each in one["evidence"]
    )
    # A word of the title, such as thinking, says nothing of the law to who searches for it.
    title = f"<small data-search-exclude>{escape(one['title'])}</small>"
    parts = [
        f"# {escape(name)} {title} {{ #{name} }}",
        facts("[Formats](index.md)", f"[raw JSON](../v1/formats/{name}.json)"),
        table(["known by", "as"], [*known, ("dialects", _dialects(one))]),
        *sample(book, f"formats/{name}.md", [name], one["dialects"]),
        unsearched("##", "Markers"),
        blocks((what.capitalize(), value, False) for what, value in marks.items()),
        unsearched("##", "Evidence"),
        table(["kind", "where", "says"], seen),
    ]
    return "\n\n".join(parts)


def _lines(texts: Iterable[str]) -> str:
    return "<br>".join(texts) or "none"
