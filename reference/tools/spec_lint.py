"""The linter of the law: rules about wording, links, codes and cases. One rule is one function.

``python -m tools.spec_lint`` prints a line for each problem and exits 1 when there is one; with
``--write`` it brings the page indices up to date first. What a requirement, a definition and a code
look like is in ``spec_text.py``, which reports faults of form; the rules of ``coverage.md`` are in
``coverage_lint.py``, those of the profiles in ``profiles.py``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools import fixtures, sets
from tools.coverage_lint import coverage_problems
from tools.profiles import PAGE as PROFILES_PAGE
from tools.profiles import profile_problems, write_table
from tools.registry_lint import registry_problems
from tools.spec_text import (
    CODES_PAGE,
    CONTRACTS,
    INDEX_BEGIN,
    INDEX_END,
    KEYWORD,
    LINK,
    LIST_ITEM,
    Page,
    Problem,
    Section,
    Spec,
    link_key,
    links_of,
    mask,
    page_with_index,
    prose,
    read_spec,
    write_indices,
)

ROOT = Path(__file__).resolve().parents[2]
CORE = "core"
EVERY_OPERATION = "all"

_KEYWORD_LIST = "MUST, MUST NOT, SHOULD, SHOULD NOT, MAY"
_UPPER = re.compile(r"\b(?:MUST|SHOULD|MAY)\b")
_SYNONYM = re.compile(r"\b(?:SHALL|REQUIRED|RECOMMENDED|OPTIONAL)\b")
_ANY_CASE = re.compile(r"\b(?:must|should|may|shall)\b", re.IGNORECASE)
_LOOSE_NOT = re.compile(r"\*\*(?:MUST|SHOULD|MAY)\*\*\s+not\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"""[.!?][)"'”’*_]*(?=\s+\S)""")
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:e\.g|i\.e|cf|vs)\.$")
_MENTION = re.compile(rf"\b(?:(?:{'|'.join(CONTRACTS)})-[0-9]{{3}}|ADR-[0-9]{{4}})\b")
_CODE_LABEL = re.compile(r"^`([^`]+)`$")

