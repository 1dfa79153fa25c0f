"""The dialects for people: a grid, and a page for each with a sample, its descriptor and its cases.

All is read: the descriptors, the built cases, and what templates wrote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from operator import itemgetter
from typing import Any

from tools.law.dialects import texts
from tools.site.book import Book
from tools.site.cases import Case, Suite, case_blocks, get_link
from tools.site.markdown import WIDE, code, escape, facts, in_form, link, table, unsearched
from tools.site.readable import blocks

PAGE = "dialects/index.md"
SCANNERS = "v1/extraction.md#payload-scanner"
TURN = "one"
"""The turn of what templates write that is shown: one call."""

INTRO = f"""{WIDE}# Dialects

The ways of writing calls as text that extraction reads. The [law](../v1/extraction.md#descriptor)
says what a descriptor means. A port that reads more than the default ones says `more-dialects`.
Which of them a model writes, the [formats](../formats/index.md) say."""

TOLD = ("format", "id", "title", "default", "models", "aliases")
Row = tuple[str, str]
Match = tuple[Suite, Case, Mapping[str, Any]]
Sample = tuple[tuple[bool, int, str], Case, str, list[Any]]


def pages(book: Book) -> dict[str, str]:
    """Return the grid and the page of each dialect by path on the site."""
    rows, made = [], {}
    for name, one in book.dialects.items():
        with in_form(f"spec/v1/dialects/{name}.json: not a descriptor"):
            scanner = code(one["payload"]["scanner"])
            matches = _matches(name, book.suites)
            made[f"dialects/{name}.md"] = _page(book, one, matches)
            marks = [marker(one["opener"]), marker(one["closer"], "/"), scanner]
            first = f"[{escape(name)}]({name}.md)<br>{escape(one['title'])}"
            rows.append([first, *marks, _words(one["default"]), len(matches)])
    heads = ["dialect", "opener", "closer", "payload", "by default", "cases"]
    return {PAGE: f"{INTRO}\n\n{table(heads, rows)}"} | made


def sample(book: Book, page: str, formats: Sequence[str], dialects: Sequence[str]) -> Iterator[str]:
    """Yield the section with a call: as a template of the formats writes it, or out of a case."""
    found = [*islice((one for each in formats for one in _written(book, each, dialects)), 1)]
    if not found:
        found = [*islice((one for each in dialects for one in _in_case(book, page, each)), 1)]
    for told, shown in found:
        yield unsearched("Sample")
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
    """The plainest block with calls that a case has."""
    matches = _matches(dialect, book.suites)
    samples = [sample for _, case, result in matches for sample in _samples(dialect, case, result)]
    if samples:
        _, case, text, calls = min(samples, key=itemgetter(0))
        where = link(page, case.address, escape(case.title))
        read = [{member: call[member] for member in ("name", "arguments")} for call in calls]
        data = {"input": {"text": text}, "expect": {"calls": read}}
        shown = case_blocks(replace(case, data=data))
        yield facts(f"From the case {where}", get_link(case, page)), shown


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
    known = [f"{what} {', '.join(one[what])}" for what in ("models", "aliases") if what in one]
    raw = f"[raw JSON](../v1/dialects/{name}.json)"
    told = facts("[Dialects](index.md)", active, raw, *map(escape, known))
    parts = [f"# {escape(name)}: {escape(one['title'])}", told]
    formats = [each for each, format in book.formats.items() if name in format.get("dialects", ())]
    parts += sample(book, page, formats, [name])
    rows = [*_descriptor(one)]
    linked = ", ".join(f"[{escape(each)}](../formats/{each}.md)" for each in formats)
    rows.append(("formats with it", linked or "none"))
    parts += [unsearched("Descriptor"), table(["part", "is"], rows)]
    if matches:
        counts = Counter((suite.name, suite.page) for suite, _, _ in matches)
        listed = [[link(page, there, escape(suite)), n] for (suite, there), n in counts.items()]
        parts += [unsearched("Cases that match it"), table(["suite", "cases"], listed)]
    return "\n\n".join(parts)


def _descriptor(one: Mapping[str, Any]) -> Iterator[Row]:
    """The parts in words; a member that has none of its own stands there with its name."""
    rest = {name: one[name] for name in one if name not in TOLD}
    beside = [f"[{escape(name)}]({name}.md)" for name in rest.pop("excludes", ())]
    yield "cannot be active beside", ", ".join(beside) or "none"
    if section := rest.pop("section", None):
        yield "around its blocks", " … ".join(map(marker, section.values()))
    opener, payload = rest.pop("opener"), rest.pop("payload")
    yield "opener", marker(opener)
    yield from _members("header: ", opener or {}, ("tag", "text", "end"))
    yield "closer", marker(rest.pop("closer"), "/")
    yield "payload", f"[{code(payload['scanner'])}](../{SCANNERS})"
    yield from _members("payload: ", payload, ("scanner",))
    yield "repairs that it may need", _words(rest.pop("repairs")) if "repairs" in rest else "all"
    limited = "limit_bytes" in rest
    yield "length", f"up to {rest.pop('limit_bytes'):,} bytes of UTF-8" if limited else "any"
    yield from _members("values: ", rest.pop("values", {}))
    yield from _members("", rest)


def _members(before: str, node: Mapping[str, Any], told: Sequence[str] = ()) -> Iterator[Row]:
    return ((before + code(name), _words(node[name])) for name in node if name not in told)


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{escape(name)} {_words(each)}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_words, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value in (None, "") else code(str(value))


def marker(one: Mapping[str, Any] | None, slash: str = "") -> str:
    """Return a marker as a reader of the text sees it; of a closing tag, with its slash."""
    if one is None:
        return f"none: {'a block ends behind its payload' if slash else 'it is the whole message'}"
    if "tag" in one:
        return code(f"<{slash}{one['tag']}>")
    return code(one["text"]) + (f" header {code(one['end'])}" if "end" in one else "")


def _samples(dialect: str, case: Case, result: Mapping[str, Any]) -> Iterator[Sample]:
    """The blocks whose calls need no repair, each behind its rank: the plainest is the first."""
    calls = iter(result["tool_calls"])
    for segment in result["segments"]:
        text, read = segment["text"], list(islice(calls, int(segment.get("calls", 0))))
        if read and segment["dialect"] == dialect and not result["repairs"]:
            plain = text.isascii() and all(call["arguments"] for call in read)
            yield (not plain, len(text), case.id), case, text, read
