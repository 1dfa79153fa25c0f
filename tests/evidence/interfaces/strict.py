"""What Anthropic Messages, Responses and Ollama answer 400 to, as public reports have it.

Written from the reports that the profiles and the tables name, and not from the reference.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

WORD = re.compile(r"[a-zA-Z0-9_-]{1,64}")
BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")

UNKEPT = ("message", "reasoning", "function_call", "custom_tool_call", "item_reference")
"""What an endpoint looks up by its id, and does not find where nothing is stored."""


def refusals(interface: str, request: dict[str, Any]) -> list[str]:
    """Return why an endpoint refuses a request; an empty list where it takes it."""
    judges = {
        "anthropic-messages": _anthropic,
        "openai-responses": _responses,
        "ollama-chat": _ollama,
    }
    return [*_tools(request), *judges[interface](request)]


def _tools_in(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tools of a request, and those that its items bring."""
    items = request.get("input")
    listed = [request, *items] if isinstance(items, list) else [request]
    return [tool for one in listed for tool in one.get("tools", ())]


def _tools(request: dict[str, Any]) -> Iterator[str]:
    tools = _tools_in(request)
    names = [tool["name"] for tool in tools if "name" in tool]
    if len(names) != len(set(names)):
        yield "tools: Tool names must be unique."
    if not all(WORD.fullmatch(name) for name in names):
        yield "tools.name: String should match pattern"
    choice = request.get("tool_choice")
    if choice is not None and not tools:
        yield "tool_choice may only be specified while providing tools"
    if isinstance(choice, dict):
        kind, named = choice.get("type"), choice.get("name")
        if kind in ("tool", "function") and named not in names:
            yield f"Tool '{named}' not found in provided tools"
        if kind in ("any", "tool") and request.get("thinking", {}).get("type") == "enabled":
            yield "Thinking may not be enabled when tool_choice forces tool use."


def _anthropic(request: dict[str, Any]) -> Iterator[str]:
    if not request["messages"]:
        yield "messages: at least one message is required"
    seen: set[str] = set()
    waiting: list[str] = []
    uses: set[str] = set()
    for at, message in enumerate(request["messages"]):
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for why in (*_message(message, blocks), *_results(message, blocks, waiting)):
            yield f"messages.{at}: {why}"
        for block in blocks if message["role"] == "assistant" else ():
            if block.get("tool_use_id", "") not in ("", *uses):
                yield f"unexpected `tool_use_id` found in `{block['type']}` blocks"
            uses.add(block.get("id", ""))
        if unanswered := _unanswered(request["messages"][at:]):
            yield f"messages.{at}: `web_search` tool use with ids {unanswered} was found alone"
        waiting = []
        for block in blocks:
            if block["type"] == "tool_use":
                yield from _call(message, block, seen)
                seen.add(block["id"])
                waiting.append(block["id"])
    if json.dumps(request).count('"cache_control"') > 4:
        yield "A maximum of 4 blocks with cache_control may be provided."
    if waiting:
        yield "messages: `tool_use` ids were found without `tool_result` blocks immediately after"
    if request.get("thinking", {}).get("type") == "enabled" and not _begins_with_thought(request):
        yield "Expected `thinking` or `redacted_thinking` where the final turn begins"


def _unanswered(messages: list[dict[str, Any]]) -> set[str]:
    """Return the calls of the provider's own in the first message that no result answers, though
    the user has spoken since.
    """
    waiting: set[str] = set()
    for at, message in enumerate(messages):
        content = message["content"]
        blocks = [{"type": "text"}] if isinstance(content, str) else content
        if message["role"] == "user" and any(one["type"] != "tool_result" for one in blocks):
            return waiting
        for block in blocks:
            waiting.discard(block.get("tool_use_id", ""))
            if at == 0 and block["type"] == "server_tool_use":
                waiting.add(block["id"])
    return set()


def _begins_with_thought(request: dict[str, Any]) -> bool:
    """Tell whether the turn that goes on begins with a thought, or none goes on."""
    begun: list[list[str]] = []
    for message in request["messages"]:
        content = message["content"]
        kinds = ["text"] if isinstance(content, str) else [block["type"] for block in content]
        if message["role"] == "assistant":
            begun.append(kinds)
        elif {*kinds} != {"tool_result"}:
            begun = []
    return not begun or "thinking" in begun[0][0]


def _message(message: dict[str, Any], blocks: list[Any]) -> Iterator[str]:
    if message.keys() != {"role", "content"} or message["role"] not in ("user", "assistant"):
        yield "Extra inputs are not permitted"
    if not blocks:
        yield "all messages must have non-empty content"
    elif message["role"] == "assistant" and "thinking" in blocks[-1]["type"]:
        yield "The final block in an assistant message cannot be `thinking`"
    if any(block["type"] == "thinking" and "signature" not in block for block in blocks):
        yield "thinking.signature: Field required"
    if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
        yield "text content blocks must be non-empty"


def _results(message: dict[str, Any], blocks: list[Any], waiting: list[str]) -> Iterator[str]:
    results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    first = [block.get("tool_use_id") for block in blocks[: len(results)]]
    if not set(waiting) <= set(results):
        yield "`tool_use` ids were found without `tool_result` blocks immediately after"
    if results and (first != results or message["role"] != "user"):
        yield f"Did not find {len(results)} `tool_result` block(s) at the beginning"
    for block in blocks:
        if block["type"] == "tool_result" and block.get("is_error") and not _has_words(block):
            yield "tool_result: content cannot be empty if `is_error` is true"
    if not set(results) <= set(waiting) or len(set(results)) < len(results):
        yield "unexpected `tool_use_id` found in `tool_result` blocks"


