"""The set, the plan and the prompt beyond the fixtures: what holds for any JSON."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall.capability import OPERATIONS
from commoncall.capability.effective import effective_tools
from commoncall.capability.plan import plan_turn
from commoncall.capability.prompt import filter_prompt
from commoncall.envelope import Env
from commoncall_kit.suite.data import Suite
from tests import examples, shared

SECRET = "zq9secret"
FINDINGS = {"layer_malformed", "capability_malformed"}

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
json_values = examples.shared(
    st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)
names = st.sampled_from(["read", "Read", "write", "__proto__", "*", ""])
lists = st.lists(names, max_size=4)
policies = st.fixed_dictionaries({}, optional={"allow": st.none() | lists, "exclude": lists})
layers = st.lists(policies.filter(bool), max_size=3)
any_layers = st.lists(policies | json_values, max_size=3)
capabilities = (
    st.fixed_dictionaries(
        {"tool_calls_supported": st.booleans() | json_values},
        optional={
            "tool_choice": st.lists(st.sampled_from(["auto", "none", "named"])) | json_values,
            "parallel_tool_calls": st.booleans() | json_values,
        },
    )
    | json_values
)
messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool"])},
    optional={"content": json_values, "tool_calls": json_values},
)
needs: st.SearchStrategy[Any] = st.sampled_from(
    [None, "tools", "catalogue", "protocol"]
) | st.fixed_dictionaries({"tool": names})
sections = st.lists(
    st.fixed_dictionaries({"id": st.text(max_size=2), "needs": needs, "text": st.text(max_size=3)}),
    max_size=5,
)
inputs = {
    "capability.effective_tools": st.fixed_dictionaries(
        {"registered": lists, "layers": any_layers}
    ),
    "capability.plan_turn": examples.shared(
        st.fixed_dictionaries(
            {
                "registered": lists,
                "layers": any_layers,
                "capability": capabilities,
                "text_protocol": st.booleans(),
            },
            optional={
                "strict_parsing": st.booleans(),
                "messages": st.lists(messages | json_values, max_size=3),
            },
        )
    ),
    "capability.filter_prompt": st.fixed_dictionaries(
        {
            "sections": sections,
            "plan": st.fixed_dictionaries(
                {
                    "effective": lists,
                    "prompt_catalogue": st.booleans(),
                    "prompt_protocol": st.booleans(),
                },
                optional={"protocol": json_values},
            ),
        }
    ),
}
any_input = st.one_of(
    [st.tuples(st.just(operation), values) for operation, values in inputs.items()]
)


@pytest.fixture(scope="module")
def suite() -> Suite:
    return shared.suite()


def run(operation: str, value: object) -> dict[str, Any]:
    """Run an operation and return its result; the input is good."""
    outcome = OPERATIONS[operation](value, Env([]))
    assert list(outcome) == ["result"], outcome
    return dict(outcome["result"])


@given(any_input)
def test_every_result_fits_its_schema(given_input: tuple[str, Any]) -> None:
    operation, value = given_input
    assert shared.faults_of_result(operation, run(operation, value)) == []


@given(st.sampled_from(["registered", "layers", "capability", "messages"]), json_values)
def test_no_finding_tells_what_the_input_holds(member: str, inner: object) -> None:
    told = {SECRET: [SECRET, inner]}
    value: dict[str, Any] = {
        "registered": ["a", "a"],
        "layers": [{}],
        "capability": {"tool_choice": 1},
        "text_protocol": False,
        "messages": [],
    }
    value[member] = [SECRET, SECRET] if member == "registered" else told
    if member in ("layers", "messages"):
        value[member] = [told]
    findings = run("capability.plan_turn", value)["findings"]
    assert {finding["code"] for finding in findings} <= FINDINGS
    assert SECRET not in json.dumps(findings)


@given(lists, layers, st.randoms(use_true_random=False))
def test_the_order_of_layers_does_not_matter(registered: list[str], given: Any, dice: Any) -> None:
    shuffled = dice.sample(given, len(given))
    assert effective_tools(registered, shuffled) == effective_tools(registered, given)


@given(lists, any_layers, policies | json_values)
def test_a_layer_only_narrows(registered: list[str], given: list[object], more: object) -> None:
    before = effective_tools(registered, given)["effective"]
    after = effective_tools(registered, [*given, more])["effective"]
    assert [name for name in before if name in after] == after
    assert [name for name in dict.fromkeys(registered) if name in before] == before


@given(lists, layers)
def test_an_effective_set_stays_as_it_is(registered: list[str], given: list[object]) -> None:
    tools = effective_tools(registered, given)["effective"]
    again = effective_tools(tools, given)
    assert (again["effective"], again["findings"]) == (tools, [])


@given(inputs["capability.plan_turn"])
def test_every_checkpoint_of_a_plan_agrees_with_its_set(value: dict[str, Any]) -> None:
    plan = run("capability.plan_turn", value)
    tools = effective_tools(value["registered"], value["layers"])["effective"]
    assert plan["effective"] in ([], tools)
    assert bool(plan["effective"]) == (plan["protocol"] != "none")
    uses = (
        "send_tools",
        "prompt_catalogue",
        "prompt_protocol",
        "parse_native_calls",
        "parse_text_calls",
    )
    if not plan["effective"]:
        assert not any(plan[name] for name in (*uses, "send_tool_choice"))
        assert plan["send_parallel_tool_calls"] is False
    assert plan["send_tools"] == plan["parse_native_calls"]
    assert plan["prompt_catalogue"] == plan["prompt_protocol"]
    assert not (plan["prompt_protocol"] and not plan["parse_text_calls"])


@given(sections, inputs["capability.plan_turn"])
def test_an_empty_set_sends_prompts_and_parses_nothing(
    given: list[Any], value: dict[str, Any]
) -> None:
    plan = plan_turn(**{**value, "layers": [*value["layers"], {"allow": []}]})
    decisive = {key: one for key, one in plan.items() if key not in ("findings", "history")}
    assert decisive == {
        "protocol": "none",
        "effective": [],
        "send_tools": False,
        "send_tool_choice": [],
        "send_parallel_tool_calls": False,
        "prompt_catalogue": False,
        "prompt_protocol": False,
        "parse_native_calls": False,
        "parse_text_calls": False,
        "strip_reasoning": True,
    }
    assert all(section["needs"] is None for section in filter_prompt(given, plan))


@given(inputs["capability.plan_turn"], policies | json_values)
def test_a_further_layer_adds_nothing_to_a_plan(value: dict[str, Any], more: object) -> None:
    before = plan_turn(**value)
    after = plan_turn(**{**value, "layers": [*value["layers"], more]})
    assert set(after["effective"]) <= set(before["effective"])
    for member in ("send_tools", "prompt_catalogue", "parse_native_calls", "parse_text_calls"):
        assert before[member] or not after[member]


@given(sections, inputs["capability.plan_turn"])
def test_a_prompt_names_effective_tools_only(given: list[Any], value: dict[str, Any]) -> None:
    plan = plan_turn(**value)
    kept = filter_prompt(given, plan)
    assert all(any(one is section for section in given) for one in kept)
    for section in kept:
        if isinstance(section["needs"], dict):
            assert section["needs"]["tool"] in plan["effective"]
        elif not plan["effective"]:
            assert section["needs"] is None
    general = [section for section in given if section["needs"] is None]
    assert [section for section in kept if section["needs"] is None] == general
    assert filter_prompt(kept, plan) == kept


def checkpoint(suite: Suite, operation: str) -> dict[str, Any]:
    """Return input and result of the checkpoint cases of an operation, by their endings."""
    start = f"{operation}.checkpoint-"
    return {
        case.id.removeprefix(start): {"input": case.input, **case.expect}
        for case in suite.cases
        if case.id.startswith(start)
    }


def test_one_plan_stands_at_all_checkpoints(suite: Suite) -> None:
    planned, prepared = (
        checkpoint(suite, name) for name in ("capability.plan_turn", "turn.prepare")
    )
    filtered, received = (
        checkpoint(suite, name) for name in ("capability.filter_prompt", "turn.receive")
    )
    assert len(planned) == 6
    assert planned.keys() == prepared.keys() == filtered.keys() == received.keys()
    for ending, case in planned.items():
        plan = case["result"]
        others = filtered[ending]["input"]["plan"], received[ending]["input"]["plan"]
        assert (plan, plan, plan) == (*others, prepared[ending]["result"]["plan"])


def test_every_checkpoint_has_the_names_of_the_plan(suite: Suite) -> None:
    prepared, received = (checkpoint(suite, name) for name in ("turn.prepare", "turn.receive"))
    for ending, case in prepared.items():
        plan, request = case["result"]["plan"], case["result"]["request"]
        names = plan["effective"]
        sent = [tool["function"]["name"] for tool in request.get("tools", [])]
        assert sent == (names if plan["send_tools"] else [])
        needs = [section["needs"] for section in case["result"]["sections"]]
        assert [need["tool"] for need in needs if isinstance(need, dict)] == names
        run_names = [call["name"] for call in received[ending]["result"]["dispatch"]]
        assert run_names == names


def test_the_defaults_are_those_of_the_operation() -> None:
    capability = {"tool_calls_supported": True}
    given = {"registered": ["a"], "layers": [], "capability": capability, "text_protocol": False}
    plan = plan_turn(["a"], [], capability, text_protocol=False)
    assert plan == run("capability.plan_turn", given)


def test_a_filtered_prompt_has_the_given_sections() -> None:
    section: Any = {"id": "a", "needs": None, "text": "A"}
    plan = plan_turn([], [], None, text_protocol=False)
    assert filter_prompt([section], plan)[0] is section


def test_each_section_is_looked_up_once() -> None:
    """However many names are effective: no list of them is read for each section."""
    compared = 0

    class Name(str):
        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return str.__eq__(self, str(other))

        __hash__ = str.__hash__

    names = [Name(f"tool{at}") for at in range(500)]
    sections: Any = [{"id": name, "needs": {"tool": str(name)}, "text": ""} for name in names]
    plan: Any = {"effective": names, "prompt_catalogue": False, "prompt_protocol": False}
    assert filter_prompt(sections, plan) == sections
    assert compared < 5000
