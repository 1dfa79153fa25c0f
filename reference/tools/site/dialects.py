"""The dialects for people: a grid, and a page for each with a sample, its descriptor and its cases.

All is read: the descriptors, what the law says of their payload scanners, and the built cases.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any

from tools.site.book import Book
from tools.site.cases import Case, Suite, case_blocks, get_link
from tools.site.markdown import WIDE, code, escape, facts, in_form, link, table, unsearched

PAGE = "dialects/index.md"
FOLDER = Path("spec/v1/dialects")
LAW = "v1/extraction.md"
SCANNER = re.compile(r"^> - `(\w+)`: (.*(?:\n> {3,}.*)*?)[;.]$", re.MULTILINE)
INTRO = f"""{WIDE}# Dialects

The ways of writing calls as text that extraction reads. The [law](../v1/extraction.md#descriptor)
says what a descriptor means. A port that reads more than the default ones says `more-dialects`."""

TOLD = ("format", "id", "title", "default", "models", "aliases")
Row = tuple[str, str]
Match = tuple[Suite, Case, Mapping[str, Any]]
Sample = tuple[tuple[bool, int, str], Case, str, list[Any]]


def pages(book: Book) -> dict[str, str]:
    """Return the grid and the page of each dialect by path on the site."""
    scanners = _scanners(book.spec.pages[LAW].text) if LAW in book.spec.pages else {}
    rows, made = [], {}
    for file in sorted((book.root / FOLDER).glob("*.json"), key=lambda file: file.stem):
        with in_form(f"{FOLDER}/{file.name}: not a descriptor"):
            one = json.loads(file.read_bytes())
            name, scanner = one["id"], code(one["payload"]["scanner"])
            matches = _matches(name, book.suites)
            made[f"dialects/{name}.md"] = _page(one, matches, scanners)
            marks = [_marker(one["opener"]), _marker(one["closer"], "/"), scanner]
            first = f"[{escape(name)}]({name}.md)<br>{escape(one['title'])}"
            rows.append([first, *marks, _words(one["default"]), len(matches)])
    heads = ["dialect", "opener", "closer", "payload", "by default", "cases"]
    return {PAGE: f"{INTRO}\n\n{table(heads, rows)}"} | made


def _scanners(law: str) -> dict[str, str]:
    """What the law says of each payload scanner, for a page in the folder of these."""
    found: dict[str, str] = {}
    section = law.partition("\n### payload scanner\n")[2].partition("\n#")[0]
    for name, says in SCANNER.findall(section):
        words = re.sub(r"\n> +", " ", says).replace("](#", f"](../{LAW}#")
        found[name] = re.sub("^the same", next(iter(found.values()), ""), words)
    return found


def _matches(dialect: str, suites: Sequence[Suite]) -> Sequence[Match]:
    return [
        (suite, case, result)
        for suite in suites
        for case in suite.cases
        if "segments" in (result := case.data["expect"].get("result", {}))
        and dialect in result["matched"]
    ]


def _page(one: Mapping[str, Any], matches: Sequence[Match], scanners: Mapping[str, str]) -> str:
    name, page = one["id"], f"dialects/{one['id']}.md"
    active = "active by default" if one["default"] else "active where the input lists it"
    known = [f"{what} {', '.join(one[what])}" for what in ("models", "aliases") if what in one]
    raw = f"[raw JSON](../v1/dialects/{name}.json)"
    told = facts("[Dialects](index.md)", active, raw, *map(escape, known))
    parts = [f"# {escape(name)}: {escape(one['title'])}", told]
    samples = [sample for _, case, result in matches for sample in _samples(name, case, result)]
    if samples:
        _, case, text, calls = min(samples, key=itemgetter(0))
        where = link(page, case.address, escape(case.title))
        read = [{member: call[member] for member in ("name", "arguments")} for call in calls]
        data = {"input": {"text": text}, "expect": {"calls": read}}
        parts += [unsearched("Sample"), facts(f"From the case {where}", get_link(case, page))]
        parts.append(case_blocks(replace(case, data=data)))
    parts += [unsearched("Descriptor"), table(["part", "is"], _descriptor(one, scanners))]
    if matches:
        counts = Counter((suite.name, suite.page) for suite, _, _ in matches)
        rows = [[link(page, there, escape(suite)), n] for (suite, there), n in counts.items()]
        parts += [unsearched("Cases that match it"), table(["suite", "cases"], rows)]
    return "\n\n".join(parts)


def _descriptor(one: Mapping[str, Any], scanners: Mapping[str, str]) -> Iterator[Row]:
    """The parts in words; a member that has none of its own stands there with its name."""
    rest = {name: one[name] for name in one if name not in TOLD}
    beside = [f"[{escape(name)}]({name}.md)" for name in rest.pop("excludes", ())]
    yield "cannot be active beside", ", ".join(beside) or "none"
    if section := rest.pop("section", None):
        yield "around its blocks", " … ".join(map(_marker, section.values()))
    opener, payload = rest.pop("opener"), rest.pop("payload")
    yield "opener", _marker(opener)
    yield from _members("header: ", opener, ("tag", "text", "end"))
    yield "closer", _marker(rest.pop("closer"), "/")
    yield "payload", f"{code(payload['scanner'])}: {scanners[payload['scanner']]}"
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


def _marker(marker: Mapping[str, Any] | None, slash: str = "") -> str:
    if marker is None:
        return "none: a block ends behind its payload"
    if "tag" in marker:
        return code(f"<{slash}{marker['tag']}>")
    return code(marker["text"]) + (f" header {code(marker['end'])}" if "end" in marker else "")


def _samples(dialect: str, case: Case, result: Mapping[str, Any]) -> Iterator[Sample]:
    """The blocks whose calls need no repair, each behind its rank: the plainest is the first."""
    calls = iter(result["tool_calls"])
    for segment in result["segments"]:
        text, read = segment["text"], list(islice(calls, int(segment.get("calls", 0))))
        if read and segment["dialect"] == dialect and not result["repairs"]:
            plain = text.isascii() and all(call["arguments"] for call in read)
            yield (not plain, len(text), case.id), case, text, read
