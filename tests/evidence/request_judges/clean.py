"""Requests that nobody refuses, for Hypothesis: in the common form, and in the strictest one.

Every text holds `SECRET`, so that a test can look for what leaks.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import strategies as st

from tests.evidence.servers.sent import SECRET

Request = dict[str, Any]
Message = dict[str, Any]
T = TypeVar("T")
Draw = Callable[[st.SearchStrategy[T]], T]

TOOL_NAMES = ("read", "write", "fs_list", "b-2")

texts = st.text(max_size=4).map(lambda text: f"{SECRET}{text}")
argument_texts = st.sampled_from(
    [
        "{}",
        f'{{"{SECRET}": 1}}',
        f' {{"n": 12345678901234567890, "p": "{SECRET}"}}\n',
        '{"a": {"b": [null, 1.5e3, "\\u00e9"]}}',
    ]
)
schemas = st.sampled_from(
    [
        {"type": "object", "properties": {}},
        {"type": "object", "properties": {"p": {"type": "string"}}, "required": ["p"]},
        {"type": "object", "properties": {"p": {"anyOf": [{}, {"type": ["null"]}]}}, "$defs": {}},
    ]
)
image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}


@st.composite
def clean_requests(draw: Draw[Any], *, strictest: bool) -> Request:
    """Draw a request with tools that passes as it is: with the empty profile, or with none."""
    names = draw(st.lists(st.sampled_from(TOOL_NAMES), min_size=1, unique=True))
    request: Request = {"model": "m", "messages": draw(clean_histories(strictest=strictest))}
    request["tools"] = [draw(_tools(name, strictest)) for name in names]
    named = {"type": "function", "function": {"name": names[0]}}
    choice = draw(st.sampled_from([None, "auto", "none", "required", named]))
    if choice is not None:
        request["tool_choice"] = choice
    if not strictest and draw(st.booleans()):
        request["parallel_tool_calls"] = draw(st.booleans())
    if draw(st.booleans()):
        request["temperature"] = 0
    return request


@st.composite
def clean_histories(draw: Draw[Any], *, strictest: bool) -> list[Message]:
    """Draw a history from a user's message to the last result or to a user's message."""
    ids = (f"a{number:08d}" if strictest else f"call_{number}" for number in range(100))
    messages: list[Message] = []
    if draw(st.booleans()):
        messages.append({"role": "system", "content": draw(texts)})
    messages.append({"role": "user", "content": draw(texts)})
    for _ in range(draw(st.integers(0, 3))):
        names = draw(st.lists(st.sampled_from(TOOL_NAMES), max_size=3))
        if names:
            calls = [_call(next(ids), name, draw(argument_texts)) for name in names]
            for turn in [[each] for each in calls] if strictest else [calls]:
                messages += draw(_calling_turns(turn, strictest))
        if not names or strictest or draw(st.booleans()):
            messages.append({"role": "assistant", "content": draw(texts)})
        messages.append({"role": "user", "content": draw(_user_contents())})
        if not strictest and draw(st.booleans()):
            messages.append({"role": "system", "content": draw(texts), "x": SECRET})
    if draw(st.booleans()):
        last = _call(next(ids), "read", draw(argument_texts))
        messages += draw(_calling_turns([last], strictest))
    return messages


@st.composite
def _calling_turns(draw: Draw[Any], calls: list[dict[str, Any]], strictest: bool) -> list[Message]:
    content = draw(texts | st.just("") if strictest else texts | st.none())
    assistant: Message = {"role": "assistant", "content": content, "tool_calls": calls}
    results = []
    for call in calls:
        result: Message = {"role": "tool", "tool_call_id": call["id"], "content": draw(texts)}
        if strictest or draw(st.booleans()):
            result["name"] = call["function"]["name"]
        if not strictest and draw(st.booleans()):
            result["content"] = [{"type": "text", "text": draw(texts)}]
        results.append(result)
    if not strictest and draw(st.booleans()):
        assistant["reasoning_content"] = SECRET
        calls[0]["index"] = 0
    return [assistant, *results]


@st.composite
def _tools(draw: Draw[Any], name: str, strictest: bool) -> dict[str, Any]:
    function: dict[str, Any] = {"name": name, "parameters": draw(schemas)}
    if draw(st.booleans()):
        function["description"] = draw(texts)
    if not strictest and draw(st.booleans()):
        function["strict"] = draw(st.booleans())
    return {"type": "function", "function": function}


def _user_contents() -> st.SearchStrategy[Any]:
    return texts | texts.map(lambda text: [{"type": "text", "text": text}, image])


def _call(identifier: str, name: str, arguments: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": identifier, "type": "function", "function": function}