def _has_words(result: dict[str, Any]) -> bool:
    content = result.get("content") or ()
    texts = [content] if isinstance(content, str) else [one["text"] for one in content]
    return any(text.strip() for text in texts)


def _call(message: dict[str, Any], block: dict[str, Any], seen: set[str]) -> Iterator[str]:
    if message["role"] != "assistant":
        yield "`tool_use` blocks can only be in `assistant` messages"
    if not isinstance(block["input"], dict):
        yield "tool_use.input: Input should be a valid dictionary"
    if WORD.fullmatch(block["id"]) is None or WORD.fullmatch(block["name"]) is None:
        yield "tool_use.id: String should match pattern"
    if block["id"] in seen:
        yield "`tool_use` ids must be unique"


def _responses(request: dict[str, Any]) -> Iterator[str]:
    items = [] if isinstance(request["input"], str) else request["input"]
    known = {
        (tool["name"], each["name"])
        for tool in _tools_in(request)
        for each in tool.get("tools", ())
    }
    for item in items:
        if request.get("store") is False and _is_unkept(item):
            yield f"Item with id '{item.get('id')}' not found."
        within, name = item.get("namespace"), item.get("name", "")
        if (within is not None or "__" in name) and (within, name) not in known:
            yield f"Missing namespace for function_call '{name}'."
    called: set[tuple[str, str]] = set()
    answered: set[tuple[str, str]] = set()
    for at, item in enumerate(items):
        kind = item.get("type", "message")
        if kind == "message" and item["role"] not in ("user", "system", "developer", "assistant"):
            yield f"input[{at}].role: invalid value"
        elif kind in ("function_call", "custom_tool_call"):
            yield from _item_of_call(at, item, {id for id, _ in called})
            called.add((item["call_id"], f"{kind}_output"))
        elif kind in ("function_call_output", "custom_tool_call_output"):
            if (item["call_id"], kind) not in called - answered:
                yield "No tool call found for function call output with call_id"
            answered.add((item["call_id"], kind))
        elif kind == "reasoning" and not _leads(items[at + 1 : at + 2]):
            yield "Item of type 'reasoning' was provided without its required following item."
        elif kind == "reasoning" and item.get("summary") is None:
            yield f"Missing required parameter: 'input[{at}].summary'."
    if called != answered:
        yield "No tool output found for function call"


def _is_unkept(item: dict[str, Any]) -> bool:
    """Tell whether an item is looked up: it has an id, or is a thought that holds nothing."""
    if item.get("type") == "reasoning":
        held = any(item.get(name) for name in ("summary", "content", "encrypted_content"))
        return "id" in item or not held
    return "id" in item and item.get("type") in UNKEPT


def _item_of_call(at: int, item: dict[str, Any], called: set[str]) -> Iterator[str]:
    if not 1 <= len(item["call_id"]) <= 64:
        yield f"Invalid 'input[{at}].call_id': string too long"
    if item["call_id"] in called:
        yield f"input[{at}]: duplicate call_id"
    if WORD.fullmatch(item["name"]) is None:
        yield f"Invalid 'input[{at}].name': string does not match pattern"
    try:
        json.loads(item.get("arguments", "{}"))
    except ValueError:
        yield f"input[{at}].arguments: invalid JSON"


def _leads(follows: list[dict[str, Any]]) -> bool:
    return any(
        each.get("role", "assistant") == "assistant"
        and not each.get("type", "").endswith("_output")
        for each in follows
    )


def _ollama(request: dict[str, Any]) -> Iterator[str]:
    """Yield what the types of its server cannot hold, and results that no call waits for."""
    if not request["messages"]:
        yield "messages: at least one message is required"
    for tool in request.get("tools", ()):
        if not isinstance(tool["function"]["parameters"].get("properties", {}), dict):
            yield "json: cannot unmarshal array into Go struct field .tools.function.parameters"
    if request.keys() & {"tool_choice", "parallel_tool_calls"}:
        yield "Client.chat() got an unexpected keyword argument"
    waiting: list[str] = []
    for message in [*request["messages"], {"role": "end"}]:
        yield from _unread(message)
        name = message.get("tool_name")
        if message["role"] == "tool" and name in waiting:
            waiting.remove(name)
            continue
        if message["role"] == "tool" or waiting:
            yield "a result of no call, or a call without a result"
        waiting = [call["function"]["name"] for call in message.get("tool_calls") or ()]


def _unread(message: dict[str, Any]) -> Iterator[str]:
    for name in ("content", "thinking", "tool_name"):
        if not isinstance(message.get(name), str | None):
            yield f"json: cannot unmarshal into Go struct field ChatRequest.messages.{name}"
    if not all(BASE64.fullmatch(image) for image in message.get("images") or ()):
        yield "illegal base64 data at input byte 4"
    for call in message.get("tool_calls") or ():
        if not isinstance(call["function"]["arguments"], dict):
            yield "json: cannot unmarshal string into Go struct field .function.arguments"
