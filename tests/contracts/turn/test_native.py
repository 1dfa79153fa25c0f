"""Turns in the form of Anthropic Messages and Responses, from the request to the history."""

import json
from typing import Any

import pytest

from commoncall import turn
from tests.evidence.interfaces.strict import refusals

SCHEMA = {"type": "object", "properties": {"port": {"type": "string"}}}
ANTHROPIC: dict[str, Any] = {
    "model": "m",
    "max_tokens": 99,
    "messages": [{"role": "user", "content": "High?"}],
    "tools": [{"name": "get_tide", "input_schema": SCHEMA, "cache_control": {"type": "ephemeral"}}],
}
RESPONSES: dict[str, Any] = {
    "model": "m",
    "input": [{"role": "user", "content": "High?"}],
    "tools": [{"type": "function", "name": "get_tide", "parameters": SCHEMA, "strict": False}],
}
MESSAGE: dict[str, Any] = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "stop_reason": "tool_use",
    "content": [
        {"type": "thinking", "thinking": "t", "signature": "s"},
        {"type": "text", "text": "I look.", "citations": None},
        {"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {"port": "Brest"}},
        {"type": "tool_use", "id": "toolu_2", "name": "none_such", "input": {}},
    ],
}
RESPONSE: dict[str, Any] = {
    "id": "resp_1",
    "status": "completed",
    "output": [
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"},
        {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_1",
            "name": "get_tide",
            "arguments": '{"port": "Brest"}',
            "status": "completed",
        },
    ],
}
HERE = {"provider": "anthropic-messages", "model": "m"}
LEAKED = '<tool_call>{"name": "get_tide", "arguments": {"port":"Brest"}}</tool_call>'


def anthropic(request: dict[str, Any] = ANTHROPIC, **options: Any) -> turn.Sent:
    return turn.prepare(request, capability=True, interface="anthropic-messages", **options)


def test_a_request_of_another_interface_leaves_as_it_came() -> None:
    sent = anthropic()
    assert sent["request"] == ANTHROPIC
    assert sent["findings"] == []
    assert sent["plan"]["effective"] == ["get_tide"]


def test_a_turn_of_anthropic_is_stored_as_it_came() -> None:
    sent = anthropic()
    got = turn.receive(sent, MESSAGE)
    assert got["content"] == "I look."
    assert [call["name"] for call in got["dispatch"]] == ["get_tide"]
    done = turn.settle(got, [{"seq": 0, "status": "ok", "content": "noon"}], sent)
    said, results = histories(done)
    content = [{**MESSAGE["content"][0]}, {"type": "text", "text": "I look."}]
    assert said == {
        "role": "assistant",
        "content": [*content, *MESSAGE["content"][2:]],
        "_from": HERE,
    }
    assert results["content"][0] == {
        "type": "tool_result",
        "tool_use_id": "toolu_1",
        "content": "noon",
    }
    assert results["content"][1]["is_error"] is True
    again = anthropic({**ANTHROPIC, "messages": [*ANTHROPIC["messages"], *done["history"]]})
    assert again["findings"] == []
    assert refusals("anthropic-messages", again["request"]) == []
    assert "_from" not in json.dumps(again["request"])
    assert again["request"]["messages"][1]["content"][0] == MESSAGE["content"][0]


def test_after_a_failover_thoughts_go_and_the_history_is_valid() -> None:
    sent = anthropic()
    got = turn.receive(sent, MESSAGE)
    done = turn.settle(got, [{"seq": 0, "status": "ok", "content": "noon"}], sent)
    request = {**ANTHROPIC, "model": "other", "thinking": {"type": "enabled", "budget_tokens": 9}}
    other = anthropic({**request, "messages": [*ANTHROPIC["messages"], *done["history"]]})
    assert {each["code"] for each in other["findings"]} == {"opaque_removed", "thinking_disabled"}
    assert other["request"]["thinking"] == {"type": "disabled"}
    assert '"thinking"' not in json.dumps(other["request"]["messages"])
    assert refusals("anthropic-messages", other["request"]) == []


