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
    for name, describe in _entries(files, demanded):
        known.setdefault(name.casefold(), []).append((name, describe))
    named = _names(files)
    for each in files.index["definitions"]:
        name, anchor = each["name"], each["address"].rpartition("#")[2]
        for other in {anchor, each["address"]} - {name.casefold()}:
            known.setdefault(other, []).append((name, partial(_definition, each, named)))
    return known


def _near(key: str, known: Iterable[str]) -> list[str]:
    """Return names that hold a key or all its words, those of cases last, then names that are
    spelt alike.
    """
    words = words_of(key)
    holding = [each for each in known if words and (words <= words_of(each) or key in each)]
    holding.sort(key=lambda each: (each.count(".") > 1, not words <= words_of(each), len(each)))
    return [*holding[:NEAR], *difflib.get_close_matches(key, known, n=3)]


def _names(files: Documents) -> dict[str, str]:
    """Return the names of the definitions by address."""
    return {each["address"]: each["name"] for each in files.index["definitions"]}


def _entries(files: Documents, demanded: Demanded) -> Iterator[tuple[str, Describe]]:
    named = _names(files)
    requirements = {each["id"]: each for each in files.index["requirements"]}
    cases = {case["id"]: case for suite in files.suites for case in suite["cases"]}
    reports = incidents.read()
    for each in requirements.values():
        yield each["id"], partial(_requirement, each, cases, named, reports)
    yield from _reported(reports, requirements, cases)
    for each in files.index["withdrawn"]:
        yield each["id"], partial(_withdrawn, each, "a requirement")
    for each in files.index["definitions"]:
        yield each["name"], partial(_definition, each, named)
        if "id" in each:
            yield each["id"], partial(_definition, each, named)
        for row in each.get("shown", ()):
            if row["id"] != each["id"]:
                yield row["id"], partial(_row, row, each, cases)
    yield from _manifest_entries(files, demanded)
    for name, (head, facts) in package_data.told():
        yield name, partial(_told, head, "", facts)
    for suite in files.suites:
        for case in suite["cases"]:
            yield case["id"], partial(_case, case, suite["operation"], requirements)
        for gone in suite.get("withdrawn", []):
            yield gone["id"], partial(_withdrawn, gone, "a case")


def _reported(
    reports: Sequence[Listed], requirements: Mapping[str, Listed], cases: Mapping[str, Listed]
) -> Iterator[tuple[str, Describe]]:
    for report in reports:
        for name in incidents.names(report):
            yield name, partial(_incident, report, requirements, cases)
    for harm in dict.fromkeys(report["harm"] for report in reports):
        yield harm, partial(_harm, harm, reports)


def _manifest_entries(files: Documents, demanded: Demanded) -> Iterator[tuple[str, Describe]]:
    manifest, requirements = files.manifest, files.index["requirements"]
    for each in manifest["operations"]:
        yield each["operation"], partial(_operation, each, files)
    for each in manifest["features"]:
        yield each["feature"], partial(_feature, each, files)
    for each in manifest["levels"]:
        yield each["level"], partial(_level, each)
    for table, rows in manifest["codes"].items():
        for row in rows:
            yield row["code"], partial(_code, table, row, files, demanded)
    for table, what, member, text in (
        ("reasons", "a reason", "reason", "meaning"),
        ("texts", "a fixed text", "name", "text"),
    ):
        for each in manifest[table]:
            name = each[member]
            yield name, partial(_name, name, what, each[text], requirements)


def _told(head: str, text: str, facts: Mapping[str, Any], *lists: Iterable[str]) -> list[str]:
    """Return the first line, a text, facts, and lists below these."""
    words = [*_wrapped(text), ""] if text else []
    return [head, "", *words, *_facts(facts), *chain(*lists)]


def _requirement(
    entry: Listed,
    cases: Mapping[str, Listed],
    named: Mapping[str, str],
    reports: Sequence[Listed],
) -> list[str]:
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
        "reported": [each["id"] for each in incidents.citing(entry["id"], reports)],
        "cases": str(len(entry["cases"])),
    }
    head = f"{entry['id']}: {entry['title']}"
    return _told(head, entry["text"], facts, _cases(entry["cases"], cases), _links(entry, named))


def _incident(
    report: Listed, requirements: Mapping[str, Listed], cases: Mapping[str, Listed]
) -> list[str]:
    """Say what was reported, what is right, and what answers it. A suite can be an older one."""
    right = f"Right: {report['right']}" if "right" in report else f"Why not: {report['refused']}"
    facts = {
        "date": report.get("date"),
        "software": " ".join([report["software"], report.get("version", "")]).rstrip(),
        "model": report.get("model"),
        "interface": report.get("interface"),
        "profile": report.get("profile"),
        "harm": report["harm"],
        "address": incidents.address(report["id"]),
    }
    known = [requirements[each] for each in report.get("rules", ()) if each in requirements]
    shown = _cases([name for name in report.get("cases", ()) if name in cases], cases)
    return _told(
        f"{report['id']}: an incident",
        f"What happened: {report['what']}\n{right}",
        facts,
        _titles("requirements", known),
        ["cases", *shown] if shown else [],
    )