_KINDS_BY_MEMBER = {
    "error": "errors",
    "finding": "findings",
    "findings": "findings",
    "repair": "repairs",
    "repairs": "repairs",
    "segment": "rejections",
    "segments": "rejections",
    "rejection": "rejections",
}
"""The kind of the codes that stand below a member or a definition of a schema, by its name."""


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """What the linter knows of a case; ``codes`` are the pairs of kind and code that it expects."""

    id: str
    file: str
    line: int
    operation: str
    requirements: tuple[str, ...]
    codes: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the text is held against; ``schemas`` are JSON Schemas by path."""

    cases: Sequence[CaseFacts]
    operations: Sequence[str]
    features: Sequence[str]
    schemas: Mapping[str, object]


def lint(spec: Spec, evidence: Evidence | None) -> list[Problem]:
    """Return every problem, sorted. Without evidence only the text itself is judged."""
    found = list(spec.problems)
    for page in spec.pages.values():
        for page_rule in (stale_index, dead_links, unknown_mentions):
            found += page_rule(spec, page)
        for section in page.sections:
            for rule in _wording_rules(spec, page, section):
                found += rule(spec, page, section)
    found += replacements_exist(spec)
    cases = None if evidence is None else {case.id: case.requirements for case in evidence.cases}
    found += coverage_problems(spec, cases)
    if evidence is not None:
        for evidence_rule in (
            facts_exist,
            citations_exist,
            requirements_shown,
            listed_codes_expected,
            expected_codes_listed,
            schema_codes_listed,
        ):
            found += evidence_rule(spec, evidence)
    return sorted(found, key=lambda one: (one.page, one.line, one.id, one.reason))


WordingRule = Callable[[Spec, Page, Section], Iterator[Problem]]


def _wording_rules(spec: Spec, page: Page, section: Section) -> tuple[WordingRule, ...]:
    requirement = spec.requirements.get(section.heading)
    definition = spec.definitions.get(f"{page.path}#{section.anchor}")
    if requirement and (requirement.page, requirement.line) == (page.path, section.line):
        return (one_keyword, no_lower_case_keyword, one_sentence, open_lists, quote_links)
    if definition and definition.line == section.line:
        return (no_keyword, no_lower_case_keyword, open_lists, quote_links)
    place = (f"spec/{page.path}", section.line)
    if any((problem.page, problem.line) == place for problem in spec.problems):
        return ()
    return (no_law_elsewhere,)


# --- the wording of one quote ---------------------------------------------------------------------


def one_keyword(_spec: Spec, page: Page, section: Section) -> Iterator[Problem]:
    """A requirement has exactly one BCP 14 keyword, in bold, and no synonym of one."""
    text = _flat(section)
    bold = KEYWORD.findall(text)
    if synonym := _SYNONYM.search(text):
        yield _at(page, section, f"{synonym[0]} is no keyword here; they are {_KEYWORD_LIST}")
    if not bold:
        yield _at(page, section, f"no bold keyword; they are {_KEYWORD_LIST}")
    elif len(bold) > 1:
        yield _at(page, section, f"{len(bold)} keywords ({', '.join(bold)}); it has to be one")
    if _LOOSE_NOT.search(text):
        yield _at(page, section, "a `not` stands behind the keyword; write **MUST NOT** in bold")
    if loose := _UPPER.search(KEYWORD.sub("", text)):
        yield _at(page, section, f"{loose[0]} stands outside bold marks")


def no_keyword(_spec: Spec, page: Page, section: Section) -> Iterator[Problem]:
    """A definition has no keyword: it says what is, not what has to be done."""
    text = _flat(section)
    if keyword := _UPPER.search(text) or _SYNONYM.search(text):
        yield _at(page, section, f"{keyword[0]} in a definition; only requirements have keywords")


def no_lower_case_keyword(_spec: Spec, page: Page, section: Section) -> Iterator[Problem]:
    """A keyword in lower case inside a quote leaves open whether it binds."""
    text = prose("\n".join(section.quote.lines))
    for match in _ANY_CASE.finditer(text):
        if not match[0].isupper():
            reason = f"`{match[0]}` in a quote; say it without, or make it the keyword"
            yield _at(page, section, reason, text.count("\n", 0, match.start()))


def one_sentence(_spec: Spec, page: Page, section: Section) -> Iterator[Problem]:
    """A requirement is one sentence, its list included."""
    _, _, text = _flat(section).partition(".** ")
    for match in _SENTENCE_END.finditer(text):
        if not _ABBREVIATION.search(text[: match.start() + 1]):
            begin = " ".join(re.sub("\0+", "`…`", text[match.end() :]).split()[:3])
            yield _at(page, section, f"a second sentence, at: {begin}")
            return


def open_lists(_spec: Spec, page: Page, section: Section) -> Iterator[Problem]:
    """A list or a table has a blank ``>`` line before it, or the site makes it a paragraph."""
    before = ""
    for offset, line in enumerate(section.quote.lines):
        starts_list = LIST_ITEM.match(line) and not LIST_ITEM.match(before)
        starts_table = line.startswith("|") and not before.startswith("|")
        if before.strip() and (starts_list or starts_table):
            what = "list" if starts_list else "table"
            yield _at(page, section, f"no blank `>` line before the {what}", offset)
        if not (LIST_ITEM.match(before) and line.startswith(" ")):  # an item may be wrapped
            before = line


def quote_links(spec: Spec, page: Page, section: Section) -> Iterator[Problem]:
    """What a quote links is normative: a definition, a requirement, or a code that is listed."""
    if "][" in prose("\n".join(section.quote.lines)):
        yield _at(page, section, "a reference link; links in quotes have their target inline")
    for link in links_of(page.path, section.quote.lines):
        where, _, anchor = (link.key or "").partition("#")
        label = _CODE_LABEL.match(link.label)
        if where == CODES_PAGE and label:
            known = {code for kind, code in spec.codes if anchor in ("", kind)}
            if label[1] not in known:
                yield _at(page, section, f"the code `{label[1]}` is not listed at {link.target}")
        elif where and where != CODES_PAGE and _is_alive(spec, where, anchor):
            requirement = spec.requirements.get(anchor.upper())
            if link.key not in spec.definitions and not (requirement and requirement.page == where):
                yield _at(page, section, f"{link.target} is neither definition nor requirement")


def no_law_elsewhere(_spec: Spec, page: Page, section: Section) -> Iterator[Problem]:
    """A keyword in a quote without an id would look like law and be none."""
    for quote in section.quotes:
        text = " ".join(prose("\n".join(quote.lines)).split())
        if _UPPER.search(text) or _SYNONYM.search(text):
            name = section.heading or "-"
            yield _problem(page, quote.line, name, "a keyword in a quote that is no requirement")


# --- pages ----------------------------------------------------------------------------------------


def stale_index(spec: Spec, page: Page) -> Iterator[Problem]:
    """Each page with requirements or definitions has an index, and it is up to date."""
    lines = page.text.split("\n")
    has_index = INDEX_BEGIN in lines and INDEX_END in lines[lines.index(INDEX_BEGIN) :]
    if not has_index and (page.requirements or page.definitions):
        yield _problem(page, 1, "-", f"no index; add the lines {INDEX_BEGIN} and {INDEX_END}")
    elif page_with_index(spec, page) != page.text:
        line = lines.index(INDEX_BEGIN) + 1
        yield _problem(page, line, "-", "stale index; run: python3 noxfile.py -s spec -- --write")


def dead_links(spec: Spec, page: Page) -> Iterator[Problem]:
    """A link to a page of the specification has a page, and its anchor a heading."""
    for section in page.sections:
        text = mask("\n".join(line for _, line in section.lines))
        for match in LINK.finditer(text):
            where, _, anchor = (link_key(page.path, match[2]) or "").partition("#")
            if where and not _is_alive(spec, where, anchor):
                line = section.lines[text.count("\n", 0, match.start(2))][0]
                name = section.heading or "-"
                yield _problem(page, line, name, f"a link without target: {match[2]}")


def unknown_mentions(spec: Spec, page: Page) -> Iterator[Problem]:
    """Every id of a requirement or a decision that a page mentions exists."""
    known = {*spec.requirements, *spec.withdrawn, *spec.adrs}
    for section in page.sections:
        for number, line in section.lines:
            for name in _MENTION.findall(line):
                if name not in known:
                    yield _problem(page, number, section.heading or "-", f"{name} does not exist")


def replacements_exist(spec: Spec) -> Iterator[Problem]:
    """What took the place of a withdrawn requirement is a requirement."""
    for gone in spec.withdrawn.values():
        for name in gone.replaced_by:
            if name not in spec.requirements:
                reason = f"replaced by {name}, which is no requirement"
                yield _problem(spec.pages[gone.page], gone.line, gone.id, reason)


# --- text and evidence ----------------------------------------------------------------------------


def facts_exist(spec: Spec, evidence: Evidence) -> Iterator[Problem]:
    """The feature and the sources of a facts line exist; its decisions are mentions."""
    for requirement in spec.requirements.values():
        features = {requirement.feature} - {CORE, *evidence.features}
        for kind, names in (
            ("feature", features),
            ("source", {*requirement.source} - {*spec.sources}),
        ):
            for name in sorted(names - {""}):
                reason = f"the {kind} {name} does not exist"
                page = spec.pages[requirement.page]
                yield _problem(page, requirement.line, requirement.id, reason)


def citations_exist(spec: Spec, evidence: Evidence) -> Iterator[Problem]:
    """Every requirement that a case cites, or a schema mentions, exists."""
    for case in evidence.cases:
        for name in case.requirements:
            if name not in spec.requirements:
                state = "is withdrawn" if name in spec.withdrawn else "does not exist"
                yield Problem(case.file, case.line, case.id, f"cites {name}, which {state}")
    for path, schema in evidence.schemas.items():
        known = {*spec.requirements, *spec.adrs}
        for name in sorted({*_MENTION.findall(json.dumps(schema))} - known):
            yield Problem(path, 1, name, "mentioned, but does not exist")


def requirements_shown(spec: Spec, evidence: Evidence) -> Iterator[Problem]:
    """A requirement has a case that cites it, or says why no case can."""
    cited = {name for case in evidence.cases for name in case.requirements}
    for requirement in spec.requirements.values():
        if requirement.id not in cited and requirement.review is None:
            page = spec.pages[requirement.page]
            reason = "no case cites it, and the facts line has no `review:`"
            yield _problem(page, requirement.line, requirement.id, reason)


def listed_codes_expected(spec: Spec, evidence: Evidence) -> Iterator[Problem]:
    """Some case of each operation in a row of ``codes.md`` expects the code."""
    expected = {(case.operation, *pair) for case in evidence.cases for pair in case.codes}
    for code in spec.codes.values():
        page = spec.pages[CODES_PAGE]
        for operation in _operations(code.operations, evidence):
            if operation not in evidence.operations:
                reason = f"the operation {operation} does not exist"
                yield _problem(page, code.line, code.code, reason)
            elif (operation, code.kind, code.code) not in expected:
                reason = f"no case of {operation} expects it among the {code.kind}"
                yield _problem(page, code.line, code.code, reason)


def expected_codes_listed(spec: Spec, evidence: Evidence) -> Iterator[Problem]:
    """``codes.md`` lists every code that a case expects, for the operation of the case."""
    for case in evidence.cases:
        for kind, code in sorted(case.codes):
            if code not in _listed(spec, evidence, kind, case.operation):
                reason = f"expects `{code}`, which codes.md does not list under {kind}"
                yield Problem(case.file, case.line, case.id, f"{reason} for {case.operation}")


def schema_codes_listed(spec: Spec, evidence: Evidence) -> Iterator[Problem]:
    """The codes that a schema enumerates are those of ``codes.md``, neither more nor less."""
    for path, schema in evidence.schemas.items():
        operation = _operation_of(schema)
        held: dict[str, set[str]] = {}
        for kind, codes in enumerated_codes(schema):
            held.setdefault(kind, set()).update(codes)
        for kind, members in held.items():
            listed = _listed(spec, evidence, kind, operation)
            for code in sorted(members - listed):
                yield Problem(
                    path, 1, code, f"codes.md does not list it under {kind or 'any kind'}"
                )
            for code in sorted(listed - members):
                yield Problem(path, 1, code, "codes.md lists it, the schema does not")


def expected_codes(expect: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The pairs of kind and code that the ``expect`` of a case holds."""
    error, result = expect.get("error"), expect.get("result")
    if isinstance(error, dict):
        yield "errors", str(error.get("code"))
    if isinstance(result, dict):
        for kind in ("findings", "repairs"):
            yield from ((kind, str(one["code"])) for one in _objects(result.get(kind)))
        for segment in _objects(result.get("segments")):
            yield from (("rejections", str(code)) for code in segment.get("codes", []))


