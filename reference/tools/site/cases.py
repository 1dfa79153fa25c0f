"""Cases for people: JSON and text made readable, one case as HTML, and a page per suite.

Reads the built suites under ``fixtures/v1``. Judges nothing: a suite out of form is the builder's
business.
"""

from __future__ import annotations

import functools
import html
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from json.encoder import encode_basestring_ascii
from pathlib import Path
from typing import Any

from tools.site.markdown import SiteError, code, escape, relative, relative_address

WIDTH = 84
"""Columns that a JSON container may take before it is spread over several lines."""

FOLDED = 6_000
"""Characters from which on a block is folded."""

LISTED = 12
"""Cases from which on the page of a suite begins with a list of them."""

FEATURED = 2
"""Cases that stand in full under a requirement."""

FEATURED_LENGTH = 3_000
"""A longer case is never shown under a requirement, only linked."""

TEXT_MEMBERS = ("text", "payload")
"""Members of an input that are texts in their own right, shown as lines."""


class Number(str):
    """A JSON number with its spelling."""


@dataclass(frozen=True, slots=True)
class Case:
    """One case as built, and the page that shows it. ``data`` has the members of the format."""

    id: str
    title: str
    requirements: tuple[str, ...]
    page: str
    data: Mapping[str, object]

    @property
    def address(self) -> str:
        """The page and the anchor of the case."""
        return f"{self.page}#{self.id}"

    @property
    def alone(self) -> str:
        """The file that holds the case alone, as JSON."""
        return f"c/{self.id}.json"


@dataclass(frozen=True, slots=True)
class Suite:
    """One built suite; ``path`` is its file in the repository."""

    name: str
    path: str
    operation: str
    cases: tuple[Case, ...]
    withdrawn: tuple[Mapping[str, Any], ...] = ()

    @property
    def page(self) -> str:
        """The Markdown path of the suite on the site."""
        return self.path.removesuffix(".json") + ".md"


def read_suites(root: Path) -> list[Suite]:
    """Read every suite under ``fixtures/v1`` of ``root``, sorted by path.

    Other JSON files there are no suites.

    Raises:
        SiteError: a file is no JSON, or no suite where it says so.
    """
    suites = []
    for file in sorted((root / "fixtures" / "v1").rglob("*.json")):
        path = file.relative_to(root).as_posix()
        try:
            data = json.loads(
                file.read_text(encoding="utf-8"), parse_int=Number, parse_float=Number
            )
        except ValueError as error:
            raise SiteError(f"{path}: {error}") from None
        if isinstance(data, dict) and "suite" in data and "cases" in data:
            try:
                suites.append(_suite(path, data))
            except (KeyError, TypeError) as error:
                raise SiteError(f"{path}: not a built suite ({error!r})") from None
    return suites


def _suite(path: str, data: Mapping[str, Any]) -> Suite:
    page = path.removesuffix(".json") + ".md"
    cases = tuple(
        Case(case["id"], case["title"], tuple(case["requirements"]), page, case)
        for case in data["cases"]
    )
    return Suite(data["suite"], path, data["operation"], cases, tuple(data.get("withdrawn", ())))


def link_cases(text: str, page: str, addresses: Mapping[str, str]) -> str:
    """Return ``text`` with each code span that is the id of a case as a link to that case."""

    def linked(match: re.Match[str]) -> str:
        known = addresses.get(match[1])
        return f"[{match[0]}]({relative(page, known)})" if known else match[0]

    return re.sub(r"`([a-z0-9_.-]+)`", linked, text)


def citing(suites: Sequence[Suite]) -> dict[str, list[Case]]:
    """Return the cases of each requirement id; the cases that name it first come first."""
    found: dict[str, list[Case]] = {}
    cases = [case for suite in suites for case in suite.cases]
    for requirement in {name for case in cases for name in case.requirements}:
        found[requirement] = sorted(
            (case for case in cases if requirement in case.requirements),
            key=lambda case: case.requirements[0] != requirement,
        )
    return found


def case_files(suites: Sequence[Suite], version: str) -> dict[str, str]:
    """Return each case alone as JSON, by its path on the site.

    The object has the members of the case, and before them version, suite and operation.
    Numbers and escapes are spelled as in the suite.
    """
    return {
        case.alone: _compact(
            {"version": version, "suite": suite.name, "operation": suite.operation, **case.data}
        )
        + "\n"
        for suite in suites
        for case in suite.cases
    }


def json_of(case: Case) -> Any:
    """Return the case as Python reads JSON, where the spelling of numbers is not kept."""
    return json.loads(_compact(case.data))


