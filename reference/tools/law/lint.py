"""The linter of the law: rules about wording, links, codes and cases. One rule is one function.

``python -m tools.law.lint`` prints a line for each problem and exits 1 when there is one. What a
requirement, a definition and a code look like is in ``text.py``, which reports faults of form; the
rules of data beside the text are in ``profiles.py``, ``dialects.py``, ``formats.py``,
``incidents.py`` and ``fixtures/sets.py``.
"""

import json
import re
import sys
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from pathlib import Path

from tools.fixtures import authored, sets
from tools.fixtures.authored import ROOT, Tree
from tools.fixtures.schemas import path_of
from tools.law.dialects import dialect_problems
from tools.law.formats import format_problems
from tools.law.incidents import incident_problems
from tools.law.profiles import endpoint_problems
from tools.law.text import (
    CODES_PAGE,
    CONTRACTS,
    COVERAGE_PAGE,
    ID,
    KEYWORD,
    LINK,
    LIST_ITEM,
    MENTION,
    OUT_OF_SCOPE,
    Page,
    Problem,
    Requirement,
    Section,
    Spec,
    case_named,
    link_key,
    links_of,
    mask,
    prose,
    table,
)

CORE = "core"
EVERY_OPERATION = "all"

_KEYWORD_LIST = "MUST, MUST NOT, SHOULD, SHOULD NOT, MAY"
_UPPER = re.compile(r"\b(?:MUST|SHOULD|MAY)\b")
_SYNONYM = re.compile(r"\b(?:SHALL|REQUIRED|RECOMMENDED|OPTIONAL)\b")
_ANY_CASE = re.compile(r"\b(?:must|should|may|shall)\b", re.IGNORECASE)
_LOOSE_NOT = re.compile(r"\*\*(?:MUST|SHOULD|MAY)\*\*\s+not\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"""[.!?][)"'”’*_]*(?=\s+\S)""")
_ABBREVIATION = re.compile(r"(?:^|[\s(])(?:e\.g|i\.e|cf|vs)\.$")
_POINTER = re.compile(r"spec/([a-z0-9/_-]+\.md)([^.;\"]*)")
_SECTION = re.compile(r"section ([^,]+)")
_CASE = re.compile(rf"`((?:{'|'.join(CONTRACTS.values())})\.[a-z0-9_]+\.[a-z0-9-]+)`")
_CODE_LABEL = re.compile(r"^`([^`]+)`$")


def lint(spec: Spec, tree: Tree | None) -> list[Problem]:
    """Return every problem, sorted. Without the evidence only the text itself is judged."""
    found = list(spec.problems)
    for page in spec.pages.values():
        for page_rule in (dead_links, unknown_mentions):
            found += page_rule(spec, page)
        for section in page.sections:
            for rule in _wording_rules(spec, page, section):
                found += rule(spec, page, section)
    found += replacements_exist(spec)
    found += rows_have_ids(spec)
    cases = {case["id"]: case["requirements"] for _, case in tree.cases()} if tree else None
    if cases is not None:
        found += statements_held(spec, cases)
        found += rows_shown(spec, cases)
    if tree:
        for evidence_rule in (
            facts_exist,
            schema_mentions_exist,
            schema_pointers_lead,
            requirements_shown,
            listed_codes_expected,
            schema_codes_listed,
        ):
            found += evidence_rule(spec, tree)
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
            reason = "a keyword in a quote that is no requirement"
            yield page.problem(quote.line, section.heading or "-", reason)


# --- pages ----------------------------------------------------------------------------------------


def dead_links(spec: Spec, page: Page) -> Iterator[Problem]:
    """A link to a page of the specification has a page, and its anchor a heading."""
    for section in page.sections:
        text = mask("\n".join(line for _, line in section.lines))
        for match in LINK.finditer(text):
            where, _, anchor = (link_key(page.path, match[2]) or "").partition("#")
            if where and not _is_alive(spec, where, anchor):
                line = section.lines[text.count("\n", 0, match.start(2))][0]
                reason = f"a link without target: {match[2]}"
                yield page.problem(line, section.heading or "-", reason)


def unknown_mentions(spec: Spec, page: Page) -> Iterator[Problem]:
    """Every id of a requirement or a decision that a page mentions exists."""
    known = {*spec.requirements, *spec.withdrawn, *spec.adrs}
    for section in page.sections:
        for number, line in section.lines:
            for name in MENTION.findall(line):
                if name not in known:
                    yield page.problem(number, section.heading or "-", f"{name} does not exist")


