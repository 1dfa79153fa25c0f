"""JSON Schemas for people: a page per schema, each object a table of its members.

Shows what the schemas of this repository use; what a table cannot say is left to the raw file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from tools.fixtures.bundled import SIDES
from tools.fixtures.schemas import BUNDLED, read_schemas
from tools.law.text import slug
from tools.site.book import Book
from tools.site.cases import get_link
from tools.site.markdown import SiteError, code, escape, facts, link, prose, table, unsearched
from tools.site.readable import blocks

PAGE = "schemas/index.md"
INTRO = """# Schemas

JSON Schema, draft 2020-12. Each operation has one schema with `input` and `result`, for people: the
source, and what the pages show. Built from it are two self-contained files, for generators of types
and strict validators ([which is for what](../vendoring.md)).
`formats` are the files of this repository and the messages of the harness."""

SMALL = 6_000
"""Bytes that the file of an example has at most."""

BOUNDS = (
    *("minLength", "maxLength", "pattern", "minimum", "maximum", "minItems", "maxItems"),
    *("uniqueItems", "minProperties", "maxProperties", "default"),
)
CONDITIONS = {"allOf", "if", "not", "dependentRequired"}
ABOUT = {"$schema", "$id", "$defs", "title", "description", "$comment"}

UNSEARCHED = dict.fromkeys(["input", "result", "finding"], "data-search-exclude='' ")
"""What the pages of the contracts say in their tables, and of codes."""

Refer = Callable[[str], str]
"""From a ``$ref`` to what stands for it on the page at hand, as Markdown."""


def pages(book: Book) -> dict[str, str]:
    """Return the page of each schema and their list, by path on the site."""
    read, small = read_schemas(book.root), _small_files(book.root)
    if read.problems:
        raise SiteError(": ".join(read.problems[0]))
    made, rows = {}, []
    for name, schema in read.documents.items():
        stem = _stem(name)
        page, title = f"{stem}.md", stem.split("/", 2)[2]
        refer, raw = partial(_reference, page), f"{stem}.schema.json"
        files = [link(page, raw, "raw JSON"), *_self_contained(book.root, title, page)]
        told = facts(link(page, PAGE, "Schemas"), code(name), *files)
        parts = [f"# Schema {escape(title)}", told, *_body(schema, refer)]
        if title.startswith("formats/") and "properties" in schema:
            fitting = (each for each in small if read.fits(name, each[1]))
            parts += _example("The smallest file of this form", dict(islice(fitting, 1)))
        else:
            parts += _case(book, title.replace("/", "."), page)
        definitions = schema.get("$defs", {})
        for each in sorted(definitions, key=lambda each: {"input": 0, "result": 1}.get(each, 2)):
            heading = f"## {escape(each)} {{ #{slug(each)} {UNSEARCHED.get(each, '')}}}"
            parts += [heading, *_body(definitions[each], refer)]
        made[page] = "\n\n".join(parts)
        says = re.split(r"(?<=\.)\s", schema.get("description") or schema.get("title", ""))[0]
        files = [link(PAGE, raw, "raw JSON"), *_self_contained(book.root, title, PAGE)]
        rows.append([link(PAGE, page, escape(title)), prose(says), ", ".join(files)])
    return {PAGE: f"{INTRO}\n\n{table(['schema', 'says', 'files'], rows)}"} | made


def _stem(name: str) -> str:
    """The path of a schema without extension, in the repository and on the site."""
    return "schemas/" + name.split(":", 2)[2].replace(":", "/")


def _self_contained(root: Path, title: str, page: str) -> Iterator[str]:
    """Yield links to the files that are built from the schema of an operation."""
    for side in SIDES:
        file = f"{BUNDLED}/{title}.{side}.schema.json"
        if (root / file).exists():
            yield link(page, file, f"{side} alone")


def _small_files(root: Path) -> list[tuple[str, Any]]:
    """The small JSON files of the repository, the smallest first: path and value."""
    found = [*(root / "spec").rglob("*.json"), *(root / "fixtures").rglob("*.json")]
    sized = sorted((file.stat().st_size, file) for file in found)
    small = [file for size, file in sized if size < SMALL]
    return [(file.relative_to(root).as_posix(), json.loads(file.read_bytes())) for file in small]


def _case(book: Book, operation: str, page: str) -> Iterator[str]:
    """Yield the shortest case of an operation that has a result."""
    suites = [suite for suite in book.suites if suite.operation == operation]
    cases = [case for suite in suites for case in suite.cases if "input" in case.data]
    cases = [case for case in cases if "result" in case.data["expect"]]
    for case in sorted(cases, key=lambda case: len(case.shown))[:1]:
        where = link(page, case.address, escape(case.title))
        values = {"Input": case.data["input"], "Result": case.data["expect"]["result"]}
        yield from _example(f"The shortest case: {where} · {get_link(case, page)}", values)


def _example(says: str, values: dict[str, Any]) -> Iterator[str]:
    if values:
        yield unsearched("##", "Example")
        yield facts(says)
        yield blocks((label, value, False) for label, value in values.items())


def _body(node: Any, refer: Refer) -> Iterator[str]:
    """Yield the description of a schema, then the table of its members, its forms, or its type."""
    if isinstance(node, bool):
        yield _type(node, refer)
        return
    if "description" in node:
        yield prose(node["description"])
    rows = [_row(*member, refer) for member in _members(node)]
    forms = node.get("oneOf", node.get("anyOf", ()))
    if rows:
        yield table(["member", "type", "required", "description"], rows)
        if "additionalProperties" not in node:
            yield "Other members are allowed."
        elif node["additionalProperties"] is False:
            yield "No other member is allowed."
    elif any("properties" in form for form in forms):
        for number, form in enumerate(forms, start=1):
            yield f"**Form {number} of {len(forms)}.**"
            yield from _body(form, refer)
    elif node.keys() - ABOUT:
        yield f"Type: {_type(node, refer)}{_bounds(node)}"
    if node.keys() & CONDITIONS:
        yield "Further conditions hold between the members; the raw JSON has them."


def _members(node: Any, above: str = "") -> Iterator[tuple[str, Any, bool]]:
    """Yield name, schema and whether it is required of each member, then of the members of that.

    ``[]`` marks the elements of an array, ``*`` any other member.
    """
    if isinstance(node, bool):
        return
    before = f"{above}." if above else ""
    for name, member in node.get("properties", {}).items():
        yield before + name, member, name in node.get("required", ())
        yield from _members(member, before + name)
    others = node.get("additionalProperties", False)
    if not isinstance(others, bool):
        yield f"{before}*", others, False
        yield from _members(others, f"{before}*")
    if above:
        yield from _members(node.get("items", False), f"{above}[]")
        for branch in (*node.get("oneOf", ()), *node.get("anyOf", ())):
            yield from _members(branch, above)


def _row(name: str, member: Any, required: bool, refer: Refer) -> list[str]:
    details = {} if isinstance(member, bool) else member
    kind = _type(member, refer) + _bounds(details)
    return [code(name), kind, "yes" * required, prose(details.get("description", ""))]


def _type(node: Any, refer: Refer) -> str:
    if isinstance(node, bool):
        return "any JSON value" if node else "nothing"
    if "$ref" in node:
        return refer(node["$ref"])
    if "const" in node:
        return code(json.dumps(node["const"]))
    if branches := node.get("oneOf", node.get("anyOf")):
        # Branches that only restrict members have no type of their own.
        return " or ".join(dict.fromkeys(_type(branch, refer) for branch in branches))
    if "enum" in node:
        return " or ".join(code(json.dumps(value)) for value in node["enum"])
    if "type" not in node:
        return "object" if node.keys() & {"properties", "required"} else "any JSON value"
    names = node["type"] if isinstance(node["type"], list) else [node["type"]]
    return " or ".join(
        f"array of {_type(node['items'], refer)}" if name == "array" and "items" in node else name
        for name in names
    )


def _reference(page: str, reference: str) -> str:
    document, _, pointer = reference.partition("#")
    named = pointer.removeprefix("/$defs/").split("/")  # the definition, and a member in it
    there = f"{_stem(document)}.md" if document else page
    label = named[-1] or document.rpartition(":")[2]
    return link(page, f"{there}#{slug(named[0])}" if named[0] else there, escape(label))


def _bounds(node: dict[str, Any]) -> str:
    found = [
        f", {bound} {code(str(node[bound]) if bound == 'pattern' else json.dumps(node[bound]))}"
        for bound in BOUNDS
        if bound in node
    ]
    return "".join(found)
