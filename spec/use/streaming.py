"""A turn loop on the asynchronous `openai` SDK that shows the answer while it comes."""

import asyncio
from collections.abc import Callable
from typing import Any

from httpx import TransportError
from loop import ROUNDS, Tools, outcome
from openai import APIError, AsyncOpenAI

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
        try:
            async for chunk in chunks:
                for piece in stream.feed(chunk):
                    show(piece)
        except (APIError, TransportError):
            pass  # what has come is a message that was cut off
        got = stream.finish()
        for piece in stream.rest:
            show(piece)
        outcomes = [await asyncio.to_thread(outcome, call, run) for call in got["dispatch"]]
        done = turn.settle(got, outcomes, sent)
        request["messages"] += done["history"]
        if not done["outputs"]:
            return got["content"] or got.get("refusal")
    raise RuntimeError(f"the model has not answered in {ROUNDS} rounds")