def replacements_exist(spec: Spec) -> Iterator[Problem]:
    """What took the place of a withdrawn requirement is a requirement."""
    for gone in spec.withdrawn.values():
        for name in gone.replaced_by:
            if name not in spec.requirements:
                reason = f"replaced by {name}, which is no requirement"
                yield spec.pages[gone.page].problem(gone.line, gone.id, reason)


def rows_have_ids(spec: Spec) -> Iterator[Problem]:
    """The ids of definitions, and of their rows and steps, are unique and in order."""
    seen: dict[str, str] = {}
    for one in spec.definitions.values():
        page = spec.pages[one.page]
        if one.id and seen.setdefault(one.id, one.name) != one.name:
            yield page.problem(one.line, one.id, f"is the id of {seen[one.id]}, too")
        numbered = [shown for shown in one.shown if shown.id != one.id]
        for number, shown in enumerate(numbered, 1):
            if shown.id != f"{one.id}.{number}":
                yield page.problem(shown.line, shown.id, f"stands in place of {one.id}.{number}")


# --- text and evidence ----------------------------------------------------------------------------


def facts_exist(spec: Spec, tree: Tree) -> Iterator[Problem]:
    """The feature and the sources of a facts line exist; its decisions are mentions."""
    known = {CORE, "", *(one["feature"] for one in tree.context.manifest["features"])}
    for requirement in spec.requirements.values():
        if requirement.feature not in known:
            yield _of(spec, requirement, f"the feature {requirement.feature} does not exist")
        for name in sorted({*requirement.source} - {*spec.sources}):
            yield _of(spec, requirement, f"the source {name} does not exist")


def rows_shown(spec: Spec, known: Container[str]) -> Iterator[Problem]:
    """Each row and step of a definition with an id names a case: ``x`` or, of a stream, ``~x``."""
    for one in spec.definitions.values():
        page = spec.pages[one.page]
        for shown in one.shown:
            if not shown.cases:
                yield page.problem(shown.line, shown.id, "names no case")
            for name in shown.cases:
                if case_named(name) not in known:
                    yield page.problem(shown.line, shown.id, f"{case_named(name)} is no case")


def statements_held(spec: Spec, cases: Mapping[str, Collection[str]]) -> Iterator[Problem]:
    """A statement of a source names a requirement that holds it, or says why none does. The cases
    of its row exist, and cite such a requirement; ``cases`` has what each cites.
    """
    if COVERAGE_PAGE not in spec.pages:
        return
    page = spec.pages[COVERAGE_PAGE]
    for section in page.sections:
        for line, cells in table(section, ("n", "statement", "where")):
            number, statement, where = cells or ("-", "", "")  # a malformed row holds nothing
            holding = {label for label, _ in LINK.findall(where) if ID.match(label)}
            is_left_out = re.match(rf"{OUT_OF_SCOPE} \S", where)
            if not (holding or is_left_out):
                reason = f"neither the id of a requirement nor `{OUT_OF_SCOPE}` and a reason"
                yield page.problem(line, number, reason)
            for name in _CASE.findall(f"{statement} {where}"):
                if name not in cases:
                    yield page.problem(line, number, f"the case {name} does not exist")
                elif not is_left_out and holding.isdisjoint(cases[name]):
                    yield page.problem(line, number, f"{name} cites no requirement of the row")


def schema_mentions_exist(spec: Spec, tree: Tree) -> Iterator[Problem]:
    """Every requirement and every decision that a schema mentions exists."""
    known = {*spec.requirements, *spec.adrs}
    for identifier, schema in tree.context.schemas.documents.items():
        for name in sorted({*MENTION.findall(json.dumps(schema))} - known):
            yield Problem(path_of(identifier), 1, name, "mentioned, but does not exist")


def schema_pointers_lead(spec: Spec, tree: Tree) -> Iterator[Problem]:
    """A page that a schema names is there, and on it the section and the requirements it names."""
    for identifier, schema in tree.context.schemas.documents.items():
        for where, rest in _POINTER.findall(json.dumps(schema)):
            page = spec.pages.get(where)
            if page is None:
                yield Problem(path_of(identifier), 1, "-", f"spec/{where} does not exist")
                continue
            headings = {one.heading for one in page.sections}
            named = [*_SECTION.findall(rest), *MENTION.findall(rest)]
            for name in sorted({*named} - headings):
                yield Problem(path_of(identifier), 1, name, f"does not stand in spec/{where}")


