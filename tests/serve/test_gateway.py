"""The gateway between a client and the strict server: what each of them gets to see."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from commoncall import turn
from commoncall.payload import load_profile
from commoncall_serve.exchange import Options
from tests.evidence.integrations.script import LEAKED, MODEL, TOOL, Script
from tests.evidence.integrations.strict_server import Log, Reply, chunks_of, running
from tests.serve.served import Json, events, gateway, message_of, serving, until

NOT_READ = "The tool call was not run: its payload could not be read."
CUT = "The tool call was not run: the output was cut off before its end."
BROKEN = LEAKED.replace("</parameter>", "<parameter=day>\n2\n</parameter>")
"""The first parameter has no end, and so the value of another in its own."""

CALL = {"name": "get_tide", "arguments": '{"port":"Brest"}'}
WHOLE_AND_STREAMED = pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])


def asked(streams: bool = False, **members: Any) -> Json:
    messages = [{"role": "user", "content": "q"}]
    request = {"model": MODEL, "messages": messages, "tools": [TOOL], "stream": streams}
    return {**request, **members}


@contextmanager
def saying(*texts: str, retries: int = 1, **reply: Any) -> Iterator[tuple[Log, httpx.Client]]:
    """Run the gateway before a model that says one text after the other."""
    left = [*texts]

    def script(_: Json) -> Reply:
        return Reply({"role": "assistant", "content": left.pop(0)}, **reply)

    options = Options(profile="vllm", retries=retries)
    with running(script, load_profile("vllm")) as log, gateway(log.address, options) as client:
        yield log, client
        assert log.refused == []
        assert left == []


def say(client: httpx.Client, **members: Any) -> Json:
    reply = client.post("/chat/completions", json=asked(**members))
    assert reply.status_code == 200, reply.text
    return message_of(reply)


@WHOLE_AND_STREAMED
def test_a_call_in_the_text_becomes_a_native_one(streams: bool) -> None:
    with saying(f"I look. {LEAKED}") as (_, client):
        said = say(client, streams=streams)
    [call] = said["tool_calls"]
    assert (call["function"], said["content"].strip()) == (CALL, "I look.")
    assert said["finish_reason"] == "tool_calls"


def test_a_call_of_a_server_that_gives_no_reason_runs() -> None:
    with saying(f"I look. {LEAKED}", finish_reason="") as (_, client):
        said = say(client, streams=True)
    assert [call["function"] for call in said["tool_calls"]] == [CALL]


@WHOLE_AND_STREAMED
def test_a_text_stays_what_it_is(streams: bool) -> None:
    text = "  Naïve 🌊 `<tool_call>`\n\nend \n"
    with saying(text) as (_, client):
        said = say(client, streams=streams)
    assert (said["content"], said["finish_reason"]) == (text, "stop")


@WHOLE_AND_STREAMED
def test_what_cannot_be_read_is_asked_for_again(streams: bool) -> None:
    with saying(BROKEN, LEAKED) as (log, client):
        said = say(client, streams=streams)
    assert [call["function"] for call in said["tool_calls"]] == [CALL]
    assert said["content"] is None
    assert [len(each["messages"]) for each in log.requests] == [1, 3]
    assert log.requests[1]["messages"][2]["content"] == NOT_READ


@WHOLE_AND_STREAMED
@pytest.mark.parametrize("retries", [0, 2])
def test_a_failed_turn_says_so(streams: bool, retries: int) -> None:
    with saying(*[BROKEN] * (retries + 1), retries=retries) as (_, client):
        said = say(client, streams=streams)
    assert (said["content"], said["finish_reason"]) == (NOT_READ, "stop")
    assert "tool_calls" not in said


def test_what_was_shown_stays_before_the_next_try() -> None:
    with saying(f"I look. {BROKEN}", f"Again. {LEAKED}") as (_, client):
        said = say(client, streams=True)
    assert said["content"].split() == ["I", "look.", "Again."]
    assert [call["function"] for call in said["tool_calls"]] == [CALL]
    assert said["role"] == "assistant"


def test_words_that_a_model_says_again_are_shown_once() -> None:
    with saying(f"I look. {BROKEN}", f"I look.\nAgain. {LEAKED}") as (_, client):
        said = say(client, streams=True)
    assert said["content"].split() == ["I", "look.", "Again."]
    with saying(f"I look.\n{BROKEN}", LEAKED.join(["I look. ", ""])) as (_, client):
        said = say(client, streams=True)
    assert said["content"].strip() == "I look."
    assert [call["function"] for call in said["tool_calls"]] == [CALL]


@WHOLE_AND_STREAMED
def test_reasoning_that_the_prompt_opened_is_no_content(streams: bool) -> None:
    def script(_: Json) -> Reply:
        return Reply({"role": "assistant", "content": f"It is late.</think>\n{LEAKED}"})

    options = Options(profile="vllm", reasoning="open")
    with running(script) as log, gateway(log.address, options) as client:
        said = say(client, streams=streams)
    assert (said["reasoning_content"], said["content"]) == ("It is late.", None)
    assert [call["function"] for call in said["tool_calls"]] == [CALL]


def test_what_was_cut_off_is_not_asked_for_again() -> None:
    with saying(BROKEN, finish_reason="length") as (log, client):
        said = say(client)
        host = str(client.base_url).removesuffix("/v1/")
        assert "\ncommoncall_cut_off_total 1\n" in client.get(f"{host}/metrics").text
    assert (said["content"], said["finish_reason"]) == (CUT, "length")
    assert len(log.requests) == 1


@WHOLE_AND_STREAMED
def test_a_second_try_that_is_refused_leaves_the_first(streams: bool) -> None:
    def script(request: Json) -> Reply:
        if len(request["messages"]) > 1:
            raise ConnectionError
        return Reply({"role": "assistant", "content": BROKEN})

    with behind(script) as client:
        said = say(client, streams=streams)
    assert (said["content"], said["finish_reason"]) == (NOT_READ, "stop")


@contextmanager
def behind(script: Any, **settings: Any) -> Iterator[httpx.Client]:
    """Run the gateway before a model that can fail: then its server answers 503."""

    async def chat(request: Request) -> Response:
        body = await request.json()
        try:
            reply = script(body)
        except ConnectionError:
            return JSONResponse({"error": {"message": "busy"}}, 503, {"retry-after": "7"})
        if not body["stream"]:
            choice = {"index": 0, "message": reply.message, "finish_reason": reply.finish_reason}
            return JSONResponse({"id": "r", "choices": [choice]})
        data = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks_of(reply, 1))
        return Response(f"{data}data: [DONE]\n\n", media_type="text/event-stream")

    app = Starlette(routes=[Route("/chat/completions", chat, methods=["POST"])])
    with serving(app) as address, gateway(address, **settings) as client:
        yield client


@WHOLE_AND_STREAMED
def test_an_error_of_the_server_goes_on_as_it_came(streams: bool) -> None:
    def script(_: Json) -> Reply:
        raise ConnectionError

    with behind(script) as client:
        reply = client.post("/chat/completions", json=asked(streams))
    assert (reply.status_code, reply.json()) == (503, {"error": {"message": "busy"}})
    assert reply.headers["retry-after"] == "7"


@pytest.mark.parametrize("is_reset", [False, True], ids=["ended", "reset"])
def test_a_stream_that_breaks_off_ends_with_an_error(is_reset: bool) -> None:
    """Nothing of it is called, wherever that is; even where the block was whole."""
    whole = Reply({"role": "assistant", "content": f"I look. {LEAKED}"}, size=20)
    for chunks in range(len([*chunks_of(whole, 1)])):
        cut = whole._replace(chunks=chunks, is_reset=is_reset)
        with (
            running(lambda _, cut=cut: cut) as log,  # type: ignore[misc]
            gateway(log.address) as client,
        ):
            reply = client.post("/chat/completions", json=asked(True))
            host = str(client.base_url).removesuffix("/v1/")
            assert "\ncommoncall_cut_off_total 1\n" in client.get(f"{host}/metrics").text
        *shown, last = events(reply.text)
        assert last["error"]["code"] == "upstream_cut"
        assert not [one for one in shown if "tool_calls" in one["choices"][0]["delta"]]
        assert "[DONE]" not in reply.text


def test_a_hundred_streams_at_once() -> None:
    def script(request: Json) -> Reply:
        port = request["messages"][0]["content"]
        text = f"For {port}: {LEAKED.replace('Brest', port)}"
        return Reply({"role": "assistant", "content": text}, size=3)

    async def ask(client: httpx.AsyncClient, number: int) -> Json:
        messages = [{"role": "user", "content": f"port{number}"}]
        reply = await client.post("/chat/completions", json=asked(True, messages=messages))
        return message_of(reply)

    async def ask_all(address: str) -> list[Json]:
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(base_url=address, timeout=60, limits=limits) as client:
            return await asyncio.gather(*(ask(client, number) for number in range(100)))

    with behind(script) as client:
        said = asyncio.run(ask_all(str(client.base_url)))
    for number, one in enumerate(said):
        assert one["content"].strip() == f"For port{number}:"
        [call] = one["tool_calls"]
        assert json.loads(call["function"]["arguments"]) == {"port": f"port{number}"}


class Endless:
    """A server that streams text for ever, and says how much it could and whether it still does."""

    def __init__(self) -> None:
        self.sent = 0
        self.seen = [0]
        self.is_over = False
        routes = [Route("/chat/completions", self.chat, methods=["POST"])]
        self.app = Starlette(routes=routes)

    def waits(self) -> bool:
        """Tell, asked again and again, whether it cannot go on. Sockets hold some megabytes."""
        self.seen.append(self.sent)
        return len(self.seen) > 50 and len({*self.seen[-50:]}) == 1

    async def chat(self, _: Request) -> Response:
        return StreamingResponse(self.stream(), media_type="text/event-stream")

    async def stream(self) -> AsyncIterator[bytes]:
        text = "word " * 10_000
        chunk = {"id": "r", "choices": [{"index": 0, "delta": {"content": text}}]}
        data = b"data: %s\n\n" % json.dumps(chunk).encode()
        try:
            while True:
                yield data
                self.sent += len(data)
                await asyncio.sleep(0)
        finally:
            self.is_over = True


def test_a_client_that_leaves_or_does_not_read_is_noticed_by_the_server() -> None:
    endless = Endless()
    with serving(endless.app) as address, gateway(address, size=2**40) as client:
        with client.stream("POST", "/chat/completions", json=asked(True)) as reply:
            pieces = reply.iter_bytes()
            next(pieces)
            assert until(endless.waits)
            assert not endless.is_over
            assert endless.sent < 50_000_000
        assert until(lambda: endless.is_over)


def test_a_reply_that_is_too_large_or_too_slow_is_an_error() -> None:
    with serving(Endless().app) as address, gateway(address, size=1_000_000) as client:
        reply = client.post("/chat/completions", json=asked(True))
        assert events(reply.text)[-1]["error"]["code"] == "reply_too_large"

    async def sleep(_: Request) -> Response:
        await asyncio.sleep(5)
        return Response()

    app = Starlette(routes=[Route("/chat/completions", sleep, methods=["POST"])])
    for limit in ("silence", "longest"):
        given: Json = {limit: 0.1}
        with serving(app) as address, gateway(address, **given) as client:
            reply = client.post("/chat/completions", json=asked())
        assert (reply.status_code, reply.json()["error"]["code"]) == (504, "upstream_timeout")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "request_invalid"),
        (b"[]", 400, "request_invalid"),
        (b"[" * 100_000, 400, "request_invalid"),
        (b'{"messages": 1, "n": 2}', 400, "choice_not_single"),
        (b'{"contents": [{"role": "user", "parts": []}]}', 400, "form_not_chat_completions"),
        (b" " * 2000, 413, "request_too_large"),
    ],
)
def test_a_request_that_is_none_is_refused(body: bytes, status: int, code: str) -> None:
    with gateway("http://127.0.0.1:9/v1", size=1000 if status == 413 else 10**6) as client:
        reply = client.post("/chat/completions", content=body)
    assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)


def test_a_server_that_is_not_there_is_an_error() -> None:
    with gateway("http://127.0.0.1:9/v1") as client:
        reply = client.post("/chat/completions", json=asked())
    assert (reply.status_code, reply.json()["error"]["code"]) == (502, "upstream_unreachable")


def test_what_it_does_not_know_passes_through() -> None:
    async def echo(request: Request) -> Response:
        headers = {"x-seen": request.headers.get("authorization", ""), "x-hop": "no"}
        headers["connection"] = "x-hop"
        assert "x-private" not in request.headers
        said = f"{request.method} {request.url.path}?{request.url.query} "
        return Response(said.encode() + await request.body(), 418, headers)

    route = Route("/base/{path:path}", echo, methods=["GET", "POST", "DELETE"])
    with (
        serving(Starlette(routes=[route])) as address,
        gateway(f"{address}/base/") as client,
    ):
        headers = {"Authorization": "Bearer k", "Connection": "x-private", "X-Private": "p"}
        reply = client.post("/files/a%20b?key=1&b=%20", content=b"body", headers=headers)
        assert reply.content == b"POST /base/files/a b?key=1&b=%20 body"
        assert (reply.status_code, reply.headers["x-seen"]) == (418, "Bearer k")
        assert "x-hop" not in reply.headers
        assert client.get("/models").content == b"GET /base/models? "
        host = str(client.base_url).removesuffix("/v1/")
        assert client.get(f"{host}/v1/%2e%2e/x").status_code == 404


def test_a_log_holds_nothing_of_a_request(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO, "commoncall.serve")

    def fail(*_: object, **__: object) -> None:
        raise ValueError("secret")

    headers = {"Authorization": "Bearer secret"}
    messages = [{"role": "user", "content": "secret"}]
    with saying("secret") as (_, client):
        say(client, messages=messages)
        client.get("/secret?key=secret", headers=headers)
        monkeypatch.setattr(turn, "receive", fail)
        monkeypatch.setattr(turn, "prepare", fail)
        client.post("/chat/completions?key=secret", json=asked(), headers=headers)
        monkeypatch.setattr("commoncall_serve.asking.Exchange", fail)
        broken = client.post("/chat/completions?key=secret", json=asked(), headers=headers)
        assert (broken.status_code, broken.json()["error"]["code"]) == (500, "internal")
    own = [one.getMessage() for one in caplog.records if one.name == "commoncall.serve"]
    assert len(own) == 5
    assert "secret" not in "".join(own)


def test_what_a_client_gives_back_of_a_provider_reaches_it() -> None:
    sent: list[Json] = []

    def script(request: Json) -> Reply:
        sent.append(request)
        return Reply({"role": "assistant", "content": "x", "reasoning_content": "why"})

    told = {"role": "assistant", "content": "x", "reasoning_content": "because"}
    messages = [{"role": "user", "content": "q"}, told, {"role": "user", "content": "r"}]
    with behind(script, options=Options(profile="moonshot")) as client:
        said = say(client, messages=messages)
    assert said["reasoning_content"] == "why"
    assert sent[0]["messages"][1] == told


def test_parts_that_are_no_text_stay() -> None:
    thought = {"type": "thinking", "thinking": "why", "signature": "s"}

    def script(_: Json) -> Reply:
        parts = [thought, {"type": "text", "text": f"I look. {LEAKED}"}]
        return Reply({"role": "assistant", "content": parts})

    with behind(script) as client:
        said = say(client)
    assert [one.get("text", "").strip() for one in said["content"]] == ["", "I look."]
    assert said["content"][0] == thought
    assert [call["function"] for call in said["tool_calls"]] == [CALL]


def test_parts_that_are_no_text_are_streamed() -> None:
    thought = {"type": "thinking", "thinking": "why", "signature": "s"}
    picture = {"type": "image_url", "image_url": {"url": "data:,"}}

    def script(_: Json) -> Reply:
        parts = [thought, {"type": "text", "text": f"I look. {LEAKED}"}, picture, 1]
        return Reply({"role": "assistant", "content": parts})

    with behind(script) as client:
        reply = client.post("/chat/completions", json=asked(streams=True))
    found = [each["choices"][0] for each in events(reply.text)[:-1]]
    [parts] = [each["delta"]["content"] for each in found if each["delta"].get("content")]
    assert parts[:3] == [thought, picture, 1]
    assert [one["type"] for one in parts[3:]] == ["text"]
    assert parts[3]["text"].strip() == "I look."
    [calls] = [each["delta"]["tool_calls"] for each in found if "tool_calls" in each["delta"]]
    assert [call["function"] for call in calls] == [CALL]
    assert found[-1]["finish_reason"] == "tool_calls"


def test_parts_of_a_text_alone_are_streamed_as_a_text() -> None:
    def script(_: Json) -> Reply:
        parts = [{"type": "text", "text": "Na"}, {"type": "text", "text": "ïve"}]
        return Reply({"role": "assistant", "content": parts})

    with behind(script) as client:
        assert say(client, streams=True)["content"] == "Naïve"


def test_a_turn_can_go_on_at_another_gateway() -> None:
    with running(Script(), load_profile("vllm")) as log:
        with gateway(log.address) as first, gateway(log.address) as second:
            messages = asked()["messages"]
            said = say(first, messages=messages)
            [call] = said.pop("tool_calls")
            del said["finish_reason"]
            result = {"role": "tool", "tool_call_id": call["id"], "content": "high at Brest"}
            told = [*messages, {**said, "tool_calls": [call]}, result]
            assert say(second, messages=told)["content"] == "High at Brest."
        assert log.refused == []


def test_counters() -> None:
    with saying(BROKEN, LEAKED) as (_, client):
        say(client)
        host = str(client.base_url).removesuffix("/v1/")
        assert client.get(f"{host}/healthz").text == "ok\n"
        lines = client.get(f"{host}/metrics").text.splitlines()
    assert {line for line in lines if line[0] != "#"} == {
        'tool_calls_total{status="error",tool="get_tide"} 1',
        'tool_calls_total{status="ok",tool="get_tide"} 1',
        'commoncall_calls_from_text_total{tool="get_tide"} 1',
        'commoncall_requests_total{status="200"} 1',
        "commoncall_retries_total 1",
        'commoncall_findings_total{code="content_coerced"} 1',
        'commoncall_findings_total{code="text_call_rejected"} 1',
    }


def test_a_page_that_names_this_address_anew_gets_nothing() -> None:
    with gateway("http://127.0.0.1:9/v1", hosts=("127.0.0.1",)) as client:
        host = str(client.base_url).removesuffix("/v1/")
        assert client.get(f"{host}/healthz").status_code == 200
        assert client.get(f"{host}/healthz", headers={"Host": "evil.example"}).status_code == 400


@WHOLE_AND_STREAMED
def test_the_model_of_the_pages(streams: bool) -> None:
    with running(Script(), load_profile("vllm")) as log, gateway(log.address) as client:
        said = say(client, streams=streams)
        assert [call["function"] for call in said["tool_calls"]] == [CALL]
        assert log.refused == []
