"""A request of Chat Completions in the forms of two other wires: Messages and Converse.

It carries over what stands there, right or wrong, and mends nothing, so that the judge of the other
wire sees the fault. Only what a wire says in another way is put that way: system messages stand
apart, results are parts of a user's message, arguments are objects where their text is one, and a
text or a description that is empty is left out.
"""

import json
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


class UntranslatableError(Exception):
    """The other wire has no word for this, so its judge has nothing to judge."""


def to_messages(request: Json) -> Json:
    """Return the body for the Messages interface."""
    body: Json = {"model": request.get("model", "m"), "max_tokens": 1}
    system = [{"type": "text", "text": text} for text in _system_texts(request)]
    if system:
        body["system"] = system
    body["messages"] = [
        {"role": role, "content": [_messages_block(kind, value) for kind, value in blocks]}
        for role, blocks in _turns(request)
    ]
    if "tools" in request:
        body["tools"] = [
            _present(
                name=function.get("name"),
                description=function.get("description") or None,
                strict=function.get("strict"),
                input_schema=function.get("parameters"),
            )
            for function in _functions(request)
        ]
    if "tool_choice" in request:
        kinds = {"auto": "auto", "none": "none", "required": "any"}
        choice = request["tool_choice"]
        body["tool_choice"] = (
            {"type": kinds.get(choice, choice)}
            if isinstance(choice, str)
            else {"type": "tool", "name": choice["function"]["name"]}
        )
    if "parallel_tool_calls" in request:
        # It is a member of the choice there, and `auto` is what no choice means.
        choice = body.setdefault("tool_choice", {"type": "auto"})
        choice["disable_parallel_tool_use"] = not request["parallel_tool_calls"]
    return body


def to_converse(request: Json) -> Json:
    """Return the input of the operation Converse."""
    body: Json = {"modelId": "m"}
    system = [{"text": text} for text in _system_texts(request)]
    if system:
        body["system"] = system
    body["messages"] = [
        {"role": role, "content": [_converse_block(kind, value) for kind, value in blocks]}
        for role, blocks in _turns(request)
    ]
    config: Json = {}
    if "tools" in request:
        config["tools"] = [
            {
                "toolSpec": _present(
                    name=function.get("name"),
                    description=function.get("description") or None,
                    strict=function.get("strict"),
                    inputSchema={"json": function.get("parameters")},
                )
            }
            for function in _functions(request)
        ]
    if "tool_choice" in request:
        choice = request["tool_choice"]
        if choice == "none":
            raise UntranslatableError("Converse has no choice `none`")
        config["toolChoice"] = {
            "auto": {"auto": {}},
            "required": {"any": {}},
        }.get(str(choice)) or {"tool": {"name": choice["function"]["name"]}}
    if config:
        body["toolConfig"] = config
    return body


Block = tuple[str, Any]


def _turns(request: Json) -> Iterator[tuple[str, list[Block]]]:
    """Yield role and blocks of each turn; neighbours of one role are one turn."""
    turns: list[tuple[str, list[Block]]] = []
    for message in request["messages"]:
        if message["role"] in ("system", "developer"):
            continue
        role = "assistant" if message["role"] == "assistant" else "user"
        if not turns or turns[-1][0] != role:
            turns.append((role, []))
        turns[-1][1].extend(_blocks(message))
    yield from turns


def _blocks(message: Json) -> Iterator[Block]:
    if message["role"] == "tool":
        yield "result", message
        return
    content = message.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if not isinstance(content, list | None):
        raise UntranslatableError("a content that is no text and no parts")
    for part in content or []:
        if not isinstance(part, dict) or part.get("type") != "text":
            raise UntranslatableError("a part of another kind than text")
        if part.get("text") != "":  # An empty text is no block on these wires.
            yield "text", part.get("text")
    for call in message.get("tool_calls") or []:
        yield "call", call


def _messages_block(kind: str, value: Any) -> Json:
    if kind == "text":
        return {"type": "text", "text": value}
    if kind == "result":
        text = _text(value.get("content"))
        return _present(type="tool_result", tool_use_id=value.get("tool_call_id"), content=text)
    function = value.get("function") or {}
    return {
        **_present(type="tool_use", id=value.get("id"), name=function.get("name")),
        "input": _arguments(function.get("arguments")),
    }


def _converse_block(kind: str, value: Any) -> Json:
    if kind == "text":
        return {"text": value}
    if kind == "result":
        content = [{"text": _text(value.get("content"))}]
        return {"toolResult": _present(toolUseId=value.get("tool_call_id"), content=content)}
    function = value.get("function") or {}
    call = _present(toolUseId=value.get("id"), name=function.get("name"))
    return {"toolUse": {**call, "input": _arguments(function.get("arguments"))}}


def _arguments(arguments: Any) -> Any:
    """Return what a text of JSON says, and what is no such text as it is."""
    try:
        return json.loads(arguments)
    except (TypeError, ValueError):
        return arguments


def _text(content: Any) -> Any:
    """Return the text of parts; what is neither text nor parts, as it is."""
    try:
        return "\n".join(part["text"] for part in content) if isinstance(content, list) else content
    except (TypeError, KeyError):
        return content


def _system_texts(request: Json) -> list[Any]:
    systems = [each for each in request["messages"] if each["role"] in ("system", "developer")]
    texts = [_text(message.get("content")) for message in systems]
    return [text for text in texts if text != ""]


def _functions(request: Json) -> list[Json]:
    return [tool["function"] for tool in request["tools"]]


def _present(**members: Any) -> Json:
    return {name: value for name, value in members.items() if value is not None}
