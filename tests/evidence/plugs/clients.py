"""Clients that nobody changes, through the gateway before a model that leaks its calls.

Not named `test_...`: the session `plugs` names it, since the packages are heavy.
"""

import asyncio
import copy
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic, APIStatusError, BadRequestError
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI
from openai import APIError, AsyncOpenAI, OpenAI

from commoncall.payload import load_profile
from commoncall_serve.exchange import Options
from tests.evidence.integrations.script import LEAKED, MODEL, TOOL, Script
from tests.evidence.integrations.strict_server import Reply, running
from tests.serve.served import gateway

HERE = Path(__file__).parent
ASKED: dict[str, Any] = {
    "model": MODEL,
    "messages": [{"role": "user", "content": "q"}],
    "tools": [TOOL],
}
CALL = ("get_tide", '{"port":"Brest"}')
CALLED = ("get_tide", {"port": "Brest"})
SCHEMA: Any = {"type": "object", "properties": {"port": {"type": "string"}}}
MESSAGES: dict[str, Any] = {
    "model": MODEL,
    "max_tokens": 99,
    "messages": [{"role": "user", "content": "q"}],
    "tools": [{"name": "get_tide", "input_schema": SCHEMA}],
}
RESPONSES: dict[str, Any] = {
    "model": MODEL,
    "input": [{"role": "user", "content": "q"}],
    "tools": [{"type": "function", "name": "get_tide", "parameters": SCHEMA, "strict": False}],
}


@pytest.fixture
def url() -> Iterator[str]:
    """Give the address of a gateway before the model of the pages."""
    with running(Script(), load_profile("vllm")) as log, gateway(log.address) as client:
        yield str(client.base_url)
        assert log.refused == []
        assert log.requests


def test_openai(url: str) -> None:
    reply = OpenAI(base_url=url, api_key="x").chat.completions.create(**ASKED)
    [call] = reply.choices[0].message.tool_calls or []
    assert (call.function.name, call.function.arguments) == CALL


def test_openai_in_a_stream(url: str) -> None:
    client = OpenAI(base_url=url, api_key="x")
    with client.chat.completions.stream(**ASKED) as stream:
        choice = stream.get_final_completion().choices[0]
    assert choice.finish_reason == "tool_calls"
    [call] = choice.message.tool_calls or []
    assert (call.function.name, call.function.arguments) == CALL


def test_openai_a_hundred_at_once(url: str) -> None:
    async def ask(client: AsyncOpenAI) -> str:
        names = ""
        async for chunk in await client.chat.completions.create(**ASKED, stream=True):
            for call in chunk.choices[0].delta.tool_calls or ():
                names += call.function.name
        return names

    async def ask_all() -> list[str]:
        # A hundred connections are not made in five seconds on a busy machine.
        async with AsyncOpenAI(base_url=url, api_key="x", max_retries=0, timeout=60) as client:
            return await asyncio.gather(*(ask(client) for _ in range(100)))

    assert asyncio.run(ask_all()) == ["get_tide"] * 100


def test_openai_hears_of_a_stream_that_broke_off() -> None:
    cut = Reply({"role": "assistant", "content": LEAKED}, chunks=4, is_reset=True)
    with running(lambda _: cut) as log, gateway(log.address) as client:
        chunks = OpenAI(base_url=str(client.base_url), api_key="x").chat.completions.create(
            **ASKED, stream=True
        )
        with pytest.raises(APIError, match="the server broke off; nothing was run"):
            list(chunks)


@pytest.fixture
def root(url: str) -> str:
    """Return the address that clients of Anthropic take."""
    return url.rstrip("/").removesuffix("/v1")


def test_anthropic(root: str) -> None:
    reply = Anthropic(base_url=root, api_key="x").messages.create(**MESSAGES)
    assert reply.stop_reason == "tool_use"
    assert [(one.name, one.input) for one in reply.content if one.type == "tool_use"] == [CALLED]


def test_anthropic_in_a_stream(root: str) -> None:
    with Anthropic(base_url=root, api_key="x").messages.stream(**MESSAGES) as stream:
        reply = stream.get_final_message()
    assert reply.stop_reason == "tool_use"
    assert [(one.name, one.input) for one in reply.content if one.type == "tool_use"] == [CALLED]


def test_anthropic_ends_its_turn(root: str) -> None:
    client, asked = Anthropic(base_url=root, api_key="x"), copy.deepcopy(MESSAGES)
    reply = client.messages.create(**asked)
    results = [
        {
            "type": "tool_result",
            "tool_use_id": one.id,
            "content": [{"type": "text", "text": "high at Brest"}],
        }
        for one in reply.content
        if one.type == "tool_use"
    ]
    asked["messages"] += [
        {"role": "assistant", "content": reply.content},
        {"role": "user", "content": results},
    ]
    assert "".join(client.messages.stream(**asked).__enter__().text_stream) == "High at Brest."


