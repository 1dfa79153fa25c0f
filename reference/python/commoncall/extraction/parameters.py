"""Parameters that were written as tags, read as the arguments of a call (definition "typed
parameter").

A text has no type of its own. What the tool declares decides, and where it declares nothing the
text stays a text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from commoncall.call_object import RefusedError
from commoncall.extraction.call_value import Call, Refused, name_outside
from commoncall.extraction.dialects import Dialect, Kind
from commoncall.json_text import (
    JSON_SPACE,
    MAX_DEPTH,
    PYTHON_WORDS,
    JsonTextError,
    compact,
    decode,
    text_depth,
)

Types = frozenset[str]
Declared = Mapping[str, Mapping[str, Types]]
"""For each tool the types that it declares for its parameters."""

_LINE_ENDS = re.compile(r"\A\r?\n|\r?\n\Z")
_REFERENCE = re.compile(r"#/(\$defs|definitions)/([^/~%]+)")
_NAMES: Final = {"null", "boolean", "object", "array", "number", "string", "integer"}
_DEEPEST: Final = 8  # of ``$ref``, ``anyOf`` and ``oneOf``


class Parameter(NamedTuple):
    """A parameter as it stands in the text."""

    name: str
    text: str
    kind: Kind = "typed"


def declared_types(tools: Sequence[object]) -> Declared:
    """Return the types that tools declare (EXT-124).

    What is malformed declares nothing, and the first tool of a name decides also where it does so.
    """
    declared: dict[str, dict[str, Types]] = {}
    for tool in tools:
        function = _member(tool, "function")
        name, root = _member(function, "name"), _member(function, "parameters")
        properties = _member(root, "properties")
        if isinstance(name, str) and name not in declared:
            schemas = properties.items() if isinstance(properties, dict) else ()
            declared[name] = {key: _types(schema, root, _DEEPEST) for key, schema in schemas}
    return declared


def _types(schema: object, root: object, depth: int) -> Types:
    """Return the types of a schema (definition "declared type")."""
    if not isinstance(schema, dict) or depth < 0:
        return Types()
    found = _own_types(schema, root, depth - 1)
    return found | {"null"} if found and schema.get("nullable") is True else found


def _own_types(schema: Mapping[str, object], root: object, depth: int) -> Types:
    if "type" in schema:
        declared = schema["type"]
        items = declared if isinstance(declared, list) else [declared]
        return Types(item for item in items if isinstance(item, str) and item in _NAMES)
    named = _types(_referred(schema.get("$ref"), root), root, depth)
    if named:
        return named
    for union in (schema.get("anyOf"), schema.get("oneOf")):
        elements = union if isinstance(union, list) else []
        joined = Types().union(*(_types(each, root, depth) for each in elements))
        if joined:
            return joined
    values = schema.get("enum")
    listed = values if isinstance(values, list) else []
    return Types().union(*map(_types_of, listed)) or (
        _types_of(schema["const"]) if "const" in schema else Types()
    )


def _referred(reference: object, root: object) -> object:
    """Return the schema that a local reference names, if it does."""
    match = _REFERENCE.fullmatch(reference) if isinstance(reference, str) else None
    return match and _member(_member(root, match[1]), match[2])


def read_parameters(
    name: str, parameters: Sequence[Parameter], dialect: Dialect, declared: Declared
) -> Call | Refused:
    """Read the parameters of a call (EXT-076, EXT-078, EXT-122 to EXT-126)."""
    if any(each.kind == "json" and _json(each.text, dialect) is None for each in parameters):
        return Refused("invalid_json")
    try:
        name = name_outside(name, (text for each in parameters for text in each[:2]))
    except RefusedError as refused:
        return Refused(refused.code)
    types = declared.get(name, {})
    if len({each.name for each in parameters}) < len(parameters):
        return Refused("ambiguous_arguments", name)
    members = (
        f"{compact(each.name)}:{_value_text(each, types.get(each.name, Types()), dialect)}"
        for each in parameters
    )
    arguments_json = "{" + ",".join(members) + "}"
    arguments = decode(arguments_json)
    assert isinstance(arguments, dict)
    return {"id": "", "name": name, "arguments": arguments, "arguments_json": arguments_json}


def _value_text(parameter: Parameter, types: Types, dialect: Dialect) -> str:
    """Return the JSON text of a parameter (EXT-122, EXT-124)."""
    text = parameter.text
    if parameter.kind == "json" or (parameter.kind == "typed" and types):
        found = _json(text, dialect)
        if found and (parameter.kind == "json" or _is_of(text, found[1], types, dialect)):
            return found[0]
    return compact(text if dialect.trim == "none" else _LINE_ENDS.sub("", text))


def _json(text: str, dialect: Dialect) -> tuple[str, object] | None:
    """Return the value text of a parameter and its value, where it is JSON."""
    source = text.strip(JSON_SPACE)
    if dialect.python:
        source = PYTHON_WORDS.get(source, source)
    try:
        value = decode(source)
    except JsonTextError:
        return None
    # The object of all parameters is one level more.
    return (source, value) if text_depth(source) < MAX_DEPTH else None


def _is_of(text: str, value: object, types: Types, dialect: Dialect) -> bool:
    """Tell whether a value is of the declared types; beside ``string`` a text is a text."""
    if "string" not in types:
        return bool(types & _types_of(value))
    return dialect.null_text and "null" in types and text.strip(JSON_SPACE) == "null"


def _types_of(value: object) -> Types:
    """Return the types of JSON Schema that a value has."""
    match value:
        case None:
            return Types(["null"])
        case bool():
            return Types(["boolean"])
        case int():
            return Types(["integer", "number"])
        case float():  # The nearest binary64 of what was written.
            return Types(["integer", "number"] if value.is_integer() else ["number"])
        case list():
            return Types(["array"])
        case dict():
            return Types(["object"])
    return Types(["string"])


def _member(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
