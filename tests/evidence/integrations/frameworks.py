"""The blocks of spec/use, run with the real packages against the strict server.

Not named `test_...`: the session `integrations` names it, since the packages are heavy.
"""

import asyncio
import functools
import json
import operator
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import litellm
import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI
from openai import APIError, OpenAI
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from commoncall import turn
from commoncall.payload import load_profile
from tests.evidence.integrations.script import MODEL, TOOL, Script
from tests.evidence.integrations.strict_server import (
    Log,
    Reply,
    chunks_of,
    completion,
    head,
    running,
)
from tests.repository.test_use import blocks

USE = Path(__file__).parents[3] / "spec" / "use"


def get_tide(port: str) -> str:
    """Say when the water is high. Moonshot refuses a parameter without a type."""
    return f"high at {port}"


RUN = {"get_tide": get_tide}


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Log]:
    script = Script(broken=getattr(request, "param", True))
    with running(script, load_profile("vllm")) as log:
        for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE"):
            monkeypatch.setenv(name, log.address)
        monkeypatch.setenv("OPENAI_API_KEY", "x")
        yield log
        assert log.refused == []


def run_block(page: str, holds: str, given: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run the block of a page that holds a text; return its names."""
    [block] = [
        one for one in blocks(USE / page) if holds in one and '"""' not in one.partition("\n")[0]
    ]
    names = dict(given or {})
    exec(compile(block, page, "exec"), names)
    return names


def options() -> dict[str, Any]:
    """Return what the page of the loop says about how to send and read."""
    return run_block("python.md", "from loop import converse")


STREAMED = pytest.mark.parametrize("log", [False], indirect=True)
"""A stream is not asked for again: what was shown cannot be taken back."""


def test_the_loop_answers(log: Log) -> None:
    names = options()
    messages = [{"role": "user", "content": "q"}]
    request = {"model": MODEL, "tools": [TOOL], "messages": messages}
    said = names["converse"](OpenAI(), request, RUN, names["sending"], names["reading"])
    assert said == "High at Brest."
    assert [one["role"] for one in messages] == [
        *("user", "assistant", "tool", "assistant", "tool", "assistant")
    ]


def test_the_object_of_the_sdk_is_a_message(log: Log) -> None:
    names = options()
    reply = OpenAI().chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": "q"}]
    )
    messages: list[Any] = [{"role": "user", "content": "q"}, reply.choices[0].message]
    sent = turn.prepare(
        {"model": MODEL, "messages": messages, "tools": [TOOL]},
        registered=["get_tide"],
        **names["sending"],
    )
    assert [one["role"] for one in sent["request"]["messages"]] == ["user", "assistant", "tool"]
    for wrong in (reply, reply.choices[0], HumanMessage("q")):
        with pytest.raises(TypeError, match=rf"request.messages\[0\] is a {type(wrong).__name__}"):
            turn.prepare({"model": MODEL, "messages": [wrong]}, registered=[], **names["sending"])


CALL = {
    "id": "functions.read:0",
    "type": "function",
    "function": {"name": "get_tide", "arguments": '{"port": "Brest"}'},
}


def guarded(answer: Callable[[Any], httpx.Response], profile: Any = "vllm") -> tuple[Any, Any]:
    """Return both transports of the page before a model that is a function."""
    names, inner = options(), httpx.MockTransport(answer)
    given = [{**names[one], "profile": profile} for one in ("sending", "reading")]
    module = import_module("transport")
    return module.Transport(*given, inner), module.AsyncTransport(*given, inner)


def whole(message: Any) -> httpx.Response:
    """Return a reply of a model."""
    return httpx.Response(200, json=completion(Reply(message, "tool_calls"), 1))


def events(*chunks: Any) -> httpx.Response:
    """Return a reply in a stream."""
    data = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=data)


