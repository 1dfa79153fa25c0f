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
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from referencing import Registry

from commoncall.places import pointer as json_pointer

try:
    import jsonschema_rs
except ImportError:  # no wheel for this platform: slower, and the same
    FAST = False
else:
    FAST = True

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_LONGEST_MESSAGE = 240

Schema = bool | Mapping[str, Any]


class Schemas:
    """All schemas below ``schemas``: the documents by ``$id``, and problems as file and reason."""

    def __init__(
        self, documents: Mapping[str, dict[str, Any]], problems: Sequence[tuple[str, str]] = ()
    ) -> None:
        self.documents = documents
        self.problems = problems
        self._faults: dict[str, Draft202012Validator] = {}
        self._is_valid: dict[str, Callable[[object], bool]] = {}

    @functools.cached_property
    def _registry(self) -> Registry[Schema]:
        return Registry().with_contents(self.documents.items())

    @functools.cached_property
    def _fast_registry(self) -> Any:
        return jsonschema_rs.Registry(list(self.documents.items()))

    def errors(self, reference: str, value: object) -> list[tuple[str, str]]:
        """Return what the schema at ``reference`` has against ``value``: JSON Pointers, messages.

        ``reference`` is an ``$id``, with a fragment such as ``#/$defs/input`` or without.

        Raises:
            referencing.exceptions.Unresolvable: there is no such schema; see `defines`.
        """
        return [] if self._quickly(reference, value) else self.faults(reference, value)

    def misfits(self, reference: str, documents: Mapping[str, object]) -> list[str]:
        """Return what the schema at ``reference`` has against files, a line each."""
        return [
            f"{name}: {pointer or '/'}: {message}"
            for name, document in documents.items()
            for pointer, message in self.errors(reference, document)
        ]

    def fits(self, reference: str, value: object) -> bool:
        """Tell whether a schema allows ``value``; where that is not so, faster than `errors`."""
        quickly = self._quickly(reference, value)
        return not self.faults(reference, value) if quickly is None else quickly

    def _quickly(self, reference: str, value: object) -> bool | None:
        """Return what jsonschema-rs says, or None where it is not there or cannot tell."""
        if not FAST:
            return None
        try:
            if reference not in self._is_valid:
                self._is_valid[reference] = jsonschema_rs.validator_for(
                    {"$ref": reference}, registry=self._fast_registry, offline=True
                ).is_valid
            return self._is_valid[reference](value)
        except ValueError:
            return None  # what it cannot take: a lone surrogate, a reference to nothing

    def faults(self, reference: str, value: object) -> list[tuple[str, str]]:
        """Do what `errors` does with jsonschema alone."""
        if reference not in self._faults:
            schema = {"$ref": reference}
            self._faults[reference] = Draft202012Validator(schema, registry=self._registry)
        return [_closest(error) for error in self._faults[reference].iter_errors(value)]

    def defines(self, reference: str) -> bool:
        """Tell whether ``reference``, an ``$id`` and a fragment ``#/$defs/NAME``, exists."""
        identifier, _, fragment = reference.partition("#/$defs/")
        return fragment in self.documents.get(identifier, {}).get("$defs", {})


def read_schemas(root: Path) -> Schemas:
    """Read ``schemas/**/*.schema.json`` below ``root``; a schema with a problem is left out."""
    documents: dict[str, dict[str, Any]] = {}
    problems: list[tuple[str, str]] = []
    folder = root / "schemas"
    for path in sorted(folder.rglob("*.schema.json")):
        name = path.relative_to(root).as_posix()
        try:
            document = read_json(path)
            identifier = schema_id(path.relative_to(folder))
            if not isinstance(document, dict):
                problems.append((name, "no object"))
            elif document.get("$schema") != DIALECT:
                problems.append((name, f"$schema is not {DIALECT}"))
            elif document.get("$id") != identifier:
                problems.append((name, f"$id is not {identifier}"))
            elif fault := _fault(json.dumps(document)):
                problems.append((name, fault))
            else:
                documents[identifier] = document
        except ValueError as error:
            problems.append((name, str(error)))
    return Schemas(documents, problems)


def read_files(root: Path, pattern: str) -> tuple[dict[str, Any], list[str]]:
    """Read the JSON files that a pattern finds below ``root``.

    Returns:
        What they hold, by path and in the order of their names; and for each that holds no JSON
        a line that says so.
    """
    documents: dict[str, Any] = {}
    problems: list[str] = []
    for path in sorted(root.glob(pattern), key=lambda path: path.stem):
        name = path.relative_to(root).as_posix()
        try:
            documents[name] = read_json(path)
        except ValueError as error:
            problems.append(f"{name}: {error}")
    return documents, problems


def read_json(path: Path) -> Any:
    """Return what a file holds.

    Raises:
        ValueError: it is no JSON file by its name or by what it holds, or a member stands twice.
    """
    if path.suffix != ".json":
        raise ValueError("its name does not end in .json")
    return json.loads(path.read_bytes(), object_pairs_hook=_members)


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
    return json_pointer(tuple(closest.absolute_path)), _clip(closest.message)


def _clip(message: str) -> str:
    """Shorten a message that quotes a large value; what is wrong stands at either end."""
    if len(message) <= _LONGEST_MESSAGE:
        return message
    half = _LONGEST_MESSAGE // 2
    return f"{message[:half]} ... {message[-half:]}"
