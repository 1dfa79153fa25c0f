"""A turn loop on the `openai` SDK that counts its tool calls."""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from openai import OpenAI
from prometheus_client import Counter

from commoncall import turn
from commoncall.capability import Registry

CALLS = Counter("tool_calls", "Results of tool calls.", ["tool", "status"])


def converse(
    client: OpenAI,
    request: dict[str, Any],
    run: Mapping[str, Callable[..., str]],
    registry: Registry,
    profile: str,
) -> str | None:
    """Let the model call tools until it answers; `request["messages"]` grows."""
    target = {"provider": profile, "model": request["model"]}
    while True:
        sent = turn.prepare(
            request, registries=[registry], targets=[target], registered=list(run), layers=[],
            text_protocol=False, disposition="answer", profile=profile,
        )
        reply = client.chat.completions.create(**sent["request"])
        got = turn.receive(
            sent["plan"], reply.choices[0], request_id=reply.id, disposition="answer",
            request=sent["request"], aliases=sent["aliases"], tools=request["tools"],
        )
        done = turn.settle(got, [outcome(call, run) for call in got["dispatch"]])
        request["messages"] += done["history"]
        for each in done["metrics"]["tool_calls_total"]:
            CALLS.labels(each["tool"], each["status"]).inc(each["value"])
        if not done["outputs"]:
            return got["content"]


def outcome(call: turn.TurnCall, run: Mapping[str, Callable[..., str]]) -> turn.CallOutcome:
    """Run a call."""
    began = time.monotonic()
    try:
        content = run[call["name"]](**json.loads(call["arguments_json"]))
        status, extra = "ok", {"content": content}
    except Exception:
        status, extra = "error", {"error_type": "tool_error"}
    return {"seq": call["seq"], "status": status, "latency_ms": ..., **extra}
