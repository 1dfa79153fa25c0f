"""Work for a request: to send something to the server, and to give its client an answer.

Nothing of a body, a header or a query gets into the log.
"""

import asyncio
import logging
import time
import traceback
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import httpx
from starlette.requests import Request

from commoncall.turn import ChoiceNotSingleError
from commoncall_serve.chunks import CutError
from commoncall_serve.client import Client, Headers
from commoncall_serve.exchange import Options
from commoncall_serve.front import Refusal
from commoncall_serve.metrics import Metrics

LOG: Final = logging.getLogger("commoncall.serve")

HOP: Final = {
    "connection",
    "content-length",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
}
"""Headers of one connection, not of a message."""


class Settings(NamedTuple):
    """Where requests go, how they are read, and how much they may take.

    Attributes:
        upstream: the address of the server, with its ``/v1``.
        options: see `Options`.
        size: the most bytes of a request, and of a message that comes back.
        silence: after so many seconds without a byte the server is given up, and a client whose
            request takes longer to come.
        longest: the most seconds for a request, with all its tries.
        hosts: the names that clients may call this server by; empty: any.
    """

    upstream: str
    options: Options = Options()
    size: int = 64 * 1024 * 1024
    silence: float = 300.0
    longest: float = 3600.0
    hosts: tuple[str, ...] = ()


class Means(NamedTuple):
    """What all requests of a gateway share."""

    settings: Settings
    client: httpx.AsyncClient
    counted: Metrics


@dataclass
class Work:
    """A request that is worked for; what goes wrong is told its client, and nobody else."""

    means: Means
    request: Request
    body: bytes

    async def __call__(self, client: Client) -> None:
        """Answer, and say in the log how it went."""
        began, status = time.monotonic(), 499  # where the client goes, nothing else is known
        try:
            await self._within(client)
            status = client.status
        except Refusal as refusal:
            status = refusal.status
            await client.refuse(refusal)
        except Exception as error:
            status = 500
            # Its text can hold anything.
            [*_, (frame, line)] = traceback.walk_tb(error.__traceback__)
            LOG.error("%s in %s:%d", type(error).__name__, frame.f_code.co_qualname, line)
            await client.refuse(Refusal(500, "internal", "this is an error of the gateway"))
        finally:
            self.tell(status, time.monotonic() - began)

    async def _within(self, client: Client) -> None:
        try:
            async with asyncio.timeout(self.means.settings.longest):
                await self.answer(client)
        except (TimeoutError, httpx.TimeoutException):
            raise Refusal(504, "upstream_timeout", "the server took too long") from None
        except httpx.ConnectError:
            raise Refusal(502, "upstream_unreachable", "the server cannot be reached") from None
        except (CutError, httpx.HTTPError):
            raise Refusal(502, "upstream_cut", "the server broke off; nothing was run") from None
        except ChoiceNotSingleError:
            raise Refusal(502, "reply_unknown", "the reply is no message of a chat") from None

    async def answer(self, client: Client) -> None:
        """Give the client its answer."""
        raise NotImplementedError

    def tell(self, status: int, seconds: float) -> None:
        """Write a line to the log."""
        LOG.info("%s (passed on) %d %.3f s", self.request.method, status, seconds)

    @asynccontextmanager
    async def sent(
        self, path: str, content: bytes, without: Iterable[str] = ()
    ) -> AsyncIterator[httpx.Response]:
        """Send a request to the server with the headers of the client but for some."""
        gone = {*_hop(self.request.headers), *without}
        headers = [
            (name, value) for name, value in self.request.headers.raw if _name(name) not in gone
        ]
        key = self.request.headers.get("x-api-key")
        if key and "authorization" not in self.request.headers:
            # Clients of Anthropic give it so, and most servers do not look there.
            headers.append((b"authorization", f"Bearer {key}".encode("latin-1")))
        url = httpx.URL(f"{self.means.settings.upstream.rstrip('/')}/{path}")
        if query := self.request.scope["query_string"]:
            url = url.copy_with(query=query)
        client = self.means.client
        built = client.build_request(self.request.method, url, headers=headers, content=content)
        response = await client.send(built, stream=True)
        try:
            yield response
        finally:
            await response.aclose()


class Passing(Work):
    """Passes on a request and its answer."""

    async def answer(self, client: Client) -> None:
        """Give the client what the server gives."""
        path = self.request.url.path.removeprefix("/v1").lstrip("/")
        if ".." in path.split("/"):
            raise Refusal(404, "path_unknown", "there is no such path")
        async with self.sent(path, self.body) as response:
            await client.begin(response.status_code, headers_of(response))
            async for data in response.aiter_raw():
                await client.more(data)
            await client.end()


def _hop(headers: Any) -> set[str]:
    """Return the names of headers that go no further."""
    named = headers.get("connection", "").lower().split(",")
    return {*HOP, *(name.strip() for name in named)}


def headers_of(response: httpx.Response, without: Iterable[str] = ()) -> Headers:
    """Return the headers of a response that go on, but for some."""
    gone = {*_hop(response.headers), *without}
    return [
        (name.lower(), value) for name, value in response.headers.raw if _name(name) not in gone
    ]


def _name(header: bytes) -> str:
    return header.decode("latin-1").lower()
