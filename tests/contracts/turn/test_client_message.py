"""What a client of Chat Completions reads of a received message."""

from typing import Any

import pytest

from commoncall import turn

TOOL = {"type": "function", "function": {"name": "get_tide", "parameters": {"type": "object"}}}
REQUEST = {"model": "m", "messages": [{"role": "user", "content": "High?"}], "tools": [TOOL]}
LEAKED = '<tool_call>{"name": "get_tide", "arguments": {}}</tool_call>'


def received(**message: Any) -> turn.Received:
    sent = turn.prepare(REQUEST, capability=True, format=None)
    return turn.receive(sent, {"role": "assistant", "content": None, **message})


def call(name: str) -> dict[str, Any]:
    return {"id": "a", "type": "function", "function": {"name": name, "arguments": "{}"}}


@pytest.mark.parametrize(
    ("message", "ended", "reason"),
    [
        ({"content": LEAKED}, "stop", "tool_calls"),
        ({"tool_calls": [call("get_tide")]}, None, "tool_calls"),
        ({"tool_calls": [call("get_tide")], "truncated": True}, "length", "length"),
        ({"tool_calls": [call("get_tide")], "truncated": True}, None, "tool_calls"),
        ({"tool_calls": [call("none_such")]}, "tool_calls", "stop"),
        ({"content": "Noon."}, "function_call", "stop"),
        ({"content": "Noon."}, None, None),
        ({"content": "No"}, "content_filter", "content_filter"),
    ],
)
def test_the_reason_says_whether_there_are_calls(
    message: Any, ended: Any, reason: str | None
) -> None:
    seen = turn.client_message(received(**message), finish_reason=ended)
    assert seen["finish_reason"] == reason
    assert [one["function"]["name"] for one in seen["tool_calls"]] == (
        ["get_tide"] if "get_tide" in str(message) else []
    )


def test_a_call_that_is_not_run_is_a_note() -> None:
    seen = turn.client_message(received(tool_calls=[call("none_such"), call("no_such")]))
    assert seen["tool_calls"] == []
    assert seen["notes"] == ["The tool call was not run: the tool is not available."]


def test_what_is_no_received_message_is_said() -> None:
    with pytest.raises(TypeError):
        turn.client_message({})  # type: ignore[typeddict-item]
