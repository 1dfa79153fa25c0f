"""A chat completion with one tool call, and a transport that gives it to a client of OpenAI."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx

Sent = Callable[[dict[str, Any]], None]

LARGEST = 10**308
"""Numbers from here on are handed on as texts: what JSON has no place for equals no arguments."""


def of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer of a provider that holds the call of ``payload.check_tool_call``."""
    message = {"role": "assistant", "content": None, "tool_calls": [given["tool_call"]]}
    return answer(message, "length" if given.get("truncated") else "tool_calls")


def answer(message: Mapping[str, Any], finish_reason: str = "stop") -> dict[str, Any]:
    """Return the answer of a provider with this message."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt-4o",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def transport(*answers: Mapping[str, Any], sent: Sent = lambda body: None) -> httpx.MockTransport:
    """Return a transport that gives these answers, the last of them again, and hands on bodies."""
    left = list(answers)

    def handle(request: httpx.Request) -> httpx.Response:
        sent(json.loads(request.content))
        text = json.dumps(left.pop(0) if len(left) > 1 else left[0])
        return httpx.Response(200, content=text, headers={"content-type": "application/json"})

    return httpx.MockTransport(handle)


def plain(value: object) -> Any:
    """Return arguments with a text in place of each number that JSON does not have."""
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return str(value) if isinstance(value, int | float) and not abs(value) < LARGEST else value
