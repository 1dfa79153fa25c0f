"""`record_calls` and `Recorder` beyond the fixtures: any JSON, privacy, calls that overlap."""

import json
import math
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from commoncall import adapter
from commoncall.envelope import Env, EnvExhausted
from commoncall.event import (
    BOUNDS,
    CANNED_RESULT,
    MESSAGES,
    OPERATIONS,
    ErrorType,
    Key,
    Recorder,
    hash_arguments,
    measure,
)
from tests import examples, shared

OPERATION = OPERATIONS["event.record_calls"]

any_character = st.characters(exclude_categories=())  # Surrogates too: harnesses can deliver them.
texts = st.text(any_character, max_size=8)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
json_values = examples.shared(
    st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
        max_leaves=8,
    )
)
names = st.sampled_from(["echo", "search", "", " ", "unknown", "rm_rf", "\ud800"]) | texts
argument_texts = (
    st.sampled_from(["{}", '{"a":1}', "", "null", "[", "[]", '{"a":1e400}', '{"a":"\\ud800"}'])
    | texts
    | json_values.map(json.dumps)
)
payloads = (
    st.fixed_dictionaries(
        {}, optional={"tool": names | json_values, "arguments": json_values, "x": json_values}
    ).map(json.dumps)
    | argument_texts
)
outcomes = st.fixed_dictionaries(
    {"status": st.sampled_from(["ok", "error"]) | json_values},
    optional={
        "latency_ms": st.integers(-5, 100_000) | st.floats() | json_values,
        "error_type": st.sampled_from(get_args(ErrorType)) | json_values,
        "content": json_values,
    },
)
optional: dict[str, st.SearchStrategy[object]] = {
    "tool_call_id": texts,
    "args_schema_version": texts,
    "outcome": outcomes,
}
calls = st.fixed_dictionaries({"payload": payloads}, optional=optional) | st.fixed_dictionaries(
    {"name": st.none() | names, "arguments_json": st.none() | argument_texts}, optional=optional
)
keys = st.fixed_dictionaries({"id": texts, "secret_hex": st.binary(min_size=1).map(bytes.hex)})
inputs = examples.shared(
    st.fixed_dictionaries(
        {
            "request_id": texts,
            "calls": st.lists(calls, max_size=6),
            "effective": st.lists(names, max_size=4),
        },
        optional={
            "limits": st.fixed_dictionaries({"payload_bytes": st.integers(1, 40)}),
            "key": keys,
        },
    )
)


