"""Clients of Anthropic Messages and of Responses, through the gateway before a server of Chat
Completions. The shapes of their requests are those of public reports.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from commoncall import interface as interfaces
from commoncall.interface import Interface
from commoncall.payload import load_profile
from commoncall_serve.exchange import Exchange, Options
from commoncall_serve.front import NativeFront
from tests.evidence.integrations.script import LEAKED, MODEL
from tests.evidence.integrations.strict_server import Reply, chunks_of
from tests.evidence.interfaces.generated import request_of
from tests.evidence.request_judges.strict import violations
from tests.serve.served import gateway, serving

Json = dict[str, Any]
ARGUMENTS = {"port": "Brest"}
BROKEN = '<tool_call>\n{"name": "get_tide", "arguments": {"port":\n</tool_call>'
NOT_READ = "The tool call was not run: its payload could not be read."
SCHEMA = {"type": "object", "properties": {"port": {"type": "string"}}}

ASKED: dict[Interface, Json] = {
    "anthropic-messages": {
        "model": MODEL,
        "max_tokens": 99,
        "messages": [{"role": "user", "content": "q"}],
        "tools": [{"name": "get_tide", "input_schema": SCHEMA}],
    },
    "openai-responses": {
        "model": MODEL,
        "input": "q",
        "tools": [{"type": "function", "name": "get_tide", "parameters": SCHEMA, "strict": False}],
    },
}
PATHS = {"anthropic-messages": "/messages", "openai-responses": "/responses"}
BOTH = pytest.mark.parametrize("name", list(ASKED))
WHOLE_AND_STREAMED = pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])


class Server:
    """Says one thing after another, and keeps what it was asked."""

    def __init__(self, *said: Any) -> None:
        self.said = list(said)
        self.asked: list[Json] = []
        self.headers: list[Any] = []

    async def chat(self, request: Request) -> Response:
        body = await request.json()
        self.asked.append(body)
        self.headers.append(request.headers)
        said = self.said.pop(0)
        if isinstance(said, Response):
            return said
        message = {"role": "assistant", "content": said} if isinstance(said, str) else said
        reply = Reply(message, size=3)
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            usage = {"prompt_tokens": 7, "completion_tokens": 2}
            return JSONResponse({"id": "r", "model": "m", "choices": [choice], "usage": usage})
        chunks = [*chunks_of(reply, 1)]
        chunks.append({"id": "r", "choices": [], "usage": {"prompt_tokens": 7}})
        data = ": hello\n\n" + "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
        return Response(f"{data}data: [DONE]\n\n", media_type="text/event-stream")


@contextmanager
def before(*said: Any, **settings: Any) -> Iterator[tuple[Server, httpx.Client]]:
    """Run the gateway before a server that says these."""
    server = Server(*said)
    app = Starlette(routes=[Route("/chat/completions", server.chat, methods=["POST"])])
    with serving(app) as address, gateway(address, **settings) as client:
        yield server, client


def say(client: httpx.Client, name: Interface, *, streams: bool = False, **more: Any) -> Any:
    """Ask; returns the reply of the interface."""
    body = {**ASKED[name], **more, "stream": streams}
    reply = client.post(PATHS[name], json=body, headers={"x-api-key": "k"})
    assert reply.status_code == 200, reply.text
    if not streams:
        return reply.json()
    return interfaces.read_events(name, events(reply.text))["reply"]


def events(text: str) -> list[Json]:
    """Return the data of named events, whose names are their types."""
    found = []
    for event in text.strip().split("\n\n"):
        if not event.startswith(":"):
            named, data = event.split("\n")
            found.append(json.loads(data.removeprefix("data: ")))
            assert named == f"event: {found[-1]['type']}"
    return found


def read(name: Interface, reply: Any) -> Json:
    """Return what a client has of a reply."""
    message: Any = interfaces.read_reply(name, reply)["message"]
    calls = [call["function"] for call in message["tool_calls"] or ()]
    assert all(json.loads(call["arguments"]) == ARGUMENTS for call in calls)
    return {"text": (message["text"] or "").strip(), "calls": [call["name"] for call in calls]}


@BOTH
@WHOLE_AND_STREAMED
def test_a_call_in_the_text_becomes_a_native_one(name: Interface, streams: bool) -> None:
    with before(f"I look. {LEAKED}") as (server, client):
        reply = say(client, name, streams=streams)
    assert read(name, reply) == {"text": "I look.", "calls": ["get_tide"]}
    assert reply.get("stop_reason", "tool_use") == "tool_use"
    assert server.headers[0]["authorization"] == "Bearer k"
    [asked] = server.asked
    assert asked["messages"] == [{"role": "user", "content": "q"}]
    assert asked["tools"][0]["function"]["name"] == "get_tide"
    assert asked.get("stream_options") == ({"include_usage": True} if streams else None)


@BOTH
@WHOLE_AND_STREAMED
def test_reasoning_has_a_place_of_its_own(name: Interface, streams: bool) -> None:
    with before({"role": "assistant", "reasoning_content": "hm", "content": "x"}) as (_, client):
        reply = say(client, name, streams=streams)
    said = reply.get("content") or reply["output"]
    assert sorted(one["type"] for one in said) in (["text", "thinking"], ["message", "reasoning"])
    assert read(name, reply) == {"text": "x", "calls": []}


@BOTH
@WHOLE_AND_STREAMED
def test_what_cannot_be_read_is_asked_for_again(name: Interface, streams: bool) -> None:
    with before(f"I look. {BROKEN}", LEAKED) as (server, client):
        reply = say(client, name, streams=streams)
    assert read(name, reply)["calls"] == ["get_tide"]
    assert [len(each["messages"]) for each in server.asked] == [1, 3]


@BOTH
@WHOLE_AND_STREAMED
def test_a_failed_turn_says_so(name: Interface, streams: bool) -> None:
    with before(BROKEN, options=Options(retries=0)) as (_, client):
        reply = say(client, name, streams=streams)
    assert read(name, reply) == {"text": NOT_READ, "calls": []}


@BOTH
def test_the_limit_has_the_name_that_the_server_knows(name: Interface) -> None:
    member = {"anthropic-messages": "max_tokens", "openai-responses": "max_output_tokens"}[name]
    given: Json = {member: 9}
    for profile, known in (("vllm", "max_tokens"), ("openai-gpt-5-4", "max_completion_tokens")):
        with before("x", options=Options(profile=profile)) as (server, client):
            say(client, name, **given)
        assert {one: server.asked[0].get(one) for one in ("max_tokens", known)}[known] == 9
        assert ("max_tokens" in server.asked[0]) == (known == "max_tokens")


@BOTH
def test_tokens_are_counted_in_a_stream(name: Interface) -> None:
    with before("x") as (_, client):
        reply = client.post(PATHS[name], json={**ASKED[name], "stream": True})
    last = [
        one for one in events(reply.text) if "delta" in one["type"] or "completed" in one["type"]
    ][-1]
    assert (last.get("response") or last)["usage"]["input_tokens"] == 7


@BOTH
@pytest.mark.parametrize("chunks", range(4))
def test_a_stream_that_breaks_off_ends_with_an_error(name: Interface, chunks: int) -> None:
    """Nothing of it is called, even where the block was whole."""
    data = [f"data: {json.dumps(one)}\n\n" for one in chunks_of(Reply({"content": LEAKED}), 1)]
    cut = Response("".join(data[:chunks]), media_type="text/event-stream")
    with before(cut) as (_, client):
        reply = client.post(PATHS[name], json={**ASKED[name], "stream": True})
    last = events(reply.text)[-1]
    error = (last.get("response") or last)["error"]
    assert last["type"] in ("error", "response.failed")
    assert error["message"] == "commoncall: the server broke off; nothing was run"
    assert "get_tide" not in reply.text


@BOTH
@pytest.mark.parametrize(
    ("answer", "status", "message"),
    [
        (JSONResponse({"error": {"message": "busy"}}, 503, {"retry-after": "7"}), 503, "busy"),
        (JSONResponse({"object": "error", "message": "long"}, 400), 400, "long"),
        (JSONResponse({"detail": "Not Found"}, 404), 404, "Not Found"),
        (Response("<html>", 500), 500, "the server answered 500"),
        (JSONResponse({"error": {"message": "no credit", "code": 402}}), 502, "no credit"),
        (JSONResponse([]), 502, "the server answered 502"),
    ],
)
def test_an_error_of_the_server_has_the_form_of_the_interface(
    name: Interface, answer: Response, status: int, message: str
) -> None:
    with before(answer) as (_, client):
        reply = client.post(PATHS[name], json=ASKED[name])
    error = reply.json()
    assert (reply.status_code, error["error"]["message"]) == (status, message)
    assert error.get("type") == ("error" if name == "anthropic-messages" else None)
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers.get("retry-after") == answer.headers.get("retry-after")


@BOTH
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{", "the body is no JSON object"),
        (b'{"previous_response_id": "r"}', "`previous_response_id` asks for what a provider holds"),
        (b'{"messages": 1, "input": 1}', "this is no request of a chat"),
    ],
)
def test_a_request_that_is_none_is_refused(name: Interface, body: bytes, message: str) -> None:
    with gateway("http://127.0.0.1:9/v1") as client:
        reply = client.post(PATHS[name], content=body)
    assert (reply.status_code, message in reply.json()["error"]["message"]) == (400, True)


@BOTH
@pytest.mark.parametrize("profile", ["vllm", "openai"])
def test_a_strict_server_takes_what_a_client_says(name: Interface, profile: str) -> None:
    for seed in range(60):
        asked = NativeFront(name).asked(request_of(name, seed))
        sent = Exchange(asked, Options(profile=profile)).request()
        assert violations(sent, profile=load_profile(profile)) == [], seed
        said = json.dumps(sent["messages"])
        assert not any(f'"{own}"' in said for own in ("source", "signature", "encrypted_content"))


def test_what_a_coding_agent_sends_to_messages() -> None:
    mark = {"cache_control": {"type": "ephemeral"}}
    picture = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    asked = NativeFront("anthropic-messages").asked(
        {
            **ASKED["anthropic-messages"],
            "system": [
                {"type": "text", "text": "x-anthropic-billing-header: cc_version=1; cch=1f2;"},
                {"type": "text", "text": "A", **mark},
                {"type": "text", "text": "B", **mark},
            ],
            "thinking": {"type": "enabled", "budget_tokens": 1024},
            "metadata": {"user_id": "u"},
            "context_management": {"edits": []},
            "stop_sequences": ["x"],
            "tool_choice": {"type": "any", "disable_parallel_tool_use": True},
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "q", **mark}]},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "thinking", "thinking": "t", "signature": ""},
                        {"type": "redacted_thinking", "data": "e"},
                        {"type": "text", "text": "I look."},
                        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
                        {
                            "type": "tool_use",
                            "id": "toolu_1",
                            "name": "get_tide",
                            "input": ARGUMENTS,
                        },
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "toolu_1",
                            "is_error": True,
                            "content": [
                                {"type": "text", "text": "no"},
                                {"type": "image", "source": picture},
                                {"type": "tool_reference", "tool_name": "x"},
                            ],
                        },
                        {"type": "document", "source": {"type": "text", "data": "words"}},
                        {
                            "type": "document",
                            "source": {**picture, "media_type": "application/pdf"},
                        },
                        {"type": "text", "text": "go on", **mark},
                    ],
                },
            ],
        }
    )
    system, _, said, result, last = asked.pop("messages")
    assert system["content"] == "A\nB"
    assert said["content"] == "I look."
    assert said["reasoning_content"] == "t"
    assert json.loads(said["tool_calls"][0]["function"]["arguments"]) == ARGUMENTS
    url = {"url": "data:image/png;base64,iVBORw0KGgo="}
    assert result == {
        "role": "tool",
        "tool_call_id": "toolu_1",
        "content": [
            {"type": "text", "text": "The tool failed."},
            {"type": "text", "text": "no"},
            {"type": "image_url", "image_url": url},
            {"type": "text", "text": "[tool_reference: not shown, this model cannot read it]"},
        ],
    }
    document = "[document: not shown, this model cannot read it]"
    assert last["content"] == f"words\n{document}\ngo on"
    assert asked.pop("tools")
    assert asked == {
        "model": MODEL,
        "max_tokens": 99,
        "stop": ["x"],
        "tool_choice": "required",
        "parallel_tool_calls": False,
    }


@WHOLE_AND_STREAMED
def test_what_has_no_place_is_named(streams: bool) -> None:
    """Also where the server refuses what is left."""
    name: Interface = "anthropic-messages"
    mark = {"cache_control": {"type": "ephemeral"}}
    body = {
        **ASKED[name],
        "stream": streams,
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "metadata": {},
        "Bearer secret": 1,
        "system": [{"type": "text", "text": "A", **mark}],
        "output_config": {"effort": "max", "format": {"type": "json_schema", "schema": SCHEMA}},
        "tools": [
            {**ASKED[name]["tools"][0], **mark},
            {"type": "web_search_20250305", "name": "web_search"},
        ],
        "messages": [
            {"role": "user", "content": "q"},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "t", "signature": "s"},
                    {"type": "redacted_thinking", "data": "e"},
                    {"type": "tool_use", "id": "a", "name": "get_tide", "input": {}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "a",
                        "is_error": True,
                        "content": [{"type": "document", "source": {}}],
                    }
                ],
            },
        ],
    }
    names = (
        "thinking, other, output_config.effort, text.cache_control, thinking.signature, "
        "redacted_thinking, document, tools.cache_control, tools.web_search_20250305"
    )
    with before("x", JSONResponse({"message": "long"}, 400)) as (server, client):
        for status in (200, 400):
            reply = client.post(PATHS[name], json=body)
            assert (reply.status_code, reply.headers["commoncall-no-place"]) == (status, names)
    schema = {"name": "answer", "schema": SCHEMA}
    assert server.asked[0]["response_format"] == {"type": "json_schema", "json_schema": schema}


def test_nothing_is_named_where_all_has_a_place() -> None:
    item = {"type": "message", "role": "user", "status": "completed", "content": "q"}
    more = {"reasoning": {"effort": "low"}, "text": {"format": {"type": "text"}}, "input": [item]}
    with before("x") as (_, client):
        reply = client.post("/responses", json={**ASKED["openai-responses"], **more})
        assert "commoncall-no-place" not in reply.headers


def test_tools_of_a_namespace_have_a_place() -> None:
    [tool] = ASKED["openai-responses"]["tools"]
    inner = [tool, {**tool, "name": "b", "defer_loading": True}]
    image = {"type": "input_image", "image_url": "data:,", "detail": "low"}
    front = NativeFront("openai-responses")
    front.asked(
        {
            "model": MODEL,
            "input": [{"role": "user", "content": [image]}],
            "tools": [{"type": "namespace", "name": "a", "description": "d", "tools": inner}],
        }
    )
    assert front.unplaced == ["tools.defer_loading"]


def test_what_was_mended_is_named_by_its_codes() -> None:
    body = {"model": MODEL, "messages": [{"role": "user", "content": "q"}], "tools": []}
    with before("x") as (_, client):
        reply = client.post("/chat/completions", json={**body, "tool_choice": "auto"})
    assert reply.headers["commoncall-found"] == "tools_empty"


def test_what_a_coding_agent_sends_to_responses() -> None:
    call = {"type": "function_call", "call_id": "c", "name": "get_tide", "arguments": "{}"}
    thought = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "t"}],
    }
    tools = [*ASKED["openai-responses"]["tools"], {"type": "web_search"}]
    schema = {"name": "n", "schema": SCHEMA, "strict": True}
    asked = NativeFront("openai-responses").asked(
        {
            "model": MODEL,
            "instructions": "S",
            "input": [
                {
                    "type": "message",
                    "role": "developer",
                    "content": [{"type": "input_text", "text": "D"}],
                },
                {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": "q"}],
                },
                {**thought, "encrypted_content": None},
                {"type": "web_search_call", "id": "ws_1", "status": "completed"},
                call,
                {
                    "type": "function_call_output",
                    "call_id": "c",
                    "output": [{"type": "input_text", "text": "no"}],
                },
            ],
            "tools": tools,
            "tool_choice": "auto",
            "parallel_tool_calls": True,
            "reasoning": {"effort": "high", "summary": "auto"},
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "prompt_cache_key": "k",
            "max_output_tokens": 9,
            "text": {"verbosity": "low", "format": {"type": "json_schema", **schema}},
            "stream": True,
        }
    )
    roles = [one["role"] for one in asked["messages"]]
    assert roles == ["system", "developer", "user", "assistant", "tool"]
    said = asked["messages"][3]
    assert (said["content"], said["reasoning_content"]) == (None, "t")
    assert asked["messages"][4]["content"] == "no"
    assert [tool["function"]["name"] for tool in asked.pop("tools")] == ["get_tide"]
    del asked["messages"]
    assert asked == {
        "model": MODEL,
        "tool_choice": "auto",
        "parallel_tool_calls": True,
        "stream": True,
        "stream_options": {"include_usage": True},
        "reasoning_effort": "high",
        "max_tokens": 9,
        "response_format": {"type": "json_schema", "json_schema": schema},
    }


PATCH = "*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch"
CODEX: list[Json] = [
    {
        "type": "custom",
        "name": "apply_patch",
        "description": "Edits files.",
        "format": {"type": "grammar", "syntax": "lark", "definition": "start: /.+/s"},
    },
    {
        "type": "namespace",
        "name": "mcp__sea",
        "tools": [{"type": "function", "name": "tide", "parameters": SCHEMA, "strict": False}],
    },
    {"type": "web_search"},
]
GIVEN = {"apply_patch": {"input": PATCH}, "mcp__sea__tide": ARGUMENTS}


@WHOLE_AND_STREAMED
def test_tools_that_are_no_functions_come_back_as_what_they_are(streams: bool) -> None:
    calls = [
        {"id": name, "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
        for name, given in GIVEN.items()
    ]
    said = {"role": "assistant", "content": None, "tool_calls": calls}
    with before(said, "Done.") as (server, client):
        reply = say(client, "openai-responses", streams=streams, tools=CODEX)
        patch, tide = reply["output"]
        output = {"type": "custom_tool_call_output", "call_id": "apply_patch", "output": "ok"}
        result = {"type": "function_call_output", "call_id": "mcp__sea__tide", "output": "noon"}
        items = [{"role": "user", "content": "q"}, patch, tide, output, result]
        say(client, "openai-responses", tools=CODEX, input=items)
    assert (patch["type"], patch["name"], patch["input"]) == (
        "custom_tool_call",
        "apply_patch",
        PATCH,
    )
    assert (tide["namespace"], tide["name"], tide["type"]) == ("mcp__sea", "tide", "function_call")
    first, again = server.asked
    names = [tool["function"]["name"] for tool in first["tools"]]
    assert names == ["apply_patch", "mcp__sea__tide"]
    text = first["tools"][0]["function"]["parameters"]["properties"]["input"]
    assert text["description"] == "start: /.+/s"
    _, call, *results = again["messages"]
    given = {one["function"]["name"]: one["function"]["arguments"] for one in call["tool_calls"]}
    assert {name: json.loads(one) for name, one in given.items()} == GIVEN
    assert [one["content"] for one in results] == ["ok", "noon"]


def test_the_events_of_a_tool_that_takes_a_text() -> None:
    call = {"name": "apply_patch", "arguments": json.dumps({"input": PATCH})}
    said = {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": call}]}
    body = {**ASKED["openai-responses"], "tools": CODEX, "stream": True}
    with before(said) as (_, client):
        found = events(client.post("/responses", json=body).text)
    kinds = {one["type"]: one for one in found if "custom_tool_call_input" in one["type"]}
    assert kinds["response.custom_tool_call_input.delta"]["delta"] == PATCH
    assert kinds["response.custom_tool_call_input.done"]["input"] == PATCH
    assert not [one for one in found if "function_call_arguments" in one["type"]]
