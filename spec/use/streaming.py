"""A turn loop on the asynchronous `openai` SDK that shows the answer while it comes."""

import asyncio
from collections.abc import Callable
from typing import Any

from openai import APIError, AsyncOpenAI
from httpx import TransportError

from commoncall import turn

from loop import Tools, outcome


async def converse(
    client: AsyncOpenAI,
    request: dict[str, Any],
    run: Tools,
    registry: Any,
    profile: Any,
    show: Callable[[turn.Shown], None],
) -> str | None:
    """Let the model call tools until it answers; `request["messages"]` grows."""
    target = {"provider": "acme", "model": request["model"]}
    while True:
        sent = turn.prepare(
            request, registries=[registry], targets=[target], registered=list(run), layers=[],
            text_protocol=False, disposition="answer", profile=profile,
        )
        stream = turn.Stream(
            sent["plan"], request_id="r", disposition="answer", request=sent["request"],
            aliases=sent["aliases"], tools=request["tools"], profile=profile,
            empty_arguments="allow_if_none_required",
        )
        try:
            async for chunk in await client.chat.completions.create(**sent["request"], stream=True):
                for piece in stream.feed(chunk):
                    show(piece)
        except (APIError, TransportError):
            pass  # what has come is a message that was cut off
        got = stream.finish()
        for piece in stream.rest:
            show(piece)
        outcomes = [await asyncio.to_thread(outcome, call, run) for call in got["dispatch"]]
        done = turn.settle(got, outcomes, profile)
        request["messages"] += done["history"]
        if not done["outputs"]:
            return got["content"] or got.get("refusal")
