"""Parameters whose members stand in combinations that an endpoint refuses at their root.

The definition "spread parameters" of spec/v1/payload.md.
"""

from collections.abc import Collection
from typing import Any, Final

from commoncall.json_text import equal
from commoncall.payload.messages import without
from commoncall.places import referred

BRANCHED: Final = ("allOf", "anyOf", "oneOf")


def led(given: dict[str, Any], gone: Collection[str]) -> dict[str, Any]:
    """Return parameters with the members of the object that they refer to; else the given ones."""
    target = target_of(given, given) if "$ref" in gone else given
    return given if target is given else {**target, **without(given, "$ref")}


def spread(given: dict[str, Any], gone: Collection[str]) -> dict[str, Any]:
    """Return parameters that have the members of the branches that go; else the given ones."""
    own, required = given.get("properties"), given.get("required")
    own = {} if own is None or own == [] else own
    required = [] if required is None else required
    if not isinstance(own, dict) or not isinstance(required, list):
        return given
    found: dict[str, list[Any]] = {}
    demanded: list[object] = []
    for name in BRANCHED:
        listed = given.get(name) if name in gone else None
        branches = [target_of(one, given) for one in listed] if isinstance(listed, list) else []
        for branch in branches:
            for member, schema in _properties(branch).items():
                schemas = found.setdefault(member, [])
                if not any(equal(schema, one) for one in schemas):
                    schemas.append(schema)
        wanted = [_required(branch) for branch in branches]
        demanded += [
            one
            for names in wanted
            for one in names
            if name == "allOf" or all(one in others for others in wanted)
        ]
    merged = {
        name: schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
        for name, schemas in found.items()
        if name not in own
    }
    properties = {**own, **merged}
    more = [one for one in dict.fromkeys(demanded) if one in properties and one not in required]
    given = {**given, "properties": properties} if merged else given
    return {**given, "required": [*required, *more]} if more else given


def target_of(schema: Any, document: dict[str, Any]) -> Any:
    """Return the object to which the reference of a schema leads, else the schema."""
    ref = schema.get("$ref") if isinstance(schema, dict) else None
    if not isinstance(ref, str) or not ref.startswith("#/"):
        return schema
    found = referred(ref, document)
    return found if isinstance(found, dict) else schema


def _properties(branch: Any) -> dict[str, Any]:
    properties = branch.get("properties") if isinstance(branch, dict) else None
    return properties if isinstance(properties, dict) else {}


def _required(branch: Any) -> list[str]:
    names = branch.get("required") if isinstance(branch, dict) else None
    return [one for one in names if isinstance(one, str)] if isinstance(names, list) else []
