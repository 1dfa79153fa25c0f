"""What `commoncall registry check` reports, and that it agrees with loading and with the schema."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from jsonschema import Draft202012Validator

from commoncall.capability import load_registry
from commoncall.capability.registry_document import load_troubles
from commoncall.places import pointer
from commoncall_tools.registry import faults
from tests.contracts.capability.test_resolve import json_values, registries

YES, NO = {"tool_calls_supported": True}, {"tool_calls_supported": False}


@pytest.fixture(scope="module")
def validator(root: Path) -> Draft202012Validator:
    text = (root / "schemas/v1/formats/registry.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def registry(**providers: object) -> dict[str, Any]:
    return {"registry_version": "1.0", "revision": "2026-08-18", "providers": providers}


@given(json_values | registries)
def test_any_json_is_checked_and_faults_of_loading_are_why_it_does_not_load(document: Any) -> None:
    found = [pointer(one.place) for one in load_troubles(document)]
    assert (load_registry(document) is None) == bool(found)
    texts = faults(document)
    assert all(any(text.startswith(path or "/") for text in texts) for path in found)


@given(registries)
def test_without_a_fault_a_document_loads_and_has_the_form_for_authors(
    validator: Draft202012Validator, document: dict[str, Any]
) -> None:
    good = validator.is_valid(document) and load_registry(document) is not None
    assert good == (faults(document) == [])


@given(registries)
def test_a_pointer_leads_to_what_it_names(document: dict[str, Any]) -> None:
    for trouble in load_troubles(document):
        assume(trouble.what != "is missing")
        place: Any = document
        for part in trouble.place:
            place = place[part]


@pytest.mark.parametrize(
    ("providers", "text"),
    [
        (
            {"a": {"models": {"m": {"tool_calls_supported": "true"}}}},
            "/tool_calls_supported must be true or false",
        ),
        ({"a": {"models": {"m": YES | {"tools": 1}}}}, "/providers/a/models/m/tools is no known"),
        ({"a": {"models": {"x/y~z": None}}}, "/providers/a/models/x~1y~0z must be an object"),
        ({"a": {"models": {"m": YES | {"tool_choice": "auto"}}}}, "/tool_choice must be"),
        ({"a": {"models": {"m": YES | {"tool_choice": ["auto", "auto"]}}}}, "twice"),
        (
            {"a": {"models": {"m": YES | {"parallel_tool_calls": 1}}}},
            "/parallel_tool_calls must be",
        ),
        ({"a": {"models": {"m": YES | {"source": 1}}}}, "/source must be a string"),
        ({"a": {"models": {}, "default": {}}}, "/providers/a/default/tool_calls_supported"),
        ({"a": {"models": {}, "prefixes": [{"prefix": "p"}]}}, "/prefixes/0/tool_calls_supported"),
        ({"a": {"models": {}, "model_aliases": {"x": "y"}}}, "/model_aliases/x leads to no model"),
        ({"a": {"models": {"M": YES, "m": YES}}}, "/m is the same name as /providers/a/models/M"),
        ({"a": {"models": {}, "aliases": ["B"]}, "b": {"models": {}}}, "is the same name as"),
    ],
)
def test_a_fault_is_one_line_with_its_place(providers: dict[str, object], text: str) -> None:
    (fault,) = faults(registry(**providers))
    assert text in fault
    assert "\n" not in fault


def test_a_clean_registry_has_nothing_to_report() -> None:
    document = registry(a={"models": {"m": YES, "n": NO}}, b={"models": {"m": NO}})
    assert faults(document) == []