def enumerated_codes(schema: object, kind: str = "") -> Iterator[tuple[str, list[str]]]:
    """The pairs of kind and codes of every ``enum`` or ``const`` under a ``code`` or ``codes``.

    The kind is that of the innermost member or definition around it that names one, and ``""``,
    which stands for every kind, outside all of them.
    """
    if isinstance(schema, list):
        for item in schema:
            yield from enumerated_codes(item, kind)
    elif isinstance(schema, dict):
        for name, value in schema.items():
            head, _, tail = name.rpartition("_")  # repair_code is the code of a repair
            inner = _KINDS_BY_MEMBER.get(head or name, kind)
            if tail in ("code", "codes"):
                yield from ((inner, codes) for codes in _enumerations(value))
            else:
                yield from enumerated_codes(value, inner)


def _enumerations(schema: object) -> Iterator[list[str]]:
    if isinstance(schema, list):
        for item in schema:
            yield from _enumerations(item)
    elif isinstance(schema, dict):
        if "const" in schema:
            yield [str(schema["const"])]
        if isinstance(schema.get("enum"), list):
            yield [str(code) for code in schema["enum"]]
        for name in ("items", "oneOf", "anyOf", "allOf"):
            yield from _enumerations(schema.get(name))


# --- helpers --------------------------------------------------------------------------------------


