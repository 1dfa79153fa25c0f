"""Registries out of public catalogues: only what a row states, in an order that does not change."""

import copy
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall.capability import load_registry
from commoncall.capability.resolve import resolve
from commoncall_tools.registries.importers import (
    SOURCES,
    ImportedFileError,
    from_litellm,
    from_models_dev,
)
from tests.contracts.capability.test_resolve import json_values
from tests.evidence.catalogues import resolve_every_row as catalogues

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


@given(models_dev_files)
def test_every_row_of_models_dev_resolves_to_what_it_states(file: Any) -> None:
    try:
        document = from_models_dev(copy.deepcopy(file), DAY)
    except ImportedFileError:
        return
    rows = [
        catalogues.Expected(provider, model, stated if isinstance(stated, bool) else None)
        for provider, section in file.items()
        for model, one in section["models"].items()
        if model
        for stated in [one.get("tool_call") if isinstance(one, dict) else None]
    ]
    assert list(catalogues.differences(rows, document)) == []
    assert json.dumps(from_models_dev(dict(reversed(file.items())), DAY)) == json.dumps(document)


@given(litellm_files)
def test_every_row_of_litellm_resolves_to_what_it_states(file: Any) -> None:
    try:
        document = from_litellm(file, DAY)
    except ImportedFileError:
        return
    rows = {key: one for key, one in file.items() if isinstance(one, dict) and key}
    for one in rows.values():
        for name in list(one):
            if name.startswith("supports_") and not isinstance(one[name], bool):
                del one[name]  # what is no boolean states nothing
    expected = list(catalogues.litellm_rows(rows))
    assert list(catalogues.differences(expected, document)) == []
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


def test_the_session_notices_a_row_that_resolves_to_something_else() -> None:
    file = {"p": {"models": {"m": {"tool_call": True}, "n": {"tool_call": False}}}}
    rows = list(catalogues.models_dev_rows(file))
    document: Any = from_models_dev(file, DAY)
    models(document, "p")["m"]["tool_calls_supported"] = False
    assert len(list(catalogues.differences(rows, document))) == 1
    del models(document, "p")["n"]
    assert len(list(catalogues.differences(rows, document))) == 1
    assert list(catalogues.differences(rows, None)) == ["the imported registry does not load"]
    silent = [catalogues.Expected("p", "m", None)]
    assert len(list(catalogues.differences(silent, document))) == 1
