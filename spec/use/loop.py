"""A turn loop on the `openai` SDK that counts its tool calls."""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from openai import OpenAI
from prometheus_client import Counter

from commoncall import turn

Tools = Mapping[str, Callable[..., str]]
CALLS = Counter("tool_calls", "Results of tool calls.", ["tool", "status"])


def converse(
    client: OpenAI, request: dict[str, Any], run: Tools, registry: Any, profile: Any
) -> str | None:
    """Let the model call tools until it answers; `request["messages"]` grows."""
    target = {"provider": "acme", "model": request["model"]}
    while True:
        sent = turn.prepare(
            request, registries=[registry], targets=[target], registered=list(run), layers=[],
            text_protocol=False, disposition="answer", profile=profile,
        )
        reply = client.chat.completions.create(**sent["request"])
        choice = reply.choices[0]
        got = turn.receive(
            sent["plan"], choice.message, finish_reason=choice.finish_reason, request_id=reply.id,
            disposition="answer", request=sent["request"], aliases=sent["aliases"],
            tools=request["tools"], profile=profile,
        )
        done = turn.settle(got, [outcome(call, run) for call in got["dispatch"]], profile)
        request["messages"] += done["history"]
        for each in done["metrics"]["tool_calls_total"]:
            CALLS.labels(each["tool"], each["status"]).inc(each["value"])
        if not done["outputs"]:
            return got["content"] or got.get("refusal")


def outcome(call: turn.TurnCall, run: Tools) -> turn.CallOutcome:
    """Run a call that has passed every check."""
    began = time.monotonic()
    try:
        content = run[call["name"]](**json.loads(call["arguments_json"]))
    except Exception:
        return {"seq": call["seq"], "status": "error", "error_type": "tool_error"}
    spent = round((time.monotonic() - began) * 1000)
    return {"seq": call["seq"], "status": "ok", "content": content, "latency_ms": spent}
