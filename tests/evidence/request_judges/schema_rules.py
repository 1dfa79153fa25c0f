"""The rules about schemas below the root of parameters: R-4 and R-10 of `strict`, by profile."""

import re
from collections.abc import Collection, Iterator
from typing import Any, Final

from tests.evidence.request_judges.flags import Violation, is_filled_list

_MAPS: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_ONES: Final = (
    *("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"),
    *("unevaluatedItems", "unevaluatedProperties"),
)
_MAY_BE_BOOLEAN: Final = ("additionalProperties", "unevaluatedItems", "unevaluatedProperties")
_TYPES: Final = {"object", "array", "string", "number", "integer", "boolean", "null"}
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_WHOLE: Final = re.compile(
    r"""\^ (?: \\ [trnxu"\\\[\]^$.(){}|*+?]          # an escape that a grammar has, or drops
            | \[ (?: \\ [trnxu"\\\[\]] | [^\]\\] )* \]  # a class
            | \( (?! \? (?! : ) )                    # a group that looks at nothing, without a name
            | [^\\\[(]
        )* \$""",
    re.VERBOSE,
)
_STRICT_FORMATS: Final = [
    *("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"),
]
_GONE: Final = object()
_LIMITS: Final = {
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "maxItems", "uniqueItems"),
}
_OPEN: Final = {
    "allOf",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "if",
    "not",
    "oneOf",
    "then",
}
_SAY_TYPE: Final = {"type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"}


def schema_violations(
    schema: Any, refused: Collection[str], at: str, root: Any = None
) -> Iterator[Violation]:
    """Find what an endpoint refuses in a schema, by keywords and by the names of forms."""
    if not isinstance(schema, dict):
        form = "boolean" if isinstance(schema, bool) else "malformed"
        if form in refused:
            yield Violation("R-4", f"{at}: {form}")
        return
    forms = {name for name, has in _forms(schema, is_root=root is None).items() if has}
    whole = schema if root is None else root
    if "$ref" in schema and not _leads(schema["$ref"], whole):
        forms.add("ref_undefined")
    elif root is not None and "$ref" in schema and not _is_bare(schema):
        forms.add("ref_siblings")
    properties = schema.get("properties")
    if root is None and isinstance(properties, dict) and not all(map(_NAME.fullmatch, properties)):
        forms.add("property_names")
    if root is None and "all_of_endless" in refused and _is_endless(schema):
        forms.add("all_of_endless")
    for name in sorted((forms | schema.keys()) & {*refused}):
        yield Violation("R-4", f"{at}: {name}")
    for place, one in _below(schema).items():
        yield from schema_violations(one, refused, f"{at}/{place}", whole)


def _is_endless(root: dict[str, Any]) -> bool:
    """Tell whether a part of an `allOf` leads to itself."""

    def parts_in(value: Any) -> Iterator[Any]:
        for one in value.values() if isinstance(value, dict) else value:
            if isinstance(one, (dict, list)):
                yield from parts_in(one)
        if isinstance(value, dict) and isinstance(value.get("allOf"), list):
            yield from value["allOf"]

    def next_to(part: Any) -> Iterator[Any]:
        if not isinstance(part, dict):
            return
        yield from parts_in(part)
        if isinstance(part.get("anyOf"), list):
            yield from part["anyOf"]
        if str(part.get("$ref", "")).startswith("#/") and _leads(part["$ref"], root):
            yield _at(part["$ref"], root)

    for part in parts_in(root):
        reached: list[Any] = [*next_to(part)]
        for one in reached:
            if one is part:
                return True
            reached += [each for each in next_to(one) if all(each is not old for old in reached)]
    return False


def _is_bare(schema: dict[str, Any]) -> bool:
    """Tell whether a schema is a reference to a definition, with words beside it at most."""
    return str(schema["$ref"]).startswith("#/$defs/") and not schema.keys() - {
        *("$ref", "description", "title")
    }


