"""The client of a request over ASGI: what it is given, and whether it is still there."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from commoncall_serve.front import Front, Refusal

Headers = Sequence[tuple[bytes, bytes]]
JSON: Final[Headers] = [(b"content-type", b"application/json")]


@dataclass
class Client:
    """Gives a client its answer. Each ``await`` waits until it has taken what came before.

    Attributes:
        send: the channel to it.
        status: that of the answer, 0 where none has begun.
        marks: headers that say what became of the request.
        is_stream: whether the answer has begun, and is made of events.
    """

    send: Send
    front: Front
    status: int = 0
    marks: Headers = ()
    is_stream: bool = False

    async def whole(self, status: int, headers: Headers, body: bytes) -> None:
        """Give an answer that is whole."""
        await self.begin(status, [*headers, (b"content-length", b"%d" % len(body))])
        await self.more(body)
        await self.end()

    async def begin(self, status: int, headers: Headers, *, is_stream: bool = False) -> None:
        """Give the head of an answer."""
        self.status, self.is_stream = status, is_stream
        begin = {"type": "http.response.start", "status": status}
        await self.send({**begin, "headers": [*headers, *self.marks]})

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
            told = json.dumps(self.front.refusal(refusal)).encode()
            await self.whole(refusal.status, JSON, told)
        elif self.is_stream:
            await self.more(self.front.chunk({"error": refusal.error()}).encode())
            await self.end()


class WhilePresent(Response):
    """An answer that somebody works for while its client is there, and not longer."""

    def __init__(self, work: Callable[[Client], Awaitable[None]], front: Front) -> None:
        self.background = None
        self._work, self._front = work, front

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; raises what the work raises."""
        work = asyncio.ensure_future(self._work(Client(send, self._front)))
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
