"""`check_tool_call` beyond the fixtures: what holds for any JSON, and the function in Python."""

import json
import math
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall.envelope import Env
from commoncall.json_text import JsonTextError, decode, equal, is_blank, too_deep
from commoncall.payload import OPERATIONS
from commoncall.payload.tool_call import ArgumentsCode, CallCode, NameCode, check_tool_call
from tests import examples, shared

OPERATION = OPERATIONS["payload.check_tool_call"]
SECRET = "zq9secret"

any_character = st.characters(exclude_categories=())  # Surrogates too: harnesses can deliver them.
texts = st.text(any_character, max_size=12)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
json_values = examples.shared(
    st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(texts | st.just("__proto__"), inner, max_size=4)
        ),
        max_leaves=12,
    )
)
fragments = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        '"',
        ":",
        ",",
        " ",
        "\n",
        "\ufeff",
        "\\",
        "\\ud800",
        "NaN",
        "1e400",
        "-0",
        "null",
        "a",
        "\0",
    ]
)
argument_texts = st.lists(fragments, max_size=12).map("".join) | json_values.map(json.dumps) | texts


def members(**strategies: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    """Objects that have any of the members, so that most examples come deep into the check."""
    return st.fixed_dictionaries({}, optional=strategies)


functions = members(
    name=texts | json_values, arguments=argument_texts | json_values, other=json_values
)
calls = members(id=json_values, type=json_values, function=functions | json_values) | json_values
parameters = members(type=st.just("object"), required=json_values) | json_values
tools = members(function=members(name=texts, parameters=parameters) | json_values) | json_values
inputs = examples.shared(
    st.fixed_dictionaries(
        {"tool_call": calls},
        optional={"truncated": st.booleans(), "tool": tools},
    )
)


@pytest.fixture(scope="module")
def schema(root: Path) -> dict[str, object]:
    text = (root / "schemas/v1/payload/check_tool_call.schema.json").read_text(encoding="utf-8")
    document: dict[str, object] = json.loads(text)
    return document


def run(value: object) -> dict[str, object]:
    """Run the operation and return its result; the input is good."""
    outcome = OPERATION(value, Env([]))
    assert list(outcome) == ["result"], outcome
    return dict(outcome["result"])


@given(inputs)
def test_every_result_fits_its_schema(value: dict[str, object]) -> None:
    assert shared.faults_of_result("payload.check_tool_call", run(value)) == []


@given(inputs)
def test_good_arguments_are_what_their_text_says(value: dict[str, object]) -> None:
    result = run(value)
    text = result["arguments_json"]
    if isinstance(text, str):
        assert equal(decode(text), result["arguments"])
    else:
        assert text is None
        assert result["arguments"] is None


@given(inputs, argument_texts, st.booleans())
def test_no_finding_tells_what_the_arguments_hold(
    value: dict[str, object], text: str, parsed: bool
) -> None:
    secret = f"{text}{SECRET}"
    arguments: object = [{secret: secret}] if parsed else secret
    value["tool_call"] = {"function": {"name": 1, "arguments": arguments}}
    findings = run(value)["findings"]
    assert findings
    assert SECRET not in json.dumps(findings)


@given(inputs)
def test_a_cut_output_has_no_arguments_that_may_go_on(value: dict[str, object]) -> None:
    whole = json.dumps(run({**value, "truncated": False}))
    cut = json.dumps(run({**value, "truncated": True}))
    match value["tool_call"]:
        case {"function": {"arguments": str(text)}} if not is_blank(text):
            assert cut in (whole, whole.replace("arguments_invalid_json", "arguments_truncated"))
        case {"function": {"arguments": str() | None}}:
            assert '"arguments_truncated"' in cut
        case {"function": dict() as function} if "arguments" not in function:
            assert '"arguments_truncated"' in cut
        case _:
            assert cut == whole


@given(st.text("\t\n\r \u00a0", max_size=3), tools)
def test_a_blank_text_is_admitted_for_a_tool_that_requires_nothing_only(
    text: str, tool: object
) -> None:
    call = {"function": {"name": "now", "arguments": text}}
    check = check_tool_call(call, tool=tool)
    match tool:
        case {"function": {"parameters": {"required": [] | None} | [] | None}}:
            admitted = True
        case {"function": {"parameters": {"required": _}}}:
            admitted = False
        case {"function": {"parameters": dict()}}:
            admitted = True
        case {"function": {"parameters": _}}:
            admitted = False
        case {"function": dict()}:
            admitted = True
        case _:
            admitted = False
    assert check["valid"] is admitted
    assert check["arguments_json"] == ("{}" if admitted else None)


@given(st.text(any_character, min_size=1, max_size=3))
def test_every_visible_name_is_kept(name: str) -> None:
    check = check_tool_call({"function": {"name": name}})
    assert check["name"] == (None if is_blank(name) else name)


def test_the_schema_lists_the_codes_of_the_function(schema: dict[str, object]) -> None:
    declared = {code for kind in (CallCode, NameCode, ArgumentsCode) for code in get_args(kind)}
    text = json.dumps(schema["$defs"])
    assert all(f'"{code}"' in text for code in declared)
    listed = set[str]()
    for branch in json.loads(text)["finding"]["oneOf"]:
        code = branch["properties"]["code"]
        listed |= set(code.get("enum", [code.get("const")]))
    assert listed == declared


def test_the_defaults_are_those_of_the_operation() -> None:
    call = {"function": {"name": "now", "arguments": ""}}
    assert check_tool_call(call) == run({"tool_call": call})


def test_parsed_arguments_stay_the_object_that_was_given() -> None:
    arguments = {"b": [1], "a": None}
    check = check_tool_call({"function": {"name": "edit", "arguments": arguments}})
    assert check["arguments"] is arguments
    assert check["arguments_json"] == '{"b":[1],"a":null}'


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, -math.inf, 10**400, 10**5000],
    ids=["nan", "inf", "-inf", "401-digits", "5001-digits"],
)
def test_a_number_that_json_cannot_hold_gives_no_text(value: float) -> None:
    check = check_tool_call({"function": {"name": "edit", "arguments": {"n": [value]}}})
    path = "/tool_call/function/arguments"
    assert check["findings"] == [{"code": "arguments_invalid_json", "path": path}]
    assert check["arguments"] is None


@pytest.mark.parametrize(("depth", "valid"), [(128, True), (129, False), (100_000, False)])
def test_parsed_arguments_have_the_depth_limit_too(depth: int, valid: bool) -> None:
    arguments: dict[str, object] = {}
    for _ in range(depth - 1):
        arguments = {"a": arguments}
    check = check_tool_call({"function": {"name": "edit", "arguments": arguments}})
    assert check["valid"] is valid
    assert [finding["code"] for finding in check["findings"]] == ["arguments_too_deep"] * (
        not valid
    )


def test_an_object_text_of_depth_128_is_good() -> None:
    # No fixture can show this one: data in a case nests at most 48 deep.
    text = '{"a":' + "[" * 127 + "]" * 127 + "}"
    check = check_tool_call({"function": {"name": "edit", "arguments": text}})
    assert check["valid"]
    assert check["arguments_json"] == text
    assert not too_deep(check["arguments"])


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("digits", [308, 309, 310, 618, 5000])
def test_an_integer_beyond_binary64_is_found_wherever_it_stands(digits: int, sign: str) -> None:
    for before in range(0, 700, 7):
        text = f'["{"x" * before}", {sign}{"9" * digits}]'
        if digits == 308:
            assert decode(text) == ["x" * before, int(f"{sign}{'9' * digits}")]
        else:
            with pytest.raises(JsonTextError):
                decode(text)