def _below(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schemas in a schema, by their places."""
    below: dict[str, Any] = {}
    for name, value in schema.items():
        if name in _MAPS and isinstance(value, dict):
            below |= {f"{name}/{key}": one for key, one in value.items()}
        elif name in _LISTS and isinstance(value, list):
            below |= {f"{name}/{number}": one for number, one in enumerate(value)}
        elif name in _ONES and not (isinstance(value, bool) and name in _MAY_BE_BOOLEAN):
            below[name] = value
    return below


def _leads(ref: Any, document: Any) -> bool:
    """Tell whether a reference that begins with ``#/`` leads to a member of the parameters."""
    return not isinstance(ref, str) or not ref.startswith("#/") or _at(ref, document) is not _GONE


def _at(ref: str, document: Any) -> Any:
    """Return that member."""
    for step in ref[2:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        members = document
        if isinstance(document, list):
            members = {str(number): one for number, one in enumerate(document)}
        if not isinstance(members, dict) or name not in members:
            return _GONE
        document = members[name]
    return document


def is_open(schema: Any, *, is_root: bool = True) -> bool:
    """Tell whether strict mode refuses a schema: members of it are free, or without a type, or
    depend on others.
    """
    if not isinstance(schema, dict):
        return False
    has_properties = isinstance(schema.get("properties"), dict)
    properties = schema["properties"] if has_properties else {}
    takes_objects = schema.get("type") == "object" or has_properties
    free = schema.get("additionalProperties") is not False or not {*properties} <= {
        *schema.get("required", [])
    }
    untyped = not is_root and _SAY_TYPE.isdisjoint(schema)
    depends = not _OPEN.isdisjoint(schema) or schema.get("format", "uuid") not in _STRICT_FORMATS
    depends = depends or bool(re.search(r"\(\?<?[!=]", str(schema.get("pattern"))))
    below = _below(schema).values()
    return (
        (takes_objects and free)
        or untyped
        or depends
        or any(is_open(one, is_root=False) for one in below)
    )


def is_loose(schema: Any) -> bool:
    """Tell whether the grammar of Anthropic's strict mode has no rule for a schema."""
    if not isinstance(schema, dict):
        return False
    takes_objects = schema.get("type") == "object" or isinstance(schema.get("properties"), dict)
    fewest = schema.get("minItems", 0)
    return (
        (takes_objects and schema.get("additionalProperties") is not False)
        or not _LIMITS.isdisjoint(schema)
        or isinstance(fewest, bool)
        or fewest not in (0, 1)
        or bool(re.search(r"\(\?<?[!=]", str(schema.get("pattern"))))
        or any(map(is_loose, _below(schema).values()))
    )


def has_too_many(schemas: Any) -> bool:
    """Tell whether schemas together leave more members or types open than the grammar takes."""
    left = [one for one in schemas if isinstance(one, dict)]
    optional = unions = 0
    while left:
        schema = left.pop()
        if isinstance(properties := schema.get("properties"), dict):
            optional += len({*properties} - {*schema.get("required", [])})
        unions += "anyOf" in schema or isinstance(schema.get("type"), list)
        left += [one for one in _below(schema).values() if isinstance(one, dict)]
    return optional > 24 or unions > 16


def _forms(schema: dict[str, Any], is_root: bool) -> dict[str, bool]:
    kind, required = schema.get("type", "object"), schema.get("required", [])
    properties, values = schema.get("properties", {}), schema.get("enum")
    kinds = kind if isinstance(kind, list) else [kind]
    malformed = (
        not (kinds and _are_different(kinds) and {*kinds} <= _TYPES)
        or not (isinstance(required, list) and _are_different(required))
        or any(name in schema and not isinstance(schema[name], dict) for name in _MAPS)
        or any(name in schema and not is_filled_list(schema[name]) for name in (*_LISTS, "enum"))
    )
    stated = schema.get("type")
    return {
        "malformed": malformed,
        "required_undefined": not malformed and not {*required} <= properties.keys(),
        "type_beside_any_of": "type" in schema and schema.get("anyOf") is not None,
        "type_list": isinstance(stated, list),
        "untyped": not is_root and _SAY_TYPE.isdisjoint(schema),
        "enum_untyped": not is_root
        and "type" not in schema
        and _are_of_one_kind(schema["enum"] if is_filled_list(values) else [schema.get("const")]),
        "array_without_items": "array" in kinds and "items" not in schema,
        "pattern_of_parts": "pattern" in schema
        and not (isinstance(schema["pattern"], str) and _WHOLE.fullmatch(schema["pattern"])),
        "members_of_no_object": isinstance(stated, str)
        and stated != "object"
        and not {"properties", "required"}.isdisjoint(schema),
        "items_of_no_array": isinstance(stated, str)
        and stated != "array"
        and not {"items", "minItems", "maxItems"}.isdisjoint(schema),
        "required_of_nothing": isinstance(schema.get("required"), list)
        and schema.get("properties") in (None, {}, []),
        "enum_of_others": isinstance(values, list)
        and not all(isinstance(value, str) for value in values),
        "enum_of_other_types": not malformed
        and "type" in schema
        and isinstance(values, list)
        and not all(_names_type_of(value, kinds) for value in values),
    }


def _names_type_of(value: Any, kinds: list[Any]) -> bool:
    """Tell whether one of these types is that of a value."""
    own = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    is_whole = type(value) is int or (type(value) is float and value.is_integer())
    return own.get(type(value), "number") in kinds or ("integer" in kinds and is_whole)


def _are_of_one_kind(values: list[Any]) -> bool:
    """Tell whether values are all strings, all numbers or all booleans."""
    kinds = {float if type(value) is int else type(value) for value in values}
    return len(kinds) == 1 and kinds <= {str, float, bool}


def _are_different(names: list[Any]) -> bool:
    return all(isinstance(name, str) for name in names) and len({*names}) == len(names)
