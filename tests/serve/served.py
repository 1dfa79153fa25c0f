"""Servers on the loopback for these tests, each in a thread: the gateway, and what is behind it."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn

from commoncall_serve.exchange import Options
from commoncall_serve.gateway import application
from commoncall_serve.work import Settings

Json = dict[str, Any]


@contextmanager
def serving(app: Any) -> Iterator[str]:
    """Run an application; gives its address."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(256)
        config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=[[listening]], daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def gateway(
    upstream: str, options: Options | None = None, **settings: Any
) -> Iterator[httpx.Client]:
    """Run the gateway before a server; gives a client of it."""
    given = Settings(upstream, options or Options(profile="vllm"), **settings)
    with (
        serving(application(given)) as address,
        httpx.Client(base_url=f"{address}/v1", timeout=30) as client,
    ):
        yield client


def events(text: str) -> list[Any]:
    """Return the data of the events of a stream."""
    lines = [line[6:] for line in text.split("\n") if line.startswith("data: ")]
    return [line if line == "[DONE]" else json.loads(line) for line in lines]


def message_of(reply: httpx.Response) -> Json:
    """Return the message that a client has of a reply, whole or in a stream, and why it ended."""
    if "event-stream" not in reply.headers["content-type"]:
        choice = reply.json()["choices"][0]
        return {**choice["message"], "finish_reason": choice["finish_reason"]}
    found = events(reply.text)
    assert found.pop() == "[DONE]"
    joined: Json = {"content": None}
    for choice in (chunk["choices"][0] for chunk in found if chunk["choices"]):
        for name, value in choice["delta"].items():
            joined[name] = (joined.get(name) or type(value)()) + value
        joined["finish_reason"] = choice["finish_reason"] or joined.get("finish_reason")
    for call in joined.get("tool_calls", ()):
        del call["index"]
    return joined


def until(holds: Callable[[], bool]) -> bool:
    """Wait for something, not for ever."""
    for _ in range(500):
        if holds():
            return True
        time.sleep(0.01)
    return False
