"""The JSON Schemas of the tree: found by their ``$id``, checked, and each built once.

A validator costs more to build than to use, so that one is kept for every reference that is asked
for. References between schemas are resolved from this tree alone; nothing is fetched.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from referencing import Registry

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_LONGEST_MESSAGE = 240

Schema = bool | Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Schemas:
    """All schemas below ``schemas``: the documents by ``$id``, and problems as file and reason."""

    documents: Mapping[str, dict[str, Any]]
    problems: tuple[tuple[str, str], ...]
    _registry: Registry[Schema]
    _validators: dict[str, Draft202012Validator] = field(default_factory=dict)

    def errors(self, reference: str, value: object) -> list[tuple[str, str]]:
        """Return what the schema at ``reference`` has against ``value``: JSON Pointers, messages.

        ``reference`` is an ``$id``, with a fragment such as ``#/$defs/input`` or without.

        Raises:
            referencing.exceptions.Unresolvable: there is no such schema; see `defines`.
        """
        if reference not in self._validators:
            self._validators[reference] = Draft202012Validator(
                {"$ref": reference}, registry=self._registry
            )
        return [_closest(error) for error in self._validators[reference].iter_errors(value)]

    def defines(self, reference: str) -> bool:
        """Tell whether ``reference``, an ``$id`` and a fragment ``#/$defs/NAME``, exists."""
        identifier, _, fragment = reference.partition("#/$defs/")
        document = self.documents.get(identifier)
        return document is not None and fragment in document.get("$defs", {})


def read_schemas(root: Path) -> Schemas:
    """Read ``schemas/**/*.schema.json`` below ``root``; a schema with a problem is left out."""
    documents: dict[str, dict[str, Any]] = {}
    problems: list[tuple[str, str]] = []
    folder = root / "schemas"
    for path in sorted(folder.rglob("*.schema.json")):
        name = path.relative_to(root).as_posix()
        try:
            document = json.loads(path.read_bytes(), object_pairs_hook=_members)
            identifier = schema_id(path.relative_to(folder))
            if not isinstance(document, dict):
                problems.append((name, "no object"))
            elif document.get("$schema") != DIALECT:
                problems.append((name, f"$schema is not {DIALECT}"))
            elif document.get("$id") != identifier:
                problems.append((name, f"$id is not {identifier}"))
            else:
                Draft202012Validator.check_schema(document)
                documents[identifier] = document
        except ValueError as error:
            problems.append((name, str(error)))
        except SchemaError as error:
            problems.append((name, f"{error.json_path}: {_clip(error.message)}"))
    registry: Registry[Schema] = Registry().with_contents(documents.items())
    return Schemas(documents, tuple(problems), registry)


def schema_id(path: Path) -> str:
    """Return the ``$id`` that belongs to a path below ``schemas``: its parts joined by colons."""
    return "urn:commoncall:" + path.as_posix().removesuffix(".schema.json").replace("/", ":")


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"a member stands twice: {max(names, key=names.count)}")
    return members


def _closest(error: ValidationError) -> tuple[str, str]:
    # Of a failed oneOf or anyOf, the branch that came closest says more than the keyword does.
    closest = best_match([error]) or error
    pointer = "".join(
        "/" + str(part).replace("~", "~0").replace("/", "~1") for part in closest.absolute_path
    )
    return pointer, _clip(closest.message)


def _clip(message: str) -> str:
    """Shorten a message that quotes a large value; what is wrong stands at either end."""
    if len(message) <= _LONGEST_MESSAGE:
        return message
    half = _LONGEST_MESSAGE // 2
    return f"{message[:half]} ... {message[-half:]}"
