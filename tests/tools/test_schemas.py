"""The second opinion: jsonschema-rs has to agree with jsonschema about everything in this tree."""

import functools
import json
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.exceptions import Unresolvable

from tests import shared
from tests.each import PARTS, check_each, part_of
from tools.fixtures import authored, scenarios, schemas, strict_yaml
from tools.fixtures.authored import (
    MANIFEST,
    MANIFEST_SCHEMA,
    ROOT,
    SOURCE,
    SUITE_SCHEMA,
    schema_reference,
)

SUITES = [
    path.relative_to(ROOT / SOURCE).with_suffix("").as_posix()
    for path in sorted((ROOT / SOURCE).rglob("*.yaml"))
    if path != ROOT / MANIFEST
]
SUITES += [name for name, _ in scenarios.suites(ROOT)]

WRONG: list[object] = [None, True, 1, 1.5, "", [], {}, [None], [[]], [{}], [{"code": "x"}]]


@functools.cache
def registry() -> jsonschema_rs.Registry:
    return jsonschema_rs.Registry(list(shared.read_schemas().documents.items()))


@functools.cache
def validator_of(reference: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for({"$ref": reference}, registry=registry(), offline=True)


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


@functools.cache
def slow_validator_of(reference: str) -> Draft202012Validator:
    documents: Registry[schemas.Schema] = Registry()
    documents = documents.with_contents(shared.read_schemas().documents.items())
    return Draft202012Validator({"$ref": reference}, registry=documents)


def agree(reference: str, value: object) -> bool:
    verdict = slow_validator_of(reference).is_valid(value)
    assert verdict == second(reference, value), (reference, value)
    # The tools ask the second first; a yes to what has faults would hide them.
    assert verdict == shared.read_schemas().fits(reference, value), (reference, value)
    return verdict


def cut(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document with one element of each list: what its neighbours show does not take more."""
    return {name: item[:1] if isinstance(item, list) else item for name, item in document.items()}


def test_the_suites_are_all() -> None:
    assert list(shared.tree().suites) == SUITES


def test_the_tools_ask_the_second_first(monkeypatch: pytest.MonkeyPatch) -> None:
    first = shared.read_schemas()
    suite = next(iter(shared.tree().suites.values()))
    wrong = {**suite, "format": 2}
    assert first.fits(SUITE_SCHEMA, suite)
    assert not first.fits(SUITE_SCHEMA, "\ud800")
    found = first.errors(SUITE_SCHEMA, wrong)
    assert found == first.faults(SUITE_SCHEMA, wrong) != []
    monkeypatch.setattr(schemas.Schemas, "_quickly", lambda *_: None)
    assert first.fits(SUITE_SCHEMA, suite)
    assert first.errors(SUITE_SCHEMA, suite) == []
    assert first.errors(SUITE_SCHEMA, wrong) == found


def test_both_refuse_a_reference_to_nothing() -> None:
    for reference in (f"{SUITE_SCHEMA}:none", f"{SUITE_SCHEMA}#/$defs/none"):
        with pytest.raises(Unresolvable):
            shared.read_schemas().errors(reference, {})


def test_both_accept_every_schema() -> None:
    first = shared.read_schemas()
    assert first.problems == []

    def compile_one(document: dict[str, Any]) -> None:
        jsonschema_rs.validator_for(document, registry=registry(), offline=True)
        Draft202012Validator.check_schema(document)

    check_each(first.documents.items(), compile_one)


@pytest.mark.parametrize("part", range(PARTS))
def test_both_agree_on_every_suite_and_on_inputs_and_results(part: int) -> None:
    """Of every third case; the session `fuzz` asks about all of them."""
    check_each(part_of(((name, name) for name in SUITES), part), lambda name: check_cases(name, 3))


def check_cases(name: str, every: int) -> None:
    suite = shared.tree().suites[name]
    assert agree(SUITE_SCHEMA, {**suite, "cases": suite["cases"][::every]})
    for case in suite["cases"][::every]:
        expected = case["expect"]
        reference = schema_reference(suite["operation"], "input")
        accepted = agree(reference, authored.case_input(case))
        code = expected.get("error", {}).get("code")
        assert accepted or code in ("invalid_input", "form_not_chat_completions")
        if "result" in expected:
            assert agree(schema_reference(suite["operation"], "result"), expected["result"])


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
        for variant in variants({**suite, "cases": [case]}):
            agree(SUITE_SCHEMA, variant)


def test_both_agree_on_the_tests_of_the_format() -> None:
    verdicts = []
    for path in sorted((ROOT / "tests" / "tools" / "format").rglob("*.yaml")):
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
    for variant in variants(cut(document)):
        agree(reference, variant)


def test_both_agree_on_the_authored_manifest() -> None:
    reference = f"{MANIFEST_SCHEMA}#/$defs/authored"
    manifest = shared.tree().context.manifest
    assert agree(reference, manifest)
    for variant in variants(cut(manifest)):
        agree(reference, variant)
