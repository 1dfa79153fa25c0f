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
from pathlib import Path
from typing import Any

from tools.site.markdown import SiteError, code, escape, relative

WIDTH = 84
"""Columns that a JSON container may take before it is spread over several lines."""

LONGEST = 12_000
"""Characters of one block; the raw suite holds the rest."""

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


def show_json(value: object, indent: int = 0, used: int = 0) -> str:
    """Return JSON for reading, behind ``used`` characters of a line that begins at ``indent``.

    Short containers stand on one line, numbers as spelled, invisible characters escaped.
    """
    line = _one_line(value)
    if not isinstance(value, Mapping | list) or not value or indent + used + len(line) <= WIDTH:
        return line
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], Mapping | list):
        # The brackets of a lone element and of its list share their lines.
        return f"[{show_json(value[0], indent, used + 1)}]"
    if isinstance(value, Mapping):
        names = [_scalar(name) + ": " for name in value]
        items = zip(names, value.values(), strict=True)
        rows = [name + show_json(item, indent + 2, len(name)) for name, item in items]
    else:
        rows = [show_json(item, indent + 2) for item in value]
    opening, closing = "{}" if isinstance(value, Mapping) else "[]"
    inner = ",\n".join(" " * (indent + 2) + row for row in rows)
    return f"{opening}\n{inner}\n{' ' * indent}{closing}"


def show_text(text: str) -> str:
    """Return HTML of a text that shows line ends, blanks before them and invisible characters."""
    lines = text.split("\n")
    shown = [f'<span class="cc-lf">{_line(line)}</span>' for line in lines[:-1]]
    return "\n".join([*shown, _line(lines[-1])])


def facts_of(case: Case, suites_page: str) -> str:
    """Return the facts of a case as Markdown: risk, origin, and what decides whether it runs."""
    data = case.data
    facts = [f"risk {escape(str(data['risk']))}"] if "risk" in data else []
    origin = data.get("origin")
    if isinstance(origin, Mapping):
        ref = origin.get("ref")
        kind = escape(str(origin.get("kind")))
        facts.append(
            f"{kind} [{ref}]({relative(suites_page, f'sources.md#{ref}')})" if ref else kind
        )
    features = data.get("features")
    if isinstance(features, list):
        facts += [f"feature {code(str(name))}" for name in features]
    without = data.get("without")
    if isinstance(without, list):
        facts += [f"only without {code(str(name))}" for name in without]
    laws = data.get("laws")
    if isinstance(laws, list) and laws:
        facts.append("laws " + ", ".join(escape(str(law)) for law in laws))
    if "since" in data:
        facts.append(f"since {escape(str(data['since']))}")
    return " · ".join(facts)


def case_blocks(case: Case) -> str:
    """Return what goes in and what must come out as raw HTML without a blank line."""
    blocks = [_block(label, body) for label, body in _parts(case.data)]
    return '<div class="cc-blocks" data-search-exclude>\n' + "\n".join(blocks) + "\n</div>"


def suite_page(suite: Suite, requirement_page: Mapping[str, str], schema_page: str | None) -> str:
    """Return the Markdown page of a suite; ``requirement_page`` maps ids to addresses."""
    page = suite.page
    operation = code(suite.operation)
    if schema_page:
        operation = f"[{operation}]({relative(page, schema_page)})"
    raw = relative(page, suite.path)
    count = f"{len(suite.cases)} case{'' if len(suite.cases) == 1 else 's'}"
    parts = [
        f"# {escape(suite.name)}",
        f"[Fixtures]({relative(page, 'fixtures/index.md')}) · operation {operation} · {count} · "
        f"[raw JSON]({raw})\n{{: .cc-facts }}",
    ]
    for case in suite.cases:
        cited = [
            f"[{name}]({relative(page, requirement_page[name])})"
            if name in requirement_page
            else escape(name)
            for name in case.requirements
        ]
        facts = " · ".join(filter(None, [code(case.id), ", ".join(cited), facts_of(case, page)]))
        parts += [
            f"## {escape(case.title)} {{ #{case.id} .cc-title }}",
            f"{facts}\n{{: .cc-facts }}",
        ]
        if case.data.get("notes"):
            parts.append(escape(" ".join(str(case.data["notes"]).split())))
        parts.append(case_blocks(case))
    parts += [_withdrawn(gone) for gone in suite.withdrawn]
    return "\n\n".join(parts) + "\n"


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
            "file for ports.",
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


def _parts(data: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    if "input_json" in data:
        yield "Input, as JSON text", show_text(str(data["input_json"]))
    given = data.get("input")
    if isinstance(given, Mapping):
        texts = {name: given[name] for name in TEXT_MEMBERS if isinstance(given.get(name), str)}
        for name, text in texts.items():
            yield f"Input: {name}", show_text(str(text))
        others = {name: value for name, value in given.items() if name not in texts}
        if others or not texts:
            label = "Input: other members" if texts else "Input"
            yield label, html.escape(show_json(others), quote=False)
    elif "input" in data:
        yield "Input", html.escape(show_json(given), quote=False)
    if "env" in data:
        yield "Environment", html.escape(show_json(data["env"]), quote=False)
    if "expect" in data:
        expect = data["expect"]
        label = "Expected"
        if isinstance(expect, Mapping) and len(expect) == 1:
            (kind, expect), *_ = expect.items()
            label = f"Expected {kind}"
        yield label, html.escape(show_json(expect), quote=False)


def _block(label: str, body: str) -> str:
    if len(body) > LONGEST:
        # Cut between lines, so that no tag is torn; a single long line holds escapes at most.
        cut = body.rfind("\n", 0, LONGEST)
        body = (
            body[: cut if cut > 0 else body.rfind(" ", 0, LONGEST)]
            + "\n… cut here, whole in the raw JSON"
        )
    # A blank line would end raw HTML in some engines.
    body = re.sub(r"^([ \t]*)\n", r"\1&#10;", body, flags=re.MULTILINE)
    return f'<p class="cc-label">{html.escape(label)}</p>\n<pre><code>{body}</code></pre>'


def _line(line: str) -> str:
    body = line.rstrip(" ")
    blanks = "".join('<span class="cc-blank"> </span>' for _ in line[len(body) :])
    if body.isascii() and body.isprintable():
        return html.escape(body, quote=False) + blanks
    return "".join(map(_character, body)) + blanks


@functools.cache
def _character(character: str) -> str:
    if _visible(character) or character == " ":
        return html.escape(character, quote=False)
    return f'<span class="cc-char">U+{ord(character):04X}</span>'


def _visible(character: str) -> bool:
    return unicodedata.category(character)[0] not in "CZ"


def _one_line(value: object) -> str:
    if isinstance(value, Mapping):
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