def show_json(value: object, indent: int = 0, used: int = 0) -> str:
    """Return JSON for reading, behind ``used`` characters of a line that begins at ``indent``.

    Short containers stand on one line, numbers as spelled, invisible characters escaped.
    """
    line = _one_line(value)
    if not isinstance(value, dict | list) or not value or indent + used + len(line) <= WIDTH:
        return line
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict | list):
        # The brackets of a lone element and of its list share their lines.
        return f"[{show_json(value[0], indent, used + 1)}]"
    if isinstance(value, dict):
        names = [_scalar(name) + ": " for name in value]
        items = zip(names, value.values(), strict=True)
        rows = [name + show_json(item, indent + 2, len(name)) for name, item in items]
    else:
        rows = [show_json(item, indent + 2) for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    inner = ",\n".join(" " * (indent + 2) + row for row in rows)
    return f"{opening}\n{inner}\n{' ' * indent}{closing}"


def show_text(text: str) -> str:
    """Return HTML of a text that shows line ends, blanks before them and invisible characters.

    The marks are made by the style sheet, so that who copies the text gets the text.
    """
    lines = text.split("\n")
    return "<i></i>\n".join(map(_line, lines))


def facts_of(case: Case) -> str:
    """Return the facts of a case as HTML: risk, origin, and what decides whether it runs."""
    data = case.data
    facts = [f"risk {html.escape(str(data['risk']))}"] if "risk" in data else []
    origin = data.get("origin")
    if isinstance(origin, Mapping):
        ref, kind = origin.get("ref"), html.escape(str(origin.get("kind")))
        facts.append(f"{kind} {link(case.page, f'sources.md#{ref}', str(ref))}" if ref else kind)
    for name, label in (("features", "feature"), ("without", "only without")):
        listed = data.get(name)
        if isinstance(listed, list):
            facts += [f"{label} <code>{html.escape(str(each))}</code>" for each in listed]
    laws = data.get("laws")
    if isinstance(laws, list) and laws:
        facts.append("laws " + ", ".join(html.escape(str(law)) for law in laws))
    if "since" in data:
        facts.append(f"since {html.escape(str(data['since']))}")
    return " · ".join(facts)


def link(page: str, target: str, label: str) -> str:
    """Return a link for raw HTML."""
    return f'<a href="{relative_address(page, target)}">{html.escape(label)}</a>'


def get_link(case: Case, page: str, label: str = "JSON") -> str:
    """Return the link to the case alone; the script puts a button that copies it beside it."""
    return f'<a class="cc-get" href="{relative_address(page, case.alone)}">{label}</a>'


def case_blocks(case: Case) -> str:
    """Return what goes in and what must come out as raw HTML without a blank line."""
    blocks = "\n".join(starmap(_block, _parts(case.data)))
    return f'<div class="cc-blocks" data-search-exclude>\n{blocks}\n</div>'


def suite_page(suite: Suite, requirement_page: Mapping[str, str], schema_page: str | None) -> str:
    """Return the Markdown page of a suite; ``requirement_page`` maps ids to addresses.

    Its cases are raw HTML in one block: they are most of the site, and a third of it that way.
    """
    page = suite.page
    operation = code(suite.operation)
    if schema_page:
        operation = f"[{operation}]({relative(page, schema_page)})"
    count = f"{len(suite.cases)} case{'' if len(suite.cases) == 1 else 's'}"
    parts = [
        f"---\ntemplate: lean.html\n---\n\n# {escape(suite.name)}",
        f"[Fixtures]({relative(page, 'fixtures/index.md')}) · operation {operation} · {count} · "
        f"[raw JSON]({relative(page, suite.path)})\n{{: .cc-facts }}",
    ]
    if len(suite.cases) >= LISTED:
        rows = "\n".join(
            f'<li><a href="#{case.id}">{html.escape(case.title)}</a>' for case in suite.cases
        )
        summary = f"<summary>{count}</summary>"
        parts.append(f'<details class="cc-more">{summary}\n<ul>\n{rows}\n</ul>\n</details>')
    parts += [_shown(case, requirement_page) for case in suite.cases]
    parts += [_withdrawn(gone) for gone in suite.withdrawn]
    return "\n\n".join(parts) + "\n"


def _shown(case: Case, requirement_page: Mapping[str, str]) -> str:
    """Return one case in full as raw HTML without a blank line."""
    cited = [
        link(case.page, requirement_page[name], name)
        if name in requirement_page
        else html.escape(name)
        for name in case.requirements
    ]
    facts = [get_link(case, case.page, f"{case.id}.json"), ", ".join(cited), facts_of(case)]
    notes = " ".join(str(case.data.get("notes", "")).split())
    rows = [
        f'<h2 id="{case.id}">{html.escape(case.title)}</h2>',
        f'<p class="cc-facts">{" · ".join(filter(None, facts))}</p>',
        *([f"<p>{html.escape(notes)}</p>"] if notes else []),
        *starmap(_block, _parts(case.data)),
    ]
    return '<div class="cc-blocks">\n' + "\n".join(rows) + "\n</div>"


def _withdrawn(gone: Mapping[str, Any]) -> str:
    """The heading of a case that is no more: its anchor stays."""
    name = str(gone["id"])
    after = f", replaced by {', '.join(map(code, gone['replaced_by']))}" * ("replaced_by" in gone)
    facts = f"withdrawn {escape(str(gone['since']))}{after}"
    return f"## {escape(name)} {{ #{name} .cc-title }}\n\n{facts}\n\n{escape(str(gone['reason']))}"


def fixtures_index(suites: Sequence[Suite], raw_files: Sequence[str]) -> str:
    """Return the page that lists the suites and the raw files beside them."""
    page = "fixtures/index.md"
    total = sum(len(suite.cases) for suite in suites)
    rows = []
    for suite in suites:
        requirements = {name for case in suite.cases for name in case.requirements}
        rows.append(
            f"| [{escape(suite.name)}]({relative(page, suite.page)}) | {code(suite.operation)} "
            f"| {len(suite.cases)} | {len(requirements)} |"
        )
    files = [f"- [{escape(path)}]({relative(page, path)})" for path in raw_files]
    return "\n".join(
        [
            "# Fixtures",
            "",
            f"{total} cases in {len(suites)} suites. Each suite has a page for people and a JSON",
            "file for ports. A case alone is at `c/` and its id, such as "
            f"[{suites[0].cases[0].alone}](../{suites[0].cases[0].alone}).",
            "",
            "| suite | operation | cases | requirements |",
            "|---|---|---|---|",
            *rows,
            "",
            "## Raw files",
            "",
            *files,
            "",
        ]
    )


def _parts(data: Mapping[str, object]) -> Iterator[tuple[str, object, bool]]:
    """Yield label and value of each block, and whether the value is a text in its own right."""
    if "input_json" in data:
        yield "Input, as JSON text", data["input_json"], True
    given = data.get("input")
    if isinstance(given, Mapping):
        texts = {name: given[name] for name in TEXT_MEMBERS if _is_text(given.get(name))}
        for name, text in texts.items():
            yield f"Input: {name}", text, True
        others = {name: value for name, value in given.items() if name not in texts}
        if others or not texts:
            yield "Input: other members" if texts else "Input", others, False
    elif "input" in data:
        yield "Input", given, False
    if "env" in data:
        yield "Environment", data["env"], False
    if "expect" in data:
        expect = data["expect"]
        label = "Expected"
        if isinstance(expect, Mapping) and len(expect) == 1:
            (kind, expect), *_ = expect.items()
            label = f"Expected {kind}"
        yield label, expect, False


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, Number)


