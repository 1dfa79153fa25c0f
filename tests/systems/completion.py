"""A chat completion with one tool call, and what gives it to a client in place of a network."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

# The client of OpenAI takes the one that its version depends on.
try:
    import httpx2 as httpx  # type: ignore[import-not-found, unused-ignore]
except ModuleNotFoundError:
    import httpx  # type: ignore[no-redef, unused-ignore]

from tests.systems.adapter import NotOffered

Sent = Callable[[dict[str, Any]], None]


def of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer of a provider that holds the call of ``payload.check_tool_call``.

    Raises:
        NotOffered: the interface has no place for the call.
    """
    match given["tool_call"]:
        case {"function": {"arguments": str()}} as call:
            whole = {**call, "id": "call_1", "type": "function"}
        case _:
            raise NotOffered("arguments that are no text")
    message = {"role": "assistant", "content": None, "tool_calls": [whole]}
    return answer(message, "length" if given.get("truncated") else "tool_calls")


def history(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the messages of ``payload.sanitize_history``.

    Raises:
        NotOffered: the interface has no place for one of them.
    """
    for message in given["messages"]:
        match message:
            case {"role": "assistant"}:
                content = message.get("content") or ""
            case {"role": "system" | "developer" | "user" | "tool", "content": content}:
                pass
            case _:
                raise NotOffered("a message that the interface does not have")
        if not isinstance(content, str):
            raise NotOffered("a content that is no text")
    return list(given["messages"])


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


def client(*answers: Mapping[str, Any], sent: Sent = lambda body: None) -> Any:
    """Return a client of HTTP that gives these answers, the last of them again, and hands on
    the bodies that are sent.
    """
    return httpx.Client(transport=_transport(answers, sent))


def async_client(*answers: Mapping[str, Any], sent: Sent = lambda body: None) -> Any:
    """Return the same for asynchronous use."""
    return httpx.AsyncClient(transport=_transport(answers, sent))


def _transport(answers: Sequence[Mapping[str, Any]], sent: Sent) -> Any:
    left = list(answers)

    def handle(request: Any) -> Any:
        sent(json.loads(request.content))
        text = json.dumps(left.pop(0) if len(left) > 1 else left[0])
        return httpx.Response(200, content=text, headers={"content-type": "application/json"})

    return httpx.MockTransport(handle)
