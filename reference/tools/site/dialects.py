"""The dialects for people: a grid, and a page for each with a sample, its descriptor and its cases.

All is read: the descriptors and the built cases.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tools.law.dialects import texts
from tools.site.book import Book, Pages, written
from tools.site.markdown import code, escape, facts, link, section, table
from tools.site.readable import blocks

PAGE = "dialects/index.md"
LAW = """What a member means, the [law](../v1/extraction.md#descriptor) says and the
[schema](../schemas/v1/formats/dialect.md)."""

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


def sample(book: Book, dialects: Sequence[str], format: str = "") -> Iterator[str]:
    """Yield the section with a call: the shortest text of a case in one of these dialects, read
    with this format and in that dialect alone if possible, and without a repair.
    """
    found = []
    for case in (case for name in dialects for case in book.matched[name]):
        result, given = case.data["expect"]["result"], case.data.get("input", {})
        if result["tool_calls"] and not result["repairs"] and (text := given.get("text")):
            is_other = given.get("format", "") != format
            rank = (is_other, len(result["matched"]), len(text), case.id)
            found.append((*rank, case, text, result["tool_calls"]))
    if found:
        *_, case, text, calls = min(found)
        read = [{member: call[member] for member in ("name", "arguments")} for call in calls]
        told = facts(f"From the case {case.link}", case.get())
        yield section("Sample", told, blocks([("Text", text, True), ("Calls", read, False)]))


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
    yield from sample(book, [name])
    others = {member: one[member] for member in one if member not in TOLD}
    yield section("Descriptor", LAW, blocks([("JSON", others, False)]))
    if cases:
        counts = Counter(link(case.page, escape(case.suite)) for case in cases)
        yield section("Cases that match it", table(["suite", "cases"], counts.items()))