def test_a_transport_keeps_users_apart() -> None:
    sent: list[Any] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content)["messages"])
        thought = f"{sent[-1][0]['content']} thought {len(sent[-1])}"
        message = {"role": "assistant", "content": None, "tool_calls": [CALL]}
        return whole({**message, "reasoning_content": thought})

    profile = load_profile("moonshot", origin={"provider": "moonshot", "model": MODEL})
    client = OpenAI(http_client=httpx.Client(transport=guarded(answer, profile)[0]), api_key="x")
    told: dict[str, list[Any]] = {name: [{"role": "user", "content": name}] for name in ("A", "B")}
    for _ in range(3):
        for messages in told.values():
            reply = client.chat.completions.create(model=MODEL, messages=messages, tools=[TOOL])
            message = reply.choices[0].message.model_dump(exclude={"reasoning_content"})
            result = {"role": "tool", "tool_call_id": CALL["id"], "content": "high"}
            messages += [message, result]
    assert [[one["reasoning_content"] for one in each[1::2]] for each in sent] == [
        *([], []),
        *(["A thought 1"], ["B thought 1"]),
        *(["A thought 1", "A thought 3"], ["B thought 1", "B thought 3"]),
    ]


def thinking(request: httpx.Request, sent: list[Any]) -> httpx.Response:
    """Call twice and then answer, with other thoughts each time, whole or in a stream."""
    body = json.loads(request.content)
    sent.append(body["messages"])
    turns = len([one for one in sent[-1] if one["role"] == "tool"])
    message: dict[str, Any] = {"role": "assistant", "content": "High." if turns == 2 else None}
    message["reasoning_content"] = f"thought {turns}"
    if turns < 2:
        message["tool_calls"] = [CALL]
    if not body.get("stream"):
        return whole(message)
    chunks = chunks_of(Reply(message, "tool_calls" if turns < 2 else "stop"), 1)
    return events(*chunks)


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("framework", ["langchain", "litellm", "pydantic_ai"])
def test_what_a_framework_sends_back_is_found_again(framework: str, streams: bool) -> None:
    sent: list[Any] = []
    profile = load_profile("moonshot", origin={"provider": "moonshot", "model": MODEL})
    sync, later = guarded(lambda request: thinking(request, sent), profile)
    CONVERSATIONS[framework](sync, later, streams)
    thoughts = [
        [one.get("reasoning_content") for one in each if one["role"] == "assistant"]
        for each in sent
    ]
    assert thoughts == [[], ["thought 0"], ["thought 0", "thought 1"]]


def with_langchain(sync: Any, _: Any, streams: bool) -> None:
    model = ChatOpenAI(model=MODEL, http_client=httpx.Client(transport=sync), api_key="x")
    asked, said = model.bind_tools([TOOL]), [HumanMessage("q")]
    for _ in range(3):
        told = functools.reduce(operator.add, asked.stream(said)) if streams else asked.invoke(said)
        results = [ToolMessage("high", tool_call_id=call["id"]) for call in told.tool_calls]
        said = [*said, told, *results]
    assert said[-1].content == "High."


def with_litellm(sync: Any, _: Any, streams: bool) -> None:
    client = OpenAI(http_client=httpx.Client(transport=sync), api_key="x")
    asked: Any = {"model": f"openai/{MODEL}", "tools": [TOOL], "client": client, "stream": streams}
    said: list[Any] = [{"role": "user", "content": "q"}]
    for _ in range(3):
        reply: Any = litellm.completion(**asked, messages=said)
        reply = litellm.stream_chunk_builder([*reply]) if streams else reply
        told = reply.choices[0].message.model_dump(include={"role", "content", "tool_calls"})
        calls = told.get("tool_calls") or []
        results = [{"role": "tool", "tool_call_id": one["id"], "content": "high"} for one in calls]
        said += [told, *results]
    assert said[-1]["content"] == "High."


