"""Replies of other interfaces, as dicts and as objects of an SDK."""

from typing import Any

import pytest

from commoncall.turn import Stream, receive

PLAN: Any = {"effective": ["read"], "parse_native_calls": True, "parse_text_calls": True}
OPTIONS: Any = {"request_id": "r1", "disposition": "answer"}


class Model:
    """Has the one method by which an object of an SDK is known."""

    def __init__(self, **members: Any) -> None:
        self.members = members

    def model_dump(self, **_: Any) -> dict[str, Any]:
        return self.members


def test_a_call_of_ollama_runs() -> None:
    call = {"function": {"name": "read", "arguments": {}}}
    got = receive(PLAN, {"role": "assistant", "tool_calls": [call]}, **OPTIONS)
    assert [each["name"] for each in got["dispatch"]] == ["read"]


def test_calls_under_another_name_are_no_reply_without_a_call() -> None:
    call = {"id": "a", "function": {"name": "read", "arguments": "{}"}}
    with pytest.raises(TypeError, match="message has toolCalls"):
        receive(PLAN, {"role": "assistant", "content": "", "toolCalls": [call]}, **OPTIONS)


@pytest.mark.parametrize("given", [{"candidates": []}, Model(output=[]), Model(choices=[])])
def test_a_whole_reply_of_another_interface_is_no_message(given: Any) -> None:
    with pytest.raises(TypeError, match=r"has the role|no message|pass response"):
        receive(PLAN, given, **OPTIONS)


@pytest.mark.parametrize("event", [{"candidates": []}, Model(type="message_start")])
def test_an_event_of_another_interface_is_said_not_to_be_read(event: Any) -> None:
    stream = Stream(PLAN, **OPTIONS)
    stream.feed({"choices": [{"index": 0, "delta": {"content": "Hi"}}]})
    stream.feed(event)
    stream.finish()
    assert stream.findings == [{"code": "delta_not_read", "path": "/chunks/1"}]


def test_what_stands_in_a_choice_is_no_chunk() -> None:
    with pytest.raises(TypeError, match="no chunk with choices"):
        Stream(PLAN, **OPTIONS).feed({"delta": {"content": "Hi"}})
