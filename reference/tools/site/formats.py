"""The formats for people: a grid, and a page for each; below the grid, what no format can say.

``no_formats.json`` has the ways of writing calls that are no data, with the reason.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.fixtures.scenarios import SUITES
from tools.law.formats import REASONING
from tools.site.book import Book, Pages, grouped, written
from tools.site.cases import Suite
from tools.site.dialects import named, sample
from tools.site.markdown import (
    UNSEARCHED,
    code,
    escape,
    facts,
    filtered,
    link,
    plural,
    section,
    table,
)
from tools.site.profiles import EVIDENCE, evidence
from tools.site.readable import blocks

PAGE = "formats/index.md"
NO_FORMATS = Path(__file__).with_name("no_formats.json")


def pages(book: Book) -> Pages:
    """Return the grid and the page of each format."""
    made = {f"formats/{name}.md": _page(book, name) for name in book.formats}
    return {**made, PAGE: _grid(book)}


def _grid(book: Book) -> Iterator[str]:
    others = json.loads(NO_FORMATS.read_bytes())
    if known := [row["id"] for row in others if row["id"] in book.formats]:
        raise ValueError(f"{known[0]} is a format")
    rows = []
    for name, one in book.formats.items():
        # A name is seen in one version of a program.
        called = grouped((each["in"].split()[0], code(each["name"])) for each in one["names"])
        first = f"{named('formats', name)}<br>{escape(one['title'])}"
        names = (f"{escape(program)} {', '.join(each)}" for program, each in called.items())
        rows.append([first, _dialects(one), " · ".join(names)])
    cells = (
        [*map(escape, (row["id"], row["by"])), code(row["form"]), escape(row["because"])]
        for row in others
    )
    made = {
        # Other words of a name, such as `json`, are not what readers mean by it.
        "tags": json.dumps([row["id"].partition("-")[0] for row in others]),
        "formats": filtered(table(["format", "dialects", "what programs call it"], rows)),
        "others": table(["name", "written by", "form", "because"], cells),
    }
    yield written(PAGE, **made)


def _page(book: Book, name: str) -> Iterator[str]:
    one = book.formats[name]
    called = (f"{code(each['name'])} by {escape(each['in'])}" for each in one["names"])
    known = [("models", _lines(map(code, one["models"]))), ("name", _lines(called))]
    suites = [each for each in book.suites if _is_asked(each, name)]
    marks = {"Reasoning": one.get("reasoning", REASONING), "Tokens": one.get("tokens", [])}
    # A word of the title, such as thinking, says nothing of the law to who searches for it.
    yield f"# {escape(name)} <small {UNSEARCHED}>{escape(one['title'])}</small> {{ #{name} }}"
    yield facts(link(PAGE, "Formats"), link(f"v1/formats/{name}.json", "raw JSON"))
    asked = _lines(link(each.page, plural(len(each.cases), "scenario")) for each in suites)
    rows = [*known, ("dialects", _dialects(one)), ("cases", asked)]
    yield table(["known by", "as"], rows)
    yield from sample(book, one["dialects"], name)
    yield section("Markers", blocks((what, value, False) for what, value in marks.items()))
    yield section("Evidence", table(EVIDENCE, map(evidence, one["evidence"])))


def _is_asked(suite: Suite, name: str) -> bool:
    """Tell whether a suite has the scenarios of a format, perhaps in its second dialect."""
    is_scenarios = suite.name.startswith(SUITES)
    return is_scenarios and suite.cases[0].data["input"]["format"] == name


def _dialects(one: Mapping[str, Any]) -> str:
    return _lines(named("dialects", name) for name in one["dialects"])


def _lines(texts: Iterable[str]) -> str:
    return "<br>".join(texts) or "none"
