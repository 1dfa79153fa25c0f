"""Parameters that were written as tags, read as the arguments of a call (definition "typed
parameter").

A text has no type of its own. What the tool declares decides, and where it declares nothing the
text stays a text.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import Final

from commoncall.extraction.balance import is_unbalanced
from commoncall.extraction.call_scanner import literal_as_json
from commoncall.extraction.call_value import Call, Refused, name_of, new_call
from commoncall.extraction.dialects import Dialect, Kind
from commoncall.json_object import every_member, read_payload
from commoncall.json_text import (
    JSON_SPACE,
    MAX_DEPTH,
    PYTHON_WORDS,
    JsonTextError,
    compact_string,
    decode,
    equal,
    is_shallow,
)
from commoncall.places import at, referred

Schema = tuple[object, object]
"""A schema, and the root that its references name."""

Declared = Mapping[str, Mapping[str, Schema]]
"""For each tool the schemas that it declares for its parameters."""

Written = tuple[str, object]
"""The JSON text of a value, and that value."""

Parameter = tuple[str, str, Kind]
"""The name of a parameter, its text, and what that is."""

_HOLDING: Final = ("arguments", "input")
"""Names that models give to a parameter that holds all others."""
_LINE_ENDS = re.compile(r"\A\r?\n|\r?\n\Z")
_NAMES: Final = {"null", "boolean", "object", "array", "number", "string", "integer"}
_TYPES: Final[Mapping[type, Set[str]]] = {
    type(None): {"null"},
    bool: {"boolean"},
    int: {"integer", "number"},
    float: {"number"},
    list: {"array"},
    dict: {"object"},
    str: {"string"},
}
_LARGEST: Final = 2**53 - 1  # that a binary64 tells from its neighbours
_MOST_STEPS: Final = 8  # of ``$ref`` and the likes of ``anyOf``: a schema can refer to itself


def declared_schemas(tools: Sequence[object]) -> Declared:
    """Return the schemas that tools declare (EXT-124).

    What is malformed declares nothing, and the first tool of a name decides also where it does so.
    """
    declared: dict[str, dict[str, Schema]] = {}
    for tool in tools:
        name, root = at(tool, ("function", "name")), at(tool, ("function", "parameters"))
        properties = at(root, ("properties",))
        if isinstance(name, str) and name not in declared:
            schemas = properties.items() if isinstance(properties, dict) else ()
            declared[name] = {key: (schema, root) for key, schema in schemas}
    return declared


def _takes(schema: Schema, value: object, types: Set[str], depth: int = _MOST_STEPS) -> bool | None:
    """Tell whether a schema takes a value of these types, None where it says nothing of values
    (definition "declared type").
    """
    members, root = schema
    if not isinstance(members, dict) or depth < 0:
        return None

    def each(schemas: object) -> Iterator[bool | None]:
        for one in schemas if isinstance(schemas, list) else ():
            yield _takes((one, root), value, types, depth - 1)

    declared, listed = members.get("type"), members.get("enum")
    types_of = declared if isinstance(declared, list) else [declared]
    names = [one for one in _NAMES if one in types_of]
    said = [
        not types.isdisjoint(names) if names else None,
        any(equal(one, value) for one in listed) if isinstance(listed, list) and listed else None,
        equal(members["const"], value) if "const" in members else None,
        _takes((referred(members.get("$ref"), root), root), value, types, depth - 1),
        _joined(any, each(members.get("anyOf"))),
        _joined(any, each(members.get("oneOf"))),
        _joined(all, each(members.get("allOf"))),
    ]
    taken = _joined(all, said)
    return taken if taken is None else taken or (value is None and members.get("nullable") is True)


def takes_type(schema: Schema, of: type) -> bool | None:
    """Tell whether a schema takes a value of a type that holds nothing."""
    return _takes(schema, of(), _TYPES[of])


def within(schema: Schema, *names: str, depth: int = _MOST_STEPS) -> Schema:
    """Return the schema at some names below one: of what it says itself, of what it refers to, or
    of the first of those that it joins that has one (definition "elements").
    """
    members, root = schema
    if not isinstance(members, dict) or depth < 0:
        return None, root
    found = at(members, names)
    if found is not None:
        return found, root
    joined = [referred(members.get("$ref"), root)]
    for name in ("anyOf", "oneOf", "allOf"):
        each = members.get(name)
        joined += each if isinstance(each, list) else ()
    below = (within((one, root), *names, depth=depth - 1) for one in joined)
    return next((one for one in below if one[0] is not None), (None, root))


def _joined(join: Callable[[Iterable[bool]], bool], answers: Iterable[bool | None]) -> bool | None:
    said = [one for one in answers if one is not None]
    return join(said) if said else None


def read_parameters(
    written_name: str, parameters: Sequence[Parameter], dialect: Dialect, declared: Declared
) -> Call | Refused:
    """Read the parameters of a call (EXT-077, EXT-122, EXT-124, EXT-126, EXT-194)."""
    name = name_of(written_name, chain.from_iterable(parameters))  # the kinds are ASCII
    schemas = {} if isinstance(name, Refused) else declared.get(name, {})
    if not isinstance(name, Refused) and (held := _held(parameters, schemas, dialect)):
        return new_call(name, *held)
    arguments: dict[str, object] = {}
    balanced = unambiguous = True
    written = "{"
    for key, text, kind in parameters:
        found: Written | None = None
        if kind == "json":
            found = _json(text, dialect)
            if found is None:
                return Refused("invalid_json")
        elif kind == "typed" and key in schemas:
            found = _typed(text, schemas[key], dialect)
        if not found:
            balanced = balanced and not is_unbalanced(key, text, kind, dialect)
            text = _trimmed(text, dialect)
            found = compact_string(text), text
        if key in arguments:  # the same again says nothing (D25.10)
            unambiguous = unambiguous and equal(arguments[key], found[1])
            continue
        written += f"{',' if arguments else ''}{compact_string(key)}:"
        written += found[0]
        arguments[key] = found[1]
    written += "}"  # in place, where another text would be a copy
    if isinstance(name, Refused):
        return name
    if not unambiguous:
        return Refused("ambiguous_arguments", name)
    if not balanced:
        return Refused("parameter_unbalanced", name)
    return new_call(name, arguments, written)


def _held(
    parameters: Sequence[Parameter], schemas: Mapping[str, Schema], dialect: Dialect
) -> tuple[dict[str, object], str] | None:
    """Return the arguments that a lone parameter holds, and their text (EXT-124)."""
    if len(parameters) != 1 or dialect.scanner != "parameters" or dialect.elements:
        return None
    key, text, _ = parameters[0]
    found = _json(text, dialect) if key in _HOLDING and key not in schemas else None
    if not found or not isinstance(found[1], dict):
        return None
    members, source = found[1], found[0]
    return (members, source) if members and schemas.keys() >= members.keys() else None


def read_object(
    written_name: str, text: str, kind: Kind, dialect: Dialect, declared: Declared
) -> Call | Refused:
    """Read a JSON object without white space as the parameters of a call (EXT-077, EXT-126): its
    strings as texts of a kind (EXT-122), but ``json`` as they are written.
    """
    try:
        decode(text)
    except JsonTextError:
        return Refused("invalid_json")
    members = every_member(text)
    arguments = {key: member.value for key, member in members}
    is_read = kind == "json" or (kind == "string" and dialect.trim == "none")
    if is_read and len(arguments) == len(members):  # so that no long value is held once more
        name = name_of(written_name)
        return name if isinstance(name, Refused) else new_call(name, arguments, text)
    parameters: list[Parameter] = [
        (key, value, kind)
        if isinstance(value, str) and kind != "json"
        else (key, text[start:end], "json")
        for key, (value, start, end) in members
    ]
    return read_parameters(written_name, parameters, dialect, declared)


def read_leaf(text: str, schema: Schema, dialect: Dialect) -> str:
    """Return an element that holds no other as JSON, as the parameter that it would be."""
    found = _typed(text, schema, dialect)
    return found[0] if found else compact_string(_trimmed(text, dialect))


def _typed(text: str, schema: Schema, dialect: Dialect) -> Written | None:
    """Return a parameter as JSON where its schema takes that and does not take its text (EXT-122,
    EXT-124).
    """
    taken = _takes(schema, _trimmed(text, dialect), _TYPES[str])
    if taken:
        is_null = dialect.null_text and _takes(schema, None, _TYPES[type(None)])
        found = _json(text, dialect) if is_null else None
        return found if found and found[1] is None else None
    for read in (_json, _literal):
        found = read(text, dialect)
        if found and (whole := _of_type(found, schema)):
            return whole
    return None


def decoded(arguments_json: str, schemas: Mapping[str, Schema]) -> str | None:
    """Return the text of arguments with each encoded one decoded, None where none is (definition
    "encoded argument" of the turn).
    """
    (members,) = read_payload(arguments_json)
    assert members is not None
    written, done = "", 0
    for key, (value, start, end) in sorted(members.items(), key=lambda member: member[1].start):
        if not isinstance(value, str) or key not in schemas:
            continue
        if _takes(schemas[key], value, _TYPES[str]) or not (found := _json(value)):
            continue
        if whole := _of_type(found, schemas[key]):
            written += arguments_json[done:start] + whole[0]
            done = end
    return written + arguments_json[done:] if done else None


def _of_type(found: Written, schema: Schema) -> Written | None:
    """Return a value where a schema takes it; a whole number goes without a fraction where the
    schema takes only that.
    """
    value = found[1]
    if _takes(schema, value, _TYPES[type(value)]):
        return found
    if not isinstance(value, float) or not value.is_integer():
        return None
    if not _takes(schema, value, _TYPES[int]):
        return None
    return (str(int(value)), int(value)) if abs(value) <= _LARGEST else found


def _literal(text: str, dialect: Dialect) -> Written | None:
    """Return the value text of a parameter as JSON where it is a literal of Python."""
    as_json = literal_as_json(text) if dialect.python else None
    return _json(as_json, dialect) if as_json else None


def _json(text: str, dialect: Dialect | None = None) -> Written | None:
    """Return the value text of a parameter and its value, where it is JSON."""
    source = text.strip(JSON_SPACE)
    if dialect and dialect.python:
        source = PYTHON_WORDS.get(source, source)
    try:
        value = decode(source)
    except JsonTextError:
        return None
    # The object of all parameters is one level more.
    return (source, value) if is_shallow(source, MAX_DEPTH - 1) else None


def _trimmed(text: str, dialect: Dialect) -> str:
    """Return the text of a parameter as a string (EXT-122)."""
    return _LINE_ENDS.sub("", text) if dialect.trim != "none" else text