def test_a_turn_of_responses_is_stored_as_it_came() -> None:
    sent = turn.prepare(RESPONSES, capability=True, interface="openai-responses")
    assert sent["request"] == RESPONSES
    got = turn.receive(sent, RESPONSE)
    done = turn.settle(got, [{"seq": 0, "status": "ok", "content": "noon"}], sent)
    items = [
        {name: one for name, one in each.items() if name != "_from"} for each in done["history"]
    ]
    output = {"type": "function_call_output", "call_id": "call_1", "output": "noon"}
    assert items == [*RESPONSE["output"], output]
    request = {**RESPONSES, "input": [*RESPONSES["input"], *done["history"]]}
    again = turn.prepare(request, capability=True, interface="openai-responses")
    assert again["findings"] == []
    assert again["request"]["input"] == [*RESPONSES["input"], *items]


def test_a_leaked_call_is_run_and_stored_as_a_call() -> None:
    sent = anthropic(format=None)
    reply = {**MESSAGE, "content": [{"type": "text", "text": f"I look.\n{LEAKED}"}]}
    got = turn.receive(sent, reply)
    assert [call["arguments_json"] for call in got["dispatch"]] == ['{"port":"Brest"}']
    done = turn.settle(got, [{"seq": 0, "status": "ok", "content": "noon"}], sent)
    said: Any = done["history"][0]
    assert [block["type"] for block in said["content"]] == ["text", "tool_use"]
    assert said["content"][0]["text"].strip() == "I look."


def test_a_stream_of_anthropic() -> None:
    sent = anthropic()
    stream = turn.Stream(sent)
    shown = [each for event in events() for each in stream.feed(event)]
    got = stream.finish()
    assert [*shown, *stream.rest] == [{"text": "I look."}]
    assert [call["arguments_json"] for call in got["dispatch"]] == ['{"port":"Brest"}']
    done = turn.settle(got, [{"seq": 0, "status": "error", "content": "shut"}], sent)
    said, results = histories(done)
    assert [block["type"] for block in said["content"]] == ["thinking", "text", "tool_use"]
    assert said["content"][0] == MESSAGE["content"][0]
    assert results["content"][0]["is_error"] is True


def test_a_stream_that_breaks_off_runs_nothing() -> None:
    stream = turn.Stream(anthropic())
    for event in events()[:-4]:
        stream.feed(event)
    got = stream.finish()
    assert got["dispatch"] == []
    assert got.get("truncated") is True


def test_the_reason_of_a_cut_counts_that_the_caller_gives() -> None:
    assert "truncated" not in turn.receive(anthropic(), MESSAGE)
    assert turn.receive(anthropic(), MESSAGE, finish_reason="length").get("truncated") is True


def test_what_is_no_request_or_no_reply_is_said() -> None:
    with pytest.raises(TypeError, match="no request of anthropic-messages"):
        anthropic(7)  # type: ignore[arg-type]
    sent = anthropic()
    with pytest.raises(TypeError, match="no reply of anthropic-messages"):
        turn.receive(sent, "words")
    responses = turn.prepare(RESPONSES, capability=True, interface="openai-responses")
    chat = {"role": "assistant", "content": "Hi."}
    with pytest.raises(TypeError, match="no output, and so is no reply of openai-responses"):
        turn.receive(responses, {"choices": [{"message": chat, "finish_reason": "stop"}]})
    with pytest.raises(TypeError, match="no content, and so is no reply of anthropic-messages"):
        turn.receive(sent, {"choices": [{"message": chat, "finish_reason": "stop"}]})
    with pytest.raises(TypeError, match="without a type"):
        turn.Stream(sent).feed({"choices": [{"index": 0, "delta": chat}]})
    with pytest.raises(TypeError, match="not what receive returned"):
        turn.settle({}, [], sent)  # type: ignore[arg-type]


def histories(done: turn.Settled) -> list[dict[str, Any]]:
    return list(done["history"])


