"""A turn in five lines: what is the same for nearly everybody need not be said."""

from typing import Any

import pytest

from commoncall import turn
from commoncall.capability import load_registry

CODER = "Qwen/Qwen3-Coder-30B-A3B-Instruct"
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_tide",
            "parameters": {"type": "object", "properties": {"hours": {"type": "integer"}}},
        },
    }
]
LEAKED = (
    "I look.\n<tool_call>\n<function=get_tide>\n<parameter=hours>\n5\n</parameter>\n"
    "</function>\n</tool_call>"
)


def request(**more: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": "How is the tide?"}]
    return {"model": CODER, "messages": messages, "tools": TOOLS, **more}


def test_a_turn_in_five_lines() -> None:
    asked = request()
    sent = turn.prepare(asked, capability=True, profile="vllm")
    choice = {"index": 0, "finish_reason": "stop", "message": said(LEAKED)}
    got = turn.receive(sent, choice)
    outcomes: list[turn.CallOutcome] = [
        {"seq": call["seq"], "status": "ok", "content": "low"} for call in got["dispatch"]
    ]
    asked["messages"] += turn.settle(got, outcomes, sent)["history"]
    assert got["content"] == "I look."
    assert [call["arguments_json"] for call in got["dispatch"]] == ['{"hours":5}']
    assert [message["role"] for message in asked["messages"]] == ["user", "assistant", "tool"]


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def test_a_stream_takes_from_what_was_sent() -> None:
    sent = turn.prepare(request(), capability=True)
    stream = turn.Stream(sent)
    shown = stream.feed({"choices": [{"index": 0, "delta": {"content": LEAKED}}]})
    stream.feed({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    assert [call["name"] for call in stream.finish()["dispatch"]] == ["get_tide"]
    assert shown == [{"text": "I look."}]


def test_the_reason_of_a_choice_counts() -> None:
    sent = turn.prepare(request(), capability=True)
    choice = {"finish_reason": "length", "message": said("I look.")}
    assert turn.receive(sent, choice).get("truncated")


def test_a_model_that_takes_no_tools_gets_none() -> None:
    sent = turn.prepare(request(), capability=False)
    assert "tools" not in sent["request"]
    assert sent["plan"]["effective"] == []


@pytest.mark.parametrize("tools", [5, True, "x", {}])
def test_tools_that_are_no_list_are_a_finding(tools: Any) -> None:
    sent = turn.prepare({**request(), "tools": tools}, capability=True)
    assert "tools" not in sent["request"]
    assert sent["findings"] == [{"code": "tools_not_array", "path": "/request/tools"}]


def test_what_is_registered_counts_before_what_is_declared() -> None:
    sent = turn.prepare(request(), capability=True, registered=[])
    assert "tools" not in sent["request"]


@pytest.mark.parametrize(
    ("model", "format", "read"),
    [
        (CODER, "auto", "qwen3-coder"),
        (CODER, None, None),
        (CODER, "hermes", "hermes"),
        ("nobody", "auto", None),
        (5, "auto", None),
    ],
)
def test_the_format_is_that_of_the_model(model: Any, format: Any, read: str | None) -> None:
    sent = turn.prepare(request(model=model), capability=True, format=format)
    assert sent["reading"]["format"] == read


def test_an_option_counts_before_what_was_sent() -> None:
    sent = turn.prepare(request(), capability=True)
    assert turn.receive(sent, said("Hi<|im_end|>"))["content"] == "Hi"
    assert turn.receive(sent, said("Hi<|im_end|>"), format="mistral-v11")["content"] != "Hi"


def test_dialects_stand_beside_the_format_of_what_was_sent() -> None:
    sent = turn.prepare(request(), capability=True)
    got = turn.receive(sent, said(LEAKED), dialects=["tools"])
    assert [call["name"] for call in got["dispatch"]] == ["get_tide"]


def test_something_says_whether_the_model_takes_tools() -> None:
    with pytest.raises(TypeError, match="say capability=True or False"):
        turn.prepare(request())


def test_one_thing_says_whether_the_model_takes_tools() -> None:
    registry = load_registry({"registry_version": "1.0", "revision": "x", "providers": {}})
    with pytest.raises(TypeError, match="give one"):
        turn.prepare(request(), capability=True, registries=[registry])