@pytest.fixture(scope="module")
def result_validator(root: Path) -> Draft202012Validator:
    text = (root / "schemas/v1/event/record_calls.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator({**json.loads(text), "$ref": "#/$defs/result"})


def run(value: object, clock: int = 12) -> dict[str, Any]:
    """Run the operation with a clock that is read often enough; the input is good."""
    outcome = OPERATION(value, Env([], list(range(clock))))
    assert list(outcome) == ["result"], outcome
    return dict(outcome["result"])


@given(inputs)
def test_every_result_fits_its_schema(value: dict[str, object]) -> None:
    result = run(value)
    assert shared.faults_of_result("event.record_calls", result) == []
    json.dumps(result, allow_nan=False)


@given(inputs)
def test_every_call_has_both_events_and_one_output(value: dict[str, Any]) -> None:
    result = run(value)
    events = result["events"]
    assert [event["seq"] for event in events] == [
        seq for seq in range(len(value["calls"])) for _ in range(2)
    ]
    assert [event["type"] for event in events] == ["ToolCallPlanned", "ToolCallResult"] * len(
        value["calls"]
    )
    results = [event for event in events if event["type"] == "ToolCallResult"]
    assert [output["seq"] for output in result["outputs"]] == [event["seq"] for event in results]
    assert {event["tool"] for event in events} <= {*value["effective"], "unknown"}
    assert all((event["status"] == "error") == ("error_type" in event) for event in results)
    for event in events:
        nulls = {name for name, item in event.items() if item is None}
        assert nulls <= {"args_preview_hash"}


@given(inputs)
def test_metrics_and_results_agree(value: dict[str, object]) -> None:
    result = run(value)
    results = [event for event in result["events"] if event["type"] == "ToolCallResult"]
    metrics = result["metrics"]
    assert sum(row["value"] for row in metrics["tool_calls_total"]) == len(results)
    for row in metrics["tool_call_latency_ms"]:
        seen = [each for each in results if "latency_ms" in each and each["tool"] == row["tool"]]
        assert row["count"] == len(seen) > 0
        assert row["buckets"] == sorted(row["buckets"])
        assert row["buckets"][-1] == row["count"]
        assert math.isfinite(row["sum"])


@given(inputs)
def test_the_hash_is_that_of_hash_arguments(value: dict[str, Any]) -> None:
    key = value.get("key")
    secret = None if key is None else Key(key["id"], bytes.fromhex(key["secret_hex"]))
    events = run(value)["events"]
    for call, planned in zip(value["calls"], events[::2], strict=True):
        if planned["args_preview_hash"] is None:
            continue
        if "payload" in call:
            expected = hash_arguments(json.loads(call["payload"]).get("arguments"), key=secret)
        else:
            expected = hash_arguments(arguments_json=call["arguments_json"], key=secret)
        assert planned["args_preview_hash"] == expected["args_preview_hash"]


def test_the_fixed_texts_are_those_of_the_specification(root: Path) -> None:
    page = (root / "spec/v1/codes.md").read_text(encoding="utf-8").split("## Fixed texts")[1]
    rows = dict(re.findall(r"^\| `(tool_[a-z_]+)` \| (.*) \|$", page, re.MULTILINE))
    assert rows == MESSAGES
    assert tuple(MESSAGES) == get_args(ErrorType)


def test_the_bounds_are_those_of_the_specification(root: Path) -> None:
    page = (root / "spec/v1/event.md").read_text(encoding="utf-8")
    assert "for each n from 0 to 13 how many of them" in page
    assert [*BOUNDS] == [10 * 2**n for n in range(14)]


PLANNED = {
    "type": "ToolCallPlanned",
    "request_id": "r1",
    "seq": 0,
    "tool": "echo",
    "args_preview_hash": "0" * 64,
}
OK = {"type": "ToolCallResult", "request_id": "r1", "seq": 0, "tool": "echo", "status": "ok"}
FAILED = {**OK, "status": "error", "error_type": "tool_error", "message": "The tool call failed."}


@pytest.mark.parametrize("event", [PLANNED, OK, {**OK, "latency_ms": 0}, FAILED])
def test_the_schema_accepts_an_event(
    result_validator: Draft202012Validator, event: dict[str, object]
) -> None:
    assert result_validator.is_valid(around(event))


@pytest.mark.parametrize(
    "event",
    [
        {**PLANNED, "arguments": {}},
        {**PLANNED, "seq": -1},
        {**PLANNED, "args_preview_hash": "0" * 32},
        {**PLANNED, "tool_call_id": None},
        {**OK, "status": "done"},
        {**OK, "error_type": "tool_error", "message": "The tool call failed."},
        {**OK, "latency_ms": None},
        {**OK, "latency_ms": -1},
        {**OK, "status": "error"},
        {**FAILED, "error_type": "ValueError"},
        {**FAILED, "message": "unexpected token"},
    ],
)
def test_the_schema_refuses_an_event(
    result_validator: Draft202012Validator, event: dict[str, object]
) -> None:
    assert not result_validator.is_valid(around(event))


def around(event: dict[str, object]) -> dict[str, object]:
    """Return a result that holds one event."""
    metrics: dict[str, object] = {"tool_calls_total": [], "tool_call_latency_ms": []}
    return {"events": [event], "metrics": metrics, "outputs": []}


@pytest.mark.parametrize(
    "text", ["x" * 8193, "[" * 8193, '{"tool":"a","arguments":null}' + " " * 8165, "é" * 4097]
)
def test_what_is_too_large_does_not_reach_the_parser(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """EVT-021, and the same for an arguments text with a limit."""

    def parser(text: str) -> object:
        raise AssertionError

    monkeypatch.setattr("commoncall.event.checks.decode_object", parser)
    monkeypatch.setattr("commoncall.event.checks.judge_text", lambda text, form: parser(text))
    recorder = Recorder("r1", effective=["a"], payload_bytes=8192)
    for call in (
        recorder.planned(payload=text),
        recorder.planned(name="a", arguments_json=text),
        Recorder("r1", effective=["a"]).planned(payload=text),
    ):
        assert call.error_type == "tool_payload_too_large"
    with pytest.raises(AssertionError):
        recorder.planned(payload=text[:-1].rstrip())


def test_metrics_agree_at_each_moment() -> None:
    """EVT-043: an open call is in neither metric."""
    recorder = Recorder("r1", effective=["a"])
    first, second = (recorder.planned(name="a", arguments_json="{}") for _ in range(2))
    assert recorder.metrics() == {"tool_calls_total": [], "tool_call_latency_ms": []}
    recorder.result(second.seq, status="ok", latency_ms=10)
    row = {"tool": "a", "status": "ok", "value": 1}
    histogram = {"tool": "a", "count": 1, "sum": 10, "buckets": [1] * 15}
    assert recorder.metrics()["tool_calls_total"] == [row]
    assert recorder.metrics()["tool_call_latency_ms"] == [histogram]
    recorder.close()
    error = {"tool": "a", "status": "error", "value": 1}
    assert recorder.metrics()["tool_calls_total"] == [error, row]
    assert recorder.metrics()["tool_call_latency_ms"] == [histogram]
    assert recorder.events[-1]["seq"] == first.seq


def test_calls_can_overlap() -> None:
    recorder = Recorder("r1", effective=["a", "b"])
    first = recorder.planned(name="a", arguments_json="{}")
    second = recorder.planned(name="b", arguments_json="{}")
    recorder.result(second.seq, status="ok", latency_ms=2)
    recorder.result(first.seq, status="error", error_type="tool_denied")
    assert [(event["type"][8:], event["seq"]) for event in recorder.events] == [
        ("Planned", 0),
        ("Planned", 1),
        ("Result", 1),
        ("Result", 0),
    ]
    assert [output["seq"] for output in recorder.outputs] == [1, 0]
    assert recorder.metrics() == measure(map(dict, recorder.events))


def test_closing_gives_each_open_call_its_result() -> None:
    """EVT-029."""
    recorder = Recorder("r1", effective=["a"])
    recorder.planned(name="a", arguments_json="{}")
    recorder.planned(payload="x")
    done = recorder.planned(name="a", arguments_json="{}")
    recorder.result(done.seq, status="ok")
    recorder.close()
    results = {event["seq"]: event for event in recorder.events if "status" in event}
    assert {seq: event.get("error_type") for seq, event in results.items()} == {
        0: "tool_aborted",
        1: "tool_payload_parse_error",
        2: None,
    }
    assert "latency_ms" not in results[0]
    before = len(recorder.events)
    recorder.close()
    assert len(recorder.events) == before


def test_a_call_has_one_result() -> None:
    recorder = Recorder("r1", effective=["a"])
    call = recorder.planned(name="a", arguments_json="{}")
    recorder.result(call.seq, status="ok")
    for seq in (call.seq, 1, -1):
        with pytest.raises(ValueError, match=f"no call {seq} waits"):
            recorder.result(seq, status="ok")
    assert len(recorder.events) == 2


def test_a_recorder_that_takes_over_plans_behind_what_waits() -> None:
    first = Recorder("r1", effective=["a"])
    done, waiting = (first.planned(name="a", arguments_json="{}") for _ in range(2))
    first.result(done.seq, status="ok")
    second = Recorder.resume(
        [event for event in first.events if event["type"] == "ToolCallPlanned" and event["seq"]]
    )
    assert second.planned(name="a", arguments_json="{}").seq == waiting.seq + 1
    second.close()
    results = [event["seq"] for event in second.events if event["type"] == "ToolCallResult"]
    assert results == [waiting.seq, waiting.seq + 1]


def test_a_call_says_whether_it_may_run() -> None:
    recorder = Recorder("r1", effective=["a"], payload_bytes=2)
    assert recorder.planned(name="a", arguments_json="{}").error_type is None
    assert recorder.planned(name="b", arguments_json="{}").error_type == "tool_not_available"
    assert recorder.planned(name="a", arguments_json="{ }").error_type == "tool_payload_too_large"
    assert recorder.planned().error_type == "tool_payload_parse_error"


@pytest.mark.parametrize("latency", [math.nan, math.inf, -math.inf, 2**53, 10**400, -1, True])
def test_a_latency_that_nobody_measured_is_none(latency: float) -> None:
    recorder = Recorder("r1", effective=["a"])
    call = recorder.planned(name="a", arguments_json="{}")
    assert "latency_ms" not in recorder.result(call.seq, status="ok", latency_ms=latency)
    assert recorder.metrics()["tool_call_latency_ms"] == []


def test_content_without_a_json_text_is_none() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    recorder = Recorder("r1", effective=["a"])
    for content in ([math.nan], {"n": math.inf}, deep, {"n": {1}}):
        call = recorder.planned(name="a", arguments_json="{}")
        recorder.result(call.seq, status="ok", content=content)
    assert {output["content"] for output in recorder.outputs} == {CANNED_RESULT}


def test_an_injected_clock_runs_out() -> None:
    env = Env(clock_ms=[1, 2.5])
    assert [env.next_ms(), env.next_ms()] == [1.0, 2.5]
    with pytest.raises(EnvExhausted):
        env.next_ms()


def test_without_one_the_clock_is_that_of_the_machine() -> None:
    env = Env([])
    assert env.next_ms() <= env.next_ms()
    value = {
        "request_id": "r1",
        "calls": [{"payload": '{"tool":"a","arguments":null}'}],
        "effective": ["a"],
    }
    answer = adapter.answer("event.record_calls", value, {"ids": []})
    events: Any = answer["result"]["events"]
    assert events[1]["latency_ms"] >= 0


def test_the_adapter_passes_the_clock_on() -> None:
    value = {
        "request_id": "r1",
        "calls": [{"payload": '{"tool":"a","arguments":null}'}],
        "effective": ["a"],
    }
    answer = adapter.answer("event.record_calls", value, {"clock_ms": [5, 7]})
    events: Any = answer["result"]["events"]
    assert events[1]["latency_ms"] == 2
    exhausted = adapter.answer("event.record_calls", value, {"clock_ms": [5]})
    assert exhausted == {"error": {"code": "env_exhausted"}}