def events() -> list[dict[str, Any]]:
    thought, text, call = MESSAGE["content"][:3]
    pieces = [
        (
            0,
            {**thought, "thinking": "", "signature": ""},
            {"type": "thinking_delta", "thinking": "t"},
        ),
        (0, None, {"type": "signature_delta", "signature": "s"}),
        (1, {"type": "text", "text": ""}, {"type": "text_delta", "text": text["text"]}),
        (2, {**call, "input": {}}, {"type": "input_json_delta", "partial_json": '{"port":'}),
        (2, None, {"type": "input_json_delta", "partial_json": '"Brest"}'}),
    ]
    listed: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**MESSAGE, "content": []}}
    ]
    for at, block, delta in pieces:
        if block is not None:
            listed.append({"type": "content_block_start", "index": at, "content_block": block})
        listed.append({"type": "content_block_delta", "index": at, "delta": delta})
    listed.append({"type": "content_block_stop", "index": 2})
    listed.append({"type": "message_delta", "delta": {"stop_reason": "tool_use"}})
    return [*listed, {"type": "message_stop"}]


OLLAMA: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "user", "content": "High?"}],
    "tools": [{"type": "function", "function": {"name": "get_tide", "parameters": SCHEMA}}],
}
SAID: dict[str, Any] = {
    "role": "assistant",
    "content": "",
    "thinking": "t",
    "tool_calls": [
        {"function": {"name": "get_tide", "arguments": {"port": "Brest"}}},
        {"function": {"name": "none_such", "arguments": {}}},
    ],
}
END: dict[str, Any] = {"done": True, "done_reason": "stop"}


def test_a_turn_of_ollama_is_stored_with_the_ids_of_the_turn() -> None:
    sent = turn.prepare(OLLAMA, capability=True, interface="ollama-chat")
    assert (sent["request"], sent["findings"]) == (OLLAMA, [])
    got = turn.receive(sent, {**END, "message": SAID})
    done = turn.settle(got, [{"seq": 0, "status": "ok", "content": "noon"}], sent)
    said, *results = histories(done)
    calls = said["tool_calls"]
    assert said == {
        **SAID,
        "tool_calls": [
            {"id": each["id"], **one} for each, one in zip(calls, SAID["tool_calls"], strict=True)
        ],
        "_from": {"provider": "ollama-chat", "model": "m"},
    }
    assert [one["tool_name"] for one in results] == ["get_tide", "none_such"]
    assert [one["tool_call_id"] for one in results] == [call["id"] for call in calls]
    request = {**OLLAMA, "messages": [*OLLAMA["messages"], *done["history"]]}
    again = turn.prepare(request, capability=True, interface="ollama-chat")
    assert again["findings"] == []
    assert refusals("ollama-chat", again["request"]) == []
    assert "_from" not in json.dumps(again["request"])


def test_a_stream_of_ollama() -> None:
    sent = turn.prepare(OLLAMA, capability=True, interface="ollama-chat")
    stream = turn.Stream(sent)
    shown = [
        piece
        for message in (
            {"content": "", "thinking": "t"},
            {"content": "I look."},
            {**SAID, "thinking": None},
        )
        for piece in stream.feed({"message": {"role": "assistant", **message}, "done": False})
    ]
    stream.feed({**END, "message": {"role": "assistant", "content": ""}})
    got = stream.finish()
    assert [*shown, *stream.rest] == [{"text": "I look."}]
    assert [call["arguments_json"] for call in got["dispatch"]] == ['{"port":"Brest"}']
    said = histories(turn.settle(got, [{"seq": 0, "status": "ok", "content": "noon"}], sent))[0]
    assert (said["content"], said["thinking"]) == ("I look.", "t")


def test_a_stream_of_ollama_that_fails_is_cut_off() -> None:
    sent = turn.prepare(OLLAMA, capability=True, interface="ollama-chat")
    stream = turn.Stream(sent)
    stream.feed({"message": SAID, "done": False})
    stream.feed({"error": "error parsing tool call"})
    assert stream.finish().get("truncated") is True
    with pytest.raises(TypeError, match="without a message"):
        turn.Stream(sent).feed({"choices": []})
    with pytest.raises(TypeError, match="no message, and so is no reply of ollama-chat"):
        turn.receive(sent, {"error": "model is loading"})


def test_an_answer_of_ollama_is_stored_as_it_came() -> None:
    sent = turn.prepare(OLLAMA, capability=True, interface="ollama-chat")
    said = {"role": "assistant", "content": "Noon.", "thinking": "t"}
    done = turn.settle(turn.receive(sent, {**END, "message": said}), [], sent)
    assert [{**one, "_from": None} for one in done["history"]] == [{**said, "_from": None}]
    assert turn.settle(turn.receive(sent, {**END, "message": None}), [], sent)["history"] == []


