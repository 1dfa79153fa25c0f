"""The loops of other interfaces with their SDKs, against a server that answers 400 as reports say.

Named by the session `integrations`. The types of the SDKs judge generated conversations, too.
"""

import asyncio
import copy
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from anthropic import Anthropic, AsyncAnthropic
from native import converse, converse_streaming
from ollama import AsyncClient, Client
from openai import AsyncOpenAI, OpenAI

from commoncall.interface import Interface
from tests.evidence.interfaces.strict import refusals

RUN = {"get_tide": lambda port: f"high at {port}"}
ANSWER = "High at Brest."
SCHEMA = {"type": "object", "properties": {"port": {"type": "string"}}}
ANTHROPIC: dict[str, Any] = {
    "model": "m",
    "max_tokens": 99,
    "thinking": {"type": "enabled", "budget_tokens": 1024},
    "messages": [{"role": "user", "content": "High?"}],
    "tools": [{"name": "get_tide", "input_schema": SCHEMA}],
}
RESPONSES: dict[str, Any] = {
    "model": "m",
    "input": [{"role": "user", "content": "High?"}],
    "tools": [{"type": "function", "name": "get_tide", "parameters": SCHEMA, "strict": False}],
}
CALLS: list[Any] = [
    {"type": "thinking", "thinking": "t", "signature": "s"},
    {"type": "text", "text": "I look."},
    {"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {"port": "Brest"}},
    {"type": "tool_use", "id": "toolu_2", "name": "none_such", "input": {}},
]
OLLAMA: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "user", "content": "High?"}],
    "tools": [{"type": "function", "function": {"name": "get_tide", "parameters": SCHEMA}}],
}
LINES: list[Any] = [
    {"role": "assistant", "content": "", "thinking": "t"},
    {"role": "assistant", "content": "I look."},
    *(
        {"role": "assistant", "content": "", "tool_calls": [{"function": function}]}
        for function in (
            {"name": "get_tide", "arguments": {"port": "Brest"}},
            {"name": "none_such", "arguments": {}},
        )
    ),
]
ITEMS: list[Any] = [
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"},
    {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "call_1",
        "name": "get_tide",
        "arguments": '{"port": "Brest"}',
        "status": "completed",
    },
]


