"""The last look at what leaves and the first at what comes back, for each client that sends with
httpx: the `openai` SDK, litellm, LangChain, pydantic-ai.
"""

import codecs
import hashlib
import io
import json
import secrets
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from commoncall import turn
from commoncall.payload import load_profile

TRIES = 3
"""How often a model is asked that says nothing and calls nothing that can be run."""

KEPT = 10_000
"""Of so many messages, the latest, is kept what their provider wants back."""

READ = {"content", "refusal", "tool_calls", "function_call"}
"""The members of a delta that are read; the others go on as they came."""

SHOWN = {"text": "content", "reasoning": "reasoning_content", "refusal": "refusal"}
"""The members of a delta for what a stream shows."""

Json = dict[str, Any]


class Memory:
    """The messages that called, as their provider wants them back.

    Each is kept under all that a client sends back of it: what stands before it, and the ids, names
    and arguments of its calls. So nothing of one conversation gets into another.
    """

    def __init__(self) -> None:
        self.kept: dict[str, Json] = {}
        self.lock = threading.Lock()

    def keep(self, before: str, calls: list[Json], told: Json) -> None:
        """Keep a message; where one before looked the same to its client, its calls get new ids."""
        with self.lock:
            while self.kept.setdefault(key(before, calls), told) != told:
                for call in calls:
                    call["id"] = secrets.token_hex(5)[:9]
            if len(self.kept) > KEPT:
                del self.kept[next(iter(self.kept))]

    def whole(self, message: Json, before: str, origin: Json) -> Json:
        """Return a message with what its client does not know; what it knows is not replaced."""
        told = self.kept.get(key(before, message.get("tool_calls")))
        if told is None:
            return {"_from": origin, **message}
        calls = [
            {**own, **call, "function": {**own["function"], **call["function"]}}
            for own, call in zip(told["tool_calls"], message["tool_calls"], strict=True)
        ]
        given = {name: value for name, value in message.items() if value is not None}
        return {**told, **given, "content": message.get("content"), "tool_calls": calls}


def key(before: str, calls: Any) -> str:
    """Return how a message that calls looks to its client, with all that stands before it."""
    seen = []
    for call in calls if isinstance(calls, list) else ():
        match call:
            case {"id": id, "function": {"name": name, "arguments": arguments}}:
                seen.append([id, name, {"arguments": arguments}])
            case _:
                return ""
    return digest([before, seen])


def digest(said: Any) -> str:
    """Return a digest of what was said, however a client writes it, and marks it for a cache."""
    plain = json.loads(json.dumps(said), object_hook=as_meant)
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def as_meant(given: Json) -> Any:
    """Return an object in the one form that it has in a digest."""
    given.pop("cache_control", None)
    if isinstance(given.get("arguments"), str):
        given["arguments"] = parsed(given["arguments"]) or given["arguments"]
    if isinstance(given.get("content"), str):
        given["content"] = [given["content"]]
    return given["text"] if given.get("type") == "text" and "text" in given else given


