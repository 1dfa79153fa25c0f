"""Both forms of the schemas accept the same, and what a generator needs of the second is there."""

import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests import shared
from tests.each import PARTS, check_each, part_of
from tests.neighbours import variants
from tools.fixtures import authored
from tools.fixtures.authored import ROOT, schema_reference
from tools.fixtures.bundled import BundleError, bundled, bundles
from tools.fixtures.made import stale, write
from tools.fixtures.schemas import BUNDLED, DIALECT, Schemas

KEYWORDS = {
    *("$schema", "$comment", "$ref", "$defs", "title", "description", "default"),
    *("type", "const", "enum", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
    *("properties", "required", "additionalProperties", "propertyNames", "minProperties"),
    *("dependentRequired", "items", "contains", "minItems", "maxItems", "uniqueItems"),
    *("pattern", "minLength", "minimum", "maximum"),
}

ANYTHING = {
    "capability/effective_tools.input": ["layers[]"],
    "capability/plan_turn.input": ["capability", "layers[]", "messages[]"],
    "capability/resolve.input": ["registries[]", "targets[]"],
    "event/hash_arguments.input": ["arguments"],
    "event/record_calls.input": [
        f"RecordCallsOutcome.{name}" for name in ("content", "error_type", "latency_ms", "status")
    ],
    "extraction/extract.input": ["tools[]"],
    "extraction/stream.input": ["tools[]"],
    "payload/check_tool_call.input": ["tool", "tool_call"],
    "payload/flatten_history.input": ["messages[]"],
    "payload/flatten_history.result": ["FlattenHistoryMessage"],
    "payload/sanitize_history.input": ["ProfileRequired.*.value", "messages[]"],
    "payload/sanitize_history.result": [
        *("SanitizeHistoryMessage.content", "SanitizeHistoryMessage.tool_call_id"),
        "SanitizeHistoryParts[].text",
    ],
    "payload/sanitize_request.input": ["ProfileRequired.*.value", "capability", "request"],
    "payload/sanitize_request.result": ["request"],
    "turn/prepare.input": [
        "ProfileRequired.*.value",
        "layers[]",
        "registries[]",
        "request",
        "targets[]",
    ],
    "turn/prepare.result": ["request"],
    "turn/receive.input": [
        "ProfileRequired.*.value",
        *("message.function_call", "message.text[]", "message.tool_calls[]", "request", "tools[]"),
    ],
    "turn/stream.result": ["TurnStreamMessage.text[]"],
    "turn/settle.input": [
        "ProfileRequired.*.value",
        *(f"SettleOutcome.{name}" for name in ("content", "error_type", "latency_ms", "status")),
    ],
    "turn/settle.result": ["SanitizeHistoryParts[].text"],
    "turn/stream.input": ["ProfileRequired.*.value", "chunks[]", "request", "tools[]"],
    "interface/read_events.input": ["events[]"],
    "interface/read_reply.result": ["history[]"],
    "interface/write_events.input": ["chunks[]"],
}
"""The members that are any JSON value, because the operation judges them or hands them on. A
generator gives its widest type there, and nowhere else."""


@functools.cache
def built() -> dict[str, Any]:
    return {
        path.removeprefix(f"{BUNDLED}/").removesuffix(".schema.json"): schema
        for path, schema in bundled(shared.read_schemas()).items()
    }


@functools.cache
def validator(name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(built()[name], offline=True)


def nodes(node: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every schema in a schema, but for the conditions, with its place."""
    if isinstance(node, bool):
        return
    yield at.removeprefix("."), node
    for key, value in node.items():
        if key in ("properties", "$defs"):
            for name, each in value.items():
                yield from nodes(each, f"{at}.{name}")
        elif key in ("allOf", "anyOf", "oneOf"):
            for each in value:
                yield from nodes(each, at)
        elif key in ("items", "additionalProperties"):
            yield from nodes(value, at + ("[]" if key == "items" else ".*"))


def keywords(node: Any) -> set[str]:
    """The keywords of a schema and of all in it, conditions too."""
    if not isinstance(node, dict):
        return set().union(*map(keywords, node)) if isinstance(node, list) else set()
    found = set(node)
    for key, value in node.items():
        if key in ("properties", "$defs"):
            found |= set().union(*map(keywords, value.values()))
        elif key not in ("const", "enum", "default", "required", "dependentRequired", "type"):
            found |= keywords(value)
    return found


def test_the_committed_files_are_those_that_are_built() -> None:
    assert stale(ROOT, bundles(ROOT)) == []


def test_each_operation_has_two() -> None:
    operations = [each["operation"] for each in shared.documents().manifest["operations"]]
    sides = [
        f"{each.replace('.', '/')}.{side}" for each in operations for side in ("input", "result")
    ]
    assert sorted(built()) == sorted(sides)


def test_each_stands_alone_with_a_root_and_named_definitions() -> None:
    def check(schema: dict[str, Any]) -> None:
        assert schema["$schema"] == DIALECT
        assert "$id" not in schema
        assert schema["description" if "description" in schema else "title"]
        assert schema.keys() & {"type", "oneOf"}
        definitions = schema.get("$defs", {})
        assert all(each["title"] == name for name, each in definitions.items())
        named = {each["$ref"] for _, each in nodes(schema) if "$ref" in each}
        assert named == {f"#/$defs/{name}" for name in definitions}
        assert keywords(schema) <= KEYWORDS

    check_each(built().items(), check)


def test_a_name_is_of_one_type_everywhere() -> None:
    types: dict[str, Any] = {}
    for name, schema in built().items():
        about = {key: schema[key] for key in schema.keys() - {"$schema", "$comment", "$defs"}}
        for title, node in {schema["title"]: about, **schema.get("$defs", {})}.items():
            assert types.setdefault(title, node) == node, (name, title)


def test_what_is_anything_is_listed() -> None:
    found = {
        name: sorted(
            {
                at + ("[]" if node.get("type") in ("array", ["array", "null"]) else "")
                for at, node in nodes(schema)
                if node.get("anyOf") == [True]
                or ("array" in node.get("type", ()) and "items" not in node)
                or node == {}
            }
        )
        for name, schema in built().items()
    }
    assert {name: places for name, places in found.items() if places} == ANYTHING


@pytest.mark.parametrize("part", range(PARTS))
def test_both_forms_accept_the_same(part: int) -> None:
    suites = shared.documents().suites
    check_each(part_of(((suite["suite"], suite) for suite in suites), part), check_suite)


def check_suite(suite: Mapping[str, Any]) -> None:
    stem = suite["operation"].replace(".", "/")
    for number, case in enumerate(suite["cases"]):
        values = {"input": authored.case_input(case)}
        if "result" in case["expect"]:
            values["result"] = case["expect"]["result"]
        for side, value in values.items():
            reference = schema_reference(suite["operation"], side)
            for each in variants(value) if number == 0 else [value]:
                # What UTF-8 cannot carry, it does not take; no schema minds which character it is.
                text = json.dumps(each, ensure_ascii=False).encode("utf-8", "replace").decode()
                read = json.loads(text)
                verdict = shared.read_schemas().fits(reference, read)
                assert validator(f"{stem}.{side}").is_valid(read) == verdict, read


def schemas_with(definition: dict[str, Any]) -> Schemas:
    documents = {"urn:commoncall:v1:payload:x": {"$defs": {"input": definition, "result": {}}}}
    return Schemas(documents)


@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        (
            {
                "properties": {"a": {"type": "string"}},
                "oneOf": [{"properties": {"a": {"type": "null"}}}],
            },
            'type is both "string" and "null"',
        ),
        (
            {"properties": {}, "oneOf": [{"not": {"minProperties": 1}}]},
            'no form says: not {"minProperties": 1}',
        ),
        (
            {"properties": {}, "allOf": [{"if": {"required": ["a"]}}, {"if": {"required": ["b"]}}]},
            'not one condition alone: {"required": ["b"]}',
        ),
    ],
)
def test_a_form_that_is_not_known_is_refused(definition: dict[str, Any], reason: str) -> None:
    with pytest.raises(BundleError) as caught:
        bundled(schemas_with(definition))
    assert str(caught.value) == f"schemas/v1/payload/x.schema.json: input: {reason}"


def test_what_has_no_source_goes(tmp_path: Path) -> None:
    (tmp_path / BUNDLED).mkdir(parents=True)
    (tmp_path / BUNDLED / "x.schema.json").write_text("{}")
    assert bundles(tmp_path) == {f"{BUNDLED}/x.schema.json": None}
    write(tmp_path, bundles(tmp_path))
    assert bundles(tmp_path) == {}
