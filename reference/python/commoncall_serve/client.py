"""The client of a request over ASGI: what it is given, and whether it is still there."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

Headers = Sequence[tuple[bytes, bytes]]
JSON: Final[Headers] = [(b"content-type", b"application/json")]


class Refusal(Exception):
    """What a client is told in the place of a message. Its text holds nothing of a body."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(code)
        self.status, self.code, self.message = status, code, message

    def body(self) -> bytes:
        """Return what its client gets, in the form of Chat Completions."""
        kind = "invalid_request_error" if self.status < 500 else "upstream_error"
        told = {"message": f"commoncall: {self.message}", "type": kind, "code": self.code}
        return json.dumps({"error": {**told, "param": None}}).encode()


@dataclass
class Client:
    """Gives a client its answer. Each ``await`` waits until it has taken what came before.

    Attributes:
        send: the channel to it.
        status: that of the answer, 0 where none has begun.
    """

    send: Send
    status: int = 0
    _has_events: bool = False

    async def whole(self, status: int, headers: Headers, body: bytes) -> None:
        """Give an answer that is whole."""
        await self.begin(status, [*headers, (b"content-length", b"%d" % len(body))])
        await self.more(body)
        await self.end()

    async def begin(self, status: int, headers: Headers, *, has_events: bool = False) -> None:
        """Give the head of an answer; ``has_events``: its body is made of events."""
        self.status, self._has_events = status, has_events
        begin = {"type": "http.response.start", "status": status, "headers": [*headers]}
        await self.send(begin)

    async def more(self, data: bytes) -> None:
        """Give a piece of the body."""
        if data:
            body: Message = {"type": "http.response.body", "body": data, "more_body": True}
            await self.send(body)

    async def end(self) -> None:
        """End the answer."""
        await self.send({"type": "http.response.body", "body": b""})

    async def refuse(self, refusal: Refusal) -> None:
        """Say what went wrong: as an answer, or as the last event of one that has begun.

        An answer of another kind that has begun breaks off, as that of the server did.
        """
        if not self.status:
            await self.whole(refusal.status, JSON, refusal.body())
        elif self._has_events:
            await self.more(b"data: %s\n\n" % refusal.body())
            await self.end()


class WhilePresent(Response):
    """An answer that somebody works for while its client is there, and not longer."""

    def __init__(self, work: Callable[[Client], Awaitable[None]]) -> None:
        self.background = None
        self._work = work

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; raises what the work raises."""
        work = asyncio.ensure_future(self._work(Client(send)))
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            both: list[asyncio.Future[Any]] = [work, gone]
            for one in both:
                one.cancel()
            await asyncio.gather(*both, return_exceptions=True)
        if not work.cancelled() and (error := work.exception()):
            raise error


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