def test_anthropic_hears_why() -> None:
    with gateway("http://127.0.0.1:9/v1") as near:
        client = Anthropic(base_url=str(near.base_url).removesuffix("/v1/"), api_key="x")
        with pytest.raises(BadRequestError, match="asks for what a provider holds"):
            client.messages.create(**MESSAGES, extra_body={"previous_response_id": "r"})


def test_anthropic_hears_of_a_stream_that_broke_off() -> None:
    cut = Reply({"role": "assistant", "content": LEAKED}, chunks=4, is_reset=True)
    with running(lambda _: cut) as log, gateway(log.address) as near:
        client = Anthropic(base_url=str(near.base_url).removesuffix("/v1/"), api_key="x")
        with pytest.raises(APIStatusError, match="the server broke off; nothing was run"):
            list(client.messages.create(**MESSAGES, stream=True))


def test_responses(url: str) -> None:
    reply = OpenAI(base_url=url, api_key="x").responses.create(**RESPONSES)
    [call] = [one for one in reply.output if one.type == "function_call"]
    assert (call.name, call.arguments) == CALL


def test_responses_in_a_stream(url: str) -> None:
    client, asked = OpenAI(base_url=url, api_key="x"), copy.deepcopy(RESPONSES)
    with client.responses.stream(**asked) as stream:
        reply = stream.get_final_response()
    [call] = [one for one in reply.output if one.type == "function_call"]
    assert (call.name, call.arguments) == CALL
    output = {"type": "function_call_output", "call_id": call.call_id, "output": "high at Brest"}
    asked["input"] += [*(one.to_dict() for one in reply.output), output]
    with client.responses.stream(**asked) as stream:
        assert stream.get_final_response().output_text == "High at Brest."


def test_responses_hear_of_a_stream_that_broke_off() -> None:
    cut = Reply({"role": "assistant", "content": LEAKED}, chunks=4, is_reset=True)
    with running(lambda _: cut) as log, gateway(log.address) as near:
        client = OpenAI(base_url=str(near.base_url), api_key="x")
        *_, last = client.responses.create(**RESPONSES, stream=True)
    assert last.type == "response.failed"
    assert last.response.error is not None
    assert "nothing was run" in last.response.error.message


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
def test_langchain(url: str, streams: bool) -> None:
    model = ChatOpenAI(model=MODEL, base_url=url, api_key="x", streaming=streams)
    asked, said = model.bind_tools([TOOL]), [HumanMessage("q")]
    told: Any = asked.invoke(said)
    [call] = told.tool_calls
    assert (call["name"], call["args"]) == ("get_tide", {"port": "Brest"})
    result = ToolMessage("high at Brest", tool_call_id=call["id"])
    assert asked.invoke([*said, told, result]).content == "High at Brest."


def test_the_ai_sdk(url: str) -> None:
    done = subprocess.run(
        ["node", str(HERE / "ai_sdk.mjs"), url, MODEL], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == {"text": "High at Brest.", "streamed": "High at Brest."}


class Leaking:
    """A model that writes a file by a call in its text, and then says so."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self, request: dict[str, Any]) -> Reply:
        names = [tool["function"]["name"] for tool in request.get("tools", ())]
        if request["messages"][-1]["role"] == "tool" or "write_file" not in names:
            return Reply({"role": "assistant", "content": "Written."})
        return Reply({"role": "assistant", "content": self.leak()})

    def leak(self) -> str:
        """Return the call as the model of Qwen writes it."""
        values = {"file_path": self.file, "content": "hello\nworld"}
        inner = "".join(f"<parameter={k}>\n{v}\n</parameter>\n" for k, v in values.items())
        return f"I write it.\n<tool_call>\n<function=write_file>\n{inner}</function>\n</tool_call>"


@pytest.mark.parametrize("is_guarded", [True, False], ids=["gateway", "none"])
def test_qwen_code(is_guarded: bool, tmp_path: Path) -> None:
    """An agent that people run. Without the gateway the strict server refuses its tools."""
    file = tmp_path / "a.txt"
    options = Options(profile="vllm")
    with running(Leaking(file), load_profile("vllm")) as log, gateway(log.address, options) as near:
        address = str(near.base_url) if is_guarded else log.address
        known = {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": "x", "OPENAI_MODEL": MODEL}
        known |= {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
        command = [str(HERE / "node_modules/.bin/qwen"), "--yolo", "--prompt", "Write a.txt."]
        done = subprocess.run(
            command, cwd=tmp_path, env=known, capture_output=True, text=True, timeout=120
        )
    assert file.exists() == is_guarded
    if is_guarded:
        assert file.read_text("utf-8") == "hello\nworld"
        assert done.stdout.endswith("Written.\n")
        assert not log.refused
    else:
        assert "API Error: 400" in done.stderr
