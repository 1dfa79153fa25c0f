"""Parameters that were written as tags, read as the arguments of a call (definition "typed
parameter").

A text has no type of its own. What the tool declares decides, and where it declares nothing the
text stays a text.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from commoncall.extraction.balance import is_unbalanced
from commoncall.extraction.call_value import Call, Refused, name_of, new_call
from commoncall.extraction.dialects import Dialect, Kind
from commoncall.json_object import read_payload
from commoncall.json_text import (
    JSON_SPACE,
    MAX_DEPTH,
    PYTHON_WORDS,
    JsonTextError,
    compact_string,
    decode,
    text_depth,
)

Types = frozenset[str]
Declared = Mapping[str, Mapping[str, Types]]
"""For each tool the types that it declares for its parameters."""

Written = tuple[str, object]
"""The JSON text of a value, and that value."""

Parameter = tuple[str, str, Kind]
"""The name of a parameter, its text, and what that is."""

_LINE_ENDS = re.compile(r"\A\r?\n|\r?\n\Z")
_REFERENCE = re.compile(r"#/(\$defs|definitions)/([^/~%]+)")
_NAMES: Final = {"null", "boolean", "object", "array", "number", "string", "integer"}
_NUMBER: Final = frozenset(["number"])
_TYPES: Final[Mapping[type, Types]] = {
    type(None): frozenset(["null"]),
    bool: frozenset(["boolean"]),
    int: frozenset(["integer", "number"]),
    list: frozenset(["array"]),
    dict: frozenset(["object"]),
    str: frozenset(["string"]),
}
_PART: Final = 1 << 14  # characters
_DEEPEST: Final = 8  # of ``$ref``, ``anyOf`` and ``oneOf``


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
        return frozenset()
    found = _own_types(schema, root, depth - 1)
    return found | {"null"} if found and schema.get("nullable") is True else found


def _own_types(schema: Mapping[str, object], root: object, depth: int) -> Types:
    if "type" in schema:
        declared = schema["type"]
        items = declared if isinstance(declared, list) else [declared]
        return frozenset(item for item in items if isinstance(item, str) and item in _NAMES)
    named = _types(_referred(schema.get("$ref"), root), root, depth)
    if named:
        return named
    for union in (schema.get("anyOf"), schema.get("oneOf")):
        elements = union if isinstance(union, list) else []
        joined = frozenset().union(*(_types(each, root, depth) for each in elements))
        if joined:
            return joined
    values = schema.get("enum")
    listed = values if isinstance(values, list) else []
    const = [schema["const"]] if "const" in schema else []
    return frozenset().union(*map(_types_of, listed or const))


def _referred(reference: object, root: object) -> object:
    """Return the schema that a local reference names, if it does."""
    match = _REFERENCE.fullmatch(reference) if isinstance(reference, str) else None
    return match and _member(_member(root, match[1]), match[2])


def read_parameters(
    written_name: str, parameters: Sequence[Parameter], dialect: Dialect, declared: Declared
) -> Call | Refused:
    """Read the parameters of a call (EXT-077, EXT-122 to EXT-126, EXT-194)."""
    name = name_of(written_name, chain.from_iterable(parameters))  # the kinds are ASCII
    types = {} if isinstance(name, Refused) else declared.get(name, {})
    arguments: dict[str, object] = {}
    balanced = True
    written = "{"
    for key, text, kind in parameters:
        found: Written | None = None
        if kind == "json":
            found = _json(text, dialect)
            if found is None:
                return Refused("invalid_json")
        elif kind == "typed" and (declared_so := types.get(key)):
            found = _typed(text, declared_so, dialect)
        written += f"{',' if arguments else ''}{compact_string(key)}:"
        if found:
            written += found[0]
            arguments[key] = found[1]
            continue
        balanced = balanced and not is_unbalanced(key, text, dialect)
        if dialect.trim != "none" and (text[:1] in "\r\n" or text[-1:] == "\n"):
            text = _LINE_ENDS.sub("", text)
        arguments[key] = text
        if len(text) <= _PART:
            written += compact_string(text)
            continue
        for start in range(0, len(text), _PART):  # so that no more of it is held twice
            written += compact_string(text[start : start + _PART])[bool(start) : -1]
        written += '"'
    written += "}"  # in place, where another text would be a copy
    if isinstance(name, Refused):
        return name
    if len(arguments) < len(parameters):
        return Refused("ambiguous_arguments", name)
    if not balanced:
        return Refused("parameter_unbalanced", name)
    return new_call(name, arguments, written)


def read_object(
    name: str | Refused, text: str, dialect: Dialect, declared: Declared
) -> Call | Refused:
    """Read a JSON object without white space as the parameters of a call, its strings as texts
    (EXT-077, EXT-122, EXT-126).
    """
    try:
        (members,) = read_payload(text)
    except JsonTextError:
        return Refused("invalid_json")
    assert members is not None
    if isinstance(name, Refused):
        return name
    lengths = [end - start + 2 for _, start, end in members.values()]
    names = "".join(map(compact_string, members))
    if sum(lengths) + len(names) + 1 + (not members) < len(text):  # a name repeats
        return Refused("ambiguous_arguments", name)
    if not dialect.typed and dialect.trim == "none":
        return new_call(name, {key: member.value for key, member in members.items()}, text)
    kind: Kind = "typed" if dialect.typed else "string"
    parameters: list[Parameter] = [
        (key, value, kind) if isinstance(value, str) else (key, text[start:end], "json")
        for key, (value, start, end) in members.items()
    ]
    return read_parameters(name, parameters, dialect, declared)


def _typed(text: str, types: Types, dialect: Dialect) -> Written | None:
    """Return a parameter as JSON where it is of the types that are declared (EXT-122, EXT-124);
    beside ``string`` a text is a text.
    """
    if "string" in types:
        is_null = dialect.null_text and "null" in types and text.strip(JSON_SPACE) == "null"
        return ("null", None) if is_null else None
    found = _json(text, dialect)
    return found if found and not types.isdisjoint(_types_of(found[1])) else None


def _json(text: str, dialect: Dialect) -> Written | None:
    """Return the value text of a parameter and its value, where it is JSON."""
    source = text.strip(JSON_SPACE)
    if dialect.python:
        source = PYTHON_WORDS.get(source, source)
    try:
        value = decode(source)
    except JsonTextError:
        return None
    flat = MAX_DEPTH // 2  # the object of all parameters is one level more
    is_flat = len(source) < flat or source.count("[") + source.count("{") < flat
    return (source, value) if is_flat or text_depth(source) < MAX_DEPTH else None


def _types_of(value: object) -> Types:
    """Return the types of JSON Schema that a value has."""
    if isinstance(value, float):  # The nearest binary64 of what was written.
        return _TYPES[int] if value.is_integer() else _NUMBER
    return _TYPES[type(value)]


def _member(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
