"""The dialects for people: a grid, and a page for each with a sample, its descriptor and its cases.

All is read: the descriptors, the built cases, and what templates wrote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from tools.law.dialects import texts
from tools.site.book import Book
from tools.site.cases import Case, Suite, get_link
from tools.site.markdown import WIDE, code, escape, facts, in_form, link, table, unsearched
from tools.site.readable import blocks

PAGE = "dialects/index.md"
TURN = "one"
"""The turn of what templates write that is shown: one call."""

INTRO = f"""{WIDE}# Dialects

The ways of writing calls as text that extraction reads. The [law](../v1/extraction.md#descriptor)
says what a descriptor means. A port that reads more than the default ones says `more-dialects`.
Which of them a model writes, the [formats](../formats/index.md) say."""

LAW = """What a member means, the [law](../v1/extraction.md#descriptor) says and the
[schema](../schemas/v1/formats/dialect.md)."""

TOLD = ("format", "id", "title", "default", "models", "aliases")
Match = tuple[Suite, Case, Mapping[str, Any]]


def pages(book: Book) -> dict[str, str]:
    """Return the grid and the page of each dialect by path on the site."""
    rows, made = [], {}
    for name, one in book.dialects.items():
        with in_form(f"spec/v1/dialects/{name}.json: not a descriptor"):
            scanner = code(one["payload"]["scanner"])
            matches = _matches(name, book.suites)
            made[f"dialects/{name}.md"] = _page(book, one, matches)
            marks = [_marker(one["opener"]), _marker(one["closer"], "/"), scanner]
            first = f"{named(f'{name}.md')}<br>{escape(one['title'])}"
            rows.append([first, *marks, "yes" if one["default"] else "no", len(matches)])
    heads = ["dialect", "opener", "closer", "payload", "by default", "cases"]
    return {PAGE: f"{INTRO}\n\n{table(heads, rows)}"} | made


def sample(book: Book, page: str, formats: Sequence[str], dialects: Sequence[str]) -> Iterator[str]:
    """Yield the section with a call: as a template of the formats writes it, or out of a case."""
    written = (one for each in formats for one in _written(book, each, dialects))
    in_cases = (one for each in dialects for one in _in_case(book, page, each))
    for told, shown in islice(chain(written, in_cases), 1):
        yield unsearched("##", "Sample")
        yield told
        yield shown


def _written(book: Book, format: str, dialects: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What templates of a format write, if an opener of the dialects stands in it."""
    rendered, given = book.templates
    calls = given[TURN]["tool_calls"]
    openers = (texts(book.dialects[name]["opener"]) for name in dialects)
    # Where a call is the whole message, its name stands for the opener.
    marks = [text for found in openers for text in found or [calls[0]["name"]]]
    for one in rendered:
        text = one["writes"].get(TURN, "") if one["format"] == format else ""
        if any(mark.lower() in text.lower() for mark in marks):
            where = f"{code(one['file'])} of {escape(one['archive'])}"
            parts = [("Text", text, True), ("Calls", calls, False)]
            yield facts(f"The template {where} writes this for one call"), blocks(parts)


def _in_case(book: Book, page: str, dialect: str) -> Iterator[tuple[str, str]]:
    """The shortest text of a case with calls in this dialect, alone if possible, and no repair."""
    found = [
        (len(result["matched"]), len(text), case.id, case, text, result["tool_calls"])
        for _, case, result in _matches(dialect, book.suites)
        if result["tool_calls"] and not result["repairs"]
        if (text := case.data.get("input", {}).get("text"))
    ]
    if found:
        *_, case, text, calls = min(found)
        read = [{member: call[member] for member in ("name", "arguments")} for call in calls]
        where = link(page, case.address, escape(case.title))
        parts = [("Text", text, True), ("Calls", read, False)]
        yield facts(f"From the case {where}", get_link(case, page)), blocks(parts)


def _matches(dialect: str, suites: Sequence[Suite]) -> Sequence[Match]:
    return [
        (suite, case, result)
        for suite in suites
        for case in suite.cases
        if "segments" in (result := case.data["expect"].get("result", {}))
        and dialect in result["matched"]
    ]


def _page(book: Book, one: Mapping[str, Any], matches: Sequence[Match]) -> str:
    name, page = one["id"], f"dialects/{one['id']}.md"
    active = "active by default" if one["default"] else "active where the input lists it"
    known = [
        f"{what} {escape(', '.join(one[what]))}" for what in ("models", "aliases") if what in one
    ]
    raw = f"[raw JSON](../v1/dialects/{name}.json)"
    formats = [each for each, format in book.formats.items() if name in format.get("dialects", ())]
    parts = [f"# {escape(name)} <small>{escape(one['title'])}</small>"]
    parts += [facts("[Dialects](index.md)", active, raw, *known)]
    beside = {"Formats with it": [f"../formats/{each}.md" for each in formats]}
    beside["Never active beside"] = [f"{each}.md" for each in one.get("excludes", ())]
    parts += [f"{what}: {', '.join(map(named, there))}" for what, there in beside.items() if there]
    parts += sample(book, page, formats, [name])
    descriptor = {member: one[member] for member in one if member not in TOLD}
    parts += [unsearched("##", "Descriptor"), LAW, blocks([("JSON", descriptor, False)])]
    if matches:
        counts = Counter((suite.name, suite.page) for suite, _, _ in matches)
        listed = [[link(page, there, escape(suite)), n] for (suite, there), n in counts.items()]
        parts += [unsearched("##", "Cases that match it"), table(["suite", "cases"], listed)]
    return "\n\n".join(parts)


def named(path: str) -> str:
    """Return a link that is called as the file to which it leads."""
    return f"[{escape(path.rpartition('/')[2].removesuffix('.md'))}]({path})"


def _marker(one: Mapping[str, Any] | None, slash: str = "") -> str:
    return ", ".join(map(code, texts(one, slash))) or "none"
