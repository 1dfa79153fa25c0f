"""`sanitize_request` beyond the fixtures: what holds for any JSON, and the function in Python."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall.envelope import Env
from commoncall.json_text import encodable, is_blank
from commoncall.payload import OPERATIONS, RequestRefusedError, sent_name
from commoncall.payload.profile import REFUSALS
from commoncall.payload.refusals import _ROWS
from commoncall.payload.request import sanitize_request
from tests import examples, shared
from tests.evidence.request_judges.flags import VALUES
from tests.evidence.request_judges.strict import violations
from tests.measuring import lines_run

OPERATION = OPERATIONS["payload.sanitize_request"]
SECRET = "zq9secret"
SUPPORTED = {"tool_calls_supported": True}
COMBINATIONS = {"oneOf", "anyOf", "allOf", "not", "enum", "$ref"}
FIELDS = ("tools", "tool_choice", "parallel_tool_calls", "functions", "function_call")

any_character = st.characters(exclude_categories=())  # Surrogates too: harnesses can deliver them.
texts = st.text(any_character, max_size=8)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
json_values = examples.shared(
    st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(texts | st.just("__proto__"), inner, max_size=3)
        ),
        max_leaves=8,
    )
)


def members(**strategies: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects that have any of the members, so that most examples come deep into the sanitizer."""
    return st.fixed_dictionaries({}, optional=strategies)


names = st.sampled_from(["a", "b", "A", "a.b", "a/b", "a_b_", sent_name("a.b"), "", " "]) | texts
roots = members(
    type=st.sampled_from(["object", "object", "object", None, "array"]),
    properties=st.dictionaries(texts, json_values, max_size=2) | st.sampled_from([None, [], [1]]),
    required=st.lists(texts, max_size=2) | st.none(),
    anyOf=st.none() | st.lists(json_values, max_size=1),
    x=json_values,
)
functions = members(
    name=names,
    parameters=st.just({"type": "object", "properties": {}}) | roots | json_values,
    strict=st.booleans() | json_values,
    description=texts | json_values,
    x=json_values,
)
good_tools = st.builds(
    lambda name, more: {"type": "function", "function": {**more, "name": name}},
    names,
    functions,
)
tools = good_tools | members(type=st.just("function"), function=functions, y=json_values)
choices = (
    st.sampled_from(["auto", "none", "required", "any", None])
    | st.builds(lambda name: {"type": "function", "function": {"name": name}}, names)
    | json_values
)
requests = members(
    model=texts,
    messages=json_values,
    tools=st.lists(tools | json_values, max_size=4) | json_values,
    tool_choice=choices,
    parallel_tool_calls=st.booleans() | json_values,
    functions=st.lists(functions, max_size=2) | json_values,
    function_call=choices,
    x=json_values,
)
clean_requests = examples.shared(
    st.fixed_dictionaries(
        {"tools": st.lists(good_tools, min_size=1, max_size=4)},
        optional={"tool_choice": choices, "parallel_tool_calls": st.booleans(), "x": json_values},
    )
)
kinds = st.sampled_from(["auto", "none", "required", "named"])
capabilities = (
    st.fixed_dictionaries(
        {"tool_calls_supported": st.just(True)},
        optional={
            "tool_choice": st.none() | st.lists(kinds, max_size=4) | json_values,
            "parallel_tool_calls": st.booleans() | json_values,
        },
    )
    | json_values
)
flags = {name: st.sampled_from(values) for name, values in VALUES.items()}
del flags["effort_beside_tools"]  # which adds a member
profiles = members(
    **flags
    | {
        "max_tools": st.none() | st.integers(1, 3) | st.just(2.0),
        "max_description": st.none() | st.integers(1, 4) | st.just(3.0),
    }
)
inputs = examples.shared(
    st.fixed_dictionaries(
        {"request": requests | clean_requests | json_values, "capability": capabilities},
        optional={"profile": profiles},
    )
)


@pytest.fixture(scope="module")
def schema(root: Path) -> dict[str, Any]:
    file = root / "schemas/v1/payload/sanitize_request.schema.json"
    return dict(json.loads(file.read_text(encoding="utf-8")))


def run(value: object) -> Any:
    """The result, or None where the answer is an error."""
    return OPERATION(value, Env([])).get("result")


def can_be_sent(function: dict[str, Any]) -> bool:
    """Tell whether the parameters of a function are safe, read off the definition."""
    parameters = function.get("parameters")
    if parameters is None or parameters == []:
        return True
    if not isinstance(parameters, dict):
        return False
    stated = {name: value for name, value in parameters.items() if value is not None}
    if stated.get("properties") == []:
        del stated["properties"]
    whole = {"properties": {}, **stated, "type": stated.get("type", "object")}
    if isinstance(whole["properties"], dict) and whole["properties"]:
        whole = {name: value for name, value in whole.items() if name not in COMBINATIONS}
    return complaints_of_a_root(whole) == []