def _problem(page: Page, line: int, name: str, reason: str) -> Problem:
    return Problem(f"spec/{page.path}", line, name, reason)


def _at(page: Page, section: Section, reason: str, offset: int = 0) -> Problem:
    return _problem(page, section.quote.line + offset, section.heading, reason)


def _flat(section: Section) -> str:
    """The quote as one line of prose: no code, no link targets, no list markers."""
    lines = (LIST_ITEM.sub("", line) for line in prose("\n".join(section.quote.lines)).split("\n"))
    return " ".join(" ".join(lines).split())


def _is_alive(spec: Spec, where: str, anchor: str) -> bool:
    page = spec.pages.get(where)
    return page is not None and (not anchor or anchor in {one.anchor for one in page.sections})


def _operations(listed: Sequence[str], evidence: Evidence) -> Sequence[str]:
    return evidence.operations if EVERY_OPERATION in listed else listed


def _listed(spec: Spec, evidence: Evidence, kind: str, operation: str | None) -> set[str]:
    """The codes of a kind that ``codes.md`` lists for an operation; ``""`` and None are all."""
    return {
        code.code
        for code in spec.codes.values()
        if kind in ("", code.kind)
        and (operation is None or operation in _operations(code.operations, evidence))
    }


def _operation_of(schema: object) -> str | None:
    """The operation of a contract's schema by its ``$id``; None for a schema of a format."""
    name = str(schema.get("$id", "")) if isinstance(schema, dict) else ""
    contract, _, operation = name.removeprefix("urn:commoncall:v1:").partition(":")
    return f"{contract}.{operation}" if contract in CONTRACTS.values() else None


