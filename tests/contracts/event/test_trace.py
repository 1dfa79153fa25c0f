"""`check_trace` beyond the fixtures: what recorders write, and what becomes of it on the way."""

import copy
import json
from pathlib import Path
from typing import Any, get_args

from hypothesis import assume, given
from hypothesis import strategies as st

from commoncall.envelope import Env
from commoncall.event import OPERATIONS, check_trace
from commoncall.event.trace import STEPS, CallState, TraceCode
from tests import examples, shared
from tests.contracts.event.traces import calls, leaks, mixed, outcomes, recorded, secrets

OPERATION = OPERATIONS["event.check_trace"]

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4)
)
json_values = examples.shared(
    st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=6,
    )
)
MEMBERS = [
    *["type", "request_id", "seq", "tool", "status", "latency_ms", "error_type", "message"],
    *["args_preview_hash", "args_hash_algorithm", "args_hash_key_id", "args_schema_version"],
    *["tool_call_id", "arguments"],
]


def codes(events: list[Any]) -> list[str]:
    return [finding["code"] for finding in check_trace(events)]


@given(mixed)
def test_what_recorders_write_has_no_finding(events: list[dict[str, Any]]) -> None:
    assert check_trace(events) == []
    assert check_trace(json.loads(json.dumps(events))) == []


@given(st.lists(calls, max_size=4), outcomes)
def test_what_record_calls_returns_has_no_finding(
    entries: list[dict[str, Any]], outcome: dict[str, Any]
) -> None:
    value = {
        "request_id": "r1",
        "calls": [
            entry if n % 2 else {**entry, "outcome": outcome} for n, entry in enumerate(entries)
        ],
        "effective": ["echo"],
    }
    result: Any = OPERATIONS["event.record_calls"](value, Env([], [*range(8)]))["result"]
    assert check_trace(result["events"]) == []


@given(recorded, st.data())
def test_a_lost_event_has_a_finding(events: list[dict[str, Any]], data: st.DataObject) -> None:
    assume(events)
    lost = data.draw(st.integers(0, len(events) - 1))
    found = codes(events[:lost] + events[lost + 1 :])
    planned = events[lost]["type"] == "ToolCallPlanned"
    assert ("result_without_planned" if planned else "planned_without_result") in found


@given(recorded, st.data())
def test_a_repeated_event_has_one_finding(
    events: list[dict[str, Any]], data: st.DataObject
) -> None:
    assume(events)
    repeated = events[data.draw(st.integers(0, len(events) - 1))]
    place = data.draw(st.integers(events.index(repeated) + 1, len(events)))
    found = check_trace([*events[:place], repeated, *events[place:]])
    code = "planned_twice" if repeated["type"] == "ToolCallPlanned" else "result_twice"
    assert found == [{"code": code, "path": f"/events/{place}"}]


@given(recorded, st.data())
def test_a_result_before_its_planned_has_two_findings(
    events: list[dict[str, Any]], data: st.DataObject
) -> None:
    assume(events)
    result = data.draw(st.sampled_from([e for e in events if e["type"] == "ToolCallResult"]))
    rest = [event for event in events if event is not result]
    found = codes([result, *rest])
    assert found == ["result_without_planned", "planned_without_result"]


@given(recorded, st.data(), st.sampled_from(MEMBERS), json_values)
def test_a_changed_member_is_reported_at_its_event_or_in_its_call(
    events: list[dict[str, Any]], data: st.DataObject, member: str, value: object
) -> None:
    assume(events)
    position = data.draw(st.integers(0, len(events) - 1))
    changed = copy.deepcopy(events)
    changed[position][member] = value
    found = check_trace(changed)
    # Another well-formed value is as good as the one that was there: only `request_id` and `seq`
    # say which events are of one call.
    free = {"args_preview_hash", "args_hash_key_id", "args_schema_version", "latency_ms"}
    free |= {"tool", "tool_call_id"}
    if not found:
        assert changed[position] == events[position] or member in free


@given(st.lists(json_values | st.dictionaries(st.sampled_from(MEMBERS), json_values), max_size=5))
def test_any_json_is_judged(events: list[Any]) -> None:
    before = repr(events)
    outcome = OPERATION({"events": events}, Env([], []))
    assert repr(events) == before
    assert shared.faults_of_result("event.check_trace", outcome["result"]) == []


@given(recorded, st.data(), secrets, st.booleans())
def test_findings_hold_nothing_of_what_is_wrong(
    events: list[dict[str, Any]], data: st.DataObject, secret: str, key: bool
) -> None:
    assume(events)
    position = data.draw(st.integers(0, len(events) - 1))
    member = data.draw(st.sampled_from(MEMBERS))
    events[position][secret if key else member] = 1 if key else {"q": secret}
    found = check_trace(events)
    assert found
    assert not leaks(secret, found)


steps = st.tuples(
    st.sampled_from(["r1", "r2"]),
    st.sampled_from([0, 1, 2, 3, 4, 9, 2**53 - 1]),
    st.booleans(),
    st.sampled_from(["echo", "search", " "]),
)


def event_of(step: tuple[str, int, bool, str]) -> dict[str, Any]:
    request, seq, is_result, tool = step
    event: dict[str, Any] = {"request_id": request, "seq": seq, "tool": tool}
    if is_result:
        return {"type": "ToolCallResult", **event, "status": "ok"}
    return {"type": "ToolCallPlanned", **event, "args_preview_hash": None}


@given(st.lists(steps, max_size=30))
def test_what_is_kept_of_calls_is_enough(taken: list[tuple[str, int, bool, str]]) -> None:
    """The table of the text, with everything kept."""
    expected: list[tuple[int, str, str]] = []
    states: dict[tuple[str, int], tuple[CallState, int]] = {}
    for at, (request, seq, is_result, tool) in enumerate(taken):
        if tool == " ":
            expected.append((at, "/tool", "event_malformed"))
        state, planned = states.get((request, seq), ("none", -1))
        _, code = STEPS[state, "ToolCallResult" if is_result else "ToolCallPlanned"]
        if code:
            expected.append((at, "", code))
        if not code:
            states[request, seq] = ("done", planned) if is_result else ("planned", at)
    lost = [
        (at, "", "planned_without_result") for state, at in states.values() if state == "planned"
    ]
    found = [(f"/events/{at}{member}", code) for at, member, code in sorted(expected + lost)]
    events = [event_of(step) for step in taken]
    assert [(one["path"], one["code"]) for one in check_trace(events)] == found


def test_the_state_machine_is_whole() -> None:
    kinds = ("ToolCallPlanned", "ToolCallResult")
    assert set(STEPS) == {(state, kind) for state in get_args(CallState) for kind in kinds}
    assert {code for _, code in STEPS.values()} - {None} <= set(get_args(TraceCode))


def test_the_state_table_of_the_page_is_the_state_machine(root: Path) -> None:
    page = (root / "spec/v1/event.md").read_text(encoding="utf-8")
    rows = page.split("> | state | a [Planned]")[1].split("\n>\n")[0].splitlines()[2:]
    table = {}
    for row in rows:
        state, planned, result, _ = (cell.strip(" `") for cell in row[3:-1].split("|"))
        for kind, word in (("ToolCallPlanned", planned), ("ToolCallResult", result)):
            is_state = word in ("planned", "done")
            table[state, kind] = (word, None) if is_state else (state, word)
    assert table == dict(STEPS)