def requirements_shown(spec: Spec, tree: Tree) -> Iterator[Problem]:
    """A requirement has a case that cites it, or says why no case can."""
    cited = {name for _, case in tree.cases() for name in case["requirements"]}
    for requirement in spec.requirements.values():
        if requirement.id not in cited and requirement.review is None:
            yield _of(spec, requirement, "no case cites it, and the facts line has no `review:`")


def listed_codes_expected(spec: Spec, tree: Tree) -> Iterator[Problem]:
    """Some case of each operation in a row of ``codes.md`` expects the code.

    That ``codes.md`` lists what a case expects, the fixtures are judged by.
    """
    operations = [one["operation"] for one in tree.context.manifest["operations"]]
    expected = {
        (operation, *pair)
        for operation, case in tree.cases()
        for pair in authored.expected_codes(case)
    }
    for code in spec.codes.values():
        page = spec.pages[CODES_PAGE]
        for operation in operations if EVERY_OPERATION in code.operations else code.operations:
            if operation not in operations:
                reason = f"the operation {operation} does not exist"
                yield page.problem(code.line, code.code, reason)
            elif (operation, code.kind, code.code) not in expected:
                reason = f"no case of {operation} expects it among the {code.kind}"
                yield page.problem(code.line, code.code, reason)


def schema_codes_listed(spec: Spec, tree: Tree) -> Iterator[Problem]:
    """A code that a schema enumerates stands in ``codes.md``. That it has those that cases expect,
    the fixtures are judged by.
    """
    for identifier, schema in tree.context.schemas.documents.items():
        contract, _, operation = identifier.removeprefix("urn:commoncall:v1:").partition(":")
        named = {f"{contract}.{operation}", EVERY_OPERATION}
        is_format = contract not in CONTRACTS.values()
        rows = (one for one in spec.codes.values() if is_format or named & {*one.operations})
        for code in sorted({*enumerated_codes(schema)} - {one.code for one in rows}):
            yield Problem(path_of(identifier), 1, code, "codes.md does not list it")


def enumerated_codes(schema: object, *, are_codes: bool = False) -> Iterator[str]:
    """The values of every ``enum`` or ``const`` under a ``code``, ``codes`` or ``repair_code``."""
    if isinstance(schema, list):
        for item in schema:
            yield from enumerated_codes(item, are_codes=are_codes)
    elif isinstance(schema, dict):
        for name, value in schema.items():
            if are_codes and name in ("enum", "const"):
                yield from value if isinstance(value, list) else [value]
            else:
                is_inner = are_codes and name in ("items", "oneOf", "anyOf", "allOf")
                is_code = name.rpartition("_")[2] in ("code", "codes")
                yield from enumerated_codes(value, are_codes=is_code or is_inner)


# --- helpers --------------------------------------------------------------------------------------


def _at(page: Page, section: Section, reason: str, offset: int = 0) -> Problem:
    return page.problem(section.quote.line + offset, section.heading, reason)


def _of(spec: Spec, requirement: Requirement, reason: str) -> Problem:
    return spec.pages[requirement.page].problem(requirement.line, requirement.id, reason)


def _flat(section: Section) -> str:
    """The quote as one line of prose: no code, no link targets, no list markers."""
    lines = (LIST_ITEM.sub("", line) for line in prose("\n".join(section.quote.lines)).split("\n"))
    return " ".join(" ".join(lines).split())


def _is_alive(spec: Spec, where: str, anchor: str) -> bool:
    page = spec.pages.get(where)
    return page is not None and (not anchor or anchor in {one.anchor for one in page.sections})


def lint_all(root: Path, tree: Tree) -> list[str]:
    """Return every problem of the text and of the data beside it, a line each.

    ``tree`` is what ``authored.read_tree`` gives for ``root``; where it has problems of its own,
    the rules about cases, codes and schemas do not run.
    """
    schemas = tree.context.schemas
    return [
        *map(str, lint(tree.context.spec, None if tree.problems else tree)),
        *endpoint_problems(root, schemas),
        *sets.problems(root, tree),
        *dialect_problems(root, schemas),
        *format_problems(root, schemas),
        *incident_problems(root, tree),
    ]


def main(root: Path = ROOT) -> int:
    """Run the linter; the exit status is 0 without problems, else 1."""
    tree = authored.read_tree(root)
    spec, troubles = tree.context.spec, tree.problems
    problems = lint_all(root, tree)
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
