"""LiteLLM's own proxy with the callback, before a model that leaks its calls.

Not named `test_...`: the session `plugs` names it.
"""

import asyncio
import os
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from openai import APIError, AsyncOpenAI, OpenAI

from tests.evidence.integrations.script import LEAKED, MODEL, TOOL
from tests.evidence.integrations.strict_server import Log, Reply, running
from tests.serve.served import until

CONFIGURATION = Path("spec/use/litellm.yaml").resolve()
KEY = "sk-1"
WORKERS = 3
COUNT = 1_000
UP = "Application startup complete"
"""What each worker says."""

NOT_READ = "The tool call was not run: its payload could not be read."


def said(request: dict[str, Any]) -> Reply:
    """Leak a call for what the user names, whole or broken or cut off."""
    what, _, port = request["messages"][-1]["content"].partition(" ")
    text = LEAKED.replace("Brest", port)
    if what == "broken":
        text = text.replace("<parameter=port>", "")
    cut = {"chunks": 10, "is_reset": True} if what == "cut" else {}
    return Reply({"role": "assistant", "content": f"For {port}: {text}"}, **cut)  # type: ignore[arg-type]


@contextmanager
def proxy(address: str, folder: Path) -> Iterator[str]:
    """Run the proxy; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    text = CONFIGURATION.read_text("utf-8").replace("http://127.0.0.1:8000/v1", address)
    (folder / "config.yaml").write_text(text, "utf-8")
    command = [str(Path(sys.executable).with_name("litellm")), "--config", "config.yaml"]
    # uvicorn ends a worker that does not answer within 5 s, and the proxy takes longer to import.
    command += ["--num_workers", str(WORKERS), "--timeout_worker_healthcheck", "120"]
    env = {**os.environ, "LITELLM_MASTER_KEY": KEY, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(port)],
            cwd=folder,
            env=env,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            assert any(until(lambda: _is_over(process, folder)) for _ in range(200)), "it is not up"
            assert process.poll() is None, (folder / "log").read_text("utf-8")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            process.wait(120)


def _is_over(process: subprocess.Popen[bytes], folder: Path) -> bool:
    """Tell whether the proxy has ended, or all its workers are up."""
    return process.poll() is not None or (folder / "log").read_text("utf-8").count(UP) == WORKERS


@pytest.fixture(scope="module")
def log() -> Iterator[Log]:
    """Give what the model behind the proxy was asked."""
    with running(said) as log:
        yield log
        assert log.refused == []


@pytest.fixture(scope="module")
def url(log: Log, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of a proxy."""
    with proxy(log.address, tmp_path_factory.mktemp("proxy")) as address:
        yield address


def asked(text: str) -> dict[str, Any]:
    return {"model": MODEL, "messages": [{"role": "user", "content": text}], "tools": [TOOL]}


def test_whole(url: str) -> None:
    client = OpenAI(base_url=url, api_key=KEY)
    [choice] = client.chat.completions.create(**asked("whole Brest")).choices
    [call] = choice.message.tool_calls or []
    assert call.function.arguments == '{"port":"Brest"}'
    assert ((choice.message.content or "").strip(), choice.finish_reason) == (
        "For Brest:",
        "tool_calls",
    )


def test_a_call_that_cannot_be_read_is_said(url: str) -> None:
    client = OpenAI(base_url=url, api_key=KEY)
    [choice] = client.chat.completions.create(**asked("broken Brest")).choices
    assert (choice.message.content or "").split("\n")[-1] == NOT_READ
    assert choice.message.tool_calls is None


def test_a_stream_that_breaks_off_is_an_error_and_calls_nothing(url: str) -> None:
    client = OpenAI(base_url=url, api_key=KEY, max_retries=0)
    calls: list[Any] = []

    def read() -> None:
        for chunk in client.chat.completions.create(**asked("cut Brest"), stream=True):
            calls.extend(chunk.choices[0].delta.tool_calls or ())

    with pytest.raises((APIError, httpx.HTTPError)):
        read()
    assert calls == []


def test_a_thousand_requests_at_once(log: Log, url: str) -> None:
    """Half of them streams; each gets what was said to it, and the model is asked for each once."""

    async def ask(client: AsyncOpenAI, number: int) -> list[str]:
        request = asked(f"whole {number}")
        if number % 2:
            [choice] = (await client.chat.completions.create(**request)).choices
            said, calls = choice.message.content or "", [*(choice.message.tool_calls or ())]
        else:
            said, calls = "", []
            async for chunk in await client.chat.completions.create(**request, stream=True):
                said += chunk.choices[0].delta.content or ""
                calls += chunk.choices[0].delta.tool_calls or ()
        return [said.strip(), *(call.function.arguments for call in calls)]

    async def ask_all() -> list[list[str]]:
        async with AsyncOpenAI(base_url=url, api_key=KEY, timeout=300, max_retries=0) as client:
            return await asyncio.gather(*(ask(client, number) for number in range(COUNT)))

    before = len(log.requests)
    found = asyncio.run(ask_all())
    assert found == [[f"For {number}:", f'{{"port":"{number}"}}'] for number in range(COUNT)]
    told = Counter(one["messages"][-1]["content"] for one in log.requests[before:])
    assert told == Counter(f"whole {number}" for number in range(COUNT))
