"""`to_otel` through the SDK of OpenTelemetry, against golden files; and what may leave this way."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from commoncall.envelope import INVALID_INPUT, Env
from commoncall.event import BOUNDS, OPERATIONS, ErrorType, EventError, measure, to_otel
from commoncall.event.otel import BOUNDARIES
from tests import shared
from tests.contracts.event.otel_sdk import export
from tests.contracts.event.traces import leaks, mixed, recorded, secrets

OPERATION = OPERATIONS["event.to_otel"]
EXPECTED: dict[str, Any] = {
    case.id.rpartition(".")[2]: case.expect["result"]
    for case in shared.suite().cases
    if case.operation.name == "event.to_otel" and "result" in case.expect
}
FOLDER = Path(__file__).parent / "golden" / "otel"
GOLDEN = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")}
DID_NOT_RUN = {*get_args(ErrorType)} - {"tool_timeout", "tool_aborted", "tool_error"}
"""Of definition "ran" the other half."""


def test_there_are_golden_files_of_cases() -> None:
    assert len(GOLDEN) >= 5
    assert EXPECTED.keys() >= GOLDEN.keys()


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_the_sdk_exports_what_the_golden_file_says(name: str) -> None:
    assert export(EXPECTED[name]) == GOLDEN[name]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_sdk_loses_nothing_of_a_case(name: str) -> None:
    expected, exported = EXPECTED[name], export(EXPECTED[name])
    for kind in ("spans", "logs"):
        given_attributes = [one["attributes"] for one in expected[kind]]
        assert [one["attributes"] for one in exported[kind]] == given_attributes
    recorded_values = [one for metric in expected["metrics"] for one in metric["measurements"]]
    assert sum(point["count"] for point in exported["metrics"]) == len(recorded_values)


@given(mixed)
def test_what_was_recorded_is_a_span_or_a_log_record(events: list[dict[str, Any]]) -> None:
    before = repr(events)
    telemetry = to_otel(events)
    assert repr(events) == before
    results = [event for event in events if event["type"] == "ToolCallResult"]
    ran = [event for event in results if event.get("error_type") not in DID_NOT_RUN]
    assert len(telemetry["spans"]) == len(ran)
    failed = [event for event in ran if event["status"] == "error"]
    assert len(telemetry["logs"]) == len(events) - len(ran) + len(failed)
    assert [span["duration_s"] * 1000 for span in telemetry["spans"] if "duration_s" in span] == [
        pytest.approx(event["latency_ms"]) for event in ran if "latency_ms" in event
    ]
    for span, event in zip(telemetry["spans"], ran, strict=True):
        assert span["attributes"].get("error.type") == event.get("error_type")
        assert (span["status"] == "error") == (event["status"] == "error")


@given(mixed)
def test_the_buckets_are_those_of_the_metrics_of_what_ran(events: list[dict[str, Any]]) -> None:
    ran = [event for event in events if event.get("error_type") not in DID_NOT_RUN]
    whole = [{**e, "latency_ms": round(e["latency_ms"])} if "latency_ms" in e else e for e in ran]
    ours = {each["tool"]: each["buckets"] for each in measure(whole)["tool_call_latency_ms"]}
    theirs: dict[str, list[int]] = {}
    for point in export(to_otel(whole))["metrics"]:
        tool = point["attributes"]["gen_ai.tool.name"]
        so_far = theirs.get(tool, [0] * len(point["buckets"]))
        theirs[tool] = [sum(pair) for pair in zip(so_far, point["buckets"], strict=True)]
    cumulative = {
        tool: [sum(counts[: n + 1]) for n in range(len(counts))] for tool, counts in theirs.items()
    }
    assert cumulative == ours


def test_the_boundaries_are_the_bounds_in_seconds() -> None:
    assert [round(boundary * 1000) for boundary in BOUNDARIES] == list(BOUNDS)


@given(recorded, st.data(), secrets)
def test_an_event_with_more_in_it_is_refused_without_a_word(
    events: list[dict[str, Any]], data: st.DataObject, secret: str
) -> None:
    assume(events)
    position = data.draw(st.integers(0, len(events) - 1))
    member = data.draw(st.sampled_from(["arguments", "message", "args_preview_hash", secret]))
    events[position][member] = secret
    assert OPERATION({"events": events}, Env([], [])) == INVALID_INPUT
    with pytest.raises(EventError) as caught:
        to_otel(events)
    assert not leaks(secret, str(caught.value))


def test_a_latency_beyond_binary64_is_endless() -> None:
    result = {"type": "ToolCallResult", "tool": "f", "status": "ok", "latency_ms": 10**400}
    (latency,) = measure([result])["tool_call_latency_ms"]
    assert (latency["count"], latency["sum"]) == (1, float("inf"))
    assert latency["buckets"] == [0] * len(BOUNDS) + [1]
