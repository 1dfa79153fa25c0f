"""The JSON Schemas of the tree: found by their ``$id``, checked, and each built once.

A validator costs more to build than to use, so that one is kept for every reference that is asked
for. References between schemas are resolved from this tree alone; nothing is fetched.

Almost all that is asked about is valid, and jsonschema-rs says so fifty times as fast. Where it is
there it is asked first; what is wrong, jsonschema says, so that of errors only its yes counts. It
reads patterns by itself, so that the two could differ: ``tests/test_validators.py`` holds them
together.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from referencing import Registry

try:
    import jsonschema_rs
except ImportError:  # no wheel for this platform: slower, and the same
    FAST = False
else:
    FAST = True

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
    _fast: dict[str, Callable[[object], bool]] = field(default_factory=dict)
    _rust: list[Any] = field(default_factory=list)

    def errors(self, reference: str, value: object) -> list[tuple[str, str]]:
        """Return what the schema at ``reference`` has against ``value``: JSON Pointers, messages.

        ``reference`` is an ``$id``, with a fragment such as ``#/$defs/input`` or without.

        Raises:
            referencing.exceptions.Unresolvable: there is no such schema; see `defines`.
        """
        return [] if self.accepts(reference, value) else self.faults(reference, value)

    def accepts(self, reference: str, value: object) -> bool:
        """Tell whether jsonschema-rs is there and accepts ``value``; its no is none yet."""
        return self._quickly(reference, value) or False

    def fits(self, reference: str, value: object) -> bool:
        """Tell whether a schema allows ``value``, without finding out what is wrong."""
        quickly = self._quickly(reference, value)
        return not self.faults(reference, value) if quickly is None else quickly

    def _quickly(self, reference: str, value: object) -> bool | None:
        """Return what jsonschema-rs says, or None where it is not there or cannot tell."""
        if not FAST:
            return None
        try:
            if reference not in self._fast:
                if not self._rust:
                    self._rust.append(jsonschema_rs.Registry(list(self.documents.items())))
                self._fast[reference] = jsonschema_rs.validator_for(
                    {"$ref": reference}, registry=self._rust[0], offline=True
                ).is_valid
            return self._fast[reference](value)
        except ValueError:
            return None  # what it cannot take: a lone surrogate, a reference to nothing

    def faults(self, reference: str, value: object) -> list[tuple[str, str]]:
        """Do what `errors` does with jsonschema alone."""
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
                if fault := _fault(json.dumps(document)):
                    problems.append((name, fault))
                    continue
                documents[identifier] = document
        except ValueError as error:
            problems.append((name, str(error)))
    registry: Registry[Schema] = Registry().with_contents(documents.items())
    return Schemas(documents, tuple(problems), registry)


def schema_id(path: Path) -> str:
    """Return the ``$id`` that belongs to a path below ``schemas``: its parts joined by colons."""
    return "urn:commoncall:" + path.as_posix().removesuffix(".schema.json").replace("/", ":")


def path_of(identifier: str) -> str:
    """Return the path of the schema with this ``$id``, below the root of the repository."""
    return f"schemas/{identifier.removeprefix('urn:commoncall:').replace(':', '/')}.schema.json"


@functools.cache
def _fault(text: str) -> str:
    """Return what is wrong with the JSON text of a schema; each text is checked once a process."""
    try:
        Draft202012Validator.check_schema(json.loads(text))
    except SchemaError as error:
        return f"{error.json_path}: {_clip(error.message)}"
    return ""


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
