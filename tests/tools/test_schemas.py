"""What the schemas say of a value; jsonschema, the second opinion, has to say the same."""

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry

from tests import shared
from tests.neighbours import variants
from tools.fixtures import authored, schemas
from tools.fixtures.authored import SUITE_SCHEMA, schema_reference


@functools.cache
def second(reference: str) -> Draft202012Validator:
    documents: Registry[bool | Mapping[str, Any]] = Registry()
    documents = documents.with_contents(shared.read_schemas().documents.items())
    return Draft202012Validator({"$ref": reference}, registry=documents)


def agree(reference: str, value: object) -> None:
    verdict = shared.read_schemas().fits(reference, value)
    assert verdict == second(reference).is_valid(value), (reference, value)


def test_both_agree_on_neighbours_of_the_first_case_of_each_operation() -> None:
    first = {suite["operation"]: suite for suite in reversed([*shared.tree().suites.values()])}
    for operation, suite in first.items():
        case = suite["cases"][0]
        for variant in variants(authored.case_input(case)):
            agree(schema_reference(operation, "input"), variant)
        for variant in variants(case["expect"].get("result", {})):
            agree(schema_reference(operation, "result"), variant)
        for variant in variants(case):
            agree(SUITE_SCHEMA, {**suite, "cases": [variant]})


def test_a_reference_to_nothing_is_an_error() -> None:
    for reference in (f"{SUITE_SCHEMA}:none", f"{SUITE_SCHEMA}#/$defs/none"):
        with pytest.raises(ValueError, match="none"):
            shared.read_schemas().errors(reference, {})


def test_a_lone_surrogate_is_a_character_as_others() -> None:
    [(place, _)] = shared.read_schemas().errors(SUITE_SCHEMA, "\ud800")
    assert place == ""
    function = {"name": "\ud800", "arguments": "{}"}
    given = {"tool_call": {"id": "a", "type": "function", "function": function}}
    assert shared.read_schemas().fits(schema_reference("payload.check_tool_call", "input"), given)


def test_of_several_forms_the_closest_one_says_what_is_wrong(tmp_path: Path) -> None:
    forms = [{"type": "string"}, {"properties": {"a": {"properties": {"b": {"const": 1}}}}}]
    read = schema(tmp_path, {"oneOf": forms})
    assert read.errors("urn:commoncall:v1:a:b", {"a": {"b": 2}}) == [("/a/b", "1 was expected")]


@pytest.mark.parametrize(
    ("member", "reason"),
    [({"type": "text"}, '/type: "text" is not'), ({"pattern": "("}, "'(' is no pattern: ")],
)
def test_a_schema_that_is_none_is_a_problem(
    tmp_path: Path, member: dict[str, object], reason: str
) -> None:
    [(file, said)] = schema(tmp_path, member).problems
    assert file == "schemas/v1/a/b.schema.json"
    assert said.startswith(reason)


def schema(root: Path, members: dict[str, object]) -> schemas.Schemas:
    """Read a tree with one schema."""
    file = root / "schemas/v1/a/b.schema.json"
    file.parent.mkdir(parents=True)
    head = {"$schema": schemas.DIALECT, "$id": "urn:commoncall:v1:a:b"}
    file.write_text(json.dumps({**head, **members}))
    return schemas.read_schemas(root)
