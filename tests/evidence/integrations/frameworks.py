"""The blocks of spec/use, run with the real packages against the strict server.

Not named `test_...`: the session `integrations` names it, since the packages are heavy.
"""

import asyncio
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import litellm
import pytest
from langchain_core.messages import HumanMessage
from openai import OpenAI
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from commoncall import turn
from commoncall.payload import load_profile
from tests.evidence.integrations.script import MODEL, TOOL, Script
from tests.evidence.integrations.strict_server import Log, running
from tests.repository.test_use import blocks

USE = Path(__file__).parents[3] / "spec" / "use"
RUN = {"get_tide": lambda port: f"high at {port}"}


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
    return run_block("python.md", "load_registry")


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


def test_a_transport_carries_what_a_provider_wants_back(monkeypatch: pytest.MonkeyPatch) -> None:
    Exchange: Any = import_module("transport").Exchange
    names = options()
    origin = {"provider": "acme", "model": "m"}
    profile = {
        **load_profile("vllm"),
        "opaque_members": ["extra_content", "reasoning_content"],
        "origin": origin,
    }
    sending, reading = ({**names[one], "profile": profile} for one in ("sending", "reading"))
    carried: dict[str, Any] = {}
    call = {
        "id": "a",
        "type": "function",
        "extra_content": {"signature": "s"},
        "function": {"name": "get_tide", "arguments": '{"port": "Brest"}'},
    }
    message = {"role": "assistant", "content": None, "reasoning_content": "r", "tool_calls": [call]}
    body: dict[str, Any] = {
        "model": MODEL,
        "tools": [TOOL],
        "messages": [{"role": "user", "content": "q"}],
    }
    first = Exchange(body, sending, reading, carried)
    first.request()
    first.reply({"id": "1", "choices": [{"finish_reason": "tool_calls", "message": message}]})
    told = {"role": "assistant", "content": None, "tool_calls": first.calls()}
    result = {"role": "tool", "tool_call_id": "a", "content": "high"}
    again = {**body, "messages": [*body["messages"], told, result]}
    sent = Exchange(again, sending, reading, carried).request()["messages"][1]
    assert sent["reasoning_content"] == "r"
    assert sent["tool_calls"][0]["extra_content"] == {"signature": "s"}
    assert "_from" not in sent
    assert "reasoning_content" not in Exchange(again, sending, reading, {}).request()["messages"][1]
    monkeypatch.setattr(import_module("transport"), "KEPT", 2)
    for id in "bcd":
        later = Exchange(body, sending, reading, carried)
        later.request()
        other = {**message, "tool_calls": [{**call, "id": id}]}
        later.reply({"id": id, "choices": [{"finish_reason": "tool_calls", "message": other}]})
    assert [*carried] == ["c", "d"]


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
    agent.tool_plain(RUN["get_tide"], name="get_tide")
    assert agent.run_sync("q").output == "High at Brest."


@STREAMED
def test_pydantic_ai_in_a_stream(log: Log) -> None:
    agent = run_block("transport.md", "import Agent", options())["agent"]
    agent.tool_plain(RUN["get_tide"], name="get_tide")

    async def answer() -> str:
        async with agent.run_stream("q") as result:
            output: str = await result.get_output()
            return output

    assert asyncio.run(answer()) == "High at Brest."


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
    assert [span.name for span in exporter.get_finished_spans()] == ["execute_tool get_tide"]
