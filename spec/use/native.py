"""A loop on Anthropic Messages, Responses or Ollama's chat, whole and streamed."""

from collections.abc import Callable
from typing import Any

from loop import ROUNDS, Tools, answer, outcome

from commoncall import turn
from commoncall.interface import Interface

Ask = Callable[..., Any]


def converse(ask: Ask, request: Any, run: Tools, interface: Interface) -> str | None:
    """Let the model call tools until it answers; the history in `request` grows."""
    for _ in range(ROUNDS):
        sent = turn.prepare(request, capability=True, interface=interface)
        got = turn.receive(sent, ask(**sent["request"]))
        if is_answered(request, got, run, sent):
            return answer(got)
    raise RuntimeError(f"the model has not answered in {ROUNDS} rounds")


async def converse_streaming(
    ask: Ask, request: Any, run: Tools, interface: Interface, show: Callable[[turn.Shown], object]
) -> str | None:
    """The same with an asynchronous client: what can be shown is shown while it comes."""
    for _ in range(ROUNDS):
        sent = turn.prepare(request, capability=True, interface=interface)
        stream = turn.Stream(sent)
        async for event in await ask(**sent["request"], stream=True):
            for piece in stream.feed(event):
                show(piece)
        got = stream.finish()
        for piece in stream.rest:
            show(piece)
        if is_answered(request, got, run, sent):
            return answer(got)
    raise RuntimeError(f"the model has not answered in {ROUNDS} rounds")


def is_answered(request: Any, got: turn.Received, run: Tools, sent: turn.Sent) -> bool:
    """Run the calls and store what happened; tell whether the model has said its last."""
    done = turn.settle(got, [outcome(call, run) for call in got["dispatch"]], sent)
    request["input" if "input" in request else "messages"] += done["history"]
    return not done["outputs"]
