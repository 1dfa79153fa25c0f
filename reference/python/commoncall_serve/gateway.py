"""The gateway: clients before it, a server of Chat Completions behind it.

It keeps nothing between requests but counters, so any number of them stand behind any balancer.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import httpx
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from commoncall_serve.asking import Asking
from commoncall_serve.client import WhilePresent
from commoncall_serve.front import Front, NativeFront, Refusal
from commoncall_serve.metrics import Metrics
from commoncall_serve.work import Means, Passing, Settings, Work

FRONTS: Final[dict[str, Callable[[], Front]]] = {
    "/chat/completions": Front,
    "/messages": partial(NativeFront, "anthropic-messages"),
    "/responses": partial(NativeFront, "openai-responses"),
}
"""Paths that ask a model for a message, and what their clients speak."""

ANY: Final = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
CONNECT_S: Final = 10.0
CONNECTIONS: Final = 1_000
IDLE_S: Final = 2.0
"""How long an unused connection is kept: servers close theirs after 5 seconds or more, and one that
is closed under a request costs its client the answer."""


def application(settings: Settings, transport: httpx.AsyncBaseTransport | None = None) -> Starlette:
    """Return the gateway; ``transport`` sends in the place of that of httpx."""
    gateway = Gateway(settings, transport)
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[*settings.hosts])
    return Starlette(
        routes=[
            *(
                Route(f"{v}{path}", gateway.asked, methods=["POST"])
                for v in ("/v1", "")
                for path in FRONTS
            ),
            Route("/healthz", gateway.health),
            Route("/metrics", gateway.metrics),
            Route("/{path:path}", gateway.passed, methods=ANY),
        ],
        middleware=[hosts] if settings.hosts else [],
        lifespan=gateway.lifespan,
    )


class Gateway:
    """Answers requests."""

    def __init__(self, settings: Settings, transport: httpx.AsyncBaseTransport | None) -> None:
        client = httpx.AsyncClient(
            transport=transport,
            timeout=httpx.Timeout(settings.silence, connect=CONNECT_S),
            limits=httpx.Limits(max_connections=CONNECTIONS, keepalive_expiry=IDLE_S),
        )
        self.means = Means(settings, client, Metrics())

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Close all connections at the end."""
        async with self.means.client:
            yield

    async def health(self, _: Request) -> Response:
        """Say that this process answers; of the server behind it nothing is said."""
        return PlainTextResponse("ok\n")

    async def metrics(self, _: Request) -> Response:
        """Give the counters to Prometheus."""
        return PlainTextResponse(self.means.counted.text(), media_type="text/plain; version=0.0.4")

    async def passed(self, request: Request) -> Response:
        """Pass on what is no request for a message, as it is."""
        return await self._present(Passing, request, Front())

    async def asked(self, request: Request) -> Response:
        """Answer a request for a message."""
        return await self._present(Asking, request, FRONTS[request.url.path.removeprefix("/v1")]())

    async def _present(self, kind: type[Work], request: Request, front: Front) -> Response:
        """Read the body of a request, and work for its answer."""
        try:
            async with asyncio.timeout(self.means.settings.silence):
                body = await self._body(request)
        except ClientDisconnect:
            return Response(status_code=400)  # which nobody gets
        except TimeoutError:
            refusal = Refusal(408, "request_too_slow", "the request did not come to its end")
            return JSONResponse(front.refusal(refusal), refusal.status)
        except Refusal as refusal:
            return JSONResponse(front.refusal(refusal), refusal.status)
        return WhilePresent(kind(self.means, request, body), front)

    async def _body(self, request: Request) -> bytes:
        read = bytearray()
        async for data in request.stream():
            read += data
            if len(read) > self.means.settings.size:
                raise Refusal(413, "request_too_large", "the request is too large")
        return bytes(read)
