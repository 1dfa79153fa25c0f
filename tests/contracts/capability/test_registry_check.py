"""What `commoncall registry check` reports, and that it agrees with loading and with the schema."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from jsonschema import Draft202012Validator

from commoncall.capability import load_registry
from commoncall.capability.registry_document import load_troubles
from commoncall.places import pointer
from commoncall_tools.registry_check import Problem, check, parse_date
from tests.contracts.capability.test_resolve import json_values, registries

TODAY = date(2026, 9, 1)
YES, NO = {"tool_calls_supported": True}, {"tool_calls_supported": False}


@pytest.fixture(scope="module")
def validator(root: Path) -> Draft202012Validator:
    text = (root / "schemas/v1/formats/registry.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def registry(**providers: object) -> dict[str, Any]:
    return {"registry_version": "1.0", "revision": "2026-08-18", "providers": providers}


def reported(document: object, kind: str) -> list[str]:
    problems = check(document, today=TODAY)
    return [problem.text for problem in problems if problem.kind == kind]


@given(json_values | registries)
def test_any_json_is_checked_and_faults_of_loading_are_why_it_does_not_load(document: Any) -> None:
    found = [pointer(one.place) for one in load_troubles(document)]
    assert (load_registry(document) is None) == bool(found)
    texts = reported(document, "fault")
    assert all(any(text.startswith(path or "/") for text in texts) for path in found)


@given(registries)
def test_without_a_fault_a_document_loads_and_has_the_form_for_authors(
    validator: Draft202012Validator, document: dict[str, Any]
) -> None:
    good = validator.is_valid(document) and load_registry(document) is not None
    assert good == (reported(document, "fault") == [])


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
        ({"a": {"models": {}, "aliases": ["x"]}}, "/providers/a/aliases is no known"),
        ({"a": {"models": {"M": YES, "m": YES}}}, "/m is the same name as /providers/a/models/M"),
        ({"B": {"models": {}}, "b": {"models": {}}}, "is the same name as"),
    ],
)
def test_a_fault_is_one_line_with_its_place(providers: dict[str, object], text: str) -> None:
    (fault,) = reported(registry(**providers), "fault")
    assert text in fault
    assert "\n" not in fault


def test_a_clean_registry_has_nothing_to_report() -> None:
    document = registry(a={"models": {"m": YES, "n": NO}}, b={"models": {"m": YES}})
    assert check(document, today=TODAY) == []


def test_a_document_that_does_not_load_has_faults_only() -> None:
    document = registry(a={"models": {"m": YES}}, b={"models": {"m": NO}}, c=None)
    assert {problem.kind for problem in check(document, today=TODAY)} == {"fault"}


def test_the_age_is_counted_in_days() -> None:
    def stale(days: int) -> bool:
        day = date(2026, 8, 18) + timedelta(days)
        problems = check(registry(), today=day)
        return [problem.kind for problem in problems] == ["stale"]

    assert [stale(days) for days in (-1, 0, 90, 91)] == [True, False, False, True]


@pytest.mark.parametrize("revision", ["1", "", "2026-02-30", "20260818", "2026-08-18T00:00"])
def test_a_revision_that_is_no_date_has_no_age(revision: str) -> None:
    assert parse_date(revision) is None
    (problem,) = check({**registry(), "revision": revision}, today=TODAY)
    assert problem == Problem("stale", f'revision "{revision}" is no date, so its age is unknown')


def test_providers_that_disagree_on_an_id_are_a_conflict() -> None:
    document = registry(
        a={"models": {"Big/M": YES, "only": YES}},
        b={"models": {"big/m": NO, "short": YES}},
        c={"models": {"big/m": YES, "short": NO}},
    )
    assert reported(document, "conflict") == [
        'model "big/m" is supported at "a", "c", and not at "b"',
        'model "short" is supported at "b", and not at "c"',
    ]


def test_a_conflict_of_many_providers_is_still_one_line() -> None:
    document = registry(
        z={"models": {"m": NO}}, **{f"p{n}": {"models": {"m": YES}} for n in "12345"}
    )
    (text,) = reported(document, "conflict")
    assert text == 'model "m" is supported at "p1", "p2", "p3" and 2 more, and not at "z"'


def test_a_prefix_or_default_that_would_open_a_closed_model_is_unsafe() -> None:
    document = registry(
        a={
            "models": {"Fam-1": YES, "fam-tts": NO, "fam-old-1": NO},
            "prefixes": [{"prefix": "FAM-", **YES}, {"prefix": "fam-old-", **NO}],
        },
        b={"models": {"m": NO, "n": YES}, "default": YES},
        c={"models": {"m": NO, "n": NO}, "default": NO, "prefixes": [{"prefix": "x", **YES}]},
        d={"models": {"bad": {}}, "prefixes": [{"prefix": "b", **YES}]},
    )
    assert reported(document, "unsafe") == [
        'the prefix "FAM-" of provider "a" would open "fam-tts", which is listed as closed',
        'the default of provider "b" would open "m", which is listed as closed',
        'the prefix "b" of provider "d" would open "bad", which is listed as closed',
    ]
