"""Parameters that were written as tags, read as the arguments of a call (definition "typed
parameter").

A text has no type of its own. What the tool declares decides, and where it declares nothing the
text stays a text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain

from commoncall.call_object import RefusedError
from commoncall.extraction.call_value import Call, Refused, name_outside
from commoncall.json_text import JSON_SPACE, MAX_DEPTH, JsonTextError, compact, decode, text_depth

Types = frozenset[str]
Declared = Mapping[str, Mapping[str, Types]]
"""For each tool the types that it declares for its parameters."""

_LINE_ENDS = re.compile(r"\A\r?\n|\r?\n\Z")


def declared_types(tools: Sequence[object]) -> Declared:
    """Return the types that tools declare (EXT-124).

    What is malformed declares nothing, and the first tool of a name decides also where it does so.
    """
    declared: dict[str, dict[str, Types]] = {}
    for tool in tools:
        function = _member(tool, "function")
        name = _member(function, "name")
        properties = _member(_member(function, "parameters"), "properties")
        if isinstance(name, str) and name not in declared:
            schemas = properties.items() if isinstance(properties, dict) else ()
            declared[name] = {key: _types(_member(schema, "type")) for key, schema in schemas}
    return declared


def read_parameters(
    name: str, parameters: Sequence[tuple[str, str]], declared: Declared
) -> Call | Refused:
    """Read the parameters of a call (EXT-078, EXT-122 to EXT-126)."""
    try:
        name = name_outside(name, chain.from_iterable(parameters))
    except RefusedError as refused:
        return Refused(refused.code)
    types = declared.get(name, {})
    if len({key for key, _ in parameters}) < len(parameters):
        return Refused("ambiguous_arguments", name)
    members = (
        f"{compact(key)}:{_typed(_LINE_ENDS.sub('', text), types.get(key, Types()))}"
        for key, text in parameters
    )
    arguments_json = "{" + ",".join(members) + "}"
    arguments = decode(arguments_json)
    assert isinstance(arguments, dict)
    return {"id": "", "name": name, "arguments": arguments, "arguments_json": arguments_json}


def _typed(text: str, types: Types) -> str:
    """Return the JSON text of a parameter (EXT-124)."""
    if types and "string" not in types:
        source = text.strip(JSON_SPACE)
        try:
            value = decode(source)
        except JsonTextError:
            return compact(text)
        # The object of all parameters is one level more.
        if types & _types_of(value) and text_depth(source) < MAX_DEPTH:
            return source
    return compact(text)


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


def _types(declared: object) -> Types:
    items = declared if isinstance(declared, list) else [declared]
    return Types(item for item in items if isinstance(item, str))


def _member(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
