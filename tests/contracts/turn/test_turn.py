"""The turn beyond the fixtures: what holds of any request, any message and any outcome."""

import copy
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from commoncall.capability import load_registry
from commoncall.envelope import INVALID_INPUT, Env
from commoncall.payload import Form
from commoncall.payload.flatten import flatten_history
from commoncall.payload.foreign_form import is_ollama_call
from commoncall.payload.history import sanitize_history
from commoncall.turn import OPERATIONS
from commoncall.turn.prepare import prepare
from commoncall.turn.receive import receive
from commoncall.turn.settle import settle
from tests import examples, shared
from tests.contracts.finding_order import in_order

SECRET = "Ж"
"""Stands in no digest, code, fixed text or name of a member, raw or as an escape."""

PREPARE, RECEIVE, SETTLE = (OPERATIONS[f"turn.{name}"] for name in ("prepare", "receive", "settle"))

texts = st.text(st.characters(exclude_categories=()), max_size=6)
json_values = examples.shared(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=10,
    )
)
names = st.sampled_from(["read", "write", "fs.read", "run", " ", SECRET])
ids = st.sampled_from(["a", "b", "", " ", 7, None, "n1"])
arguments = st.sampled_from(
    ["{}", f'{{"{SECRET}": 1}}', f'{{"p": "{SECRET}"', "", "[]", None, {SECRET: [SECRET]}, 3]
)
# One of Ollama, an object of arguments without id and type, is a message that nobody receives here.
calls = json_values | st.fixed_dictionaries(
    {"function": st.fixed_dictionaries({"name": names | json_values, "arguments": arguments})},
    optional={"id": ids, "type": st.just("function")},
).filter(lambda call: not is_ollama_call(call))
messages = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "tool", "robot"])},
        optional={
            "content": st.sampled_from([None, "", "text", SECRET, ["part"]]),
            "tool_calls": st.lists(calls, max_size=3) | json_values,
            "tool_call_id": ids,
        },
    )
    | json_values,
    max_size=5,
)
tools = (
    names.map(lambda name: {"type": "function", "function": {"name": name, "strict": None}})
    | json_values
)
requests = st.fixed_dictionaries(
    {"model": st.just("m")},
    optional={
        "messages": messages | json_values,
        "tools": st.lists(tools, max_size=3) | json_values,
        "tool_choice": st.sampled_from(["auto", "none", "required", None, "any"]),
        "parallel_tool_calls": st.sampled_from([True, False, None, 1]),
        "functions": st.sampled_from([[], [{"name": "f"}], None, {}]),
        "function_call": st.sampled_from(["auto", None]),
    },
)
entries = st.fixed_dictionaries(
    {"tool_calls_supported": st.sampled_from([True, True, True, False, "true"])},
    optional={
        "tool_choice": st.lists(st.sampled_from(["auto", "none", "required"]), unique=True),
        "parallel_tool_calls": st.booleans(),
    },
)
needs = st.sampled_from([None, "tools", "catalogue", "protocol", {"tool": "read"}])
prepare_inputs = examples.shared(
    st.fixed_dictionaries(
        {
            "request": requests | json_values,
            "registries": entries.map(
                lambda entry: [
                    {
                        "registry_version": "1.0",
                        "revision": "1",
                        "providers": {"acme": {"models": {"m": entry}}},
                    }
                ]
            )
            | st.lists(json_values, max_size=2),
            "targets": st.just([{"provider": "acme", "model": "m"}]) | st.lists(json_values),
            "registered": st.lists(names, max_size=4),
            "layers": st.lists(
                st.fixed_dictionaries({"exclude": st.lists(names, max_size=2)}) | json_values,
                max_size=1,
            ),
            "text_protocol": st.booleans(),
            "disposition": st.sampled_from(["skip", "answer"]),
        },
        optional={
            "strict_parsing": st.booleans(),
            "sections": st.lists(
                st.fixed_dictionaries({"id": st.just("s"), "needs": needs, "text": texts}),
                max_size=3,
            ),
            "open_turn": st.booleans(),
            "profile": st.sampled_from([{}, {"strict_field": "any", "ids": "any"}]),
        },
    )
)
leaked = st.lists(
    st.sampled_from(
        [
            '<tool_call>{"name": "read", "arguments": {"p": "' + SECRET + '"}}</tool_call>',
            '<tools>[{"name": "fs.read", "arguments": {}}, {"name": "run"}]</tools>',
            '<tool_call>{"name": "' + SECRET + '", "arguments": {}}</tool_call>',
            '<tool_call>{"name": "read", "arguments": {"' + SECRET,
            "<think>" + SECRET + "</think>",
            "text",
            "\n",
            "",
        ]
    ),
    max_size=4,
).map("".join)
receive_inputs = examples.shared(
    st.fixed_dictionaries(
        {
            "plan": st.fixed_dictionaries(
                {
                    "effective": st.lists(st.sampled_from(["read", "fs.read"]), unique=True),
                    "parse_native_calls": st.sampled_from([True, True, False]),
                    "parse_text_calls": st.sampled_from([True, True, False]),
                }
            ),
            "message": st.fixed_dictionaries(
                {
                    "text": st.none() | leaked | texts,
                    "tool_calls": st.none() | st.just([]) | st.lists(calls, max_size=4),
                },
                optional={"truncated": st.booleans()},
            ),
            "request_id": st.just("r1"),
            "disposition": st.sampled_from(["skip", "answer"]),
        },
        optional={
            "aliases": st.just({"fs_read_4074bc02": "fs.read"}),
            "limits": st.sampled_from([{"payload_bytes": 5}, {"payload_bytes": 5.0}]),
            "key": st.just({"id": "k", "secret_hex": "00"}),
        },
    )
)
outcomes = st.fixed_dictionaries(
    {"status": st.sampled_from(["ok", "error", 1, None])},
    optional={
        "content": json_values | st.just(SECRET),
        "latency_ms": st.sampled_from([0, 1.5, -1, "x", 10**20]),
        "error_type": st.sampled_from(["tool_timeout", "tool_denied", SECRET, None]),
    },
)