def _harm(harm: str, reports: Sequence[Listed]) -> list[str]:
    told = [f"  {each['id']}  {each['what']}" for each in reports if each["harm"] == harm]
    return _told(f"{harm}: a harm of {len(told)} incidents", "", {}, told)


def _cases(names: Iterable[str], cases: Mapping[str, Listed]) -> list[str]:
    return [f"  {name}  {cases[name]['title']}" for name in names]


def _links(entry: Listed, named: Mapping[str, str]) -> list[str]:
    """Return the definitions that a text links, whose words it means exactly as they stand."""
    lines = [f"  {named[each]}  {each}" for each in entry["links"]]
    return ["definitions", *lines] if lines else []


def _withdrawn(entry: Listed, what: str) -> list[str]:
    facts = {
        "since": entry["since"],
        "replaced by": entry.get("replaced_by"),
        "address": entry.get("address"),
        "reason": entry.get("reason"),
    }
    return _told(f"{entry['id']}: {what} that is withdrawn", "", facts)


def _row(row: Listed, entry: Listed, cases: Mapping[str, Listed]) -> list[str]:
    """Say what a row or step of a definition says, and which cases show it."""
    name = row["id"].partition("-")[2]
    begins = (f"| {name} |", f"{name.partition('.')[2]}. ")
    text = next(line for line in entry["text"].splitlines() if line.startswith(begins))
    facts = {"address": entry["address"], "cases": str(len(row["cases"]))}
    return _told(f"{row['id']}: of {entry['name']}", text, facts, _cases(row["cases"], cases))


def _definition(entry: Listed, named: Mapping[str, str]) -> list[str]:
    facts = {"address": entry["address"]}
    return _told(f"{entry['name']}: a definition", entry["text"], facts, _links(entry, named))


def _operation(entry: Listed, files: Documents) -> list[str]:
    name = entry["operation"]
    cases = [
        case for suite in files.suites if suite["operation"] == name for case in suite["cases"]
    ]
    cited = {cited for case in cases for cited in case["requirements"]}
    codes = [
        row["code"]
        for rows in files.manifest["codes"].values()
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
    shown = (each for each in files.index["requirements"] if each["id"] in cited)
    titles = _titles("requirements that its cases show", shown)
    return _told(f"{name}: an operation", "", facts, titles)


def _feature(entry: Listed, files: Documents) -> list[str]:
    name = entry["feature"]
    operations = files.manifest["operations"]
    own = [each["operation"] for each in operations if each["feature"] == name]
    held = [(suite["operation"], case) for suite in files.suites for case in suite["cases"]]
    needing = sum(by in own or name in case.get("features", []) for by, case in held)
    lacking = sum(name in case.get("without", []) for _, case in held)
    told = [each["operation"] for each in operations if each["diagnostics"]]
    contracts = [
        each["contract"] for each in files.manifest["contracts"] if name in each["features"]
    ]
    facts = {
        "contracts": contracts,
        "operations": told if name == "diagnostics" else own,
        "cases that need it": str(needing or ""),
        "cases without it": str(lacking or ""),
    }
    by = (each for each in files.index["requirements"] if each["feature"] == name)
    return _told(f"{name}: a feature", entry["meaning"], facts, _titles("requirements", by))


def _level(entry: Listed) -> list[str]:
    facts = {
        "operations": entry["operations"],
        "cases": f"those whose origin is an {entry['origin']}, of the core",
        "without": entry.get("absent"),
        "asked by": f"commoncall conformance --level {entry['level']} -- COMMAND ...",
    }
    return _told(f"{entry['level']}: a level", "", facts)


def _name(name: str, what: str, text: str, requirements: Iterable[Listed]) -> list[str]:
    by = (each for each in requirements if f"`{name}`" in each["text"])
    return _told(f"{name}: {what}", text, {}, _titles("requirements", by))


def _code(table: str, row: Listed, files: Documents, demanded: Demanded) -> list[str]:
    contracts = dict.fromkeys(operation.partition(".")[0] for operation in row["operations"])
    ids = {id for each in contracts for id in demanded.get(each, {}).get(row["code"], ())}
    by = (each for each in files.index["requirements"] if each["id"] in ids)
    facts = {"level": row.get("level"), "operations": row["operations"]}
    head = f"{row['code']}: {_KINDS.get(table, table)}"
    return _told(head, row["meaning"], facts, _titles("requirements", by))


def _case(case: Listed, operation: str, requirements: Mapping[str, Listed]) -> list[str]:
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
    return _told(
        f"{case['id']}: {case['title']}",
        "",
        facts,
        _titles("requirements", (requirements[each] for each in case["requirements"])),
        ["", "input", *given],
        ["", "environment", *_json(case["env"])] if "env" in case else [],
        ["", "expectation", *_json(case["expect"])],
    )


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
