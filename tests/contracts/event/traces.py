"""Traces for tests: what recorders write when calls overlap, and requests mix."""

import json
from typing import Any, get_args

from hypothesis import strategies as st

from commoncall.event import ErrorType, Key, Recorder
from tests import examples

SECRET_LETTERS = "\u0416\u0429\u042e\u042f\u0436\U0001f701"
"""Characters that stand in no fixed text, number, digest or name of a member, raw or escaped."""

secrets = st.text(SECRET_LETTERS, min_size=8, max_size=8)
TOOLS = ["echo", "search"]

names = st.sampled_from([*TOOLS, "rm_rf", "", " "])
argument_texts = st.sampled_from(["{}", '{"a":1}', "[]", "null", "{", "x" * 60])
payloads = st.sampled_from(['{"tool":"echo"}', '{"tool":"rm_rf","arguments":{}}', "[", "x" * 60])
outcomes = st.fixed_dictionaries(
    {"status": st.sampled_from(["ok", "error"])},
    optional={
        "latency_ms": st.integers(-1, 100_000) | st.floats(),
        "error_type": st.sampled_from([*get_args(ErrorType), "odd"]),
    },
)
optional: dict[str, st.SearchStrategy[object]] = {
    "tool_call_id": st.text(max_size=4),
    "args_schema_version": st.text(max_size=4),
}
calls: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"payload": payloads}, optional=optional
) | st.fixed_dictionaries(
    {"name": st.none() | names, "arguments_json": st.none() | argument_texts}, optional=optional
)


@st.composite
def _recorded(draw: st.DrawFn, request_id: str = "r1") -> list[dict[str, Any]]:
    """Draw the events of one request: overlapping calls, some left to `close`, some to another
    recorder.
    """
    key = draw(st.none() | st.just(Key("k1", b"secret")))
    recorder = Recorder(request_id, effective=TOOLS, payload_bytes=50, key=key)
    waiting: list[int] = []
    for call in draw(st.lists(st.none() | calls, max_size=8)):
        if call is not None:
            waiting.append(recorder.planned(**call).seq)
        elif waiting:
            seq = waiting.pop(draw(st.integers(0, len(waiting) - 1)))
            recorder.result(seq, **draw(outcomes))
    events = [*recorder.events]
    if draw(st.booleans()):
        recorder.close()
        return [dict(event) for event in recorder.events]
    # Another recorder takes over what waits: all of its events are Results then.
    done = {event["seq"] for event in events if event["type"] == "ToolCallResult"}
    open_calls = [
        event for event in events if event["type"] == "ToolCallPlanned" and event["seq"] not in done
    ]
    second = Recorder.resume(open_calls)
    second.close()
    return [dict(event) for event in [*events, *second.events]]


@st.composite
def _mixed(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Draw the events of three requests, mixed, those of each in their order."""
    traces = [draw(_recorded(request_id)) for request_id in ("r1", "r2", "r3")]
    order = draw(st.permutations([n for n, trace in enumerate(traces) for _ in trace]))
    return [traces[n].pop(0) for n in order]


recorded = examples.shared(_recorded())
mixed = examples.shared(_mixed())


def leaks(secret: str, value: object) -> bool:
    """Tell whether a value holds a letter of a secret, raw or JSON-escaped."""
    escaped, raw = json.dumps(value), json.dumps(value, ensure_ascii=False)
    return any(letter in raw or json.dumps(letter)[1:-1] in escaped for letter in secret)