def environment() -> Env:
    return Env([" ", "n1", *(f"n{number // 2}" for number in range(40))])


def result_of(operation: Callable[[object, Env], Any], value: object) -> Any:
    """Return the result for an input in form, checked for its shape and the input untouched."""
    before = copy.deepcopy(value)
    outcome = operation(value, environment())
    assert repr(value) == repr(before)
    if "result" in outcome:
        name = next(key for key, each in OPERATIONS.items() if each is operation)
        shape = f"urn:commoncall:v1:{name.replace('.', ':')}#/$defs/result"
        assert shared.read_schemas().errors(shape, outcome["result"]) == []
    return outcome.get("result")


def settled(
    received: dict[str, Any], given_outcomes: list[dict[str, Any]]
) -> tuple[dict[str, Any], Any]:
    """Settle a received turn with as many outcomes as there are, and return both."""
    told = [
        {"seq": call["seq"], **outcome}
        for call, outcome in zip(received["dispatch"], given_outcomes, strict=False)
    ]
    value = {"received": received, "outcomes": told}
    return value, result_of(SETTLE, value)


@given(prepare_inputs)
def test_a_plan_says_what_is_sent(value: dict[str, Any]) -> None:
    result = result_of(PREPARE, value)
    if result is None:
        assert PREPARE(value, Env())["error"]["code"] not in ("invalid_input", "env_exhausted")
        return
    plan, request = result["plan"], result["request"]
    sent = request.get("tools") if isinstance(request, dict) else None
    assert plan["send_tools"] == (sent is not None)
    sent_names = [tool["function"]["name"] for tool in sent or []]
    if plan["send_tools"]:
        originals = {result["aliases"].get(name, name) for name in sent_names}
        assert originals == set(plan["effective"])
        assert plan["history"] == "keep"
    elif isinstance(request, dict):
        assert not request.keys() & {"tool_choice", "functions", "function_call"}
        history = request.get("messages")
        for message in history if isinstance(history, list) else ():
            assert isinstance(message, dict)
            assert "tool_calls" not in message
            assert message["role"] != "tool"
    assert set(plan["effective"]) <= set(value["registered"])


@given(prepare_inputs)
def test_what_was_prepared_is_prepared(value: dict[str, Any]) -> None:
    result = result_of(PREPARE, value)
    if result is not None and not result["aliases"]:
        again = result_of(PREPARE, {**value, "request": result["request"]})
        assert again["request"] == result["request"]
        codes = {finding["code"] for finding in again["findings"]}
        assert codes <= {"layer_malformed", "payload_not_object"}