class Server(ThreadingHTTPServer):
    """Answers calls to who asks, and words to who has results; refuses what the reports say."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[dict[str, Any]] = []
        self.refused: list[list[str]] = []


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(request)
        interface, body_of, stream_of = PATHS[self.path]
        streams = request.pop("stream", False)
        if why := refusals(interface, request):
            self.server.refused.append(why)
            self.answer(400, {"type": "error", "error": {"type": "x", "message": str(why)}})
        elif streams:
            self.stream(stream_of(body_of(request)))
        else:
            self.answer(200, body_of(request))

    def answer(self, status: int, body: Any) -> None:
        self.send(status, "application/json", json.dumps(body))

    def stream(self, events: Iterator[dict[str, Any]]) -> None:
        written = [(each.get("type"), json.dumps(each)) for each in events]
        if written[0][0] is None:
            self.send(200, "application/x-ndjson", "".join(f"{line}\n" for _, line in written))
        else:
            lines = (f"event: {kind}\ndata: {line}\n\n" for kind, line in written)
            self.send(200, "text/event-stream", "".join(lines))

    def send(self, status: int, kind: str, text: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: Any) -> None:
        pass


def message(request: dict[str, Any]) -> dict[str, Any]:
    told = request["messages"][-1]["content"]
    done = isinstance(told, list) and any("high at" in str(block) for block in told)
    content = [{"type": "text", "text": "High at Brest."}] if done else CALLS
    usage = {"input_tokens": 1, "output_tokens": 1}
    reason = "end_turn" if done else "tool_use"
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "usage": usage}
    return {**head, "content": content, "stop_reason": reason, "stop_sequence": None}


def response(request: dict[str, Any]) -> dict[str, Any]:
    done = "high at" in str(request["input"][-1])
    words = {"type": "output_text", "text": "High at Brest.", "annotations": []}
    said = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
    output = [{**said, "content": [words]}] if done else ITEMS
    head = {"id": "resp_1", "object": "response", "created_at": 0, "model": "m", "tools": []}
    more = {"status": "completed", "parallel_tool_calls": True, "tool_choice": "auto"}
    return {**head, **more, "output": output}


def events_of(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"type": "message_start", "message": {**body, "content": [], "stop_reason": None}}
    for at, block in enumerate(body["content"]):
        empty = {"thinking": "", "signature": "", "text": "", "input": {}}
        begun = {name: empty.get(name, value) for name, value in block.items()}
        yield {"type": "content_block_start", "index": at, "content_block": begun}
        for delta in deltas_of(block):
            yield {"type": "content_block_delta", "index": at, "delta": delta}
        yield {"type": "content_block_stop", "index": at}
    ended = {"stop_reason": body["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 1}}
    yield {"type": "message_stop"}


def items_of(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    begun = {**body, "status": "in_progress", "output": []}
    yield {"type": "response.created", "sequence_number": 0, "response": begun}
    for at, item in enumerate(body["output"]):
        place: dict[str, Any] = {"output_index": at, "item_id": item["id"], "sequence_number": 1}
        empty = {"arguments": "", "content": [], "status": "in_progress"}
        added = {name: empty.get(name, value) for name, value in item.items()}
        yield {"type": "response.output_item.added", **place, "item": added}
        for part in item.get("content", ()):
            yield {"type": "response.content_part.added", **place, "content_index": 0, "part": part}
            for letter in part["text"]:
                words = {"content_index": 0, "delta": letter, "logprobs": []}
                yield {"type": "response.output_text.delta", **place, **words}
        for letter in item.get("arguments", ""):
            yield {"type": "response.function_call_arguments.delta", **place, "delta": letter}
        yield {"type": "response.output_item.done", **place, "item": item}
    yield {"type": "response.completed", "sequence_number": 2, "response": body}


def line(request: dict[str, Any]) -> dict[str, Any]:
    told = request["messages"][-2:]
    said = joined(LINES) if len(told) < 2 else {"role": "assistant", "content": "High at Brest."}
    assert "high at" in str(told) or len(told) < 2
    head = {"model": "m", "created_at": "2026-11-29T00:00:00Z", "done": True}
    return {**head, "message": said, "done_reason": "stop"}


def joined(said: list[Any]) -> dict[str, Any]:
    calls = [call for one in said for call in one.get("tool_calls", ())]
    return {"role": "assistant", "content": "I look.", "thinking": "t", "tool_calls": calls}


def lines_of(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    listed = LINES if "tool_calls" in body["message"] else [body["message"]]
    for said in listed:
        yield {"model": "m", "created_at": body["created_at"], "message": said, "done": False}
    yield {**body, "message": {"role": "assistant", "content": ""}}


PATHS: dict[str, tuple[str, Any, Any]] = {
    "/v1/messages": ("anthropic-messages", message, events_of),
    "/responses": ("openai-responses", response, items_of),
    "/api/chat": ("ollama-chat", line, lines_of),
}


def deltas_of(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if block["type"] == "thinking":
        yield {"type": "thinking_delta", "thinking": block["thinking"]}
        yield {"type": "signature_delta", "signature": block["signature"]}
    elif block["type"] == "text":
        for letter in block["text"]:
            yield {"type": "text_delta", "text": letter}
    else:
        for letter in json.dumps(block["input"]):
            yield {"type": "input_json_delta", "partial_json": letter}


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
        assert server.refused == []


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}"


def streamed(ask: Any, request: Any, interface: Interface) -> tuple[str | None, str]:
    """Return what the streamed loop answers, and the text that it showed."""
    shown: list[Any] = []
    said = asyncio.run(converse_streaming(ask, request, RUN, interface, shown.append))
    return said, "".join(piece.get("text", "") for piece in shown)


def test_the_loop_on_messages(server: Server) -> None:
    client = Anthropic(base_url=address(server), api_key="x")
    request = copy.deepcopy(ANTHROPIC)
    assert converse(client.messages.create, request, RUN, "anthropic-messages") == ANSWER
    said, results = server.requests[-1]["messages"][1:]
    assert said == {"role": "assistant", "content": CALLS}
    assert [block.get("is_error") for block in results["content"]] == [None, True]
    assert [one["role"] for one in request["messages"]] == [
        "user",
        "assistant",
        "user",
        "assistant",
    ]


def test_the_loop_on_streamed_messages(server: Server) -> None:
    client = AsyncAnthropic(base_url=address(server), api_key="x")
    request = copy.deepcopy(ANTHROPIC)
    said, shown = streamed(client.messages.create, request, "anthropic-messages")
    assert said == ANSWER
    assert shown == "I look.High at Brest."
    assert server.requests[-1]["messages"][1] == {"role": "assistant", "content": CALLS}


def test_the_loop_on_responses(server: Server) -> None:
    client = OpenAI(base_url=address(server), api_key="x")
    request = copy.deepcopy(RESPONSES)
    assert converse(client.responses.create, request, RUN, "openai-responses") == ANSWER
    output = {"type": "function_call_output", "call_id": "call_1", "output": "high at Brest"}
    assert server.requests[-1]["input"] == [*RESPONSES["input"], *ITEMS, output]


def test_the_loop_on_streamed_responses(server: Server) -> None:
    client, request = AsyncOpenAI(base_url=address(server), api_key="x"), copy.deepcopy(RESPONSES)
    said, shown = streamed(client.responses.create, request, "openai-responses")
    assert said == shown == ANSWER
    output = {"type": "function_call_output", "call_id": "call_1", "output": "high at Brest"}
    assert server.requests[-1]["input"] == [*RESPONSES["input"], *ITEMS, output]


def test_the_loop_on_chat(server: Server) -> None:
    request = copy.deepcopy(OLLAMA)
    assert converse(Client(host=address(server)).chat, request, RUN, "ollama-chat") == ANSWER
    _, said, *results = server.requests[-1]["messages"]
    assert said == joined(LINES)
    assert [one["tool_name"] for one in results] == ["get_tide", "none_such"]
    assert results[0]["content"] == "high at Brest"
    assert [one["role"] for one in request["messages"]] == [
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
    ]


def test_the_loop_on_streamed_chat(server: Server) -> None:
    client = AsyncClient(host=address(server))
    said, shown = streamed(client.chat, copy.deepcopy(OLLAMA), "ollama-chat")
    assert said == ANSWER
    assert shown == "I look.High at Brest."
    assert server.requests[-1]["messages"][1] == joined(LINES)
