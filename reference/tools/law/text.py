"""The law as data: the parser of the pages under ``spec/``, and their indices. Nothing else.

The parser is line-based and knows the forms that ``spec/conformance.md`` states: a requirement (a
heading that is a bare id, one quote, one facts line), a definition (a heading with a lower-case
name, one quote that begins ``**Definition.**``, or with an id ``**Definition EXT-D4.**``, whose
rows and steps then have ids and cases), the list of what is withdrawn, and the tables of
``codes.md``. Rules about wording and about cases are in ``lint.py``.
"""

import hashlib
import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from commoncall import __version__

CONTRACTS = {
    "PAY": "payload",
    "CAP": "capability",
    "EVT": "event",
    "EXT": "extraction",
    "TRN": "turn",
    "ITF": "interface",
}
SECOND_PAGES = {
    "v1/dialects.md": "extraction",
    "v1/flattening.md": "payload",
    "v1/interfaces.md": "interface",
}
"""What only some ports of a contract read, on a page beside its own, and a page of another name."""
KINDS = ("errors", "findings", "rejections", "repairs")
LEVELS = ("note", "repair", "loss")
CODES_PAGE = "v1/codes.md"
WITHDRAWN_PAGE = "v1/withdrawn.md"
SOURCES_PAGE = "sources.md"
COVERAGE_PAGE = "coverage.md"
OUT_OF_SCOPE = "out of scope:"

KEYWORD = re.compile(r"\*\*(MUST NOT|MUST|SHOULD NOT|SHOULD|MAY)\*\*")
LIST_ITEM = re.compile(r"^\s*(?:[-*+]|[0-9]{1,9}[.)])\s+")

