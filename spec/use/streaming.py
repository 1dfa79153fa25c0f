"""A turn loop on the asynchronous `openai` SDK that shows the answer while it comes."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

from loop import ROUNDS, Tools, answer, outcome
from openai import AsyncOpenAI

from commoncall import turn

Show = Callable[[turn.Shown], None]


async def converse(
    client: AsyncOpenAI, request: Any, run: Tools, sending: Any, reading: Any, show: Show
) -> str | None:
    """Let the model call tools until it answers; `request["messages"]` grows."""
    for _ in range(ROUNDS):
        sent = turn.prepare(request, registered=list(run), **sending)
        stream = turn.Stream(sent, **reading)
        chunks = await client.chat.completions.create(**sent["request"], stream=True)
        async for chunk in unbroken(chunks):
            for piece in stream.feed(chunk):
                show(piece)
        got = stream.finish()
        for piece in stream.rest:
            show(piece)
        outcomes = [await asyncio.to_thread(outcome, call, run) for call in got["dispatch"]]
        done = turn.settle(got, outcomes, sent)
        request["messages"] += done["history"]
        if not done["outputs"]:
            return answer(got)
    raise RuntimeError(f"the model has not answered in {ROUNDS} rounds")


async def unbroken(chunks: AsyncIterator[Any]) -> AsyncIterator[Any]:
    """Yield chunks. Where the stream breaks, what has come is a message that was cut off."""
    try:
        async for chunk in chunks:
            yield chunk
    except Exception as error:
        logging.getLogger(__name__).warning("the stream broke off: %s", error)