def with_pydantic_ai(_: Any, later: Any, streams: bool) -> None:
    provider = OpenAIProvider(http_client=httpx.AsyncClient(transport=later), api_key="x")
    agent = Agent(OpenAIChatModel(MODEL, provider=provider))
    agent.tool_plain(get_tide)

    async def answer() -> Any:
        if not streams:
            return (await agent.run("q")).output
        async with agent.run_stream("q") as result:
            return await result.get_output()

    assert asyncio.run(answer()) == "High."


CONVERSATIONS = {
    "langchain": with_langchain,
    "litellm": with_litellm,
    "pydantic_ai": with_pydantic_ai,
}


SLOW = {"error": {"code": 429, "message": "slow down"}}


def test_an_error_with_the_status_200_is_that_of_the_framework() -> None:
    """What litellm makes of it without the transport, it makes of it with the transport."""
    asked = {"model": f"openai/{MODEL}", "messages": [{"role": "user", "content": "q"}]}
    for transport in (
        httpx.MockTransport(lambda _: httpx.Response(200, json=SLOW)),
        guarded(lambda _: httpx.Response(200, json=SLOW))[0],
    ):
        client = OpenAI(http_client=httpx.Client(transport=transport), api_key="x")
        with pytest.raises(litellm.RateLimitError):
            litellm.completion(**asked, client=client)


def test_an_error_in_a_stream_is_raised() -> None:
    transport, _ = guarded(lambda _: events(chunk_of({"content": "Hi"}), SLOW))
    client = OpenAI(http_client=httpx.Client(transport=transport), api_key="x")
    asked: Any = {"model": MODEL, "messages": [{"role": "user", "content": "q"}], "stream": True}
    chunks = client.chat.completions.create(**asked)
    assert next(chunks).choices[0].delta.content == "Hi"
    with pytest.raises(APIError, match="slow down"):
        next(chunks)


def chunk_of(delta: Any, reason: str | None = None) -> Any:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {**head("chat.completion.chunk", 1), "choices": [choice]}


USAGE = {
    **head("chat.completion.chunk", 1),
    "choices": [],
    "usage": {
        "prompt_tokens": 2,
        "completion_tokens": 3,
        "total_tokens": 5,
    },
}
THINKS = (
    chunk_of({"role": "assistant", "content": "", "reasoning_content": None}),
    chunk_of({"reasoning_content": "Okay, "}),
    chunk_of({"reasoning_content": "hm"}),
    chunk_of({"content": "Hello"}),
    chunk_of({}, "stop"),
    USAGE,
)


def test_reasoning_and_usage_reach_pydantic_ai_while_it_streams() -> None:
    client = httpx.AsyncClient(transport=guarded(lambda _: events(*THINKS))[1])
    provider = OpenAIProvider(http_client=client, api_key="x")
    agent = Agent(OpenAIChatModel(MODEL, provider=provider))

    async def answer() -> Any:
        async with agent.run_stream("q") as result:
            assert await result.get_output() == "Hello"
            return result.new_messages()[-1], result.usage

    message, usage = asyncio.run(answer())
    assert [(type(one).__name__, one.content) for one in message.parts] == [
        ("ThinkingPart", "Okay, hm"),
        ("TextPart", "Hello"),
    ]
    usage = usage() if callable(usage) else usage
    assert (usage.input_tokens, usage.output_tokens) == (2, 3)


def test_usage_reaches_langchain_and_litellm_while_it_streams() -> None:
    transport = guarded(lambda _: events(*THINKS))[0]
    model = ChatOpenAI(
        model=MODEL, http_client=httpx.Client(transport=transport), api_key="x", stream_usage=True
    )
    joined = functools.reduce(operator.add, model.stream("q"))
    assert (joined.content, joined.usage_metadata["total_tokens"]) == ("Hello", 5)
    client = OpenAI(http_client=httpx.Client(transport=transport), api_key="x")
    asked: Any = {"model": f"openai/{MODEL}", "messages": [{"role": "user", "content": "q"}]}
    options = {"stream": True, "stream_options": {"include_usage": True}}
    built: Any = litellm.stream_chunk_builder(
        [*litellm.completion(**asked, **options, client=client)]
    )
    assert built.choices[0].message.reasoning_content == "Okay, hm"
    assert built.usage.total_tokens == 5