def _objects(value: object) -> list[dict[str, list[object]]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


# --- files and command ----------------------------------------------------------------------------


def read_evidence(root: Path, tree: fixtures.Tree) -> tuple[Evidence | None, list[str]]:
    """Gather cases, manifest and schemas; None, and why, where the fixtures have problems.

    ``tree`` is what ``fixtures.read_tree`` gives for ``root``; it costs too much to read it twice.
    """
    if tree.problems:
        return None, [str(problem) for problem in tree.problems]
    cases = []
    for name, suite in tree.suites.items():
        path = fixtures.SOURCE / f"{name}.yaml"
        lines = (root / path).read_text(encoding="utf-8").split("\n")
        for case in suite["cases"]:
            line = next((n for n, text in enumerate(lines, 1) if f"id: {case['id']}" in text), 1)
            codes = frozenset(expected_codes(dict(case["expect"])))
            cited = tuple(case["requirements"])
            facts = CaseFacts(case["id"], path.as_posix(), line, suite["operation"], cited, codes)
            cases.append(facts)
    manifest = tree.context.manifest
    schemas = {
        path.relative_to(root).as_posix(): json.loads(path.read_text(encoding="utf-8"))
        for path in sorted((root / "schemas").rglob("*.schema.json"))
    }
    operations = [one["operation"] for one in manifest["operations"]]
    features = [one["feature"] for one in manifest["features"]]
    return Evidence(cases, operations, features, schemas), []


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Run the linter; the exit status is 0 without problems, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.spec_lint", description=main.__doc__)
    parser.add_argument("--write", action="store_true", help="bring the page indices up to date")
    if parser.parse_args(arguments).write:
        for page in write_indices(root, check=False):
            print(f"spec/{page}: index written")
        if write_table(root):
            print(f"{PROFILES_PAGE.as_posix()}: table written")
    spec = read_spec(root)
    tree = fixtures.read_tree(root)
    evidence, troubles = read_evidence(root, tree)
    problems = [str(problem) for problem in [*lint(spec, evidence), *profile_problems(root)]]
    problems += sets.problems(root, tree)
    problems += registry_problems(root)
    for line in [*problems, *troubles]:
        print(line)
    if troubles:
        print(
            "The fixtures have problems, so the rules about cases, codes and schemas did not run."
        )
    counts = f"{len(spec.requirements)} requirements, {len(spec.definitions)} definitions"
    print(f"spec: {counts}, {len(spec.codes)} codes: {len(problems) + len(troubles)} problems")
    return 1 if problems or troubles else 0


if __name__ == "__main__":
    sys.exit(main())
