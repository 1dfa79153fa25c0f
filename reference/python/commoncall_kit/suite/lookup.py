"""What an id or a name stands for, for people: all that has one in the fixtures.

All of it stands in the fixtures. This file finds it there and lays it out as text.
"""

import difflib
import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

from commoncall.printable import printable
from commoncall_kit.suite import incidents, package_data
from commoncall_kit.suite.data import Documents
from commoncall_kit.suite.package_data import words_of

PREFIX: Final = "commoncall:"
"""Stands before an id where it is cited."""

WIDTH: Final = 88

_KINDS: Final = {
    "errors": "an error",
    "findings": "a finding",
    "rejections": "a rejection",
    "repairs": "a repair",
}

Listed = Mapping[str, Any]
Describe = Callable[[], list[str]]

Demanded = Mapping[str, Mapping[str, Sequence[str]]]
"""By contract and code: the ids of the requirements that demand it."""

NEAR: Final = 5
"""So many names that come near are offered, at most."""


class UnknownIdError(Exception):
    """Nothing has this id. The text says it in one line, with the ids that come near."""


def look_up(files: Documents, wanted: str, demanded: Demanded) -> str:
    """Return what there is to say of an id, as lines of text; the last one names the suite.

    A name can be both a definition and a code, and a code can stand in two tables: all is said.

    Args:
        files: the suite.
        wanted: an id or a name in any case, with ``commoncall:`` before it or without; of a
            definition its anchor or its address, too.
        demanded: which requirements demand a code.

    Raises:
        UnknownIdError: nothing has it.
    """
    known = known_names(files, demanded)
    key = wanted.strip().casefold().removeprefix(PREFIX)
    if key not in known:
        likely = [each for each in package_data.refused_with(words_of(key)) if each in known]
        near = list(dict.fromkeys(known[each][0][0] for each in likely or _near(key, known)))[:NEAR]
        hint = f"; near it: {', '.join(near)}" if near else ""
        raise UnknownIdError(f"nothing has the id {printable(wanted[:80])!r}{hint}")
    blocks = ["\n".join(map(printable, describe())) for _, describe in known[key]]
    suite = f"suite {files.manifest['version']} {files.digest}"
    return "\n\n".join([*blocks, printable(suite)]) + "\n"


def known_names(files: Documents, demanded: Demanded) -> dict[str, list[tuple[str, Describe]]]:
    """Return all that has a name, by the name in lower case: how it is spelt, and what says it."""
    known: dict[str, list[tuple[str, Describe]]] = {}
    named = _Names(files, demanded)
    for name, describe in named.entries():
        known.setdefault(name.casefold(), []).append((name, describe))
    for each in files.index["definitions"]:
        name, anchor = each["name"], each["address"].rpartition("#")[2]
        for other in {anchor, each["address"]} - {name.casefold()}:
            known.setdefault(other, []).append((name, partial(named.definition, each)))
    return known


def _near(key: str, known: Iterable[str]) -> list[str]:
    """Return names that hold a key or all its words, those of cases last, then names that are
    spelt alike.
    """
    words = words_of(key)
    holding = [each for each in known if words and (words <= words_of(each) or key in each)]
    holding.sort(key=lambda each: (each.count(".") > 1, not words <= words_of(each), len(each)))
    return [*holding[:NEAR], *difflib.get_close_matches(key, known, n=3)]