def complaints_of_a_root(parameters: Any) -> list[str]:
    found = []
    if not isinstance(parameters, dict) or parameters.get("type") != "object":
        return ["no object schema"]
    if not isinstance(parameters.get("properties"), dict):
        found.append("properties")
    required = parameters.get("required", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        found.append("required")
    elif len(set(required)) < len(required):
        found.append("required twice")
    if COMBINATIONS & parameters.keys():
        found.append("combinator")
    return found


@given(inputs)
def test_every_answer_is_a_result_in_form_or_a_known_error(value: dict[str, Any]) -> None:
    outcome = OPERATION(value, Env([]))
    if "error" in outcome:
        error: dict[str, object] = dict(outcome["error"])
        code = error.pop("code")
        assert error == {}
        assert code in (
            "legacy_and_tools",
            "too_many_tools",
            "duplicate_tool",
            "choice_malformed",
            "choice_unknown_tool",
            "choice_unsupported",
        )
    else:
        assert shared.faults_of_result("payload.sanitize_request", outcome["result"]) == []


@given(inputs)
def test_what_comes_out_is_accepted_by_a_judge_of_its_own(value: dict[str, Any]) -> None:
    result = run(value)
    if result and isinstance(result["request"], dict):
        fields = {**result["request"], "messages": []}
        profile = value.get("profile")
        assert violations(fields, capability=value["capability"], profile=profile) == []


@given(inputs)
def test_what_comes_out_goes_in_again_unchanged(value: dict[str, Any]) -> None:
    result = run(value)
    if result and isinstance(result["request"], dict):
        again = run({**value, "request": result["request"]})
        assert repr(again) == repr({"request": result["request"], "aliases": {}, "findings": []})


@given(inputs)
def test_a_member_has_a_finding_iff_it_is_gone_or_changed(value: dict[str, Any]) -> None:
    result, request = run(value), value["request"]
    if not result or not isinstance(request, dict) or encodable([*request]) != [*request]:
        return  # or names become others (PAY-159)
    sent = result["request"]
    assert not sent.keys() - request.keys()
    # In the order of the request, and nothing else is touched.
    assert [name for name in request if name in sent] == list(sent)
    for name in request.keys() - FIELDS:
        assert (name in sent) is (name == "messages" or request[name] is not None)
        given = request[name]
        assert name not in sent or sent[name] is given or sent[name] == encodable(given) != given
    paths = [finding["path"] for finding in result["findings"]]
    assert len(paths) == len(set(paths))
    # A name or a string of a member that stays can become another (PAY-159).
    gone = [one["path"] for one in result["findings"] if one["code"] != "surrogate_replaced"]
    for name in FIELDS:
        assert (f"/request/{name}" in gone) is (name in request and name not in sent)
    if not paths:
        assert repr(sent) == repr(request)
        assert result["aliases"] == {}


@given(inputs)
def test_positions_of_findings_are_those_of_the_given_array(
    value: dict[str, Any],
) -> None:
    result = run(value)
    for finding in result["findings"] if result else []:
        match finding["path"].split("/"):
            case ["", "request", "tools", position, *_]:
                assert int(position) < len(value["request"]["tools"])


@given(clean_requests, st.dictionaries(texts, st.just(SECRET), max_size=2))
def test_no_finding_tells_what_a_tool_holds(
    request: dict[str, Any], schema_members: dict[str, str]
) -> None:
    for tool in request["tools"]:
        tool["function"] |= {"description": SECRET, "parameters": {SECRET: schema_members}}
        tool["function"]["name"] = f"{SECRET}.{tool['function']['name']}"
    request["tool_choice"] = "auto"
    outcome = OPERATION({"request": request, "capability": SUPPORTED}, Env([]))
    said: object = outcome.get("error") or dict(outcome["result"])["findings"]
    assert SECRET not in json.dumps(said)


@given(inputs)
def test_only_the_json_value_true_supports_tools(value: dict[str, Any]) -> None:
    capability = value["capability"]
    supported = isinstance(capability, dict) and capability.get("tool_calls_supported") is True
    result = run(value)
    if result and isinstance(result["request"], dict) and not supported:
        assert not result["request"].keys() & set(FIELDS)


@given(clean_requests, st.lists(kinds, max_size=4))
def test_what_is_sent_is_offered(request: dict[str, Any], offered: list[str]) -> None:
    result = run({"request": request, "capability": {**SUPPORTED, "tool_choice": offered}})
    match result and result["request"]:
        case {"tool_choice": str(choice)}:
            assert choice in offered
        case {"tool_choice": _}:
            assert "named" in offered


@given(clean_requests)
def test_aliases_lead_back_to_the_given_names(request: dict[str, Any]) -> None:
    result = run({"request": request, "capability": SUPPORTED})
    if not result:
        return
    given_names = [
        tool["function"]["name"]
        for tool in request["tools"]
        if not is_blank(tool["function"]["name"]) and can_be_sent(tool["function"])
    ]
    sent = [tool["function"]["name"] for tool in result["request"].get("tools", [])]
    assert [result["aliases"].get(name, name) for name in sent] == given_names
    assert not result["aliases"].keys() - set(sent)


def test_an_error_is_an_exception_in_python() -> None:
    tool = {"type": "function", "function": {"name": "sum"}}
    with pytest.raises(RequestRefusedError) as caught:
        sanitize_request({"tools": [tool, tool]}, capability=SUPPORTED)
    assert caught.value.error == {"code": "duplicate_tool"}
    assert str(caught.value) == "duplicate_tool"


def test_what_nobody_changed_is_shared_with_the_given_request() -> None:
    messages = [{"role": "user", "content": "hi"}]
    request = {"messages": messages, "tools": []}
    sanitized = sanitize_request(request, capability=None, profile={})
    assert isinstance(sanitized["request"], dict)
    assert sanitized["request"]["messages"] is messages
    assert request == {"messages": messages, "tools": []}


def test_half_a_surrogate_pair_in_a_name_has_a_sent_form() -> None:
    # No fixture can show this one: the alias holds the half, which no authored file can.
    tool = {"type": "function", "function": {"name": "\ud800", "parameters": {}}}
    sanitized = sanitize_request({"tools": [tool]}, capability=SUPPORTED)
    assert sanitized["aliases"] == {"__91a681b9": "\ud800"}


def clean_tool(number: int) -> dict[str, Any]:
    """A tool about which there is nothing to do."""
    parameters = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    function = {"name": f"tool_{number}", "description": "Does it.", "parameters": parameters}
    return {"type": "function", "function": function}


@pytest.mark.parametrize("profile", [None, {}, {"strict_field": "uniform"}])
def test_a_clean_request_is_shared_down_to_its_tools(profile: dict[str, Any] | None) -> None:
    request = {"tools": [clean_tool(n) for n in range(3)], "tool_choice": "auto", "x": {"y": 1}}
    sanitized = sanitize_request(request, capability=SUPPORTED, profile=profile)
    assert sanitized["findings"] == []
    sent: Any = sanitized["request"]
    assert all(sent[name] is value for name, value in request.items())


def test_of_a_tool_that_changes_the_rest_is_shared() -> None:
    tools = [clean_tool(0), clean_tool(1), clean_tool(2)]
    tools[1]["function"] |= {"strict": True, "x": [1]}
    tools[2]["function"]["parameters"].pop("type")
    request: dict[str, Any] = {"tools": tools}
    sent: Any = sanitize_request(request, capability=SUPPORTED, profile={})["request"]
    assert sent["tools"][0] is tools[0]
    assert sent["tools"][1]["function"]["x"] is tools[1]["function"]["x"]
    assert sent["tools"][1]["function"]["parameters"] is tools[1]["function"]["parameters"]
    given, now = (
        each[2]["function"]["parameters"]["properties"] for each in (tools, sent["tools"])
    )
    assert now is given


def steps(request: object, profile: dict[str, Any]) -> int:
    return lines_run(lambda: sanitize_request(request, capability=SUPPORTED, profile=profile))


def test_the_steps_grow_with_the_tools_and_with_the_messages_by_a_look_at_each() -> None:
    profile: dict[str, Any] = {"strict_field": "uniform", "max_tools": None}

    def request(count: int, messages: int) -> dict[str, Any]:
        tools = [clean_tool(n) for n in range(count)]
        for tool in tools[::2]:
            tool["function"] |= {"name": tool["function"]["name"] + ".", "strict": False}
            tool["function"]["parameters"] = {"required": ["a"]}
        return {"tools": tools, "messages": [{"role": "user"}] * messages}

    few, many = steps(request(100, 1), profile), steps(request(800, 1), profile)
    assert many <= 8 * few
    # A look at each message, for each sign of another interface (PAY-167).
    assert steps(request(100, 1000), profile) <= few + 50 * 1000


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ({"strict": True}, "profile: strict is no known member"),
        ({"max_tools": 0}, "profile: max_tools must be at least 1"),
        ({"name_start": ["any"]}, 'profile: name_start must be one of "any", "letter"'),
    ],
)
def test_a_bad_profile_is_one_line(profile: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        sanitize_request({}, capability=SUPPORTED, profile=profile)


def test_each_refusal_has_a_row_or_is_the_code_of_its_name() -> None:
    codes = {row["code"] for row in shared.documents().manifest["codes"]["findings"]}
    assert {*REFUSALS} <= _ROWS.keys() | codes
    assert _ROWS.keys() <= {*REFUSALS}
