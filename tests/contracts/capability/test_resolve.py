"""`resolve` beyond the fixtures: what holds for any JSON, the format of registries, the API."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from commoncall.capability import OPERATIONS, load_registry
from commoncall.capability.registry import Rank
from commoncall.capability.registry_document import load_troubles
from commoncall.capability.resolve import Reason, resolve
from commoncall.envelope import Env
from tests import examples, shared

OPERATION = OPERATIONS["capability.resolve"]

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
json_values = examples.shared(
    st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)
names = st.sampled_from(["a", "A", "ab", "a-b", "B", "k", "\u212a", "__proto__", ""]) | st.text(
    max_size=3
)
flags = st.booleans() | st.sampled_from(["true", 1, 1.0, None])
choices = st.lists(st.sampled_from(["auto", "none", "required", "named"]), max_size=5)
entries: st.SearchStrategy[Any] = (
    st.fixed_dictionaries(
        {"tool_calls_supported": st.booleans()},
        optional={
            "tool_choice": choices | json_values,
            "parallel_tool_calls": flags,
            "source": json_values,
        },
    )
    | st.fixed_dictionaries({"tool_calls_supported": flags})
    | json_values
)
prefixes = st.builds(
    lambda prefix, entry: {"prefix": prefix, **(entry if isinstance(entry, dict) else {})},
    names,
    entries,
)
providers = st.fixed_dictionaries(
    {"models": st.dictionaries(names, entries, max_size=3)},
    optional={
        "prefixes": st.lists(prefixes, max_size=2),
        "default": entries,
    },
)
registries = examples.shared(
    st.fixed_dictionaries(
        {
            "registry_version": st.just("1.0"),
            "revision": st.text(max_size=3),
            "providers": st.dictionaries(names, providers | json_values, max_size=2),
        }
    )
)
targets = st.fixed_dictionaries({"provider": names, "model": names}) | json_values
inputs = examples.shared(
    st.fixed_dictionaries(
        {
            "registries": st.lists(registries | json_values, max_size=3),
            "targets": st.lists(targets, max_size=3),
        },
    )
)


@pytest.fixture(scope="module")
def schema(root: Path) -> dict[str, Any]:
    text = (root / "schemas/v1/capability/resolve.schema.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def is_registry(document: object) -> bool:
    """Tell whether the format admits a document."""
    return shared.read_schemas().fits("urn:commoncall:v1:formats:registry", document)


def run(value: object) -> dict[str, Any]:
    """Run the operation and return its result; the input is good."""
    outcome = OPERATION(value, Env([]))
    assert list(outcome) == ["result"], outcome
    return dict(outcome["result"])


@given(inputs)
def test_every_result_fits_its_schema(value: dict[str, object]) -> None:
    assert shared.faults_of_result("capability.resolve", run(value)) == []


@given(inputs)
def test_the_result_is_what_its_targets_have_in_common(value: dict[str, Any]) -> None:
    whole = run(value)
    parts = [run({**value, "targets": [target]}) for target in value["targets"]]
    assert whole["matched"] == [part["matched"][0] for part in parts]
    assert whole["tool_calls_supported"] == (
        bool(parts) and all(part["tool_calls_supported"] for part in parts)
    )
    if whole["tool_calls_supported"]:
        assert whole["reason"] == parts[0]["reason"]
        lists = [set(part["tool_choice"]) for part in parts if part["tool_choice"] is not None]
        common = set.intersection(*lists) if lists else None
        assert (whole["tool_choice"] and set(whole["tool_choice"])) == (common and common)
    elif parts:
        closed = [part for part in parts if not part["tool_calls_supported"]]
        assert whole["reason"] == closed[0]["reason"]


@given(inputs, st.lists(registries | json_values, max_size=2))
def test_later_layers_change_nothing_that_was_found(
    value: dict[str, Any], more: list[object]
) -> None:
    matched = run(value)["matched"]
    targets = zip(value["targets"], matched, strict=True)
    value = {**value, "targets": [target for target, found in targets if found is not None]}
    assert run({**value, "registries": [*value["registries"], *more]}) == run(value)


@given(inputs, targets)
def test_a_further_target_opens_nothing(value: dict[str, Any], target: object) -> None:
    assume(value["targets"])
    before = run(value)["tool_calls_supported"]
    after = run({**value, "targets": [*value["targets"], target]})["tool_calls_supported"]
    assert before or not after


@given(inputs, st.integers(0, 2))
def test_a_registry_that_is_dropped_opens_nothing_of_its_own(
    value: dict[str, Any], number: int
) -> None:
    """What a dropped registry closed can open by another entry; the answer then says which."""
    assume(number < len(value["registries"]))
    before = run(value)
    fewer = [one for at, one in enumerate(value["registries"]) if at != number]
    after = run({**value, "registries": fewer})
    if after["tool_calls_supported"] and not before["tool_calls_supported"]:
        assert (after["reason"], after["matched"]) != (before["reason"], before["matched"])
        layers = [match["layer"] for match in after["matched"]]
        assert max(layers) >= number  # Something behind the dropped one has answered.


@given(inputs)
def test_without_registries_nothing_is_supported(value: dict[str, Any]) -> None:
    result = run({**value, "registries": []})
    assert not result["tool_calls_supported"]
    assert result["reason"] in ("unknown_provider", "unknown_model", "no_target")


@given(inputs)
def test_nothing_is_supported_but_by_an_entry_that_says_true(value: dict[str, Any]) -> None:
    result = run(value)
    if not result["tool_calls_supported"]:
        return
    for match in result["matched"]:
        document = json.dumps(value["registries"][match["layer"]])
        assert '"tool_calls_supported": true' in document


@given(st.text(st.characters(exclude_categories=()), min_size=1, max_size=4))
def test_folding_is_that_of_ascii(name: str) -> None:
    folded = "".join(chr(ord(one) + 32) if "A" <= one <= "Z" else one for one in name)
    document = registry(models={folded: {"tool_calls_supported": True}})
    for asked in (name, folded, name.lower()):
        found = resolve([load_registry(document)], [{"provider": "ACME", "model": asked}])
        again = "".join(chr(ord(one) + 32) if "A" <= one <= "Z" else one for one in asked)
        assert (found["reason"] == "exact") == (again == folded)


def registry(**provider: object) -> dict[str, Any]:
    """A registry of the one provider acme."""
    return {
        "registry_version": "1.0",
        "revision": "2026-08-18",
        "providers": {"acme": {"models": {}, **provider}},
    }


def test_the_schema_lists_the_reasons_of_the_function(schema: dict[str, Any]) -> None:
    result = schema["$defs"]["result"]
    assert set(schema["$defs"]["reason"]["enum"]) == set(get_args(Reason))
    assert set(result["then"]["properties"]["reason"]["enum"]) == set(get_args(Rank))


def test_the_codes_page_lists_the_reasons_of_the_function(root: Path) -> None:
    page = (root / "spec/v1/codes.md").read_text(encoding="utf-8")
    table = page.partition("## Reasons")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| .+ \|$", table, re.MULTILINE)
    assert {*rows} == {*get_args(Reason)}


def test_a_registry_is_loaded_once_and_asked_often() -> None:
    loaded = load_registry(registry(models={"large": {"tool_calls_supported": True}}))
    assert loaded is not None
    for model, reason in (("LARGE", "exact"), ("small", "unknown_model")):
        assert resolve([loaded], [{"provider": "acme", "model": model}])["reason"] == reason


def test_a_loaded_registry_does_not_follow_its_document() -> None:
    document = registry(models={"large": {"tool_calls_supported": False}})
    loaded = load_registry(document)
    document["providers"]["acme"]["models"]["small"] = {"tool_calls_supported": True}
    assert resolve([loaded], [{"provider": "acme", "model": "small"}])["reason"] == "unknown_model"


def test_the_example_of_the_page_loads_and_answers(root: Path) -> None:
    page = (root / "spec/v1/capability.md").read_text(encoding="utf-8")
    document, result = (
        json.loads(text) for text in re.findall(r"```json\n(.*?)```", page, re.S)[:2]
    )
    assert is_registry(document)
    target = {"provider": "ACME", "model": "Large-2"}
    assert run({"registries": [document], "targets": [target]}) == result


@given(registries)
def test_what_the_format_admits_has_no_malformed_entry(document: dict[str, Any]) -> None:
    assume(is_registry(document))
    for name, provider in document["providers"].items():
        for model in provider["models"]:
            found = run({"registries": [document], "targets": [{"provider": name, "model": model}]})
            assert found["reason"] != "malformed_entry"


def test_the_format_refuses_what_does_not_load() -> None:
    """Every document of the cases that does not load, but for what is beyond a schema."""
    beyond = re.compile(r"collide|registry-models-other")
    refused = 0
    for case in shared.suite().cases:
        if case.operation.name != "capability.resolve" or beyond.search(case.id):
            continue
        if "result" not in case.expect:
            continue
        assert isinstance(case.input, dict)
        for document in case.input["registries"]:
            if load_registry(document) is None:
                refused += 1
                assert not is_registry(document), case.id
    assert refused > 20


@pytest.mark.parametrize(
    "section",
    [
        {"models": {4: {"tool_calls_supported": True}}},
        {"models": {}, 4: 1},
    ],
)
def test_a_document_with_a_name_that_is_no_text_does_not_load(section: dict[Any, Any]) -> None:
    """YAML has such names, JSON none."""
    document = {"registry_version": "1.0", "revision": "r", "providers": {"p": section}}
    assert load_registry(document) is None
    assert load_registry({**document, "providers": {4: {"models": {}}}}) is None
    assert all(one.place for one in load_troubles(document))