class _Names:
    """What has a name, and what there is to say of it."""

    def __init__(self, files: Documents, demanded: Demanded) -> None:
        self._files = files
        self._demanded = demanded
        self._reports = incidents.read()
        self._rules: dict[str, Listed] = {each["id"]: each for each in files.index["requirements"]}
        self._cases: dict[str, Listed] = {
            case["id"]: {"operation": suite["operation"], **case}
            for suite in files.suites
            for case in suite["cases"]
        }
        self._definitions = {each["address"]: each["name"] for each in files.index["definitions"]}

    def entries(self) -> Iterator[tuple[str, Describe]]:
        """Yield each name, and what says what it stands for."""
        index, manifest = self._files.index, self._files.manifest
        gone = [case for suite in self._files.suites for case in suite.get("withdrawn", [])]
        codes = [{**row, "table": name} for name, rows in manifest["codes"].items() for row in rows]
        for rows, member, describe in (
            (self._rules.values(), "id", self._requirement),
            (index["withdrawn"], "id", partial(_withdrawn, "a requirement")),
            (index["definitions"], "name", self.definition),
            ([each for each in index["definitions"] if "id" in each], "id", self.definition),
            (manifest["operations"], "operation", self._operation),
            (manifest["features"], "feature", self._feature),
            (manifest["levels"], "level", _level),
            (codes, "code", self._code),
            (manifest["reasons"], "reason", partial(self._text, "a reason", "reason", "meaning")),
            (manifest["texts"], "name", partial(self._text, "a fixed text", "name", "text")),
            (self._cases.values(), "id", self._case),
            (gone, "id", partial(_withdrawn, "a case")),
        ):
            for each in rows:
                yield each[member], partial(describe, each)
        for entry in index["definitions"]:
            for row in entry.get("shown", ()):
                if row["id"] != entry["id"]:
                    yield row["id"], partial(self._row, entry, row)
        for report in self._reports:
            for name in incidents.names(report):
                yield name, partial(self._incident, report)
        for harm in dict.fromkeys(report["harm"] for report in self._reports):
            yield harm, partial(self._harm, harm)
        for name, (head, facts) in package_data.told():
            yield name, partial(_told, head, "", facts)

    def _requirement(self, entry: Listed) -> list[str]:
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
            "reported": [each["id"] for each in incidents.citing(entry["id"], self._reports)],
            "cases": str(len(entry["cases"])),
        }
        shown = self._titles_of_cases(entry["cases"])
        return _told(
            f"{entry['id']}: {entry['title']}", entry["text"], facts, shown, self._links(entry)
        )

    def _incident(self, report: Listed) -> list[str]:
        """Say what was reported, what is right, and what answers it. A suite can be older."""
        right = (
            f"Right: {report['right']}" if "right" in report else f"Why not: {report['refused']}"
        )
        facts = {
            "date": report.get("date"),
            "software": " ".join([report["software"], report.get("version", "")]).rstrip(),
            "model": report.get("model"),
            "interface": report.get("interface"),
            "profile": report.get("profile"),
            "harm": report["harm"],
            "address": incidents.address(report["id"]),
        }
        known = [self._rules[each] for each in report.get("rules", ()) if each in self._rules]
        shown = self._titles_of_cases(
            name for name in report.get("cases", ()) if name in self._cases
        )
        return _told(
            f"{report['id']}: an incident",
            f"What happened: {report['what']}\n{right}",
            facts,
            _titles("requirements", known),
            ["cases", *shown] if shown else [],
        )

    def _harm(self, harm: str) -> list[str]:
        told = [f"  {each['id']}  {each['what']}" for each in self._reports if each["harm"] == harm]
        return _told(f"{harm}: a harm of {len(told)} incidents", "", {}, told)

    def _titles_of_cases(self, names: Iterable[str]) -> list[str]:
        return [f"  {name}  {self._cases[name]['title']}" for name in names]

    def _links(self, entry: Listed) -> list[str]:
        """Return the definitions that a text links, whose words it means exactly as they stand."""
        lines = [f"  {self._definitions[each]}  {each}" for each in entry["links"]]
        return ["definitions", *lines] if lines else []

    def _row(self, entry: Listed, row: Listed) -> list[str]:
        """Say what a row or step of a definition says, and which cases show it."""
        name = row["id"].partition("-")[2]
        begins = (f"| {name} |", f"{name.partition('.')[2]}. ")
        text = next(line for line in entry["text"].splitlines() if line.startswith(begins))
        facts = {"address": entry["address"], "cases": str(len(row["cases"]))}
        shown = self._titles_of_cases(row["cases"])
        return _told(f"{row['id']}: of {entry['name']}", text, facts, shown)

    def definition(self, entry: Listed) -> list[str]:
        """Return what a definition says."""
        facts = {"address": entry["address"]}
        head = f"{entry['name']}: a definition"
        return _told(head, entry["text"], facts, self._links(entry))

    def _operation(self, entry: Listed) -> list[str]:
        name = entry["operation"]
        cases = [case for case in self._cases.values() if case["operation"] == name]
        cited = {cited for case in cases for cited in case["requirements"]}
        codes = [
            row["code"]
            for rows in self._files.manifest["codes"].values()
            for row in rows
            if name in row["operations"] or "all" in row["operations"]
        ]
        facts = {
            "contract": entry["contract"],
            "feature": entry["feature"],
            "diagnostic members": entry["diagnostics"],
            "schema": entry["schema"],
            "codes": ", ".join(dict.fromkeys(codes)),
            "cases": str(len(cases)),
        }
        shown = self._where(lambda each: each["id"] in cited)
        titles = _titles("requirements that its cases show", shown)
        return _told(f"{name}: an operation", "", facts, titles)

    def _feature(self, entry: Listed) -> list[str]:
        name, manifest = entry["feature"], self._files.manifest
        operations = manifest["operations"]
        own = [each["operation"] for each in operations if each["feature"] == name]
        cases = self._cases.values()
        needing = sum(
            case["operation"] in own or name in case.get("features", []) for case in cases
        )
        lacking = sum(name in case.get("without", []) for case in cases)
        told = [each["operation"] for each in operations if each["diagnostics"]]
        facts = {
            "contracts": [
                each["contract"] for each in manifest["contracts"] if name in each["features"]
            ],
            "operations": told if name == "diagnostics" else own,
            "cases that need it": str(needing or ""),
            "cases without it": str(lacking or ""),
        }
        by = self._where(lambda each: each["feature"] == name)
        return _told(f"{name}: a feature", entry["meaning"], facts, _titles("requirements", by))

    def _text(self, what: str, member: str, text: str, entry: Listed) -> list[str]:
        name = entry[member]
        by = self._where(lambda each: f"`{name}`" in each["text"])
        return _told(f"{name}: {what}", entry[text], {}, _titles("requirements", by))

    def _code(self, row: Listed) -> list[str]:
        contracts = dict.fromkeys(operation.partition(".")[0] for operation in row["operations"])
        found = (self._demanded.get(each, {}).get(row["code"], ()) for each in contracts)
        ids = {*chain.from_iterable(found)}
        by = self._where(lambda each: each["id"] in ids)
        facts = {"level": row.get("level"), "operations": row["operations"]}
        head = f"{row['code']}: {_KINDS.get(row['table'], row['table'])}"
        return _told(head, row["meaning"], facts, _titles("requirements", by))

    def _case(self, case: Listed) -> list[str]:
        origin = case["origin"]
        facts = {
            "operation": case["operation"],
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
        return _told(
            f"{case['id']}: {case['title']}",
            "",
            facts,
            _titles("requirements", map(self._rules.__getitem__, case["requirements"])),
            ["", "input", *given],
            ["", "environment", *_json(case["env"])] if "env" in case else [],
            ["", "expectation", *_json(case["expect"])],
        )

    def _where(self, holds: Callable[[Listed], bool]) -> list[Listed]:
        return [each for each in self._rules.values() if holds(each)]


def _told(head: str, text: str, facts: Mapping[str, Any], *lists: Iterable[str]) -> list[str]:
    """Return the first line, a text, facts, and lists below these."""
    words = [*_wrapped(text), ""] if text else []
    return [head, "", *words, *_facts(facts), *chain(*lists)]


def _withdrawn(what: str, entry: Listed) -> list[str]:
    facts = {
        "since": entry["since"],
        "replaced by": entry.get("replaced_by"),
        "address": entry.get("address"),
        "reason": entry.get("reason"),
    }
    return _told(f"{entry['id']}: {what} that is withdrawn", "", facts)


def _level(entry: Listed) -> list[str]:
    facts = {
        "operations": entry["operations"],
        "cases": f"those whose origin is an {entry['origin']}, of the core",
        "without": entry.get("absent"),
        "asked by": f"commoncall conformance --level {entry['level']} -- COMMAND ...",
    }
    return _told(f"{entry['level']}: a level", "", facts)


def _facts(facts: Mapping[str, Any]) -> list[str]:
    """Return a line for each fact that there is, or several for one that is a long list."""
    width = max(map(len, facts), default=0)
    lines: list[str] = []
    for name, value in facts.items():
        if value:
            text = ", ".join(value) if isinstance(value, list) else value
            lines += textwrap.wrap(
                f"{name.ljust(width)}  {text}",
                WIDTH + 12,
                subsequent_indent=" " * (width + 2),
                break_long_words=False,
                break_on_hyphens=False,
            )
    return lines


def _titles(label: str, requirements: Iterable[Listed]) -> list[str]:
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
        "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in line)
        for line in text.split("\n")
    ]
