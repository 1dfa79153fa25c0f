"""A turn loop on a client of the `openai` SDK."""

import json
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from commoncall import turn

Tools = Mapping[str, Callable[..., str]]
ROUNDS = 25


def converse(client: Any, request: Any, run: Tools, sending: Any, reading: Any) -> str | None:
    """Let the model call tools until it answers; `request["messages"]` grows."""
    for _ in range(ROUNDS):
        sent = turn.prepare(request, registered=list(run), **sending)
        reply = client.chat.completions.create(**sent["request"])
        got = turn.receive(sent, reply.choices[0], request_id=reply.id, **reading)
        outcomes = [outcome(call, run) for call in got["dispatch"]]
        done = turn.settle(got, outcomes, sent)
        request["messages"] += done["history"]
        if not done["outputs"]:
            return answer(got)
    raise RuntimeError(f"the model has not answered in {ROUNDS} rounds")


def answer(got: turn.Received) -> str | None:
    """Return what the model said last; where it was cut off, the log says so."""
    if got.get("truncated"):
        logging.getLogger(__name__).warning("the answer was cut off")
    return got["content"] or got.get("refusal")


def outcome(call: turn.TurnCall, run: Tools) -> turn.CallOutcome:
    """Run a call that has passed every check."""
    began = time.monotonic()
    try:
        content = run[call["name"]](**json.loads(call["arguments_json"]))
    except Exception as error:
        said = type(error).__name__  # what the model reads of it
        return {"seq": call["seq"], "status": "error", "content": said, "error_type": "tool_error"}
    spent = round((time.monotonic() - began) * 1000)
    return {"seq": call["seq"], "status": "ok", "content": content, "latency_ms": spent}
