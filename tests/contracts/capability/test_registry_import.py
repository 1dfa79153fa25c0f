"""Registries out of public catalogues: only what a row states, in an order that does not change."""

import copy
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall.capability import load_registry
from commoncall.capability.registry_document import fold
from commoncall.capability.resolve import resolve
from commoncall_tools.registries.importers import (
    SOURCES,
    ImportedFileError,
    from_litellm,
    from_models_dev,
)
from tests.contracts.capability.test_resolve import json_values

DAY = "2026-08-18"
flags: st.SearchStrategy[Any] = st.sampled_from([True, False, None, "true", 1, [], {}])
names = st.sampled_from(["a", "A", "b", "p/a", "P/A", "p/b", "p/", "__proto__", ""])
models_dev_files = st.dictionaries(
    st.sampled_from(["p", "q", "constructor"]),
    st.fixed_dictionaries(
        {
            "models": st.dictionaries(
                names, st.fixed_dictionaries({}, optional={"tool_call": flags}) | json_values
            )
        }
    ),
)
litellm_rows = st.fixed_dictionaries(
    {"litellm_provider": st.sampled_from(["p", "q"])},
    optional={
        "supports_function_calling": flags,
        "supports_tool_choice": flags,
        "supports_forced_tool_use": flags,
        "supports_parallel_function_calling": flags,
    },
)
litellm_files = st.dictionaries(names | st.just("sample_spec"), litellm_rows | json_values)


def ask(document: object, provider: str, model: str) -> Mapping[str, Any]:
    loaded = load_registry(document)
    assert loaded is not None
    return resolve([loaded], [{"provider": provider, "model": model}])


def models(document: Any, provider: str) -> dict[str, Any]:
    found: dict[str, Any] = document["providers"][provider]["models"]
    return found


def litellm(**rows: object) -> Any:
    listed = {key.replace("__", "/"): row for key, row in rows.items()}
    return from_litellm(listed, DAY)


def row(provider: str = "p", supported: object = True, **more: object) -> dict[str, object]:
    return {"litellm_provider": provider, "supports_function_calling": supported, **more}


@pytest.mark.parametrize("source", SOURCES)
@given(value=json_values)
def test_any_json_is_a_registry_or_an_error(source: str, value: object) -> None:
    try:
        document = SOURCES[source](value, DAY)
    except ImportedFileError:
        return
    assert load_registry(document) is not None


Stated = tuple[bool | None, list[str] | None, bool | None]
"""Whether a model takes tools, which choices, and calls at once; None is what a row leaves open."""

CHOICES: Mapping[tuple[object, object], list[str]] = {
    (False, None): [],
    (False, False): [],
    (False, True): [],
    (None, False): ["auto", "none"],
    (True, False): ["auto", "none"],
}
"""What `supports_tool_choice` and `supports_forced_tool_use` state; other pairs state nothing."""


def check_rows(rows: list[tuple[str, str, Stated]], document: object) -> None:
    """Hold what a registry resolves to what the rows state; alike names are one model, or none."""
    for provider, model, stated in rows:
        alike = [one[2] for one in rows if (one[0], fold(one[1])) == (provider, fold(model))]
        alike = [one for one in alike if one[0] is not None]
        found = ask(document, provider, model)
        if alike and all(one == alike[0] for one in alike):
            answer = [found[n] for n in ("tool_calls_supported", *REST)]
            assert stated[0] is None or answer == [*(stated if stated[0] else (False, [], False))]
        else:
            assert found["matched"] == [None]


REST = ("tool_choice", "parallel_tool_calls")


@given(models_dev_files)
def test_every_row_of_models_dev_resolves_to_what_it_states(file: Any) -> None:
    try:
        document = from_models_dev(copy.deepcopy(file), DAY)
    except ImportedFileError:
        return
    rows: list[tuple[str, str, Stated]] = [
        (provider, model, (stated if isinstance(stated, bool) else None, None, None))
        for provider, section in file.items()
        for model, one in section["models"].items()
        if model
        for stated in [one.get("tool_call") if isinstance(one, dict) else None]
    ]
    check_rows(rows, document)
    assert json.dumps(from_models_dev(dict(reversed(file.items())), DAY)) == json.dumps(document)


@given(litellm_files)
def test_every_row_of_litellm_resolves_to_what_it_states(file: Any) -> None:
    try:
        document = from_litellm(file, DAY)
    except ImportedFileError:
        return
    rows: list[tuple[str, str, Stated]] = []
    for key, one in file.items():
        if key in ("", "sample_spec") or not isinstance(one, dict) or "litellm_provider" not in one:
            continue
        said = {name: value for name, value in one.items() if isinstance(value, bool)}
        supported = said.get("supports_function_calling")
        choices = (said.get("supports_tool_choice"), said.get("supports_forced_tool_use"))
        parallel = said.get("supports_parallel_function_calling")
        more = (CHOICES.get(choices), parallel) if supported else (None, None)
        rows.append((one["litellm_provider"], key, (supported, *more)))
    check_rows(rows, document)
    assert json.dumps(from_litellm(dict(reversed(file.items())), DAY)) == json.dumps(document)


