"""The last look at what leaves and the first at what comes back, for each client that sends with
httpx: the `openai` SDK, litellm, LangChain, pydantic-ai.
"""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from commoncall import turn

TRIES = 3
"""How often a model is asked that says nothing and calls nothing that can be run."""

KEPT = 10_000
"""Of so many calls, the latest, is kept what their provider wants back."""

Json = dict[str, Any]


class Exchange:
    """A request of Chat Completions and its reply; what sends them stands below.

    `carried` has the messages that called, by the ids of their calls: what a provider wants back.
    """

    def __init__(self, body: Json, sending: Json, reading: Json, carried: Json) -> None:
        self.body, self.sending, self.reading = body, sending, reading
        self.carried = carried
        self.tools = body.get("tools") or []
        self.head: Json = {}
        self.ended = "stop"

    def request(self) -> Json:
        """Return what may leave."""
        registered = [tool["function"]["name"] for tool in self.tools if "function" in tool]
        body = {**self.body, "messages": [self.whole(each) for each in self.body["messages"]]}
        self.sent = turn.prepare(body, registered=registered, **self.sending)
        how = {"request_id": "r", "tools": self.tools, **self.reading}
        self.stream = turn.Stream(self.sent, **how)
        return self.sent["request"]

    def whole(self, message: Json) -> Json:
        """Return a message as it came from its provider, with the calls that the client knows."""
        calls = message.get("tool_calls") or []
        told = next(
            (self.carried[each["id"]] for each in calls if each["id"] in self.carried), None
        )
        if told is None:
            return message
        known = {each["id"]: each for each in told["tool_calls"]}
        return {**told, "tool_calls": [known.get(each["id"], each) for each in calls]}

    def carry(self) -> None:
        """Keep what a message that calls has for its provider."""
        if "origin" in self.got and self.got["dispatch"]:
            told = turn.settle(self.got, [], profile=self.sending["profile"])["history"][0]
            self.carried |= {call["id"]: told for call in self.got["dispatch"]}
            for id in [*self.carried][:-KEPT]:
                del self.carried[id]

    def reply(self, reply: Json) -> Json:
        """Return a whole reply as the client may see it."""
        choice = reply["choices"][0]
        self.ended = choice["finish_reason"]
        self.got = turn.receive(
            self.sent,
            choice["message"],
            finish_reason=choice["finish_reason"],
            request_id=reply["id"],
            tools=self.tools,
            **self.reading,
        )
        self.carry()
        calls = self.calls()
        message = {**choice["message"], "content": self.got["content"], "tool_calls": calls or None}
        return {
            **reply,
            "choices": [{**choice, "message": message, "finish_reason": self.reason()}],
        }

    def asks_again(self) -> bool:
        """Tell whether nothing is left of a message but calls that cannot be run; the model then
        reads why, and can do better.
        """
        lost = bool(self.got["answers"]) and not self.got["dispatch"] and not self.got["content"]
        if lost:
            told = turn.settle(self.got, [], profile=self.sending["profile"])["history"]
            self.body = {**self.body, "messages": [*self.body["messages"], *told]}
        return lost

    def feed(self, chunk: Json) -> list[Json]:
        """Return what the client may see of a stream by now."""
        self.head = {**chunk, "choices": []}
        return [self.chunk(shown) for shown in self.stream.feed(chunk)]

    def end(self) -> list[Json]:
        """Return the rest of a stream, its calls among it."""
        self.got = self.stream.finish()
        self.carry()
        self.ended = "length" if self.stream.message.get("truncated") else "stop"
        rest = [self.chunk(shown) for shown in self.stream.rest]
        calls = [{"index": at, **call} for at, call in enumerate(self.calls())]
        choice = {"index": 0, "delta": {"tool_calls": calls}, "finish_reason": self.reason()}
        return [*rest, {**self.head, "choices": [choice]}]

    def chunk(self, shown: turn.Shown) -> Json:
        """Return a chunk that shows something."""
        names = {"text": "content", "reasoning": "reasoning_content", "refusal": "refusal"}
        delta = {names[name]: text for name, text in shown.items()}
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        return {**self.head, "choices": [choice]}

    def calls(self) -> list[Json]:
        """Return the calls that can be run, those that leaked into the text among them."""
        return [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": call["arguments_json"]},
            }
            for call in self.got["dispatch"]
        ]

    def reason(self) -> str:
        """Return why the message ended; a stream that broke off was too long for somebody."""
        return "tool_calls" if self.got["dispatch"] else self.ended