@given(prepare_inputs)
def test_findings_of_prepare_are_in_order_and_private(value: dict[str, Any]) -> None:
    result = result_of(PREPARE, value)
    if result is not None:
        findings = result["findings"]
        assert in_order(findings) == findings
        assert len({(one["code"], one["path"]) for one in findings}) == len(findings)
        # The names of unknown members of a request are no arguments.
        paths = [finding["path"] for finding in findings]
        assert SECRET not in "".join(path for path in paths if "/messages" in path)


@given(receive_inputs)
def test_every_call_is_run_or_answered(value: dict[str, Any]) -> None:
    result = result_of(RECEIVE, value)
    seqs = [event["seq"] for event in result["planned"]]
    assert seqs == list(range(len(seqs)))
    run, answered = ([call["seq"] for call in result[name]] for name in ("dispatch", "answers"))
    assert sorted([*run, *answered]) == seqs
    stored = [call["seq"] for call in result["calls"]]
    assert set(run) <= set(stored) <= set(seqs)
    assert stored == seqs or value["disposition"] == "skip"
    assert all(call["name"] in value["plan"]["effective"] for call in result["dispatch"])
    # An id that tells a hidden name is `unknown` here, whatever else it was.
    logged = [event["tool_call_id"] for event in result["planned"]]
    taken = [id for id in logged if id != "unknown"]
    assert len(set(taken)) == len(taken)


@given(receive_inputs, st.lists(outcomes, max_size=4))
def test_nothing_of_the_arguments_is_logged(
    value: dict[str, Any], given_outcomes: list[dict[str, Any]]
) -> None:
    received = result_of(RECEIVE, value)
    assert in_order(received["findings"]) == received["findings"]
    _, end = settled(received, given_outcomes)
    logged = [received[name] for name in ("findings", "planned", "answers")]
    text = json.dumps([*logged, end["events"], end["metrics"]], ensure_ascii=False)
    assert SECRET not in text


@given(receive_inputs, st.lists(outcomes, max_size=4))
def test_each_planned_has_its_result(
    value: dict[str, Any], given_outcomes: list[dict[str, Any]]
) -> None:
    received = result_of(RECEIVE, value)
    told, end = settled(received, given_outcomes)
    assert [event["seq"] for event in end["events"]] == [e["seq"] for e in received["planned"]]
    assert [event["tool"] for event in end["events"]] == [e["tool"] for e in received["planned"]]
    assert [output["seq"] for output in end["outputs"]] == [e["seq"] for e in end["events"]]
    refused = {**told, "outcomes": [*told["outcomes"], {"seq": len(end["events"]), "status": "ok"}]}
    assert SETTLE(refused, Env()) == INVALID_INPUT
    assert SETTLE({**told, "outcomes": told["outcomes"] * 2}, Env()) == INVALID_INPUT or (
        not told["outcomes"]
    )


@given(receive_inputs, st.lists(outcomes, max_size=4), st.booleans(), st.booleans())
def test_a_settled_history_is_replayed_as_it_is(
    value: dict[str, Any],
    given_outcomes: list[dict[str, Any]],
    supported: bool,
    text_protocol: bool,
) -> None:
    _, end = settled(result_of(RECEIVE, value), given_outcomes)
    history = end["history"]
    for disposition in ("skip", "answer"):
        clean = sanitize_history(history, disposition=disposition)
        assert clean == {"messages": history, "findings": []}
        read = {"type": "function", "function": {"name": "read", "parameters": {}}}
        following = prepare(
            {"model": "m", "messages": history, "tools": [read]},
            registries=[
                load_registry(
                    {
                        "registry_version": "1.0",
                        "revision": "1",
                        "providers": {
                            "acme": {"models": {"m": {"tool_calls_supported": supported}}}
                        },
                    }
                )
            ],
            targets=[{"provider": "acme", "model": "m"}],
            registered=["read"],
            layers=[],
            text_protocol=text_protocol,
            disposition=disposition,
        )
        sent = following["request"]
        assert isinstance(sent, dict)
        if following["plan"]["history"] == "keep":
            assert sent["messages"] == history
        else:
            form: Form = "blocks" if text_protocol else "quoted"
            flat = flatten_history(history, form=form, effective=following["plan"]["effective"])
            assert sent["messages"] == flat["messages"]


