"""Pages of the specification: the law of a contract, each requirement short and with one example.

Takes the text as it stands in ``spec/``; adds nothing that is normative. What else there is to say
of one requirement or definition has a page of its own, to which its heading leads.
"""

import html
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tools.law.text import (
    CODES_PAGE,
    SOURCES_PAGE,
    WITHDRAWN_PAGE,
    Definition,
    Page,
    Requirement,
    Withdrawn,
)
from tools.site.book import Book, Pages, anchor_of, leaf
from tools.site.cases import Case, example
from tools.site.markdown import (
    UNSEARCHED,
    code,
    columns,
    escape,
    facts,
    folded,
    link,
    plural,
    table,
    under_title,
)
from tools.site.readable import json_html

HOME = "index.md"
SIZES = "<!-- sizes -->"
"""Where the table of operations stands; elsewhere than on the site it shows nothing."""

FOLDED_ROWS = 10
"""Rows from which on a table of a definition is folded."""

_CODE_ROW = re.compile(r"^\|.*\|.*\|.*\|$", re.MULTILINE)
_OPERATIONS = re.compile(r"^(\| `\w+` \|)([^|]*)(\|.*\|.*)$")
_ROWS = re.compile(r"(?:^> \|.*(?:\n|\Z))+", re.MULTILINE)
_GONE = re.compile(r"^\| ([A-Z]{3}-[0-9]{3}(?:, [A-Z]{3}-[0-9]{3})*) \|")
_OPERATION = re.compile(r"^\| operation \| what it does \|\n(?:\|.*\n)+", re.MULTILINE)
"""What the first page of the repository lists has a page of its own on the site."""

_SOURCE = re.compile(r"^```\n### ([A-Z]{3}-[0-9]{3})\n.*?^```$", re.DOTALL | re.MULTILINE)


def pages(book: Book) -> Pages:
    """Return each page of the text, and each of law as plain text too, e.g. ``v1/event.txt``."""
    made = {}
    for path, page in book.spec.pages.items():
        text = _with_boxes(book, page)
        if path == HOME:
            text = _home(book, text)
        if path == CODES_PAGE:
            text = _CODE_ROW.sub(partial(_code_row, book), _whole_rows(text))
        if SIZES in text:
            text = text.replace(SIZES, _sizes(book))
        if page.requirements or page.definitions or path == CODES_PAGE:
            plain = path.removesuffix(".md") + ".txt"
            made[plain] = f"{page.text.rstrip()}\n\n{book.line}\n"
            alone = f"{link(plain, 'The text alone')}, as plain Markdown and without cases"
            text = under_title(text, facts(alone))
        made[path] = text
    return made


def _whole_rows(text: str) -> str:
    """Return the page of codes with its operations in each row, not only where they differ."""
    held, lines = "", text.split("\n")
    for number, line in enumerate(lines):
        if row := _OPERATIONS.match(line):
            held = row[2].strip() or held
            lines[number] = f"{row[1]} {held} {row[3]}"
    return "\n".join(lines)


def _code_row(book: Book, row: re.Match[str]) -> str:
    """A row of a code: what it means and the rules that demand it, and last who may give it."""
    first, operations, meaning, *level = [cell.strip() for cell in row[0].strip("|").split("|")]
    if not first.startswith("`"):
        rules = "---" if first.startswith("-") else "rule"
    else:
        names = operations.replace("`", "").split(", ")
        near: list[str] = []
        for name in names:
            known = book.user_text["codes"].get(name.partition(".")[0], {})
            one = known.get(first.strip("`"), {"requirements": []})
            near += one.get("operations", {}).get(name, one["requirements"])[:1]
        rules = ", ".join(dict.fromkeys(near))
        if len(names) > 1:
            listed = f"<summary>{len(names)} operations</summary>{operations}"
            operations = f'<details class="cc-ops" {UNSEARCHED}>{listed}</details>'
    return f"| {' | '.join([first, meaning, *level, rules, operations])} |"


def reasons(one: Requirement) -> list[str]:
    """Return facts of a requirement: its sources, and why no case can show it."""
    sources = ", ".join(link(f"{SOURCES_PAGE}#{name}", name) for name in one.source)
    reviewed = f"by review: {escape(one.review)}" if one.review else ""
    return [fact for fact in (f"source {sources}" if sources else "", reviewed) if fact]


def withdrawn_line(gone: Withdrawn) -> str:
    """Return ``withdrawn 0.2 · replaced by PAY-001``."""
    return f"withdrawn {gone.since} · replaced by {', '.join(gone.replaced_by) or 'nothing'}"


def _with_boxes(book: Book, page: Page) -> str:
    out: list[str] = []
    for name, part, lines in book.parts(page, book.moved(page.text, f"spec/{page.path}")):
        if name:
            out += [_box(book, name, lines[0]), ""]
        elif page.path == SOURCES_PAGE:
            users = [
                one.id for one in book.spec.requirements.values() if part.heading in one.source
            ]
            # No heading of the second level stands above these, and readers of outlines miss it.
            out += [lines[0].replace("### ", "## ", 1), *lines[1:]]
            out += [facts(f"Requirements: {', '.join(users)}"), ""] if users else []
        elif page.path == WITHDRAWN_PAGE:
            out += [_GONE.sub(_anchored, line) for line in lines]
        else:
            out += lines
    return _folded(book, page, "\n".join(out))


