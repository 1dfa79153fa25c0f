"""Typed parameters: which text of a parameter is a JSON value, by the declarations of the tools."""

from __future__ import annotations

from typing import Any

from tests.evidence.second_reading.characters import JSON_WHITE_SPACE
from tests.evidence.second_reading.json_values import NoJson, Tree, nesting_depth, read_json

TYPES = ("null", "boolean", "object", "array", "number", "string", "integer")
"""The type names of JSON Schema."""

DEEPEST = 127
"""So that the object of the arguments nests 128 deep at most."""


def declared_types(tools: list[Any], name: str, parameter: str) -> list[str]:
    """Return the declared types of a parameter of a call with this name (typed parameter).

    Of what ``type`` is or holds, the type names of JSON Schema count.
    """
    for tool in tools:
        function = member(tool, "function")
        if member(function, "name") == name:
            properties = member(member(function, "parameters"), "properties")
            types = member(member(properties, parameter), "type")
            listed = types if isinstance(types, list) else [types]
            return [kind for kind in TYPES if kind in listed]
    return []


def member(value: object, name: str) -> Any:
    """Return a member of an object, or None where there is none."""
    return value.get(name) if isinstance(value, dict) else None


def typed(text: str, types: list[str]) -> Tree | None:
    """Return the JSON value of a typed parameter, or None where it is not typed."""
    if not types or "string" in types:
        return None
    text = text.strip(JSON_WHITE_SPACE)
    if nesting_depth(text) > DEEPEST:
        return None
    try:
        value = read_json(text)
    except NoJson:
        return None
    return value if any(kind in types for kind in kinds(value)) else None


def kinds(value: Tree) -> list[str]:
    """Return the types that a JSON value is of; a whole number is of two."""
    if isinstance(value.value, float):
        return ["integer", "number"] if value.value.is_integer() else ["number"]
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return [names[type(value.value)]]