def test_closing_a_client_closes_its_connections(log: Log) -> None:
    names = options()
    given = [names[one] for one in ("sending", "reading")]
    transport = import_module("transport").Transport(*given)
    with httpx.Client(transport=transport, base_url=log.address) as client:
        client.post("/chat/completions", json={"messages": [{"role": "user", "content": "q"}]})
        assert len(transport.inner._pool.connections) == 1
    assert transport.inner._pool.connections == []


def test_litellm(log: Log) -> None:
    run_block("transport.md", "import litellm", options())
    asked = {"model": f"openai/{MODEL}", "tools": [TOOL]}
    messages = [{"role": "user", "content": "q"}]
    reply = litellm.completion(**asked, messages=messages)
    [call] = reply.choices[0].message.tool_calls
    assert (call.function.name, call.function.arguments) == ("get_tide", '{"port":"Brest"}')


@STREAMED
def test_litellm_in_a_stream(log: Log) -> None:
    run_block("transport.md", "import litellm", options())
    asked = {"model": f"openai/{MODEL}", "tools": [TOOL], "stream": True}
    chunks = litellm.completion(**asked, messages=[{"role": "user", "content": "q"}])
    built: Any = litellm.stream_chunk_builder(list(chunks))
    [call] = built.choices[0].message.tool_calls
    assert (call.function.name, call.function.arguments) == ("get_tide", '{"port":"Brest"}')


def test_langchain(log: Log) -> None:
    model = run_block("transport.md", "ChatOpenAI", options())["model"].bind_tools([TOOL])
    [call] = model.invoke([HumanMessage("q")]).tool_calls
    assert (call["name"], call["args"]) == ("get_tide", {"port": "Brest"})


@STREAMED
def test_langchain_in_a_stream(log: Log) -> None:
    model = run_block("transport.md", "ChatOpenAI", options())["model"].bind_tools([TOOL])
    pieces = list(model.stream("q"))
    whole = pieces[0]
    for piece in pieces[1:]:
        whole += piece
    [call] = whole.tool_calls
    assert (call["name"], call["args"]) == ("get_tide", {"port": "Brest"})


def test_pydantic_ai(log: Log) -> None:
    agent = run_block("transport.md", "import Agent", options())["agent"]
    agent.tool_plain(get_tide)
    assert agent.run_sync("q").output == "High at Brest."


@STREAMED
def test_pydantic_ai_in_a_stream(log: Log) -> None:
    agent = run_block("transport.md", "import Agent", options())["agent"]
    agent.tool_plain(get_tide)

    async def answer() -> str:
        async with agent.run_stream("q") as result:
            output: str = await result.get_output()
            return output

    assert asyncio.run(answer()) == "High at Brest."


def test_prometheus() -> None:
    rows = [{"tool": "get_tide", "status": "ok", "value": 2}]
    calls = run_block("metrics.md", "Counter", {"done": {"metrics": {"tool_calls_total": rows}}})
    assert calls["CALLS"].labels("get_tide", "ok")._value.get() == 2


def test_opentelemetry() -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    export = run_block("metrics.md", "opentelemetry")["export"]
    plan = {"effective": ["get_tide"], "parse_native_calls": True, "parse_text_calls": True}
    call = {"id": "a", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    got = turn.receive(plan, message, request_id="r", disposition="answer")  # type: ignore[arg-type]
    done = turn.settle(got, [{"seq": 0, "status": "ok", "content": "x", "latency_ms": 3}])
    export(got, done)
    [span] = exporter.get_finished_spans()
    assert (span.name, span.status.status_code.name) == ("execute_tool get_tide", "UNSET")
    assert span.start_time is not None
    assert span.end_time == span.start_time + 3_000_000
