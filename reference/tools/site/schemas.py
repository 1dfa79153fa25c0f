"""JSON Schemas for people: a page per schema, each object a table of its members.

Shows what the schemas of this repository use; what a table cannot say is left to the raw file.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from tools.fixtures.bundled import SIDES
from tools.fixtures.schemas import BUNDLED, read_schemas
from tools.law.text import slug
from tools.site.book import Book, Content, Pages, written
from tools.site.markdown import UNSEARCHED, code, escape, facts, link, prose, section, table
from tools.site.readable import blocks

PAGE = "schemas/index.md"
SMALL = 6_000
"""Bytes that the file of an example has at most."""

BOUNDS = (
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "default",
)
CONDITIONS = {"allOf", "if", "not", "dependentRequired"}
ABOUT = {"$schema", "$id", "$defs", "title", "description", "$comment"}

ORDER = ("input", "result", "finding")
"""The first definitions. Of them the pages of the contracts say what is in their tables, and of
codes, so the search does not know these.
"""

Node = Mapping[str, Any]


def pages(book: Book) -> Pages:
    """Return the page of each schema and their list."""
    read, small = read_schemas(book.root), [*_small_files(book.root)]
    if read.problems:
        raise ValueError(": ".join(read.problems[0]))
    made: dict[str, Content] = {}
    rows = []
    for name, schema in read.documents.items():
        stem = _stem(name)
        title = stem.split("/", 2)[2]
        built = {f"{side} alone": f"{BUNDLED}/{title}.{side}.schema.json" for side in SIDES}
        files = [link(f"{stem}.schema.json", "raw JSON")]
        files += [link(file, side) for side, file in built.items() if (book.root / file).exists()]
        told = facts(link(PAGE, "Schemas"), code(name), *files)
        example = [*_case(book, title.replace("/", "."))]
        if title.startswith("formats/") and "properties" in schema:
            fitting = (each for each in small if read.fits(name, each[1]))
            example = [*_example("The smallest file of this form", dict(islice(fitting, 1)))]
        made[f"{stem}.md"] = [f"# Schema {escape(title)}", told, *_page(schema, example)]
        says = re.split(r"(?<=\.)\s", schema.get("description") or schema.get("title", ""))[0]
        rows.append([link(f"{stem}.md", escape(title)), prose(says), ", ".join(files)])
    return {PAGE: written(PAGE, schemas=table(["schema", "says", "files"], rows)), **made}


def _page(schema: Node, example: Sequence[str]) -> Iterator[str]:
    yield from _body(schema)
    yield from example
    definitions = schema.get("$defs", {})
    for each in sorted(definitions, key=lambda each: (*ORDER[:2], each).index(each)):
        yield f"## {escape(each)} {{ #{slug(each)}{f' {UNSEARCHED}' * (each in ORDER)} }}"
        yield from _body(definitions[each])


def _stem(name: str) -> str:
    """The path of a schema without extension, in the repository and on the site."""
    return "schemas/" + name.split(":", 2)[2].replace(":", "/")


def _small_files(root: Path) -> Iterator[tuple[str, object]]:
    """Yield path and value of the small JSON files of the repository, the smallest first."""
    found = [*(root / "spec").rglob("*.json"), *(root / "fixtures").rglob("*.json")]
    for size, file in sorted((file.stat().st_size, file) for file in found):
        if size < SMALL:
            yield file.relative_to(root).as_posix(), json.loads(file.read_bytes())


def _case(book: Book, operation: str) -> Iterator[str]:
    """Yield the shortest case of an operation that has a result."""
    cases = [case for suite in book.suites if suite.operation == operation for case in suite.cases]
    cases = [each for each in cases if "input" in each.data and "result" in each.data["expect"]]
    for case in sorted(cases, key=lambda case: len(case.shown))[:1]:
        values = {"Input": case.data["input"], "Result": case.data["expect"]["result"]}
        yield from _example(f"The shortest case: {case.link} · {case.get()}", values)


def _example(says: str, values: Mapping[str, object]) -> Iterator[str]:
    if values:
        shown = blocks((label, value, False) for label, value in values.items())
        yield section("Example", facts(says), shown)


def _body(node: Node | bool) -> Iterator[str]:
    """Yield the description of a schema, then the table of its members, its forms, or its type."""
    if isinstance(node, bool):
        yield _type(node)
        return
    if "description" in node:
        yield prose(node["description"])
    rows = []
    for name, member, required in _members(node):
        details = {} if isinstance(member, bool) else member
        told = prose(details.get("description", ""))
        rows.append([code(name), _type(member) + _bounds(details), "yes" * required, told])
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
            yield from _body(form)
    elif node.keys() - ABOUT:
        yield f"Type: {_type(node)}{_bounds(node)}"
    if node.keys() & CONDITIONS:
        yield "Further conditions hold between the members; the raw JSON has them."


def _members(node: Node | bool, above: str = "") -> Iterator[tuple[str, Node | bool, bool]]:
    """Yield name, schema and whether it is required of each member, then of the members of that.

    ``[]`` marks the elements of an array, ``*`` any other member.
    """
    if isinstance(node, bool):
        return
    others = node.get("additionalProperties")
    named = node.get("properties", {}) | ({"*": others} if isinstance(others, dict) else {})
    for name, member in named.items():
        path = f"{above}.{name}" if above else name
        yield path, member, name in node.get("required", ())
        yield from _members(member, path)
    if above:
        yield from _members(node.get("items", False), f"{above}[]")
        for branch in (*node.get("oneOf", ()), *node.get("anyOf", ())):
            yield from _members(branch, above)


def _type(node: Node | bool) -> str:
    if isinstance(node, bool):
        return "any JSON value" if node else "nothing"
    if "$ref" in node:
        return _reference(node["$ref"])
    if branches := node.get("oneOf", node.get("anyOf")):
        # Branches that only restrict members have no type of their own.
        return " or ".join(dict.fromkeys(map(_type, branches)))
    if "const" in node or "enum" in node:
        values = node["enum"] if "enum" in node else [node["const"]]
        return " or ".join(code(json.dumps(value)) for value in values)
    if "type" not in node:
        return "object" if node.keys() & {"properties", "required"} else "any JSON value"
    names: list[str] = node["type"] if isinstance(node["type"], list) else [node["type"]]
    arrays = {"array": f"array of {_type(node['items'])}"} if "items" in node else {}
    return " or ".join(arrays.get(name, name) for name in names)


def _reference(reference: str) -> str:
    document, _, pointer = reference.partition("#")
    named = pointer.removeprefix("/$defs/").split("/")  # the definition, and a member in it
    there = f"{_stem(document)}.md" if document else ""
    label = " of ".join(filter(None, (named[-1], document.rpartition(":")[2])))
    return link(f"{there}#{slug(named[0])}" if named[0] else there, escape(label))


def _bounds(node: Node) -> str:
    values = ((name, node[name]) for name in BOUNDS if name in node)
    shown = ((name, str(x) if name == "pattern" else json.dumps(x)) for name, x in values)
    return "".join(f", {name} {code(value)}" for name, value in shown)