def _block(label: str, value: object, is_text: bool) -> str:
    if is_text:
        body = f'<pre class="cc-text">{show_text(str(value))}</pre>'
    else:
        body = f'<pre class="cc-json">{html.escape(show_json(value), quote=False)}</pre>'
    if len(body) < FOLDED:
        return f'<p class="cc-label">{html.escape(label)}</p>\n{body}'
    label = f"{html.escape(label)}, {len(body):,} characters"
    return f'<details class="cc-more"><summary>{label}</summary>\n{body}\n</details>'


def _line(line: str) -> str:
    body = line.rstrip(" ")
    blanks = f"<b>{line[len(body) :]}</b>" if body != line else ""
    if body.isascii() and body.isprintable():
        return html.escape(body, quote=False) + blanks
    return "".join(map(_character, body)) + blanks


@functools.cache
def _character(character: str) -> str:
    if _visible(character) or character == " ":
        return html.escape(character, quote=False)
    number = ord(character)
    # What HTML cannot hold is left out; the references of C1 would mean something else.
    lost = number == 0 or unicodedata.category(character) == "Cs"
    held = character if 0x80 <= number < 0xA0 else "" if lost else f"&#{number};"
    return f'<u data-c="U+{number:04X}">{held}</u>'


def _visible(character: str) -> bool:
    return unicodedata.category(character)[0] not in "CZ"


def _ascii(value: object) -> str:
    return encode_basestring_ascii(value) if isinstance(value, str) else json.dumps(value)


def _compact(value: object) -> str:
    """Return JSON in ASCII, spelled as the builder spells it, without white space."""
    if isinstance(value, dict):
        members = [f"{_ascii(name)}:{_compact(item)}" for name, item in value.items()]
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_compact, value)) + "]"
    return str.__str__(value) if isinstance(value, Number) else _ascii(value)


def _one_line(value: object) -> str:
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{_scalar(k)}: {_one_line(item)}" for k, item in value.items()) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_one_line, value)) + "]"
    return _scalar(value)


def _scalar(value: object) -> str:
    if isinstance(value, Number):
        return str.__str__(value)
    return _string(value) if isinstance(value, str) else json.dumps(value)


@functools.cache
def _string(value: str) -> str:
    """Format a string; a container asks for the same ones at each level, to see whether it fits."""
    text = json.dumps(value, ensure_ascii=False)
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character if _visible(character) or character == " " else json.dumps(character)[1:-1]
        for character in text
    )
