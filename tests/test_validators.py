"""The second opinion: jsonschema-rs has to agree with jsonschema about everything in this tree."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Iterator, Mapping

import jsonschema_rs
import pytest
from referencing.exceptions import Unresolvable

from tools import fixtures, schemas, strict_yaml
from tools.fixtures import MANIFEST_SCHEMA, ROOT, SUITE_SCHEMA, schema_reference

FIRST = schemas.read_schemas(ROOT)
REGISTRY = jsonschema_rs.Registry(list(FIRST.documents.items()))

WRONG: list[object] = [None, True, 1, 1.5, "", [], {}, [None], [[]], [{}], [{"code": "x"}]]


@functools.cache
def validator_of(reference: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for({"$ref": reference}, registry=REGISTRY, offline=True)


def second(reference: str, value: object) -> bool:
    # It takes only text that UTF-8 can carry; which character stands there matters to no schema.
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()
    return validator_of(reference).is_valid(json.loads(text))


def variants(value: object) -> Iterator[object]:
    """The value, and neighbours of it that are mostly wrong: a member less, more, or of no type."""
    yield value
    yield [value]
    if isinstance(value, Mapping):
        yield {**value, "another": 1}
        for name in value:
            yield {key: item for key, item in value.items() if key != name}
            for wrong in WRONG:
                yield {**value, name: wrong}


def agree(reference: str, value: object) -> bool:
    verdict = not FIRST.faults(reference, value)
    assert verdict == second(reference, value), (reference, value)
    # The tools ask in this order; a yes to what has faults would hide them.
    assert verdict or not FIRST.accepts(reference, value), (reference, value)
    return verdict


TREE = fixtures.read_tree(ROOT)


def test_the_tools_ask_the_second_first(monkeypatch: pytest.MonkeyPatch) -> None:
    suite = next(iter(TREE.suites.values()))
    wrong = {**suite, "format": 2}
    assert FIRST.accepts(SUITE_SCHEMA, suite)
    assert not FIRST.accepts(SUITE_SCHEMA, "\ud800")
    found = FIRST.errors(SUITE_SCHEMA, wrong)
    assert found == FIRST.faults(SUITE_SCHEMA, wrong) != []
    monkeypatch.setattr(schemas, "FAST", False)
    assert not FIRST.accepts(SUITE_SCHEMA, suite)
    assert FIRST.errors(SUITE_SCHEMA, suite) == []
    assert FIRST.errors(SUITE_SCHEMA, wrong) == found


def test_both_refuse_a_reference_to_nothing() -> None:
    for reference in (f"{SUITE_SCHEMA}:none", f"{SUITE_SCHEMA}#/$defs/none"):
        with pytest.raises(Unresolvable):
            FIRST.errors(reference, {})


@pytest.mark.parametrize("identifier", FIRST.documents)
def test_both_accept_every_schema(identifier: str) -> None:
    assert FIRST.problems == ()
    jsonschema_rs.validator_for(FIRST.documents[identifier], registry=REGISTRY, offline=True)


@pytest.mark.parametrize("name", TREE.suites)
def test_both_agree_on_every_suite_input_and_result(name: str) -> None:
    suite = TREE.suites[name]
    assert agree(SUITE_SCHEMA, suite)
    for case in suite["cases"]:
        expected = case["expect"]
        reference = schema_reference(suite["operation"], "input")
        accepted = agree(reference, fixtures.case_input(case))
        assert accepted or expected.get("error") == {"code": "invalid_input"}
        if "result" in expected:
            assert agree(schema_reference(suite["operation"], "result"), expected["result"])


@pytest.mark.parametrize("name", TREE.suites)
def test_both_agree_on_neighbours_of_the_first_case(name: str) -> None:
    suite = copy.deepcopy(TREE.suites[name])
    case = suite["cases"][0]
    for variant in variants(fixtures.case_input(case)):
        agree(schema_reference(suite["operation"], "input"), variant)
    for variant in variants(case["expect"].get("result", {})):
        agree(schema_reference(suite["operation"], "result"), variant)
    for variant in variants(case):
        agree(SUITE_SCHEMA, {**suite, "cases": [variant]})
    for variant in variants(suite):
        agree(SUITE_SCHEMA, variant)


def test_both_agree_on_the_tests_of_the_format() -> None:
    verdicts = []
    for path in sorted((ROOT / "tests" / "format").rglob("*.yaml")):
        try:
            data = strict_yaml.load_file(path, path.name)
        except strict_yaml.StrictYamlError:
            continue
        verdicts.append(agree(SUITE_SCHEMA, data))
    assert verdicts.count(True) >= 25
    assert verdicts.count(False) >= 25


@pytest.mark.parametrize("name", ["manifest", "requirements"])
def test_both_agree_on_the_built_documents(name: str) -> None:
    document = json.loads((ROOT / "fixtures" / "v1" / f"{name}.json").read_bytes())
    reference = f"urn:commoncall:v1:formats:{name}"
    assert agree(reference, document)
    for variant in variants(document):
        agree(reference, variant)


def test_both_agree_on_the_authored_manifest() -> None:
    reference = f"{MANIFEST_SCHEMA}#/$defs/authored"
    assert agree(reference, TREE.context.manifest)
    for variant in variants(TREE.context.manifest):
        agree(reference, variant)
