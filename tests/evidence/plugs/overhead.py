"""How long a request and a token take through the gateway, and without it.

By hand: ``python -m tests.evidence.plugs.overhead``. Model, gateway and client are three processes
on the loopback, one request at a time. The model takes no time, so the ratios are the worst there
can be. Beside the time on the clock stands that of the server's processor, which other work on the
machine changes less: of the model alone, and of the gateway.
"""

import json
import multiprocessing
import os
import socket
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from commoncall_serve.exchange import Options
from commoncall_serve.gateway import application
from commoncall_serve.work import Settings
from tests.evidence.integrations.script import MODEL, TOOL

WORDS: Final = ["Word "] * 2000
REQUESTS: Final = 300
ROUNDS: Final = 5


async def chat(request: Request) -> Response:
    """Answer in as many words as the user asks for, each in a chunk."""
    body = await request.json()
    words = WORDS[: int(body["messages"][0]["content"])]
    if not body["stream"]:
        message = {"role": "assistant", "content": "".join(words)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return JSONResponse({"id": "r", "choices": [choice]})

    async def stream() -> Any:
        for word in words:
            yield event({"content": word})
        yield event({}, "stop")
        yield b"data: [DONE]\n\n"

    return StreamingResponse(stream(), media_type="text/event-stream")


def event(delta: Any, reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return b"data: %s\n\n" % json.dumps({"id": "r", "choices": [choice]}).encode()


def serve(port: int, upstream: str | None) -> None:
    routes = [Route("/v1/chat/completions", chat, methods=["POST"])]
    model = Starlette(routes=routes)
    app = application(Settings(upstream, Options(profile="vllm"))) if upstream else model
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="critical")


@contextmanager
def serving(upstream: str | None = None) -> Iterator[tuple[str, int]]:
    """Run a server in a process of its own; gives its address, and its id."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = multiprocessing.get_context("spawn").Process(target=serve, args=[port, upstream])
    process.start()
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/v1", process.pid or 0
    finally:
        process.terminate()
        process.join()


def asked(words: int, *, streams: bool) -> Any:
    messages = [{"role": "user", "content": str(words)}]
    return {"model": MODEL, "messages": messages, "tools": [TOOL], "stream": streams}


def request_s(client: httpx.Client) -> float:
    """Return how long a request with a short answer takes."""
    began = time.perf_counter()
    for _ in range(REQUESTS):
        client.post("chat/completions", json=asked(40, streams=False)).raise_for_status()
    return (time.perf_counter() - began) / REQUESTS


def token_s(client: httpx.Client) -> float:
    """Return how long a token of a stream takes."""
    began = time.perf_counter()
    with client.stream("POST", "chat/completions", json=asked(2000, streams=True)) as reply:
        for _ in reply.iter_raw():
            pass
    return (time.perf_counter() - began) / len(WORDS)


def processor_s(process: int) -> float:
    """Return how long a process has worked, by Linux."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure, and print."""
    with serving() as model, serving(model[0]) as gateway:
        for what, measure, times in (("request", request_s, REQUESTS), ("token", token_s, 2000)):
            medians, worked = [], []
            for address, process in (model, gateway):
                with httpx.Client(base_url=address, timeout=60) as client:
                    measure(client)
                    before = processor_s(process)
                    medians.append(1e6 * statistics.median(measure(client) for _ in range(ROUNDS)))
                    worked.append(1e6 * (processor_s(process) - before) / ROUNDS / times)
            for how, (none, through) in (("clock", medians), ("processor", worked)):
                told = f"{none:7.0f} µs without, {through:7.0f} µs through the gateway"
                print(f"{what:8} {how:10} {told}, {through / none:.1f} times")


if __name__ == "__main__":
    main()
