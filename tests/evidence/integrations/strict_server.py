"""A server of Chat Completions on 127.0.0.1 that refuses with 400 what strict servers refuse.

What it answers comes from a script: a function from a request to a `Reply`. Who asks for a stream
gets the message in deltas of a chosen size, and perhaps not all of it.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from tests.evidence.request_judges.strict import violations

Message = dict[str, Any]


class Reply(NamedTuple):
    """What the model of a script gives.

    Attributes:
        message: as it stands in a whole response.
        finish_reason: as it stands there.
        size: how many characters a delta has.
        chunks: after how many chunks the stream breaks off; None: it does not.
        is_reset: the connection breaks in the middle of the body, so that a client raises; else
            the body ends there in order.
    """

    message: Message
    finish_reason: str = "stop"
    size: int = 5
    chunks: int | None = None
    is_reset: bool = False


class Server(ThreadingHTTPServer):
    """Lets a thousand clients come at once."""

    request_queue_size = 1024


Script = Callable[[dict[str, Any]], Reply]


@dataclass
class Log:
    """What came in, and what was refused of it: the rules that a request breaks."""

    address: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    refused: list[list[str]] = field(default_factory=list)


@contextmanager
def running(
    script: Script, profile: Mapping[str, Any] | None = None, port: int = 0
) -> Iterator[Log]:
    """Run a server that judges by the flags of a profile; gives its log, with its address.

    Without a profile it refuses what every provider refuses.
    """
    log = Log()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            log.requests.append(request)
            streams = bool(request.pop("stream", False))
            request.pop("stream_options", None)
            if broken := violations(request, profile=profile):
                log.refused.append([f"{each.rule} {each.at}" for each in broken])
                error = {"message": str(log.refused[-1]), "type": "invalid_request_error"}
                self.answer(400, {"error": error})
                return
            reply = script(request)
            if streams:
                self.stream(reply)
            else:
                self.answer(200, completion(reply, len(log.requests)))

        def answer(self, status: int, body: Mapping[str, Any]) -> None:
            text = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def stream(self, reply: Reply) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            chunks = list(chunks_of(reply, len(log.requests)))
            for chunk in chunks[: reply.chunks]:
                self.send(f"data: {json.dumps(chunk)}\n\n")
            if reply.chunks is None:
                self.send("data: [DONE]\n\n")
            if reply.is_reset:
                self.close_connection = True
            else:
                self.wfile.write(b"0\r\n\r\n")

        def send(self, text: str) -> None:
            data = text.encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with Server(("127.0.0.1", port), Handler) as server:
        server.daemon_threads = True
        # The end of a conversation waits for one poll.
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        log.address = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield log
        finally:
            server.shutdown()


def completion(reply: Reply, number: int) -> dict[str, Any]:
    """Return a whole response."""
    choice = {"index": 0, "message": reply.message, "finish_reason": reply.finish_reason}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {**head("chat.completion", number), "choices": [choice], "usage": usage}


def chunks_of(reply: Reply, number: int) -> Iterator[dict[str, Any]]:
    """Yield the chunks of a stream."""
    deltas = [{"role": "assistant"}, *deltas_of(reply.message, reply.size)]
    for delta, reason in [*((delta, None) for delta in deltas), ({}, reply.finish_reason)]:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        yield {**head("chat.completion.chunk", number), "choices": [choice]}


def deltas_of(message: Message, size: int) -> Iterator[dict[str, Any]]:
    """Yield the deltas of a message: text members in pieces, then each call."""
    for name, value in message.items():
        if isinstance(value, str) and name != "role":
            yield from ({name: piece} for piece in pieces(value, size))
        elif name == "tool_calls":
            for index, call in enumerate(value):
                yield from deltas_of_call(index, call, size)
        elif name != "role" and value is not None:
            yield {name: value}


def deltas_of_call(index: int, call: dict[str, Any], size: int) -> Iterator[dict[str, Any]]:
    """Yield a call: what it is but for its arguments, and these in pieces."""
    function = call["function"]
    first = {**call, "function": {**function, "arguments": ""}}
    yield {"tool_calls": [{"index": index, **first}]}
    for piece in pieces(function["arguments"], size):
        yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def pieces(text: str, size: int) -> Iterator[str]:
    """Yield a text in pieces of a size."""
    return (text[at : at + size] for at in range(0, len(text), size))


def head(kind: str, number: int) -> dict[str, Any]:
    """Return the members that a client wants to see in a response or a chunk."""
    return {"id": f"chatcmpl-{number}", "object": kind, "created": 0, "model": "model-a"}