def test_a_call_of_a_namespace_is_run_and_goes_back() -> None:
    far = "n" * 40
    tool = RESPONSES["tools"][0]
    tools = [
        {"type": "namespace", "name": name, "description": "Sea.", "tools": [tool]}
        for name in ("mcp__sea", far)
    ]
    tools[1]["tools"] = [{**tool, "name": "m" * 40}]
    request = {**RESPONSES, "tools": tools}
    sent = turn.prepare(request, capability=True, interface="openai-responses")
    assert (sent["request"]["tools"], sent["plan"]["effective"]) == (
        tools,
        ["mcp__sea__get_tide", f"{far}__{'m' * 40}"],
    )
    call = RESPONSE["output"][1]
    near = {**call, "namespace": "mcp__sea"}
    other = {**call, "call_id": "call_2", "id": "fc_2", "name": "m" * 40, "namespace": far}
    got = turn.receive(sent, {**RESPONSE, "output": [near, other]})
    assert [one["name"] for one in got["dispatch"]] == sent["plan"]["effective"]
    done = turn.settle(
        got,
        [
            {"seq": 0, "status": "ok", "content": "noon"},
            {"seq": 1, "status": "ok", "content": "noon"},
        ],
        sent,
    )
    again = {**request, "input": [*RESPONSES["input"], *done["history"]]}
    back = turn.prepare(again, capability=True, interface="openai-responses")
    calls = [one for one in back["request"]["input"] if one.get("type") == "function_call"]
    # Without the reasoning before them their ids are none that the endpoint takes (ITF-016).
    assert calls == [
        {name: value for name, value in each.items() if name != "id"} for each in (near, other)
    ]
    assert refusals("openai-responses", back["request"]) == []


def test_a_tool_that_the_history_brings_is_one_of_the_turn() -> None:
    brought = {"type": "custom", "name": "exec"}
    space = {"type": "namespace", "name": "functions", "tools": [brought]}
    item = {"type": "additional_tools", "role": "developer", "tools": [space]}
    request = {"model": "m", "input": [item, {"role": "user", "content": "Look."}]}
    sent = turn.prepare(request, capability=True, interface="openai-responses")
    assert (sent["request"], sent["findings"]) == (request, [])
    call = {"type": "custom_tool_call", "call_id": "c1", "name": "exec", "input": "ls"}
    reply = {"status": "completed", "output": [{**call, "namespace": "functions"}]}
    received = turn.receive(sent, reply, request_id="r1")
    assert [call["name"] for call in received["dispatch"]] == ["functions__exec"]
    denied = [{"deny": ["functions__exec"]}]
    without = turn.prepare(request, capability=True, interface="openai-responses", layers=denied)
    assert without["request"]["input"][0] == {**item, "tools": []}


def test_a_thought_stays_before_each_of_its_calls() -> None:
    call = RESPONSE["output"][1]
    output = [*RESPONSE["output"], {**call, "id": "fc_2", "call_id": "call_2"}]
    request = {**RESPONSES, "input": [*RESPONSES["input"]]}
    sent = turn.prepare(request, capability=True, interface="openai-responses")
    got = turn.receive(sent, {**RESPONSE, "output": output})
    done = turn.settle(
        got,
        [{"seq": each["seq"], "status": "ok", "content": "noon"} for each in got["dispatch"]],
        sent,
    )
    request["input"] += done["history"]
    again = turn.prepare(request, capability=True, interface="openai-responses")
    kinds = ["reasoning", *["function_call"] * 2, *["function_call_output"] * 2]
    assert [each["type"] for each in again["request"]["input"][1:]] == kinds
    assert again["request"]["input"][1:4] == output


def test_a_profile_of_another_form_is_refused() -> None:
    with pytest.raises(ValueError, match="of another form than anthropic-messages: leave it out"):
        anthropic(profile="anthropic-compatible")
    with pytest.raises(ValueError, match="near it: deepseek"):
        anthropic(profile="deepseak")
    assert anthropic(profile="anthropic-messages")["request"] == anthropic()["request"]
