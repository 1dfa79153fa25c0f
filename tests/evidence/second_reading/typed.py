"""Typed parameters: which text of a parameter is a JSON value, by the declarations of the tools."""

from typing import Any

from tests.evidence.second_reading.characters import JSON_WHITE_SPACE
from tests.evidence.second_reading.json_values import NoJson, Tree, nesting_depth, read_json

TYPES = ("null", "boolean", "object", "array", "number", "string", "integer")
"""The type names of JSON Schema."""

MOST_STEPS = 8

PYTHON = {"True": "true", "False": "false", "None": "null"}

DEEPEST = 127
"""So that the object of the arguments nests 128 deep at most."""


def declared_types(tools: list[Any], name: str, parameter: str) -> list[str]:
    """Return the declared types of a parameter of a call with this name (typed parameter)."""
    for tool in tools:
        function = member(tool, "function")
        if member(function, "name") == name:
            root = member(function, "parameters")
            return types_of(member(member(root, "properties"), parameter), root, 0)
    return []


def types_of(schema: object, root: object, steps: int) -> list[str]:
    """Return the types of a schema that stands so many steps deep (declared type)."""
    if not isinstance(schema, dict) or steps > MOST_STEPS:
        return []
    if "type" in schema:
        listed = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        found = [kind for kind in TYPES if kind in listed]
    else:
        found = types_without_type(schema, root, steps + 1)
    if found and schema.get("nullable") is True:
        found = [*found, "null"]
    return found


def types_without_type(schema: dict[str, Any], root: object, steps: int) -> list[str]:
    """Return the types that the first member says which says any (declared type)."""
    found = types_of(referred(schema.get("$ref"), root), root, steps)
    for name in ("anyOf", "oneOf"):
        if not found and isinstance(schema.get(name), list):
            found = [kind for each in schema[name] for kind in types_of(each, root, steps)]
    values = schema.get("enum")
    if not found and isinstance(values, list):
        found = [kind for value in values for kind in kinds_of(value)]
    if not found and "const" in schema:
        found = kinds_of(schema["const"])
    return found


def referred(reference: object, root: object) -> object:
    """Return the schema that a reference names, or None (declared type)."""
    for folder in ("$defs", "definitions"):
        begin = f"#/{folder}/"
        if isinstance(reference, str) and reference.startswith(begin):
            name = reference.removeprefix(begin)
            if name and not set(name) & set("/~%"):
                return member(member(root, folder), name)
    return None


def kinds_of(value: object) -> list[str]:
    """Return the types that a value of a schema is of."""
    if isinstance(value, bool):
        return ["boolean"]
    if isinstance(value, int | float):
        return ["integer", "number"] if float(value).is_integer() else ["number"]
    names = {dict: "object", list: "array", str: "string", type(None): "null"}
    return [names[type(value)]]


def member(value: object, name: str) -> Any:
    """Return a member of an object, or None where there is none."""
    return value.get(name) if isinstance(value, dict) else None


def typed(text: str, kind: str, types: list[str], written: dict[str, Any]) -> Tree | None:
    """Return the JSON value of a typed parameter, or None where it is not typed."""
    bare = text.strip(JSON_WHITE_SPACE)
    value_text = PYTHON.get(bare, bare) if written.get("python") else bare
    if nesting_depth(value_text) > DEEPEST:
        return None
    try:
        value = read_json(value_text)
    except NoJson:
        return None
    if kind == "json":
        return value
    if kind == "typed" and types and "string" not in types:
        return value if any(each in types for each in kinds(value)) else None
    null = kind == "typed" and written.get("null_text") and bare == "null" and "null" in types
    return value if null else None


def kinds(value: Tree) -> list[str]:
    """Return the types that a JSON value is of; a whole number is of two."""
    if isinstance(value.value, float):
        return ["integer", "number"] if value.value.is_integer() else ["number"]
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return [names[type(value.value)]]