class Transport(httpx.BaseTransport):
    """Sends with another transport what `turn.prepare` lets out; gives back what can be used."""

    def __init__(self, sending: Json, reading: Json) -> None:
        self.inner = httpx.HTTPTransport()
        self.sending, self.reading = sending, reading
        self.carried: Json = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith("/chat/completions"):
            return self.inner.handle_request(request)
        body = json.loads(request.read())
        exchange = Exchange(body, self.sending, self.reading, self.carried)
        for _ in range(TRIES):
            response = self.inner.handle_request(anew(request, exchange))
            if response.status_code != 200:
                return response
            if "text/event-stream" in response.headers.get("content-type", ""):
                return httpx.Response(200, headers=STREAM, stream=Events(exchange, response))
            response.read()
            reply = exchange.reply(response.json())
            if not exchange.asks_again():
                break
        return httpx.Response(200, json=reply)


class AsyncTransport(httpx.AsyncBaseTransport):
    """The same for asynchronous clients."""

    def __init__(self, sending: Json, reading: Json) -> None:
        self.inner = httpx.AsyncHTTPTransport()
        self.sending, self.reading = sending, reading
        self.carried: Json = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not request.url.path.endswith("/chat/completions"):
            return await self.inner.handle_async_request(request)
        body = json.loads(await request.aread())
        exchange = Exchange(body, self.sending, self.reading, self.carried)
        for _ in range(TRIES):
            response = await self.inner.handle_async_request(anew(request, exchange))
            if response.status_code != 200:
                return response
            if "text/event-stream" in response.headers.get("content-type", ""):
                return httpx.Response(200, headers=STREAM, stream=AsyncEvents(exchange, response))
            await response.aread()
            reply = exchange.reply(response.json())
            if not exchange.asks_again():
                break
        return httpx.Response(200, json=reply)


STREAM = {"content-type": "text/event-stream"}


class Events(httpx.SyncByteStream):
    """A stream as the client may see it."""

    def __init__(self, exchange: Exchange, response: httpx.Response) -> None:
        self.exchange, self.response = exchange, response

    def __iter__(self) -> Iterator[bytes]:
        try:
            for line in self.response.iter_lines():
                yield from events(self.exchange.feed(chunk) for chunk in chunks(line))
        except httpx.TransportError:
            pass  # what has come is a message that was cut off
        yield from events([self.exchange.end()])
        yield b"data: [DONE]\n\n"

    def close(self) -> None:
        self.response.close()


class AsyncEvents(httpx.AsyncByteStream):
    """The same for asynchronous clients."""

    def __init__(self, exchange: Exchange, response: httpx.Response) -> None:
        self.exchange, self.response = exchange, response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for line in self.response.aiter_lines():
                for event in events(self.exchange.feed(chunk) for chunk in chunks(line)):
                    yield event
        except httpx.TransportError:
            pass  # what has come is a message that was cut off
        for event in events([self.exchange.end()]):
            yield event
        yield b"data: [DONE]\n\n"

    async def aclose(self) -> None:
        await self.response.aclose()


def anew(request: httpx.Request, exchange: Exchange) -> httpx.Request:
    """Return a request with what may leave as its body."""
    headers = {name: value for name, value in request.headers.items() if name != "content-length"}
    content = json.dumps(exchange.request()).encode()
    return httpx.Request(
        request.method, request.url, headers=headers, content=content, extensions=request.extensions
    )


def chunks(line: str) -> Iterator[Json]:
    """Yield the chunk that a line of a stream holds."""
    data = line.removeprefix("data:").strip()
    if line.startswith("data:") and data != "[DONE]":
        yield json.loads(data)


def events(listed: Any) -> Iterator[bytes]:
    """Yield chunks as lines of a stream."""
    return (f"data: {json.dumps(chunk)}\n\n".encode() for chunks in listed for chunk in chunks)