_ANY_ID = rf"(?:{'|'.join(CONTRACTS)})-[0-9]{{3}}"
ID = re.compile(rf"^{_ANY_ID}$")
MENTION = re.compile(rf"\b(?:{_ANY_ID}|ADR-[0-9]{{4}})\b")
_NEARLY_ID = re.compile(rf"^\W*(?:{'|'.join(CONTRACTS)})[\s_-]*[0-9]+(?![0-9a-z])", re.IGNORECASE)
_FOREIGN_ID = re.compile(r"^[A-Z]{3}-[0-9]{3}$")
_HEADING = re.compile(r"^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_GLUED_HEADING = re.compile(r"^ {0,3}#{1,6}([^#\s].*)$")
_WORD = r"(?:[a-z0-9]+|[A-Z]{2,})"  # lower case, or an abbreviation such as JSON
_DEFINITION_NAME = re.compile(rf"^{_WORD}(?:[ -]{_WORD})*$")
_DEFINITION_MARK = re.compile(r"^\*\*Definition(?: ([A-Z]{3}-D[0-9]+))?\.\*\*(?=\s|$)")
_STEP = re.compile(r"^([0-9]+)\. (.*)$")
_ROW = re.compile(r"^\| (D[0-9]+\.[0-9]+) \|(.*)\|$")
_CASES_HEAD = re.compile(r"^\| id \|.*\| case \|$")
_CASE = re.compile(r"`(~?[a-z0-9]+(?:-[a-z0-9]+)*)`")
_CASES = re.compile(rf" \({_CASE.pattern}(?:, {_CASE.pattern})*\)(?=[.:;,]?(?:\s|$))")
_TITLE = re.compile(r"^\*\*([^*]+)\.\*\*(?=\s|$)")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")
_QUOTE = re.compile(r"^ {0,3}> ?(.*)$")
_CODE_SPAN = re.compile(r"(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)", re.DOTALL)
_CODE_OR_BOLD = re.compile(rf"(?P<code>{_CODE_SPAN.pattern})|\*\*", re.DOTALL)
LINK = re.compile(r"(?<!!)\[([^\[\]]*)\]\(([^()\s]*)\)")

_VERSION = r"[0-9]+\.[0-9]+"
_NAME = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_WITHDRAWN_HEAD = ("id", "since", "replaced by")
_IDS = re.compile(rf"^{_ANY_ID}(?:, {_ANY_ID})*$")
_REPLACED_BY = re.compile(rf"^nothing$|{_IDS.pattern}")
_FACTS = re.compile(
    rf"^(?P<feature>{_NAME})"
    rf"(?: · source (?P<source>{_NAME}(?:, {_NAME})*))?"
    r"(?: · review: (?P<review>.*\S))?\s*$"
)
_SETTLED = re.compile(r"---\n(?:[a-z].*\n)*?requirements: (\[.*\])\n")
"""The front matter of a decision, as far as the requirements that it settled."""
_TABLE_RULE = re.compile(r"^\|(?:\s*:?-+:?\s*\|)+\s*$")
NOW = ".".join(__version__.split(".")[:2])
"""The version of which the next set will be."""
_NAME_TABLES = {
    "Reasons": (("reason", "meaning"), "reasons"),
    "Fixed texts": (("name", "text"), "texts"),
}
_CODE = re.compile(r"^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$")


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault. ``page`` is relative to the root of the repository: ``spec/v1/payload.md``."""

    page: str
    line: int
    id: str
    reason: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.id}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Quote:
    """One block quote: the number of its first line, and its lines without ``>``."""

    line: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading. ``lines`` are numbered; lines of code fences are left out."""

    heading: str
    level: int
    line: int
    lines: tuple[tuple[int, str], ...]
    quotes: tuple[Quote, ...]

    @property
    def anchor(self) -> str:
        """The anchor of the heading; for a requirement its id in lower case."""
        return slug(self.heading)

    @property
    def quote(self) -> Quote:
        """The first quote; without lines where there is none."""
        return self.quotes[0] if self.quotes else Quote(self.line, ())

    @property
    def after_quote(self) -> tuple[tuple[int, str], ...]:
        """The numbered lines after the first quote; a requirement's facts are the first."""
        end = self.quote.line + len(self.quote.lines)
        return tuple((number, line) for number, line in self.lines if number >= end)


@dataclass(frozen=True, slots=True)
class Page:
    """One file under ``spec/``, to which ``path`` is relative; ids and keys in the page's order."""

    path: str
    title: str
    text: str
    sections: tuple[Section, ...]
    requirements: tuple[str, ...]
    definitions: tuple[str, ...]

    def problem(self, line: int, name: str, reason: str) -> Problem:
        """A fault on this page."""
        return Problem(f"spec/{self.path}", line, name, reason)


@dataclass(frozen=True, slots=True)
class Link:
    """An inline link in a quote. ``key`` is ``page#anchor`` for a page under ``spec/``, or None."""

    label: str
    target: str
    key: str | None


@dataclass(frozen=True, slots=True)
class Requirement:
    """One requirement.

    ``text`` is the sentence without its bold title: bold marks gone, links reduced to their labels,
    code spans kept; list items stand on lines of their own. ``links`` are the keys of the
    definitions that the quote links. ``sha256`` covers the level, the text and those definitions,
    transitively. ``released`` is the newest version that has it as it stands, where one has.
    """

    id: str
    title: str
    level: str
    text: str
    contract: str
    feature: str
    source: tuple[str, ...]
    review: str | None
    page: str
    line: int
    links: tuple[str, ...]
    sha256: str
    adr: tuple[str, ...] = ()
    since: str = NOW
    changes: tuple[str, ...] = ()
    released: str | None = None


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A requirement that is no more. The list keeps its id, and says what took its place."""

    id: str
    since: str
    replaced_by: tuple[str, ...]
    page: str
    line: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A row or step of a definition, or all of one without any: its id, and the cases it names."""

    id: str
    line: int
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition; its key in ``Spec.definitions`` is ``page#anchor``.

    ``id`` is ``""`` where it has none; ``shown`` then is empty. What names cases is not part of
    ``text``: they show what it says, and bind nobody.
    """

    name: str
    id: str
    anchor: str
    text: str
    page: str
    line: int
    links: tuple[str, ...]
    shown: tuple[Shown, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class Code:
    """One row of ``codes.md``; ``kind`` is one of ``KINDS``, the operation ``all`` is every one.

    ``level`` is one of ``LEVELS`` for a finding, and ``""`` for any other code.
    """

    code: str
    kind: str
    operations: tuple[str, ...]
    meaning: str
    level: str
    line: int


@dataclass(slots=True)
class Spec:
    """The whole law. ``codes`` has the keys ``(kind, code)``: two kinds may share a code.

    ``reasons`` and ``texts`` are the tables of names below them: a meaning, or the fixed text.
    """

    pages: dict[str, Page] = field(default_factory=dict)
    requirements: dict[str, Requirement] = field(default_factory=dict)
    withdrawn: dict[str, Withdrawn] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    codes: dict[tuple[str, str], Code] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    adrs: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)


Report = Callable[[int, str], None]
"""Takes a line number and a reason; the page and the heading are known."""


def read_spec(root: Path) -> Spec:
    """Read ``spec/**/*.md`` and the names of ``adr/*.md``; faults of form go to ``problems``."""
    spec = Spec()
    base = root / "spec"
    for file in sorted(base.rglob("*.md")):
        _read_page(spec, file.relative_to(base).as_posix(), file.read_text(encoding="utf-8"))
    if SOURCES_PAGE in spec.pages:
        found = spec.pages[SOURCES_PAGE].sections
        headings = [section.heading for section in found if section.level == 3]
        spec.sources = tuple(name for name in headings if re.fullmatch(_NAME, name))
    _read_decisions(spec, root)
    _read_sources(spec)
    alive = spec.requirements.keys() & spec.withdrawn.keys()
    for one in (spec.requirements[name] for name in sorted(alive)):
        spec.problems.append(spec.pages[one.page].problem(one.line, one.id, "is withdrawn"))
    _add_digests(spec)
    _add_versions(spec, root)
    return spec


def _read_sources(spec: Spec) -> None:
    """Keep with each requirement the sources of which it holds a statement."""
    held: dict[str, list[str]] = {}
    for section in spec.pages[COVERAGE_PAGE].sections if COVERAGE_PAGE in spec.pages else ():
        if section.heading in spec.sources:
            rows = [line for _, line in section.lines if OUT_OF_SCOPE not in line]
            for name in dict.fromkeys(MENTION.findall("\n".join(rows))):
                held.setdefault(name, []).append(section.heading)
    for name in held.keys() & spec.requirements.keys():
        requirement = spec.requirements[name]
        source = tuple(dict.fromkeys([*requirement.source, *held[name]]))
        spec.requirements[name] = replace(requirement, source=source)


def _read_decisions(spec: Spec, root: Path) -> None:
    """Keep the names of the decisions, and for each requirement those that name it."""
    named: dict[str, set[str]] = {}
    for file in sorted((root / "adr").glob("[0-9][0-9][0-9][0-9]-*.md")):
        spec.adrs += (name := f"ADR-{file.name[:4]}",)
        if settled := _SETTLED.match(file.read_text(encoding="utf-8")):
            for one in MENTION.findall(settled[1]):
                named.setdefault(one, set()).add(name)
    for name in named.keys() & spec.requirements.keys():
        requirement = spec.requirements[name]
        adr = tuple(sorted({*requirement.adr, *named[name]}))
        spec.requirements[name] = replace(requirement, adr=adr)


def _add_versions(spec: Spec, root: Path) -> None:
    """Say which versions brought and changed each requirement: the sets hold what it was."""
    sets = {}
    for file in (root / "fixtures/sets").glob("*.json"):
        with suppress(ValueError, LookupError, TypeError):  # ``tools.fixtures.sets`` says so
            held = json.loads(file.read_bytes())
            sets[file.stem] = {one["id"]: one["sha256"] for one in held["requirements"]}
    in_order = sorted(sets, key=lambda name: [*map(int, name.split("."))])
    for id, one in spec.requirements.items():
        digests = [(name, sets[name][id]) for name in in_order if id in sets[name]]
        digests.append((NOW, one.sha256))
        changes = tuple(name for (_, then), (name, digest) in pairwise(digests) if digest != then)
        released = next((name for name, digest in digests[-2:-1] if digest == one.sha256), None)
        since = digests[0][0]
        spec.requirements[id] = replace(one, since=since, changes=changes, released=released)


@cache
def slug(heading: str) -> str:
    """The anchor that both GitHub and MkDocs make from a heading such as these pages use."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.strip().lower()))


def mask(text: str) -> str:
    """``text`` with code spans blanked out but for line feeds: what is left is prose and links."""
    return _CODE_SPAN.sub(lambda match: re.sub(r"[^\n]", "\0", match[0]), text)


def prose(text: str) -> str:
    """``text`` with code spans blanked out and links reduced to their labels."""
    return LINK.sub(r"\1", mask(text))


def plain(lines: Sequence[str]) -> str:
    """A quote as plain text: a line per paragraph, list item, table row and line of a fence."""
    blocks: list[str] = []
    verbatim: set[int] = set()
    fence = ""
    joins = False  # whether the next line continues the last block
    for line in lines:
        inside, fence = fence, _fence_after(fence, line)
        if inside or fence:
            verbatim.add(len(blocks))
            blocks.append(line.rstrip())
            joins = False
        elif not line.strip():
            joins = False
        elif joins and not LIST_ITEM.match(line) and not line.lstrip().startswith("|"):
            blocks[-1] += " " + line.strip()
        else:
            indent = line[: len(line) - len(line.lstrip())] if LIST_ITEM.match(line) else ""
            blocks.append(indent + line.strip())
            joins = not line.lstrip().startswith("|")
    return "\n".join(
        block if position in verbatim else _undecorated(block)
        for position, block in enumerate(blocks)
    )


def links_of(page: str, lines: Sequence[str]) -> tuple[Link, ...]:
    """The inline links in a quote on ``page``. What stands in a code span is no link."""
    text = " ".join(line.strip() for line in lines)
    found = []
    for match in LINK.finditer(mask(text)):
        label, target = text[slice(*match.span(1))], text[slice(*match.span(2))]
        found.append(Link(label, target, link_key(page, target)))
    return tuple(found)


def link_key(page: str, target: str) -> str | None:
    """``page#anchor`` for a link that leads to a Markdown page under ``spec/``, else None."""
    path, _, anchor = target.partition("#")
    where = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    if ":" in path or where.startswith("..") or not where.endswith(".md"):
        return None
    return f"{where}#{anchor}"


def _undecorated(block: str) -> str:
    """One block without bold marks and link targets; code spans keep every character."""
    bare = _CODE_OR_BOLD.sub(lambda match: match["code"] or "", block)
    for match in reversed(list(LINK.finditer(mask(bare)))):
        bare = bare[: match.start()] + bare[slice(*match.span(1))] + bare[match.end() :]
    indent = bare[: len(bare) - len(bare.lstrip())]
    return indent + " ".join(bare.split())


def _sections(text: str) -> Iterator[Section]:
    """Split a page at its headings, fences left out; ``#PAY-003`` counts, so as to be reported."""
    heading, level, start = "", 0, 1
    lines: list[tuple[int, str]] = []
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        inside, fence = fence, _fence_after(fence, line)
        if inside or fence:
            continue
        found = _HEADING.match(line)
        glued = _GLUED_HEADING.match(line)
        if found or (glued and _NEARLY_ID.match(glued[1])):
            if heading or lines:
                yield Section(heading, level, start, tuple(lines), tuple(_quotes(lines)))
            heading = (found[2] or "") if found else line.strip()
            level, start, lines = len(found[1]) if found else 6, number, []
        else:
            lines.append((number, line))
    yield Section(heading, level, start, tuple(lines), tuple(_quotes(lines)))


def _fence_after(fence: str, line: str) -> str:
    """The opening run of the code fence that is open after ``line``; ``""`` where none is."""
    mark = _FENCE.match(line)
    if not fence:
        return mark[1] if mark and not (mark[1][0] == "`" and "`" in mark[2]) else ""
    return "" if mark and mark[1].startswith(fence) and not mark[2].strip() else fence


def _quotes(lines: Sequence[tuple[int, str]]) -> Iterator[Quote]:
    start, held = 0, list[str]()
    for number, line in lines:
        match = _QUOTE.match(line)
        if match and held and number == start + len(held):
            held.append(match[1])
            continue
        if held:
            yield Quote(start, tuple(held))
        start, held = number, [match[1]] if match else []
    if held:
        yield Quote(start, tuple(held))


def _read_page(spec: Spec, path: str, text: str) -> None:
    sections = tuple(_sections(text))
    first_line: dict[str, int] = {}
    for section in sections:

        def report(line: int, reason: str, name: str = section.heading or "-") -> None:
            spec.problems.append(Problem(f"spec/{path}", line, name, reason))

        key = f"{path}#{section.anchor}"
        is_definition = bool(_DEFINITION_MARK.match("".join(section.quote.lines[:1])))
        if section.heading in spec.requirements:
            report(section.line, "the id stands twice")
        elif key in spec.definitions and is_definition:
            report(section.line, "the definition stands twice")
        elif ID.match(section.heading):
            spec.requirements[section.heading] = _requirement(path, section, report)
        elif _NEARLY_ID.match(section.heading.lstrip("#")) or _FOREIGN_ID.match(section.heading):
            report(section.line, "nearly an id; the heading has to be a bare id, as in PAY-003")
        elif is_definition and not _DEFINITION_NAME.match(section.heading):
            report(section.line, "a definition's heading has to be a lower-case name")
        elif is_definition:
            spec.definitions[key] = _definition(path, section, report)
            if section.anchor in first_line:
                report(section.line, f"line {first_line[section.anchor]} has the same anchor")
        elif path == CODES_PAGE:
            spec.problems += _read_tables(spec, section)
        elif path == WITHDRAWN_PAGE:
            spec.problems += _read_withdrawn(spec, section)
        first_line.setdefault(section.anchor, section.line)
    title = next((section.heading for section in sections if section.level == 1), path)
    requirements = tuple(one.id for one in spec.requirements.values() if one.page == path)
    definitions = tuple(key for key, one in spec.definitions.items() if one.page == path)
    spec.pages[path] = Page(path, title, text, sections, requirements, definitions)


def _read_tables(spec: Spec, section: Section) -> Iterable[Problem]:
    """Read what a section of the page of codes lists, codes or names."""
    if section.heading.lower() in KINDS:
        return _read_codes(spec, section)
    return _read_names(spec, section) if section.heading in _NAME_TABLES else []


def _quote_lines(section: Section, report: Report) -> list[str]:
    """The lines of the one quote of a requirement or a definition; reports a quote out of place."""
    quote = section.quote
    if not section.quotes:
        report(section.line, "no quote under the heading")
    if any(line.strip() for number, line in section.lines if number < quote.line):
        report(section.line, "the quote has to follow the heading directly")
    for other in section.quotes[1:]:
        report(other.line, "a second quote; only one is normative")
    for number, line in section.after_quote[:1]:
        if line.strip():
            report(number, "no blank line after the quote")
    return list(quote.lines)


def _requirement(path: str, section: Section, report: Report) -> Requirement:
    lines = _quote_lines(section, report)
    title = _TITLE.match(lines[0]) if lines else None
    if title:
        lines[0] = lines[0][title.end() :]
    elif lines:
        report(section.quote.line, "the quote has to begin with a bold title and its full stop")
    contract = CONTRACTS[section.heading.split("-")[0]]
    if SECOND_PAGES.get(path, path) not in (contract, f"v1/{contract}.md"):
        report(section.line, f"the id belongs on spec/v1/{contract}.md")
    level = KEYWORD.search(mask(" ".join(" ".join(lines).split())))
    return Requirement(
        id=section.heading,
        title=title[1] if title else "",
        level=level[1] if level else "",
        text=plain(lines),
        contract=contract,
        page=path,
        line=section.line,
        links=_keys(path, section),
        sha256="",
        **_facts(section, report),
    )


def _definition(path: str, section: Section, report: Report) -> Definition:
    lines = _quote_lines(section, report)
    mark = _DEFINITION_MARK.match(lines[0])
    number = (mark[1] if mark else "") or ""
    shown = tuple(_shown(number, section)) if number else ()
    lines[0] = _DEFINITION_MARK.sub("", lines[0])
    return Definition(
        name=section.heading,
        id=number,
        anchor=section.anchor,
        text=plain(list(_without_cases(lines)) if number else lines),
        page=path,
        line=section.line,
        links=_keys(path, section),
        shown=shown,
        sha256="",
    )


def _shown(number: str, section: Section) -> Iterator[Shown]:
    """Yield the rows and steps of a definition with an id; without any, it is one itself.

    The cases of a row stand in its last cell, those of a step at its end, and those of a definition
    without rows and steps below the quote.
    """
    found = False
    contract = number.partition("-")[0]
    for line, text in enumerate(section.quote.lines, section.quote.line):
        if row := _ROW.match(text):
            cell = row[2].rpartition("|")[2]
            yield Shown(f"{contract}-{row[1]}", line, tuple(_CASE.findall(cell)))
        elif step := _STEP.match(text):
            yield Shown(f"{number}.{step[1]}", line, tuple(_named(step[2])))
        else:
            continue
        found = True
    if not found:
        below = (name for _, line in section.after_quote for name in _named(line))
        yield Shown(number, section.line, tuple(below))


def _named(text: str) -> Iterator[str]:
    """Yield the cases that a text names in brackets."""
    for match in _CASES.finditer(text):
        yield from _CASE.findall(match[0])


def case_named(name: str) -> str:
    """Return the id of a case as a definition of extraction names it: ``~`` stands for a stream."""
    return f"extraction.{'stream' if name.startswith('~') else 'extract'}.{name.removeprefix('~')}"


def _without_cases(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a quote without what names cases."""
    has_cell = False
    for line in lines:
        has_cell = bool(_CASES_HEAD.match(line)) or (has_cell and line.startswith("|"))
        yield line.rpartition("|")[0].rpartition("|")[0] + "|" if has_cell else _CASES.sub("", line)


def _keys(path: str, section: Section) -> tuple[str, ...]:
    """What the quote links on pages under ``spec/``."""
    keys = {link.key for link in links_of(path, section.quote.lines)}
    return tuple(sorted(key for key in keys if key))


def _facts(section: Section, report: Report) -> dict[str, Any]:
    """The members of a requirement that its facts line states; all but the first are optional."""
    rest = section.after_quote
    number, line = next((each for each in rest if each[1].strip()), (section.line, ""))
    facts = _FACTS.match(line)
    if not re.match(r"^[a-z-]+( · |$)", line):
        report(number, "no facts line after the quote, as in: core")
    elif next((after.strip() for at, after in rest if at == number + 1), ""):
        report(number, "no blank line after the facts line")
    elif facts is None:
        reason = "malformed facts line; its form is: core · source NAME, NAME · review: REASON"
        report(number, reason)
    held: dict[str, Any] = facts.groupdict("") if facts else dict.fromkeys(_FACTS.groupindex, "")
    source = tuple(held["source"].split(", ")) if held["source"] else ()
    return {**held, "source": source, "review": held["review"] or None}


def table(section: Section, head: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows of a section's tables: the number of the line, and the cells, as many as ``head``.

    A row that is out of form, or has not this head above it, has no cells.
    """
    begun = False
    for number, line in section.lines:
        if not line.startswith("|") or _TABLE_RULE.match(line):
            continue
        bars = [at for at, character in enumerate(mask(line)) if character == "|"]
        cells = tuple(line[begin + 1 : end].strip() for begin, end in pairwise(bars))
        if cells == tuple(head):
            begun = True
        else:
            yield number, cells if begun and len(cells) == len(head) else ()


def _read_codes(spec: Spec, section: Section) -> Iterator[Problem]:
    """Read the codes of one kind; those of findings have a level."""
    kind = section.heading.lower()
    head = ["code", "operations", "meaning", *(["level"] if kind == "findings" else [])]
    operations: tuple[str, ...] = ()
    for number, cells in table(section, head):
        code = _in_code_span(cells)
        if any(cells[1:2]):  # else they are those of the row above
            operations = tuple(part.strip(" `") for part in cells[1].split(","))
        if not (_CODE.match(code) and operations and all(operations) and cells[2]):
            reason = f"malformed row; its form is: | `code` | {' | '.join(head[1:])} |"
            yield Problem(f"spec/{CODES_PAGE}", number, code or "-", reason)
        elif cells[3:] and cells[3] not in LEVELS:
            reason = f"`{cells[3]}` is no level; they are {', '.join(LEVELS)}"
            yield Problem(f"spec/{CODES_PAGE}", number, code, reason)
        elif (kind, code) in spec.codes:
            reason = f"the code stands twice under {kind}"
            yield Problem(f"spec/{CODES_PAGE}", number, code, reason)
        else:
            level = "".join(cells[3:])
            spec.codes[kind, code] = Code(code, kind, operations, cells[2], level, number)


def _read_withdrawn(spec: Spec, section: Section) -> Iterator[Problem]:
    """Read the list of requirements that are no more; those that went together share a row."""
    for number, cells in table(section, _WITHDRAWN_HEAD):
        form = cells and _IDS.match(cells[0]) and _REPLACED_BY.match(cells[2])
        if not (form and re.match(_VERSION, cells[1])):
            reason = "malformed row; its form is: | PAY-003, PAY-004 | 0.2 | PAY-001, PAY-102 |"
            yield Problem(f"spec/{WITHDRAWN_PAGE}", number, cells[0] if cells else "-", reason)
            continue
        replaced_by = () if cells[2] == "nothing" else tuple(cells[2].split(", "))
        for name in cells[0].split(", "):
            if name in spec.withdrawn:
                yield Problem(f"spec/{WITHDRAWN_PAGE}", number, name, "the id stands twice")
            spec.withdrawn[name] = Withdrawn(name, cells[1], replaced_by, WITHDRAWN_PAGE, number)


def _read_names(spec: Spec, section: Section) -> Iterator[Problem]:
    """Read the reasons, or the fixed texts."""
    head, member = _NAME_TABLES[section.heading]
    names: dict[str, str] = getattr(spec, member)
    for number, cells in table(section, head):
        name = _in_code_span(cells)
        if not name or not cells[1]:
            reason = f"malformed row; its form is: | `{head[0]}` | text |"
            yield Problem(f"spec/{CODES_PAGE}", number, "-", reason)
        elif name in names:
            reason = f"the name stands twice under {section.heading}"
            yield Problem(f"spec/{CODES_PAGE}", number, name, reason)
        else:
            names[name] = cells[1]


def _in_code_span(cells: Sequence[str]) -> str:
    """What the first cell says between backticks; ``""`` where it is something else."""
    match = re.fullmatch(r"`([^`]+)`", cells[0]) if cells else None
    return match[1] if match else ""


def _add_digests(spec: Spec) -> None:
    """Keep the links to definitions, and fill in ``sha256``: both need every page to be read."""
    definitions = spec.definitions
    for key, definition in definitions.items():
        links = tuple(link for link in definition.links if link in definitions)
        definitions[key] = replace(definition, links=links)
    for key, definition in definitions.items():
        head = [definition.name, definition.text]
        definitions[key] = replace(definition, sha256=_digest(spec, head, definition.links, key))
    for name, requirement in spec.requirements.items():
        links = tuple(link for link in requirement.links if link in definitions)
        digest = _digest(spec, [requirement.level, requirement.text], links)
        spec.requirements[name] = replace(requirement, links=links, sha256=digest)


def _digest(spec: Spec, head: list[str], links: Sequence[str], skip: str = "") -> str:
    """SHA-256 of a compact JSON array: ``head``, then name and text of each definition reached."""
    reached: set[str] = set()
    waiting = list(links)
    while waiting:
        key = waiting.pop()
        if key not in reached and key != skip:
            reached.add(key)
            waiting += spec.definitions[key].links
    pairs = sorted((spec.definitions[key].name, spec.definitions[key].text) for key in reached)
    parts = [*head, *(part for pair in pairs for part in pair)]
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