def parsed(text: str | bytes) -> Any:
    """Return what a text says as JSON, None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


class Exchange:
    """A request of Chat Completions and its reply; what sends them stands below."""

    def __init__(self, body: Json, sending: Json, reading: Json, memory: Memory) -> None:
        self.body, self.memory, self.left = body, memory, TRIES
        self.tools = body.get("tools") or []
        self.reading = {"request_id": "r", "tools": self.tools, **reading}
        self.before = ""
        profile = sending.get("profile")
        if isinstance(profile, str):  # what it gives belongs to the model that is asked
            origin = {"provider": profile, "model": f"{body.get('model')}"}
            profile = load_profile(profile, origin=origin)
        self.sending = {**sending, "profile": profile}
        if isinstance(profile, dict) and "origin" in profile:
            self.body = {**body, "messages": [*self.messages(profile["origin"])]}

    def messages(self, origin: Json) -> Iterator[Any]:
        """Yield the messages with what their provider wants back of them."""
        for message in self.body["messages"]:
            is_told = isinstance(message, dict) and message.get("role") == "assistant"
            yield self.memory.whole(message, self.before, origin) if is_told else message
            self.before = digest([self.before, message])

    def request(self, request: httpx.Request) -> httpx.Request:
        """Return a request with what may leave as its body."""
        registered = [tool["function"]["name"] for tool in self.tools if "function" in tool]
        self.sent = turn.prepare(self.body, registered=registered, **self.sending)
        content, more = json.dumps(self.sent["request"]).encode(), request.extensions
        return httpx.Request(
            request.method, request.url, headers=headers(request), content=content, extensions=more
        )

    def reply(self, response: httpx.Response) -> httpx.Response | None:
        """Return a reply as the client may see it, and what is none as it came; None where nothing
        is left of it but calls that cannot be run: the model then reads why, and can do better.
        """
        status, more = response.status_code, headers(response)
        if not response.is_success:
            return response
        if is_stream(response):
            return httpx.Response(status, headers=more, stream=Stream(self, response))
        reply = parsed(response.content)
        match reply:
            case {"choices": [{"message": dict(message)} as choice, *_]} if not reply.get("error"):
                ended = choice.get("finish_reason")
            case _:
                return response
        given = {**message, "role": "assistant"}
        got = turn.receive(self.sent, given, finish_reason=ended, **self.reading)
        self.left -= 1
        if self.left and got["answers"] and not got["dispatch"] and not got["content"]:
            told = turn.settle(got, [], profile=self.sending["profile"])["history"]
            self.body = {**self.body, "messages": [*self.body["messages"], *told]}
            return None
        known = self.known(got, ended)
        calls = known["tool_calls"] or None
        message = changed(message, content=got["content"], tool_calls=calls, function_call=None)
        choice = changed(choice, message=message, finish_reason=known["finish_reason"])
        if (shown := {**reply, "choices": [choice]}) == reply:
            return response
        return httpx.Response(status, headers=more, content=json.dumps(shown).encode())

    def known(self, got: turn.Received, ended: str | None) -> turn.ClientMessage:
        """Return the message as its client knows it, and keep what it does not."""
        known = turn.client_message(got, finish_reason=ended)
        if (calls := known["tool_calls"]) and "origin" in got:
            told: Any = turn.settle(got, [], profile=self.sending["profile"])["history"][0]
            ids = {call["id"] for call in calls}
            own = [call for call in told["tool_calls"] if call["id"] in ids]
            self.memory.keep(self.before, calls, {**told, "tool_calls": own})
        return known


def changed(given: Json, **members: Any) -> Json:
    """Return an object with the members that say something else; what is missing is None."""
    return {**given, **{name: one for name, one in members.items() if one != given.get(name)}}


def headers(given: httpx.Request | httpx.Response) -> list[tuple[str, str]]:
    """Return headers but for those of a body that is another one now."""
    gone = ("content-length", "content-encoding", "transfer-encoding")
    return [(name, value) for name, value in given.headers.multi_items() if name not in gone]


def is_stream(response: httpx.Response) -> bool:
    """Tell whether a reply comes in chunks."""
    return "text/event-stream" in response.headers.get("content-type", "")


class Stream(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A stream as the client may see it."""

    def __init__(self, exchange: Exchange, response: httpx.Response) -> None:
        self.exchange, self.response = exchange, response
        self.close, self.aclose = response.close, response.aclose  # type: ignore[method-assign]
        self.stream = turn.Stream(exchange.sent, **exchange.reading)
        decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self.decoder = io.IncrementalNewlineDecoder(decoder, translate=True)
        self.line: list[str] = []
        self.event: list[str] = []
        self.behind: list[bytes] = []
        self.head: Json = {}
        self.ended: str | None = None
        self.is_error = self.is_over = False

    def __iter__(self) -> Iterator[bytes]:
        if self.is_over:
            return
        try:
            for data in self.response.iter_bytes():
                yield from self.feed(data)
        except httpx.TransportError:
            pass  # what has come is a message that was cut off
        yield from self.end()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self.is_over:
            return
        try:
            async for data in self.response.aiter_bytes():
                for seen in self.feed(data):
                    yield seen
        except httpx.TransportError:
            pass  # what has come is a message that was cut off
        for seen in self.end():
            yield seen

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what the client may see by now; CR LF, LF and CR end a line, and nothing else."""
        first, *more = self.decoder.decode(data).split("\n")
        self.line.append(first)
        for piece in more:
            if line := "".join(self.line):
                self.event.append(line)
            elif self.event:
                yield from self.read(self.event)
                self.event = []
            self.line = [piece]

    def read(self, event: list[str]) -> Iterator[bytes]:
        """Yield what may be seen of an event; what is no part of a message goes on as it came."""
        text = "\n".join(line[5:] for line in event if line.startswith("data:")).strip()
        match chunk := parsed(text):
            case {"error": error} if error:
                self.is_error = True
            case {"choices": [dict(choice), *_]}:
                self.ended = choice.get("finish_reason") or self.ended
                self.head = {name: value for name, value in chunk.items() if name != "usage"}
                came = choice.get("delta")
                came = came if isinstance(came, dict) else {}
                delta = {name: value for name, value in came.items() if name not in READ}
                choice = changed(choice, message=None, finish_reason=None)
                yield seen({**chunk, "choices": [choice]}, delta, self.stream.feed(chunk))
                return
        if text == "[DONE]" or (chunk is None and self.is_over):
            return  # the end is told below, and half an event is none
        data = "\n".join([*event, "", ""]).encode()
        if self.ended:
            self.behind.append(data)
        else:
            yield data

    def end(self) -> Iterator[bytes]:
        """Yield the rest, its calls among it; behind an error nothing is called."""
        self.is_over = True
        yield from self.feed(b"\n\n")
        if not self.is_error:
            got = self.stream.finish()
            known = self.exchange.known(got, self.ended)
            calls = [{"index": at, **call} for at, call in enumerate(known["tool_calls"])]
            choice = {"index": 0, "finish_reason": known["finish_reason"] or "length"}
            delta: Json = {"tool_calls": calls} if calls else {}
            yield seen({**self.head, "choices": [choice]}, delta, self.stream.rest)
        yield b"".join([*self.behind, b"data: [DONE]\n\n"])


def seen(chunk: Json, delta: Json, listed: list[turn.Shown]) -> bytes:
    """Return a chunk with a delta, and with what is shown in it."""
    for shown in listed:
        for kind, text in shown.items():
            delta[SHOWN[kind]] = f"{delta.get(SHOWN[kind]) or ''}{text}"
    chunk["choices"][0]["delta"] = delta
    return f"data: {json.dumps(chunk)}\n\n".encode()


class Transport(httpx.BaseTransport):
    """Sends with another transport what `turn.prepare` lets out; gives back what can be used."""

    def __init__(
        self, sending: Json, reading: Json, inner: httpx.BaseTransport | None = None
    ) -> None:
        self.inner = inner or httpx.HTTPTransport()
        self.given = sending, reading, Memory()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if not asks(request):
            return self.inner.handle_request(request)
        exchange = Exchange(json.loads(request.read()), *self.given)
        while True:
            response = self.inner.handle_request(exchange.request(request))
            if response.is_success and not is_stream(response):
                response.read()
            if reply := exchange.reply(response):
                return reply

    def close(self) -> None:
        self.inner.close()


class AsyncTransport(httpx.AsyncBaseTransport):
    """The same for asynchronous clients."""

    def __init__(
        self, sending: Json, reading: Json, inner: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self.inner = inner or httpx.AsyncHTTPTransport()
        self.given = sending, reading, Memory()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if not asks(request):
            return await self.inner.handle_async_request(request)
        exchange = Exchange(json.loads(await request.aread()), *self.given)
        while True:
            response = await self.inner.handle_async_request(exchange.request(request))
            if response.is_success and not is_stream(response):
                await response.aread()
            if reply := exchange.reply(response):
                return reply

    async def aclose(self) -> None:
        await self.inner.aclose()


def asks(request: httpx.Request) -> bool:
    """Tell whether a request asks a model."""
    path = request.url.path.rstrip("/")
    return request.method == "POST" and path.endswith("/chat/completions")
