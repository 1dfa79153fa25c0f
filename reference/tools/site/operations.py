"""The page of one operation at ``/o/NAME/``, and their list: what goes in, and each rule of it.

The page of a contract is the law of several operations; who implements or calls one reads this.
"""

import html
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from tools.fixtures.bundled import SIDES
from tools.site.book import Book, Pages, leaf
from tools.site.cases import Case, example, parts_of
from tools.site.contract import HOME
from tools.site.markdown import (
    UNSEARCHED,
    code,
    escape,
    facts,
    html_link,
    link,
    plural,
    prose,
    table,
)
from tools.site.readable import blocks, json_html

INDEX = "o/index.md"

OPEN_LENGTH = 350
"""Characters of a longer example stay folded."""

FEW_VALUES = 5
"""More values than these are counted."""

_ROW = re.compile(r"^\| \[`([a-z_.]+)`\]\(([^)]+)\) \| (.+) \|$", re.MULTILINE)
"""A row of the table of operations on the first page."""


def pages(book: Book) -> Pages:
    """Return the page of each operation, and the list."""
    rows = _ROW.findall(book.spec.pages[HOME].text)
    targets = {name: target for name, target, _ in rows}
    said = {name: book.moved(what, f"spec/{HOME}") for name, _, what in rows}
    made = {f"o/{name}.md": _page(book, name, targets[name], said[name]) for name in said}
    return {INDEX: _index(said), **made}


def _index(said: Mapping[str, str]) -> Iterator[str]:
    yield "# Operations"
    yield "Pure functions from JSON to JSON. Each has a page with all that concerns it."
    for contract, names in groupby(said, key=lambda name: name.partition(".")[0]):
        rows = [[link(f"o/{name}.md", code(name)), said[name]] for name in names]
        yield f"## {contract.capitalize()}"
        yield table(["operation", "what it does"], rows)


def _page(book: Book, name: str, target: str, said: str) -> Iterator[str]:
    cases = book.asked[name]
    cited = {id for case in cases for id in case.requirements}
    rules = [id for id in book.spec.requirements if id in cited]
    law, _, anchor = target.partition("#")
    schema = f"schemas/v1/{name.replace('.', '/')}.md"
    way = html_link(INDEX, "Operations") + f"<span>{html_link(target, 'In the text')}</span>"
    short = name.rpartition(".")[2]
    if "_" in short:  # nobody means anything else by it
        yield f"---\ntags: [{short}]\n---"
    yield f'<nav class="cc-crumbs" aria-label="Breadcrumb" {UNSEARCHED}>{way}</nav>'
    yield f"# {name} {{ #{name.replace('.', '-')} }}"
    yield f"{short.replace('_', ' ').capitalize()}: {said}."
    counts = plural(len(rules), "rule"), plural(len(cases), "case")
    yield facts(*counts, link(schema, "Schema"), link("try/index.md", "Playground"))
    yield f'<div markdown="1" {UNSEARCHED}>'
    yield _introduction(book, law, anchor)
    if case := example(name, cases):
        yield from _shown(case)
    yield f"## Input and result {{ {UNSEARCHED} }}"
    yield _members(book.schemas, name)
    yield "</div>"
    for chapter, ids in groupby(rules, key=lambda id: _chapter(book, id)):
        yield f"## {chapter} {{ {UNSEARCHED} }}"
        for id in ids:
            yield from _rule(book, id, [case for case in cases if id in case.requirements])


def _members(schemas: Mapping[str, Any], name: str) -> str:
    """The members of input and result as the schema has them: the text does not say them again."""
    document = f"urn:commoncall:v1:{name.replace('.', ':')}"
    sides = schemas[document]["$defs"]
    rows = {side: [*_rows(schemas, document, sides[side])] for side in SIDES}
    return "\n\n".join(table([side, "meaning"], rows[side]) for side in SIDES)


def _rows(
    schemas: Mapping[str, Any], document: str, schema: Any, within: str = ""
) -> Iterator[Any]:
    """Yield a row for each member of an object, and below it for those of the objects in it."""
    document, taken = _resolved(schemas, document, schema)
    for member, each in taken.get("properties", {}).items():
        home, known = _resolved(schemas, document, each)
        marks = [_form(known), "" if member in taken.get("required", ()) else "optional"]
        said = [", ".join(filter(None, marks)), prose(known.get("description", ""))]
        yield [code(within + member), " · ".join(filter(None, said))]
        if not within:
            yield from _rows(schemas, home, known, f"{member}.")
            yield from _rows(schemas, home, known.get("items"), f"{member}[].")


def _resolved(schemas: Mapping[str, Any], document: str, schema: Any) -> tuple[str, dict[str, Any]]:
    """A schema with what it refers to, below what it says itself, and the document of that."""
    known = dict(schema) if isinstance(schema, dict) else {}
    while target := known.pop("$ref", None):
        address, _, path = target.partition("#")
        document = address or document
        found = schemas[document]
        for step in path.strip("/").split("/"):
            found = found[step]
        known = found | known
    return document, known


def _form(schema: Mapping[str, Any]) -> str:
    """What a value is, in a word, or the few values that there are."""
    values = schema.get("enum", [])
    if len(values) > FEW_VALUES:
        return f"one of {len(values)} names"
    if values:
        return " or ".join(code(str(value)) for value in values)
    kinds = schema.get("type", [])
    return kinds if isinstance(kinds, str) else " or ".join(kinds)


def _introduction(book: Book, law: str, anchor: str) -> str:
    """What the law says before the first rule of the section that belongs to the operation."""
    page = book.spec.pages[law]
    for _, part, lines in book.parts(page, page.text):
        if part.anchor == anchor:
            return book.shown("\n".join(lines[1:]).strip("\n"), law)
    return ""


def _chapter(book: Book, id: str) -> str:
    """The heading above a rule, with the page where that is of another contract."""
    return book.passages[id].chapter[0] or book.spec.pages[book.law[id].page].title


def _shown(case: Case) -> Iterator[str]:
    yield f"## Example {{ {UNSEARCHED} }}"
    yield facts(link(case.address, escape(case.title)), case.get())
    yield blocks(parts_of(case.data))


def _rule(book: Book, id: str, cases: list[Case]) -> Iterator[str]:
    """Yield a rule with its example, open where it is short."""
    one = book.spec.requirements[id]
    yield '<div class="cc-req" markdown="1">'
    yield f"### {link(leaf(id), id)} {escape(one.title)} {{ #{id.lower()} {UNSEARCHED} }}"
    yield book.shown(book.passages[id].quote, one.page)
    if case := example(id, cases):
        opened = " open" if len(case.shown) <= OPEN_LENGTH else ""
        summary = f"<summary>{html.escape(case.title)}</summary>{json_html(case.shown)}"
        yield f'<details class="cc-case"{opened}>{summary}</details>'
    yield "</div>"
