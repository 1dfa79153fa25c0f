"""Values that a schema allows: the least one, and the one nearest to a wish.

What the trivial adapters know of operations stands in the schemas; this file reads it from there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from tools.fixtures.schemas import Schemas

_TYPES: dict[str, list[Any]] = {
    "null": [None],
    "boolean": [False, True],
    "integer": [0, 1],
    "number": [0, 1],
    "object": [{}],
    "array": [[]],
    "string": ["", "-"],
}
"""Candidates, the least first. An object or an array whose parts matter gets more."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """The schemas, and texts that are tried where a schema asks for a pattern."""

    schemas: Schemas
    texts: Sequence[str] = ()
    _choices: dict[str, list[Any]] = field(default_factory=dict)

    def fits(self, reference: str, value: object) -> bool:
        """Tell whether the schema at a reference allows a value."""
        return self.schemas.fits(reference, value)

    def choices(self, reference: str) -> list[Any]:
        """Return values that the schema at a reference allows, the least first."""
        if reference not in self._choices:
            self._choices[reference] = []  # a schema that holds itself adds nothing to itself
            found = self._candidates(reference)
            self._choices[reference] = [each for each in found if self.fits(reference, each)]
        return self._choices[reference]

    def near(self, reference: str, wish: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object that the schema at a reference allows, with few members unlike a wish.

        Members that a wish lacks are the least ones, or absent where they may be. From there, one
        member after another changes until nothing is wrong.

        Raises:
            ValueError: no such object was found.
        """
        for branch in self._branches(reference):
            try:
                return self.near(branch, wish)
            except ValueError:
                continue
        schema = self._at(reference)
        members = self.members(reference)
        value: dict[str, Any] = {}
        for name in members:
            if name in wish and self.fits(f"{reference}/properties/{name}", wish[name]):
                value[name] = wish[name]
            elif name in schema.get("required", ()):
                value[name] = next(iter(self.choices(f"{reference}/properties/{name}")), None)
        wrong = len(self.schemas.errors(reference, value))
        while wrong:
            for changed in self._changes(reference, value, wish):
                left = len(self.schemas.errors(reference, changed))
                if left < wrong:
                    value, wrong = changed, left
                    break
            else:
                raise ValueError(f"no value found for {reference}")
        return value

    def members(self, reference: str) -> Mapping[str, Any]:
        """Return the schemas of the members that the schema at a reference names."""
        members: Mapping[str, Any] = self._at(reference).get("properties", {})
        return members

    def _changes(
        self, reference: str, value: dict[str, Any], wish: Mapping[str, Any]
    ) -> Iterator[dict[str, Any]]:
        for name in sorted(self.members(reference), key=wish.__contains__):
            for choice in self.choices(f"{reference}/properties/{name}"):
                yield {**value, name: choice}
        for name in value:
            yield {each: value[each] for each in value if each != name}

    def _at(self, reference: str) -> dict[str, Any]:
        """Return the schema at a reference: an ``$id``, ``#``, and a JSON Pointer."""
        identifier, _, pointer = reference.partition("#")
        schema: Any = self.schemas.documents[identifier]
        for part in pointer.split("/")[1:]:
            schema = schema[int(part)] if isinstance(schema, list) else schema[part]
        return schema if isinstance(schema, dict) else {}

    def _branches(self, reference: str) -> list[str]:
        """Return the references of what a schema is made of, or none where it stands for itself."""
        schema = self._at(reference)
        if target := schema.get("$ref"):
            return [reference.partition("#")[0] + target if target.startswith("#") else target]
        several = next((each for each in ("oneOf", "anyOf", "allOf") if each in schema), None)
        if several is None or "properties" in schema:
            return []
        return [f"{reference}/{several}/{number}" for number in range(len(schema[several]))]

    def _candidates(self, reference: str) -> list[Any]:
        schema = self._at(reference)
        if branches := self._branches(reference):
            return [each for branch in branches for each in self.choices(branch)]
        if "const" in schema:
            return [schema["const"]]
        if "enum" in schema:
            return list(schema["enum"])
        kinds = schema.get("type", list(_TYPES))
        kinds = [kinds] if isinstance(kinds, str) else [each for each in _TYPES if each in kinds]
        return [each for kind in kinds for each in self._of_type(kind, reference, schema)]

    def _of_type(self, kind: str, reference: str, schema: Mapping[str, Any]) -> list[Any]:
        if kind == "object" and "properties" in schema:
            return self._objects(reference)
        if kind == "array" and "items" in schema:
            items = self.choices(f"{reference}/items")
            return [[], *([each] * max(1, schema.get("minItems", 0)) for each in items)]
        if kind == "string":
            texts = (each for each in [*_TYPES[kind], *self.texts] if self.fits(reference, each))
            return list(islice(texts, 2))
        if kind in ("integer", "number") and "minimum" in schema:
            return [schema["minimum"], schema["minimum"] + 1]
        return _TYPES[kind]

    def _objects(self, reference: str) -> list[Any]:
        """Return the least object, and one for each value of a member with a list of them."""
        wishes: list[dict[str, Any]] = [{}]
        for name, member in self.members(reference).items():
            if isinstance(member, dict):
                wishes += [{name: each} for each in member.get("enum", ())]
        found: list[Any] = []
        for wish in wishes:
            try:
                value = self.near(reference, wish)
            except ValueError:
                continue
            if value not in found:
                found.append(value)
        return found
