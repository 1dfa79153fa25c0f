"""Loops on `anthropic`, the Responses of `openai`, and `ollama`: whole, and streamed with async."""

from collections.abc import Callable
from typing import Any

from anthropic import Anthropic, AsyncAnthropic
from loop import ROUNDS, Tools, answer, outcome
from ollama import AsyncClient, Client
from openai import AsyncOpenAI, OpenAI

from commoncall import turn


def messages(client: Anthropic, request: Any, run: Tools) -> str | None:
    """Let a model of Anthropic call tools until it answers; `request["messages"]` grows."""
    for _ in range(ROUNDS):
        sent = turn.prepare(request, capability=True, interface="anthropic-messages")
        got = turn.receive(sent, client.messages.create(**sent["request"]))
        done = turn.settle(got, [outcome(call, run) for call in got["dispatch"]], sent)
        request["messages"] += done["history"]
        if not done["outputs"]:
            return answer(got)
    raise RuntimeError(f"the model has not answered in {ROUNDS} rounds")


def responses(client: OpenAI, request: Any, run: Tools) -> str | None:
    """Let a model behind Responses call tools until it answers; `request["input"]` grows."""
    for _ in range(ROUNDS):
        sent = turn.prepare(request, capability=True, interface="openai-responses")
        got = turn.receive(sent, client.responses.create(**sent["request"]))
        done = turn.settle(got, [outcome(call, run) for call in got["dispatch"]], sent)
        request["input"] += done["history"]
        if not done["outputs"]:
            return answer(got)
    raise RuntimeError(f"the model has not answered in {ROUNDS} rounds")


def chat(client: Client, request: Any, run: Tools) -> str | None:
    """Let a model of Ollama call tools until it answers; `request["messages"]` grows."""
    for _ in range(ROUNDS):
        sent = turn.prepare(request, capability=True, interface="ollama-chat")
        got = turn.receive(sent, client.chat(**sent["request"]))
        done = turn.settle(got, [outcome(call, run) for call in got["dispatch"]], sent)
        request["messages"] += done["history"]
        if not done["outputs"]:
            return answer(got)
    raise RuntimeError(f"the model has not answered in {ROUNDS} rounds")


async def streamed(
    client: AsyncAnthropic, request: Any, run: Tools, show: Callable[[str], object]
) -> str | None:
    """The same for a stream: what can be shown is shown while it comes."""
    for _ in range(ROUNDS):
        sent = turn.prepare(request, capability=True, interface="anthropic-messages")
        stream = turn.Stream(sent)
        async for event in await client.messages.create(**sent["request"], stream=True):
            for piece in stream.feed(event):
                show(str(piece.get("text", "")))
        got = stream.finish()
        done = turn.settle(got, [outcome(call, run) for call in got["dispatch"]], sent)
        request["messages"] += done["history"]
        if not done["outputs"]:
            return answer(got)
    raise RuntimeError(f"the model has not answered in {ROUNDS} rounds")


async def streamed_responses(
    client: AsyncOpenAI, request: Any, run: Tools, show: Callable[[str], object]
) -> str | None:
    """The same for Responses."""
    for _ in range(ROUNDS):
        sent = turn.prepare(request, capability=True, interface="openai-responses")
        stream = turn.Stream(sent)
        async for event in await client.responses.create(**sent["request"], stream=True):
            for piece in stream.feed(event):
                show(str(piece.get("text", "")))
        got = stream.finish()
        done = turn.settle(got, [outcome(call, run) for call in got["dispatch"]], sent)
        request["input"] += done["history"]
        if not done["outputs"]:
            return answer(got)
    raise RuntimeError(f"the model has not answered in {ROUNDS} rounds")


async def streamed_chat(
    client: AsyncClient, request: Any, run: Tools, show: Callable[[str], object]
) -> str | None:
    """The same for Ollama."""
    for _ in range(ROUNDS):
        sent = turn.prepare(request, capability=True, interface="ollama-chat")
        stream = turn.Stream(sent)
        async for line in await client.chat(**sent["request"], stream=True):
            for piece in stream.feed(line):
                show(str(piece.get("text", "")))
        got = stream.finish()
        done = turn.settle(got, [outcome(call, run) for call in got["dispatch"]], sent)
        request["messages"] += done["history"]
        if not done["outputs"]:
            return answer(got)
    raise RuntimeError(f"the model has not answered in {ROUNDS} rounds")