@given(
    st.lists(st.sampled_from(["fs.read", "read", "a b"]), min_size=1, max_size=3),
    st.lists(st.sampled_from(["fs.read", "read", "a b", "fs_read_4074bc02"]), unique=True),
)
def test_a_call_that_is_copied_from_a_text_turn_is_the_call_that_was_made(
    made: list[str], registered: list[str]
) -> None:
    """A native turn calls tools; then a model with the text protocol repeats what it sees."""
    counter = itertools.count()
    plan = {"effective": made, "parse_native_calls": True, "parse_text_calls": True}
    calls = [{"function": {"name": name, "arguments": "{}"}} for name in made]
    value = {"plan": plan, "message": {"text": None, "tool_calls": calls}, "request_id": "r1"}
    value |= {"disposition": "answer"}
    received: Any = RECEIVE(value, Env([f"c{next(counter)}" for _ in made]))["result"]
    outcomes = [{"seq": number, "status": "ok"} for number, _ in enumerate(made)]
    history: Any = SETTLE({"received": received, "outcomes": outcomes}, Env())["result"]
    following: Any = prepare(
        {"model": "m", "messages": history["history"]},
        registries=[],
        targets=[],
        registered=registered,
        layers=[],
        text_protocol=True,
        disposition="answer",
    )
    copied = following["request"]["messages"][0]["content"]
    again = {"plan": following["plan"], "message": {"text": copied, "tool_calls": None}}
    again |= {"request_id": "r2", "disposition": "answer", "aliases": following["aliases"]}
    result: Any = RECEIVE(again, Env([f"d{number}" for number, _ in enumerate(made)]))["result"]
    assert result["answers"] == []
    assume(registered)
    ambiguous = {"fs.read", "fs_read_4074bc02"} <= set(registered)
    run = [call["name"] for call in result["dispatch"]]
    available = [name for name in made if name in registered and not (ambiguous and "." in name)]
    assert [name for name in run if name != "fs_read_4074bc02"] == available


def test_ids_are_random_where_none_are_given() -> None:
    plan = {"effective": ["read"], "parse_native_calls": True, "parse_text_calls": True}
    value = {
        "plan": plan,
        "message": {"text": None, "tool_calls": [{"function": {"name": "read"}}] * 2},
        "request_id": "r1",
        "disposition": "answer",
    }
    result: Any = RECEIVE(value, Env())["result"]
    first, second = (call["id"] for call in result["dispatch"])
    assert first != second
    assert len(first) == 36


def test_the_functions_take_keywords() -> None:
    counter = itertools.count()
    received = receive(
        {"effective": ["read"], "parse_native_calls": True, "parse_text_calls": True},
        {"text": None, "tool_calls": [{"function": {"name": "read", "arguments": "{}"}}]},
        request_id="r1",
        disposition="answer",
        new_id=lambda: f"c{next(counter)}",
    )
    end = settle(received, [{"seq": 0, "status": "ok", "content": "one"}])
    assert [message["role"] for message in end["history"]] == ["assistant", "tool"]
    with pytest.raises(ValueError, match="no dispatched call"):
        settle(received, [{"seq": 1, "status": "ok"}])
    with pytest.raises(ValueError, match="the second of one"):
        settle(received, [{"seq": 0, "status": "ok"}, {"seq": 0, "status": "ok"}])


def test_an_id_of_python_is_taken_by_every_provider() -> None:
    received = receive(
        {"effective": ["read"], "parse_native_calls": True, "parse_text_calls": True},
        {"text": None, "tool_calls": [{"function": {"name": "read"}}] * 3},
        request_id="r1",
        disposition="answer",
    )
    history = settle(received, [])["history"]
    assert len({call["id"] for call in received["calls"]}) == 3
    sent = sanitize_history(history, disposition="answer", profile={"result_name": "any"})
    assert "id_replaced" not in {finding["code"] for finding in sent["findings"]}


def test_findings_are_in_the_order_of_places() -> None:
    paths = ["/layers/10", "/layers/9", "/request/0", "/request/tools/10", "/request/tools/9"]
    found = in_order([{"code": "x", "path": path} for path in paths])
    ordered = ["/layers/9", "/layers/10", "/request/0", "/request/tools/9", "/request/tools/10"]
    assert [finding["path"] for finding in found] == ordered
