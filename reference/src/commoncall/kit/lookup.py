"""What an id stands for, for people: a requirement, a definition, a code or a case.

All of it stands in the fixtures. This file finds it there and lays it out as text.
"""

from __future__ import annotations

import difflib
import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from commoncall.kit.data import Documents
from commoncall.kit.terminal import printable

PREFIX: Final = "commoncall:"
"""Stands before an id where it is cited."""

WIDTH: Final = 88

_KINDS: Final = {
    "errors": "an error",
    "findings": "a finding",
    "rejections": "a rejection",
    "repairs": "a repair",
}

Entry = Mapping[str, Any]
Describe = Callable[[], list[str]]


class UnknownIdError(Exception):
    """Nothing has this id. The text says it in one line, with the ids that come near."""


def look_up(files: Documents, wanted: str) -> str:
    """Return what there is to say of an id, as lines of text; the last one names the suite.

    A name can be both a definition and a code, and a code can stand in two tables: all is said.

    Args:
        files: the suite.
        wanted: an id or a name in any case, with ``commoncall:`` before it or without.

    Raises:
        UnknownIdError: nothing has it.
    """
    known: dict[str, list[tuple[str, Describe]]] = {}
    for name, describe in _entries(files):
        known.setdefault(name.casefold(), []).append((name, describe))
    key = wanted.strip().casefold().removeprefix(PREFIX)
    if key not in known:
        near = [known[each][0][0] for each in difflib.get_close_matches(key, known, n=3)]
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise UnknownIdError(f"nothing has the id {printable(wanted[:80])!r}{hint}")
    blocks = ["\n".join(map(printable, describe())) for _, describe in known[key]]
    suite = f"suite {files.manifest['version']} {files.digest}"
    return "\n\n".join([*blocks, printable(suite)]) + "\n"


def _entries(files: Documents) -> Iterator[tuple[str, Describe]]:
    requirements = {each["id"]: each for each in files.index["requirements"]}
    cases = {case["id"]: case for suite in files.suites for case in suite["cases"]}
    for each in requirements.values():
        yield each["id"], partial(_requirement, each, cases)
    for each in files.index["withdrawn"]:
        yield each["id"], partial(_withdrawn, each, "a requirement")
    for each in files.index["definitions"]:
        yield each["name"], partial(_definition, each)
    for table, rows in files.manifest["codes"].items():
        for row in rows:
            yield row["code"], partial(_code, table, row, requirements.values())
    for suite in files.suites:
        for case in suite["cases"]:
            yield case["id"], partial(_case, case, suite["operation"], requirements)
        for gone in suite.get("withdrawn", []):
            yield gone["id"], partial(_withdrawn, gone, "a case")


def _requirement(entry: Entry, cases: Mapping[str, Entry]) -> list[str]:
    facts = {
        "level": entry["level"],
        "contract": entry["contract"],
        "feature": entry["feature"],
        "since": entry["since"],
        "changed": entry["changes"],
        "address": entry["address"],
        "decisions": entry["adr"],
        "sources": entry["source"],
        "review": entry.get("review"),
        "cases": str(len(entry["cases"])),
    }
    listed = [f"  {name}  {cases[name]['title']}" for name in entry["cases"]]
    head = [f"{entry['id']}: {entry['title']}", "", *_wrapped(entry["text"]), ""]
    return [*head, *_facts(facts), *listed]


def _withdrawn(entry: Entry, what: str) -> list[str]:
    facts = {
        "since": entry["since"],
        "replaced by": entry.get("replaced_by"),
        "address": entry.get("address"),
        "reason": entry.get("reason"),
    }
    return [f"{entry['id']}: {what} that is withdrawn", "", *_facts(facts)]


def _definition(entry: Entry) -> list[str]:
    head = [f"{entry['name']}: a definition", "", *_wrapped(entry["text"]), ""]
    return [*head, *_facts({"address": entry["address"]})]


def _code(table: str, row: Entry, requirements: Iterable[Entry]) -> list[str]:
    contracts = {operation.partition(".")[0] for operation in row["operations"]}
    by = (
        each
        for each in requirements
        if each["contract"] in contracts and f"`{row['code']}`" in each["text"]
    )
    head = [f"{row['code']}: {_KINDS.get(table, table)}", "", *_wrapped(row["meaning"]), ""]
    return [*head, *_facts({"operations": row["operations"]}), *_titles("requirements", by)]


def _case(case: Entry, operation: str, requirements: Mapping[str, Entry]) -> list[str]:
    origin = case["origin"]
    facts = {
        "operation": operation,
        "risk": case["risk"],
        "origin": f"{origin['kind']} {origin.get('ref', '')}".rstrip(),
        "since": case["since"],
        "features": case.get("features"),
        "without": case.get("without"),
        "laws": case.get("laws"),
        "notes": case.get("notes"),
    }
    # An input that comes as a text is shown as one: a member may stand there twice.
    given = _visible(case["input_json"]) if "input_json" in case else _json(case["input"])
    env = ["", "environment", *_json(case["env"])] if "env" in case else []
    return [
        f"{case['id']}: {case['title']}",
        "",
        *_facts(facts),
        *_titles("requirements", (requirements[each] for each in case["requirements"])),
        *["", "input", *given],
        *env,
        *["", "expectation", *_json(case["expect"])],
    ]


def _facts(facts: Mapping[str, Any]) -> list[str]:
    """Return a line for each fact that there is."""
    width = max(map(len, facts))
    texts = {
        name: ", ".join(value) if isinstance(value, list) else value
        for name, value in facts.items()
        if value
    }
    return [f"{name.ljust(width)}  {text}" for name, text in texts.items()]


def _titles(label: str, requirements: Iterable[Entry]) -> list[str]:
    lines = [f"  {each['id']}  {each['title']}" for each in requirements]
    return [label, *lines] if lines else []


def _wrapped(text: str) -> list[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        indent = "  " if line.startswith("- ") else ""
        lines += textwrap.wrap(
            line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
    return lines


def _json(value: object) -> list[str]:
    return _visible(json.dumps(value, ensure_ascii=False, indent=2))


def _visible(text: str) -> list[str]:
    """Return lines; what a terminal would not show, such as odd blanks, is escaped as in JSON."""
    return [
        "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)
        for line in text.split("\n")
    ]
