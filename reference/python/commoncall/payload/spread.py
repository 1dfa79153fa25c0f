"""Parameters whose members stand in combinations that an endpoint refuses at their root.

The definition "spread parameters" of spec/v1/payload.md.
"""

from collections import Counter
from collections.abc import Collection, Hashable
from itertools import chain
from typing import Any, Final

from commoncall.json_text import known_by
from commoncall.payload.messages import without
from commoncall.places import referred

BRANCHED: Final = ("allOf", "anyOf", "oneOf")
COMBINED: Final = frozenset((*BRANCHED, "not", "enum", "$ref"))
_FOLLOWED: Final = 10


def led(given: dict[str, Any], gone: Collection[str]) -> dict[str, Any]:
    """Return parameters with the members of the objects that they refer to, one after the other;
    else the given ones.
    """
    row, seen = [given], {id(given)}
    while "$ref" in gone and id(target := target_of(row[-1], given)) not in seen:
        row.append(target)
        seen.add(id(target))
    if len(row) == 1:
        return given
    members: dict[str, Any] = {}
    for one in reversed(row):
        members |= without(one, "$ref") if one is not row[-1] else one
    return members


def spread(given: dict[str, Any], gone: Collection[str], stated: dict[str, Any]) -> dict[str, Any]:
    """Return parameters that have the members of the branches that go; else the given ones.

    Their `properties` and `required` are safe; ``stated``: the parameters before they were `led`.
    """
    own, required = given.get("properties") or {}, given.get("required") or []
    found: dict[str, dict[Hashable, Any]] = {}
    demanded: list[str] = []
    for name in BRANCHED:
        listed = given.get(name) if name in gone else None
        branches = [_followed(stated, stated)] if name == "allOf" and "$ref" in gone else []
        branches += [_followed(one, given) for one in listed] if isinstance(listed, list) else []
        for one in chain.from_iterable(branches):
            for member, schema in _properties(one).items():
                found.setdefault(member, {}).setdefault(known_by(schema), schema)
        wanted = Counter(one for branch in branches for one in _required(branch))
        most = 1 if name == "allOf" else len(branches)
        demanded += [one for one, times in wanted.items() if times >= most]
    merged = {
        name: schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
        for name, schemas in ((name, [*each.values()]) for name, each in found.items())
        if name not in own
    }
    properties = {**own, **merged}
    named = {*required}
    more = [one for one in dict.fromkeys(demanded) if one in properties and one not in named]
    given = {**given, "properties": properties} if merged else given
    return {**given, "required": [*required, *more]} if more else given


def _followed(branch: Any, document: dict[str, Any]) -> list[Any]:
    """Return a branch and the objects to which it leads, one after the other."""
    row = [branch]
    while len(row) <= _FOLLOWED and (target := target_of(row[-1], document)) is not row[-1]:
        row.append(target)
    return row


def target_of(schema: Any, document: dict[str, Any]) -> Any:
    """Return the object to which the reference of a schema leads, else the schema."""
    ref = schema.get("$ref") if isinstance(schema, dict) else None
    if not isinstance(ref, str) or not ref.startswith("#/"):
        return schema
    found = referred(ref, document)
    return found if isinstance(found, dict) else schema


def _properties(schema: Any) -> dict[str, Any]:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return properties if isinstance(properties, dict) else {}


def _required(branch: list[Any]) -> dict[str, None]:
    """Return the names that a branch requires, each once."""
    lists = [one.get("required") for one in branch if isinstance(one, dict)]
    names = chain.from_iterable(one for one in lists if isinstance(one, list))
    return dict.fromkeys(name for name in names if isinstance(name, str))
