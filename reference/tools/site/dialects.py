"""The dialects for people: a grid, and a page for each with a sample, its descriptor and its cases.

All is read: the descriptors, the built cases, and what templates wrote.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from tools.law.dialects import texts
from tools.site.book import Book, Pages, written
from tools.site.markdown import code, escape, facts, link, section, table
from tools.site.readable import blocks

PAGE = "dialects/index.md"
TURN = "one"
"""The turn of what templates write that is shown: one call."""

LAW = """What a member means, the [law](../v1/extraction.md#descriptor) says and the
[schema](../schemas/v1/formats/dialect.md)."""

Sample = tuple[str, str, object]
"""Where a text is from, the text, and the calls in it."""

TOLD = ("format", "id", "title", "default", "models", "aliases")


def pages(book: Book) -> Pages:
    """Return the grid and the page of each dialect."""
    made = {f"dialects/{name}.md": _page(book, name) for name in book.dialects}
    return {**made, PAGE: _grid(book)}


def _grid(book: Book) -> str:
    rows = []
    for name, one in book.dialects.items():
        marks = [_marker(one["opener"]), _marker(one["closer"], "/")]
        first = f"{named('dialects', name)}<br>{escape(one['title'])}"
        last = ["yes" if one["default"] else "no", len(book.matched[name])]
        rows.append([first, *marks, code(one["payload"]["scanner"]), *last])
    head = ["dialect", "opener", "closer", "payload", "by default", "cases"]
    return written(PAGE, dialects=table(head, rows))


def named(kind: str, name: str) -> str:
    """Return the link to a dialect or a format."""
    return link(f"{kind}/{name}.md", escape(name))


def _marker(one: Mapping[str, Any] | None, slash: str = "") -> str:
    return ", ".join(map(code, texts(one, slash))) or "none"


def sample(book: Book, formats: Sequence[str], dialects: Sequence[str]) -> Iterator[str]:
    """Yield the section with a call: as a template of the formats writes it, or out of a case."""
    written = (one for each in formats for one in _written(book, each, dialects))
    in_cases = (one for each in dialects for one in _in_case(book, each))
    for told, text, calls in islice(chain(written, in_cases), 1):
        yield section("Sample", told, blocks([("Text", text, True), ("Calls", calls, False)]))


def _written(book: Book, format: str, dialects: Sequence[str]) -> Iterator[Sample]:
    """What templates of a format write, if an opener of the dialects stands in it."""
    calls = book.templates["conversations"]["messages"][TURN]["tool_calls"]
    openers = (texts(book.dialects[name]["opener"]) for name in dialects)
    # Where a call is the whole message, its name stands for the opener.
    marks = [text for found in openers for text in found or [calls[0]["name"]]]
    for one in book.templates["rendered"].values():
        text = one["writes"].get(TURN, "") if one["format"] == format else ""
        if any(mark.lower() in text.lower() for mark in marks):
            where = f"{code(one['file'])} of {escape(one['archive'])}"
            yield facts(f"The template {where} writes this for one call"), text, calls


def _in_case(book: Book, dialect: str) -> Iterator[Sample]:
    """The shortest text of a case with calls in this dialect, alone if possible, and no repair."""
    found = [
        (len(result["matched"]), len(text), case.id, case, text, result["tool_calls"])
        for case in book.matched[dialect]
        if (result := case.data["expect"]["result"])["tool_calls"] and not result["repairs"]
        if (text := case.data.get("input", {}).get("text"))
    ]
    if found:
        *_, case, text, calls = min(found)
        read = [{member: call[member] for member in ("name", "arguments")} for call in calls]
        yield facts(f"From the case {case.link}", case.get()), text, read


def _page(book: Book, name: str) -> Iterator[str]:
    one, cases = book.dialects[name], book.matched[name]
    formats = [each for each, format in book.formats.items() if name in format.get("dialects", ())]
    yield f"# {escape(name)} <small>{escape(one['title'])}</small>"
    yield facts(
        link(PAGE, "Dialects"),
        "active by default" if one["default"] else "active where the input lists it",
        link(f"v1/dialects/{name}.json", "raw JSON"),
    )
    beside = {
        **{each.capitalize(): map(escape, one.get(each, ())) for each in ("models", "aliases")},
        "Formats with it": (named("formats", each) for each in formats),
        "Never active beside": (named("dialects", each) for each in one.get("excludes", ())),
    }
    for what, each in beside.items():
        if shown := ", ".join(each):
            yield f"{what}: {shown}"
    yield from sample(book, formats, [name])
    others = {member: one[member] for member in one if member not in TOLD}
    yield section("Descriptor", LAW, blocks([("JSON", others, False)]))
    if cases:
        counts = Counter(link(case.page, escape(case.suite)) for case in cases)
        yield section("Cases that match it", table(["suite", "cases"], counts.items()))
