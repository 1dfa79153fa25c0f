"""Work for a message: the request as it may leave, the reply as its client can use it."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import httpx

from commoncall.payload import ForeignFormError, RequestRefusedError
from commoncall_serve.chunks import EventChunks, Events
from commoncall_serve.client import JSON, Client, Headers
from commoncall_serve.exchange import Exchange, Json, choice_of, parsed, whole
from commoncall_serve.front import Front, Refusal
from commoncall_serve.work import LOG, Work, headers_of

DECODED: Final = ("content-encoding",)
"""Headers that are not true of a body that was read."""


@dataclass
class Asking(Work):
    """Asks for a message, once more where it cannot be read."""

    exchange: Exchange | None = None
    tries: int = 0
    is_broken: bool = False
    unplaced: Sequence[str] = ()

    async def answer(self, client: Client) -> None:
        """Give the client a message that it can use, or what the server says instead."""
        options = self.means.settings.options
        # OpenAI refuses the older name for some of its models; other servers know only that.
        is_openai = (options.profile or "").startswith("openai")
        limit = "max_completion_tokens" if is_openai else "max_tokens"
        exchange = self.exchange = Exchange(_asked(self.body, client.front, limit), options)
        async with self._try(exchange) as response:
            client.marks = self._marks(exchange, client.front)
            if not response.is_success:
                await self._failed(response, client, *await self._came(response))
            elif _is_stream(response):
                await self._streamed(exchange, response, client)
            else:
                await self._wholly(exchange, response, client)

    def _marks(self, exchange: Exchange, front: Front) -> Headers:
        """Return headers that say what the request lost or had mended, by codes and by names."""
        self.unplaced = front.unplaced
        codes = dict.fromkeys(one["code"] for one in exchange.sent["findings"])
        told = {b"commoncall-found": codes, b"commoncall-no-place": self.unplaced}
        return [(name, ", ".join(one).encode()) for name, one in told.items() if one]

    @asynccontextmanager
    async def _try(self, exchange: Exchange) -> AsyncIterator[httpx.Response]:
        """Send what may leave."""
        try:
            request = exchange.request()
        except (ForeignFormError, RequestRefusedError) as error:
            raise Refusal(400, error.error["code"], str(error)) from None
        except (TypeError, ValueError, RecursionError):
            raise _no_chat() from None
        self.tries += 1
        if self.tries > 1:
            self.means.counted.count("commoncall_retries_total")
        self.means.counted.findings(one["code"] for one in exchange.sent["findings"])
        content = json.dumps(request).encode()
        async with self.sent("chat/completions", content, ["accept-encoding"]) as response:
            yield response

    async def _wholly(self, exchange: Exchange, response: httpx.Response, client: Client) -> None:
        headers, content = await self._came(response)
        reply = parsed(content)
        if choice_of(reply) is None:
            await self._failed(response, client, headers, content)
            return
        while choice := choice_of(reply):
            exchange.read(choice)
            shown = client.front.whole(whole(exchange, reply))
            if not self._asks_again(exchange):
                break
            try:
                async with self._try(exchange) as again:
                    reply = parsed((await self._came(again))[1]) if again.is_success else None
            except httpx.HTTPError:
                break  # what the try before came to is all there is
        await client.whole(response.status_code, headers, json.dumps(shown).encode())

    async def _failed(
        self, response: httpx.Response, client: Client, headers: Headers, content: bytes
    ) -> None:
        """Give the client what is no message, as it knows errors."""
        status, told = client.front.failed(response.status_code, content)
        if told is not content:
            headers = [*(one for one in headers if one[0] != b"content-type"), *JSON]
        await client.whole(status, headers, told)

    async def _streamed(self, exchange: Exchange, response: httpx.Response, client: Client) -> None:
        await client.begin(response.status_code, headers_of(response, DECODED), is_stream=True)
        chunks = EventChunks(exchange, client.front)
        self.is_broken = True  # until its end has come
        await self._read(chunks, response, client)
        while not chunks.is_error and self._asks_again(exchange):
            try:
                async with self._try(exchange) as again:
                    if not (again.is_success and _is_stream(again)):
                        break
                    chunks.begin()
                    await self._read(chunks, again, client)
            except httpx.ConnectError:
                break
        self.is_broken = chunks.is_error
        if not chunks.is_error:
            await client.more(chunks.last().encode())
        await client.end()

    async def _read(self, chunks: EventChunks, response: httpx.Response, client: Client) -> None:
        """Give the client the text of a try while it comes."""
        events = Events()
        async for data in self._bytes(response):
            await client.more("".join(map(chunks.feed, events.feed(data))).encode())
        if not chunks.is_error:
            await client.more(chunks.finish().encode())

    def _asks_again(self, exchange: Exchange) -> bool:
        self.means.counted.received(exchange.received, exchange.leaked)
        return exchange.asks_again()

    async def _came(self, response: httpx.Response) -> tuple[Headers, bytes]:
        """Return the headers of a reply that is whole, and its body."""
        content = b"".join([data async for data in self._bytes(response)])
        return headers_of(response, DECODED), content

    async def _bytes(self, response: httpx.Response) -> AsyncIterator[bytes]:
        """Yield the body of a reply while it comes, as far as it is not too large."""
        size = 0
        async for data in response.aiter_bytes():
            if (size := size + len(data)) > self.means.settings.size:
                raise Refusal(502, "reply_too_large", "the reply is too large")
            yield data

    def tell(self, status: int, seconds: float) -> None:
        """Write a line to the log, and count."""
        self.means.counted.count("commoncall_requests_total", status=str(status))
        found, given, is_cut = "", 0, self.is_broken
        if self.exchange and self.tries:
            findings = [*self.exchange.sent["findings"]]
            if got := getattr(self.exchange, "received", None):
                findings += got["findings"]
                given = len(got["dispatch"])
                is_cut = is_cut or got.get("truncated", False)
            found = " ".join(dict.fromkeys(one["code"] for one in findings))
        if is_cut:
            self.means.counted.count("commoncall_cut_off_total")
        end = "cut off" if is_cut else "whole"
        line = "POST %s %d %.3f s, tries: %d, %s, calls: %d, found: %s, no place for: %s"
        lost = " ".join(self.unplaced)
        path = self.request.url.path
        said = (given, found or "nothing", lost or "nothing")
        LOG.info(line, path, status, seconds, self.tries, end, *said)


def _no_chat() -> Refusal:
    return Refusal(400, "request_invalid", "this is no request of a chat")


def _asked(body: bytes, front: Front, limit: str) -> Json:
    """Return a request for a message."""
    read = parsed(body)
    if not isinstance(read, dict):
        raise Refusal(400, "request_invalid", "the body is no JSON object")
    try:
        asked = front.asked(read, limit)
    except (TypeError, ValueError, RecursionError):
        raise _no_chat() from None
    if asked.get("n") not in (None, 1):
        raise Refusal(400, "choice_not_single", "`n` has to be 1: one message is read")
    return asked


def _is_stream(response: httpx.Response) -> bool:
    return "text/event-stream" in response.headers.get("content-type", "")
