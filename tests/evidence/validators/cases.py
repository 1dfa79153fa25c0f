"""The requests that the fixtures say leave: what every judge is asked about.

A case of one operation shows a part of a request. The rest is filled in here, so that a judge of
whole requests has one: a model, the tools that the calls name, and a user who speaks first and,
where the assistant had the last word, last.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from commoncall_kit.suite import data

Json = dict[str, Any]

USER = {"role": "user", "content": "hi"}
SCHEMA = {"type": "object", "properties": {}}


class Golden(NamedTuple):
    """A request that a case expects to leave, for a profile, or for none."""

    case: str
    request: Json
    profile: Json | None
    open_turn: bool


def golden_requests() -> Iterator[Golden]:
    """Yield what the cases of payload and turn expect to be sent, in their order."""
    for case in data.load().cases:
        whole, result = _WHOLE.get(case.operation.name), case.expect.get("result")
        request = whole(result) if whole and isinstance(result, dict) else None
        if request is not None:
            given = case.input if isinstance(case.input, dict) else {}
            profile, is_open = given.get("profile"), given.get("open_turn", False)
            yield Golden(case.id, request, profile, is_open)


def _of_request(result: Json) -> Json | None:
    """Return a sanitised request with tools; its messages are not what the case is about."""
    request = result["request"]
    if not isinstance(request, dict) or not {"tools", "functions"} & request.keys():
        return None
    return {"model": "m", **request, "messages": [USER]}


def _of_history(result: Json) -> Json | None:
    return framed({"messages": result["messages"]}) if result["messages"] else None


def _of_turn(result: Json) -> Json | None:
    request = result["request"]
    if not isinstance(request, dict) or not isinstance(request.get("messages"), list):
        return None
    return framed(request)


_WHOLE = {
    "payload.sanitize_request": _of_request,
    "payload.sanitize_history": _of_history,
    "turn.prepare": _of_turn,
}


def framed(request: Json) -> Json:
    """Return a request that has what a part of one leaves out."""
    messages = list(request["messages"])
    first = next((at for at, each in enumerate(messages) if not _is_system(each)), len(messages))
    if first == len(messages) or messages[first].get("role") != "user":
        messages.insert(first, USER)
    if messages[-1].get("role") == "assistant" and "tool_calls" not in messages[-1]:
        messages.append(USER)
    whole = {"model": "m", **request, "messages": messages}
    called = [call["function"]["name"] for each in messages for call in each.get("tool_calls", [])]
    if called and "tools" not in request:
        whole["tools"] = [
            {"type": "function", "function": {"name": name, "parameters": SCHEMA}}
            for name in dict.fromkeys(called)
        ]
    return whole


def _is_system(message: Json) -> bool:
    return message.get("role") in ("system", "developer")