def _sizes(book: Book) -> str:
    """A row for each operation: its cases in each level, then requirements and cases."""
    levels, rows = book.manifest["levels"], []
    for each in book.manifest["operations"]:
        name = each["operation"]
        cases = book.asked[name]
        core = [case for case in cases if not case.data.get("features")]
        core = core if each["feature"] == "core" else []
        row: list[object] = [link(f"o/{name}.md", code(name))]
        for level in levels:
            held = [case for case in core if _is_in(level, case.data)]
            row.append(len(held) if name in level["operations"] else "")
        for counted, features in ((core, ("core",)), (cases, ())):
            cited = {book.spec.requirements[id] for case in counted for id in case.requirements}
            kept = [one for one in cited if not features or one.feature in features]
            row += [len(kept) or "", len(counted) or ""]
        rows.append(row)
    counts = ["core requirements", "core cases", "requirements", "cases"]
    return table(["operation", *(f"cases of {level['level']}" for level in levels), *counts], rows)


def _is_in(level: Mapping[str, Any], case: Mapping[str, Any]) -> bool:
    """Tell whether a core case of an operation of a level belongs to it."""
    given = case["input"] if isinstance(case.get("input"), dict) else {}
    is_free = given.keys().isdisjoint(level.get("absent", ()))
    return bool(case["origin"]["kind"] == level["origin"]) and is_free


def _anchored(match: re.Match[str]) -> str:
    """The first cell of a row: each id with an anchor, where an old link leads, and its page."""
    names = match[1].split(", ")
    each = (f'<span id="{name.lower()}"></span>{link(leaf(name), name)}' for name in names)
    return f"| {', '.join(each)} |"


def _box(book: Book, name: str, heading: str, at_home: bool = False) -> str:
    """A requirement or definition set apart, its id as an older anchor; on the first page alone."""
    one = book.spec.requirements.get(name) or book.spec.definitions[name]
    passage = book.passages[name]
    quote, prose = (
        book.shown(text, one.page) if at_home else book.moved(text, f"spec/{one.page}")
        for text in (passage.quote, passage.prose)
    )
    marks = heading.split()[0]
    wide = " cc-wide" if "\n> |" in quote else ""
    anchor = "" if isinstance(one, Definition) else f' id="{name}"'
    parts = [f'<div class="cc-req{wide}"{anchor} markdown="1">']
    if isinstance(one, Definition):
        parts += [heading, _ROWS.sub(_rows_folded, quote), prose]
    else:
        head = f"{marks} {link(leaf(name), name)} {escape(one.title)} {{ #{name.lower()} }}"
        parts += [head, facts(*_facts(book, one)), quote, prose]
        parts.append("" if at_home else _example(one.id, book.citing.get(name, ())))
    return "\n\n".join([*filter(None, parts), "</div>"])


def _rows_folded(rows: re.Match[str]) -> str:
    """A long table behind its number of rows, but no rows with ids; paper shows all."""
    count = rows[0].strip().count("\n") - 1
    if count < FOLDED_ROWS or rows[0].startswith("> | id |"):
        return rows[0]
    opening = f'<details class="cc-more cc-rows" markdown="1">\n<summary>{count} rows</summary>'
    return f"\n{opening}\n\n{rows[0].rstrip()}\n\n</details>\n\n"


def _facts(book: Book, one: Requirement) -> list[str]:
    """The level is the bold word of the sentence; its own page has the facts in full."""
    told = [] if one.feature == "core" else [one.feature]
    told.append(f"changed {one.changes[-1]}" if one.changes else f"since {one.since}")
    if one.review:
        told.append(f"by review: {escape(one.review)}")
    if cases := book.citing.get(one.id):
        told.append(link(f"{leaf(one.id)}#cases", plural(len(cases), "case")))
    return told


def _example(name: str, cases: Sequence[Case]) -> str:
    """The case that shows a requirement, in one folded block."""
    case = example(name, cases)
    if case is None:
        return ""
    shown = f"<summary>Example: {html.escape(case.title)}</summary>{json_html(case.shown)}"
    return f'<details class="cc-case" data-search-exclude>{shown}</details>'


def _home(book: Book, text: str) -> str:
    """The first page with a link to the operations, and no requirement as Markdown."""
    whole = _SOURCE.sub(lambda match: _box(book, match[1], f"### {match[1]}", True), text)
    return _OPERATION.sub(link("o/index.md", "All operations") + "\n", whole)


def _folded(book: Book, page: Page, text: str) -> str:
    """The page with an index before its first section, folded, as links in columns."""
    if not page.requirements:
        return text
    named = {"requirement": page.requirements, "definition": page.definitions}
    counts = [plural(len(names), noun) for noun, names in named.items() if names]
    lists = (
        columns(f"[{book.label(name)}](#{anchor_of(book.law[name])})" for name in names)
        for names in named.values()
        if names
    )
    index = folded(f"Index: {' and '.join(counts)}", "\n\n".join(lists), "cc-more cc-index")
    head, mark, rest = text.partition("\n## ")
    return f"{head}\n{index}\n{mark}{rest}"
