"""Clients that nobody changes, through the gateway before a model that leaks its calls.

Not named `test_...`: the session `plugs` names it, since the packages are heavy.
"""

import asyncio
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
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
        async with AsyncOpenAI(base_url=url, api_key="x", max_retries=0) as client:
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
