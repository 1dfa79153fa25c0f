"""JSON Schemas for people: a page per schema, each object a table of its members.

Shows what the schemas of this repository use; what a table cannot say is left to the raw file.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.schemas import read_schemas as validators_of
from tools.site.cases import Suite, get_link, show_json
from tools.site.markdown import SiteError, code, escape, relative, unsearched
from tools.spec_text import slug

_BOUNDS = (
    "minLength",
    "maxLength",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "default",
)
SMALL = 6_000
"""Bytes that the file of an example has at most."""

_CONDITIONS = ("allOf", "if", "not", "dependentRequired", "dependentSchemas")
_ABOUT = {"$schema", "$id", "$defs", "title", "description", "$comment"}


@dataclass(frozen=True, slots=True)
class Schema:
    """One schema; ``path`` is its file in the repository."""

    path: str
    data: Mapping[str, object]

    @property
    def page(self) -> str:
        """The Markdown path of the schema on the site."""
        return self.path.removesuffix(".json").removesuffix(".schema") + ".md"

    @property
    def name(self) -> str:
        """``payload/check_tool_call`` for ``schemas/v1/payload/check_tool_call.schema.json``."""
        return self.page.removesuffix(".md").split("/", 2)[-1]


def read_schemas(root: Path) -> list[Schema]:
    """Read every schema under ``schemas`` of ``root``, sorted by path.

    Raises:
        SiteError: a file is no JSON object.
    """
    schemas = []
    for file in sorted((root / "schemas").rglob("*.schema.json")):
        path = file.relative_to(root).as_posix()
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise SiteError(f"{path}: {error}") from None
        if not isinstance(data, dict):
            raise SiteError(f"{path}: not a JSON object")
        schemas.append(Schema(path, data))
    return schemas


def smallest_files(root: Path, schemas: Sequence[Schema]) -> dict[str, tuple[str, object]]:
    """Return by schema of a format the smallest file that follows it: its path and what it holds.

    A format of which the repository has no small file has none.
    """
    folders = (root / "spec", root / "fixtures")
    sized = sorted((file.stat().st_size, file) for top in folders for file in top.rglob("*.json"))
    files = [(file, json.loads(file.read_bytes())) for size, file in sized if size < SMALL]
    validators = validators_of(root)
    found = {}
    for schema in schemas:
        if schema.name.startswith("formats/") and "properties" in schema.data:
            name = str(schema.data["$id"])
            for file, data in files:
                if validators.fits(name, data):
                    found[schema.path] = (file.relative_to(root).as_posix(), data)
                    break
    return found


def schema_page(
    schema: Schema,
    schemas: Sequence[Schema],
    suites: Sequence[Suite] = (),
    smallest: tuple[str, object] | None = None,
) -> str:
    """Return the Markdown page of one schema; ``schemas`` are all, for references between them.

    The schema of an operation shows the shortest of its cases in ``suites`` that has a result, that
    of a format the ``smallest`` file.
    """
    page = schema.page
    pages = {str(other.data.get("$id")): other.page for other in schemas}
    facts = [
        f"[Schemas]({relative(page, 'schemas/index.md')})",
        code(str(schema.data.get("$id", ""))),
        f"[raw JSON]({relative(page, schema.path)})",
    ]
    parts = [f"# {escape(schema.name)}", " · ".join(facts) + "\n{: .cc-facts }"]
    parts += [*_body(schema.data, page, pages), *_example(schema, suites, smallest)]
    definitions = schema.data.get("$defs")
    if isinstance(definitions, Mapping):
        for name in sorted(
            definitions, key=lambda name: (name not in ("input", "result"), name == "result")
        ):
            parts.append(f"## {escape(name)} {{ #{slug(name)} }}")
            parts += _body(definitions[name], page, pages)
    return "\n\n".join(parts) + "\n"


def _example(
    schema: Schema, suites: Sequence[Suite], smallest: tuple[str, object] | None
) -> Iterator[str]:
    found = [
        (case, {"Input": case.data["input"], "Result": expect["result"]})
        for suite in suites
        if suite.operation == schema.name.replace("/", ".")
        for case in suite.cases
        if isinstance(expect := case.data.get("expect"), Mapping)
        and "result" in expect
        and "input" in case.data
    ]
    values: Mapping[str, object] = {}
    if found:
        case, values = min(found, key=lambda each: len(show_json(each[1])))
        link = f"[{escape(case.title)}]({relative(schema.page, case.address)})"
        says = f"The shortest case: {link} · {get_link(case, schema.page)}"
    elif smallest:
        says, values = "The smallest file of this form", {smallest[0]: smallest[1]}
    if values:
        blocks = "\n".join(
            f'<p class="cc-label">{label}</p>\n'
            f'<pre class="cc-json">{html.escape(show_json(value), quote=False)}</pre>'
            for label, value in values.items()
        )
        yield unsearched("Example")
        yield f"{says}\n{{: .cc-facts }}"
        yield f'<div class="cc-blocks" data-search-exclude>\n{blocks}\n</div>'


def schemas_index(schemas: Sequence[Schema]) -> str:
    """Return the page that lists the schemas."""
    page = "schemas/index.md"
    rows = [
        f"| [{escape(schema.name)}]({relative(page, schema.page)}) "
        f"| {_prose(_first_sentence(schema.data))} | [raw JSON]({relative(page, schema.path)}) |"
        for schema in schemas
    ]
    return "\n".join(
        [
            "# Schemas",
            "",
            "JSON Schema, draft 2020-12. Each operation has one schema with `input` and `result`;",
            "`formats` are the files of this repository and the messages of the harness.",
            "",
            "| schema | says | file |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def _first_sentence(data: Mapping[str, object]) -> str:
    text = str(data.get("description") or data.get("title") or "")
    return re.split(r"(?<=\.)\s", text, maxsplit=1)[0]


def _body(node: object, page: str, pages: Mapping[str, str]) -> list[str]:
    """The description of one schema, then its forms, or the table of its members, or its type."""
    if not isinstance(node, Mapping):
        return [_type(node, page, pages)]
    parts = [_prose(str(node["description"]))] if "description" in node else []
    rows = list(_rows(node, "", page, pages))
    forms = _forms(node)
    if rows:
        parts.append(
            "\n".join(["| member | type | required | description |", "|---|---|---|---|", *rows])
        )
        parts.append(_openness(node))
    elif forms:
        for number, form in enumerate(forms, start=1):
            parts += [f"**Form {number} of {len(forms)}.**", *_body(form, page, pages)]
    elif set(node) - _ABOUT:
        parts.append(f"Type: {_type(node, page, pages)}{_bounds(node)}")
    if any(name in node for name in _CONDITIONS):
        parts.append("Further conditions hold between the members; the raw JSON has them.")
    return [part for part in parts if part]


def _forms(node: Mapping[str, object]) -> list[object]:
    """The branches of a choice between objects; empty when the type says it all."""
    branches = node.get("oneOf", node.get("anyOf"))
    if not isinstance(branches, list):
        return []
    tables = [isinstance(branch, Mapping) and "properties" in branch for branch in branches]
    return branches if any(tables) else []


def _openness(node: Mapping[str, object]) -> str:
    if node.get("additionalProperties") is False:
        return "No other member is allowed."
    return "" if "additionalProperties" in node else "Other members are allowed."


def _rows(
    node: Mapping[str, object], prefix: str, page: str, pages: Mapping[str, str]
) -> Iterator[str]:
    """A row per member, then the members of members; ``[]`` marks the elements of an array."""
    required = node.get("required")
    names = required if isinstance(required, list) else []
    properties = node.get("properties")
    for name, member in properties.items() if isinstance(properties, Mapping) else ():
        yield _row(prefix + name, member, "yes" if name in names else "", page, pages)
        if isinstance(member, Mapping):
            yield from _inner_rows(member, prefix + name, page, pages)
    patterns = node.get("patternProperties")
    for pattern, member in patterns.items() if isinstance(patterns, Mapping) else ():
        yield _row(f"{prefix}/{pattern}/", member, "", page, pages)
    others = node.get("additionalProperties")
    if isinstance(others, Mapping):
        yield _row(f"{prefix}*", others, "", page, pages)
        yield from _inner_rows(others, f"{prefix}*", page, pages)


def _inner_rows(
    member: Mapping[str, object], name: str, page: str, pages: Mapping[str, str]
) -> Iterator[str]:
    yield from _rows(member, f"{name}.", page, pages)
    items = member.get("items")
    if isinstance(items, Mapping):
        yield from _inner_rows(items, f"{name}[]", page, pages)
    for choice in ("oneOf", "anyOf"):
        branches = member.get(choice)
        for branch in branches if isinstance(branches, list) else ():
            if isinstance(branch, Mapping):
                yield from _inner_rows(branch, name, page, pages)


def _row(name: str, member: object, required: str, page: str, pages: Mapping[str, str]) -> str:
    details = member if isinstance(member, Mapping) else {}
    kind = _type(member, page, pages) + _bounds(details)
    described = _prose(str(details.get("description", "")))
    return f"| {code(name)} | {kind} | {required} | {described} |"


def _type(node: object, page: str, pages: Mapping[str, str]) -> str:
    if not isinstance(node, Mapping):
        return "any JSON value" if node is True else "nothing"
    if "$ref" in node:
        return _reference(str(node["$ref"]), page, pages)
    if "const" in node:
        return code(json.dumps(node["const"]))
    for choice in ("oneOf", "anyOf"):
        branches = node.get(choice)
        if isinstance(branches, list):
            # Branches that only restrict members have no type of their own.
            types = [_type(branch, page, pages) for branch in branches]
            return " or ".join(dict.fromkeys(types))
    values = node.get("enum")
    if isinstance(values, list):
        return " or ".join(code(json.dumps(value)) for value in values)
    kinds = node.get("type")
    if kinds is None:
        return "object" if "properties" in node or "required" in node else "any JSON value"
    names = kinds if isinstance(kinds, list) else [kinds]
    return " or ".join(
        f"array of {_type(node['items'], page, pages)}"
        if name == "array" and "items" in node
        else escape(str(name))
        for name in names
    )


def _reference(reference: str, page: str, pages: Mapping[str, str]) -> str:
    document, _, pointer = reference.partition("#")
    name = pointer.rsplit("/", 1)[-1]
    there = pages.get(document) if document else page
    label = name or document.rsplit(":", 1)[-1]
    if there is None:
        return code(reference)
    return f"[{escape(label)}]({relative(page, f'{there}#{slug(name)}' if name else there)})"


def _bounds(node: Mapping[str, object]) -> str:
    found = [
        f"{bound} {code(str(node[bound]) if bound == 'pattern' else json.dumps(node[bound]))}"
        for bound in _BOUNDS
        if bound in node
    ]
    return f", {', '.join(found)}" if found else ""


def _prose(text: str) -> str:
    """Plain text with code spans, safe in a table cell."""
    pieces = re.split(r"`([^`]*)`", " ".join(text.split()))
    return "".join(
        code(piece) if index % 2 else escape(piece) for index, piece in enumerate(pieces)
    )
