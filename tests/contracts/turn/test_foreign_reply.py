"""Replies of other interfaces: dicts, objects of an SDK, and streams (TRN-080, TRN-081)."""

from typing import Any

import pytest

from commoncall.payload import ForeignFormError
from commoncall.turn import Stream, receive

PLAN: Any = {"effective": ["read"], "parse_native_calls": True, "parse_text_calls": True}
OPTIONS: Any = {"request_id": "r1", "disposition": "answer"}
MESSAGE = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "tool_use", "id": "a", "name": "read", "input": {}}],
    "stop_reason": "tool_use",
}


class Model:
    """Has the one method by which an object of an SDK is known."""

    def __init__(self, **members: Any) -> None:
        self.members = members

    def model_dump(self, **_: Any) -> dict[str, Any]:
        return self.members


@pytest.mark.parametrize("given", [MESSAGE, Model(**MESSAGE)])
def test_a_message_of_anthropic_is_named(given: Any) -> None:
    said = "^form_not_chat_completions: /message/content/0 has the form anthropic-messages$"
    with pytest.raises(ForeignFormError, match=said):
        receive(PLAN, given, **OPTIONS)


@pytest.mark.parametrize(
    "given",
    [
        {"message": {"role": "assistant", "content": "Hi"}, "done": True},
        {"role": "assistant", "tool_calls": [{"function": {"name": "read", "arguments": {}}}]},
    ],
)
def test_a_reply_of_ollama_is_named(given: Any) -> None:
    with pytest.raises(ForeignFormError, match="ollama-chat"):
        receive(PLAN, given, **OPTIONS)


@pytest.mark.parametrize("event", [{"candidates": []}, Model(type="message_start", message={})])
def test_an_event_of_another_interface_is_named_with_its_place(event: Any) -> None:
    stream = Stream(PLAN, **OPTIONS)
    stream.feed({"choices": [{"index": 0, "delta": {"content": "Hi"}}]})
    with pytest.raises(ForeignFormError, match="/chunks/1"):
        stream.feed(event)


def test_what_else_is_wrong_is_said_as_before() -> None:
    with pytest.raises(TypeError, match="pass response"):
        receive(PLAN, Model(choices=[]), **OPTIONS)
    with pytest.raises(TypeError, match="no chunk with choices"):
        Stream(PLAN, **OPTIONS).feed({"delta": {"content": "Hi"}})