def test_models_dev_keeps_booleans_and_nothing_else() -> None:
    rows = {"b": {"tool_call": True, "reasoning": True}, "a": {"tool_call": False}}
    silent = {"c": {}, "d": {"tool_call": "true"}, "e": {"tool_call": 1}, "f": None}
    document = from_models_dev({"z": {"models": rows | silent}, "y": {"models": rows}}, DAY)
    assert document["revision"] == DAY
    assert list(document["providers"]) == ["y", "z"]
    assert list(models(document, "z")) == ["a", "b"]
    assert models(document, "z")["b"] == {
        "tool_calls_supported": True,
        "source": f"models.dev {DAY}",
    }


def test_litellm_states_choices_and_parallel_calls_apart() -> None:
    document = litellm(
        plain=row(),
        choice=row(supports_tool_choice=True),
        none=row(supports_tool_choice=False, supports_forced_tool_use=True),
        forced=row(supports_tool_choice=True, supports_forced_tool_use=False),
        parallel=row(supports_parallel_function_calling=True),
        single=row(supports_parallel_function_calling=False),
        garbage=row(supports_tool_choice=0, supports_parallel_function_calling="yes"),
        closed=row(supported=False, supports_tool_choice=True),
    )
    stated = {
        name: {key: value for key, value in entry.items() if key != "source"}
        for name, entry in models(document, "p").items()
    }
    yes = {"tool_calls_supported": True}
    assert stated == {
        "plain": yes,
        "choice": yes,
        "none": yes | {"tool_choice": []},
        "forced": yes | {"tool_choice": ["auto", "none"]},
        "parallel": yes | {"parallel_tool_calls": True},
        "single": yes | {"parallel_tool_calls": False},
        "garbage": yes,
        "closed": {"tool_calls_supported": False},
    }


def test_litellm_leaves_out_what_is_no_model_or_says_nothing() -> None:
    document = litellm(
        sample_spec=row("one of them"),
        fallback_generalizations={"rules": []},
        silent={"litellm_provider": "p", "supports_tool_choice": True},
        nobody={"supports_function_calling": True},
        known=row(),
    )
    assert document["providers"].keys() == {"p"}
    assert list(models(document, "p")) == ["known"]


def test_a_key_behind_its_provider_is_an_alias_unless_it_is_a_row() -> None:
    document = litellm(
        p__one=row(),
        p__two=row(),
        two=row(supported=False),
        p__silent=row(),
        Silent={"litellm_provider": "p"},
        q__other=row("p"),
        p__Same=row(),
        p__same2=row(),
        p__={"litellm_provider": "p", "supports_function_calling": True},
    )
    assert document["providers"]["p"]["model_aliases"] == {
        "Same": "p/Same",
        "one": "p/one",
        "same2": "p/same2",
    }
    assert ask(document, "p", "one")["reason"] == "alias"
    assert ask(document, "p", "two")["tool_calls_supported"] is False
    assert ask(document, "p", "silent")["reason"] == "unknown_model"


def test_names_that_differ_in_case_only_are_one_or_none() -> None:
    def rows(upper: bool, lower: bool) -> dict[str, object]:
        return {"M": {"tool_call": upper}, "m": {"tool_call": lower}, "x": {"tool_call": True}}

    document = from_models_dev({"p": {"models": rows(True, True)}}, DAY)
    assert list(models(document, "p")) == ["M", "x"]
    document = from_models_dev({"p": {"models": rows(True, False)}}, DAY)
    assert list(models(document, "p")) == ["x"]
    assert ask(document, "p", "M")["reason"] == "unknown_model"


@pytest.mark.parametrize(
    ("source", "file", "why"),
    [
        ("models.dev", [], "is no object"),
        ("models.dev", {}, "states of no model"),
        ("models.dev", {"p\n": {}}, r'has no models at "/p\\n"$'),
        ("models.dev", {"p": {"models": {"m": {}}}}, "states of no model"),
        (
            "models.dev",
            {n: {"models": {"m": {"tool_call": True}}} for n in ("p", "P")},
            "has two providers whose names differ in case only",
        ),
        ("litellm", 7, "is no object"),
        ("litellm", {"p": {"models": {}}}, "states of no model"),
    ],
)
def test_a_file_of_another_form_is_an_error(source: str, file: object, why: str) -> None:
    with pytest.raises(ImportedFileError, match=why):
        SOURCES[source](file, DAY)
