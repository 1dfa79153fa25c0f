"""The form of another interface, told by what no Chat Completions has.

Holds the definition "foreign sign" and PAY-167 of spec/v1/payload.md. A null counts as absent;
words look alike everywhere, and are no sign. Signs are sought in the order of the rows there. Here,
too, what a Python program gives is read: a sign says more of it than that it is no message.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from commoncall import border
from commoncall.envelope import RefusedInput
from commoncall.places import Place, pointer

ForeignForm = Literal[
    "anthropic-messages",
    "bedrock-converse",
    "camel-case",
    "gemini-generate-content",
    "ollama-chat",
    "openai-responses",
]
Sign = tuple[ForeignForm, Place]
"""The form that a sign is of, and its place."""

Test = Callable[[Mapping[str, Any]], bool]

_DATED: Final = re.compile(r"_[0-9]{8}\Z")
_DECLARATIONS: Final = ("functionDeclarations", "function_declarations")


class ForeignFormError(RefusedInput):
    """A request, a history or a reply has the form of another interface; ``error`` names it and a
    place.
    """

    def __init__(self, form: ForeignForm, place: Place) -> None:
        path = pointer(place)
        super().__init__({"code": "form_not_chat_completions", "form": form, "path": path})

    def __str__(self) -> str:
        return "{code}: {path} has the form {form}".format_map(self.error)


def refuse_foreign_request(request: object, *, takes_tools: bool) -> None:
    """Raise `ForeignFormError` for a request in the form of another interface (PAY-167).

    Where the model takes no tools, they go whatever their form is, which says nothing then.
    """
    if isinstance(request, dict):
        refuse(_sign_of_request(request, takes_tools=takes_tools))
        messages = request.get("messages")
        if isinstance(messages, list):
            refuse(_sign_of_messages(messages, ("request",)))


def refuse_foreign_messages(messages: Sequence[object], below: Place = ()) -> None:
    """Raise `ForeignFormError` for a history in the form of another interface (PAY-167).

    ``below`` is where the messages stand, where that is not the input itself.
    """
    refuse(_sign_of_messages(messages, below))


def read_messages(value: object, place: str, below: Place = ()) -> list[dict[str, Any]]:
    """Return messages of a Python program; see `border.messages`."""
    return border.messages(value, place, lambda read: refuse_foreign_messages(read, below))


def read_request(value: object, place: str) -> Any:
    """Return a request of a Python program, whose `messages` are messages, or other JSON.

    Raises:
        TypeError: something in it is nothing that JSON has.
    """
    given = value if isinstance(value, dict) else border.plain(value, place)
    if not isinstance(given, dict):
        return given
    rest = {name: member for name, member in given.items() if name != "messages"}
    read: dict[str, Any] = border.plain(rest, place)
    if given.get("messages") is not None:
        read["messages"] = read_messages(given["messages"], f"{place}.messages", (place,))
    return {name: read.get(name) for name in given}


def refuse(sign: Sign | None) -> None:
    """Raise `ForeignFormError` where there is a sign."""
    if sign is not None:
        raise ForeignFormError(*sign)


def _sign_of_request(request: Mapping[str, Any], *, takes_tools: bool) -> Sign | None:
    """Return the first sign of a request that stands outside of its messages."""
    if request.get("messages") is None:
        if request.get("contents") is not None:
            return "gemini-generate-content", ("request", "contents")
        # Without tools, a string is that of embeddings too.
        given = request.get("input")
        has_tools = given is not None and request.get("tools") is not None
        if has_tools or _first(given, _is_said) is not None:
            return "openai-responses", ("request", "input")
    config = request.get("toolConfig")
    if isinstance(config, dict) and isinstance(config.get("tools"), list):
        return "bedrock-converse", ("request", "toolConfig")
    tools = request.get("tools")
    if not takes_tools or _first(tools, lambda tool: tool.get("function") is not None) is not None:
        return None
    place = ("request", "tools")
    return (
        sign_in("gemini-generate-content", place, tools, _declares)
        or sign_in("anthropic-messages", place, tools, _is_anthropic_tool)
        or sign_in("openai-responses", place, tools, _is_flat_function)
    )


def _sign_of_messages(messages: Sequence[object], below: Place) -> Sign | None:
    """Return the first sign that stands in messages, which are in a place of the input."""
    for at, message in enumerate(messages):
        if isinstance(message, dict) and (sign := _sign_of_message(message)):
            form, inside = sign
            return form, (*below, "messages", at, *inside)
    return None


def _sign_of_message(message: Mapping[str, Any]) -> Sign | None:
    content, role, parts = message.get("content"), message.get("role"), message.get("parts")
    # What a tool returned is data, whatever it looks like.
    blocks = content if role in ("system", "developer", "user", "assistant") else None
    texts = parts if content is None else None
    item: Sign | None = ("openai-responses", ()) if role is None and _is_item(message) else None
    return (
        sign_in("anthropic-messages", ("content",), blocks, is_block)
        or sign_in("openai-responses", ("content",), blocks, _is_responses_part)
        or sign_in("bedrock-converse", ("content",), blocks, is_converse_block)
        or sign_in("gemini-generate-content", ("parts",), parts, is_gemini_part)
        or sign_in("gemini-generate-content", ("parts",), texts, _is_gemini_text)
        or item
        or (_sign_of_calls(message) if role == "assistant" else None)
        or (_camel_result(message) if role == "tool" else None)
    )


def _sign_of_calls(message: Mapping[str, Any]) -> Sign | None:
    return (
        sign_in("ollama-chat", ("tool_calls",), message.get("tool_calls"), is_ollama_call)
        or sign_in("camel-case", ("content",), message.get("content"), is_camel_part)
        or camel_calls(message)
    )


def camel_calls(message: Mapping[str, Any]) -> Sign | None:
    """Return the sign of calls under the name that they have in camelCase."""
    calls = message.get("toolCalls")
    is_sign = message.get("tool_calls") is None and isinstance(calls, list) and calls
    return ("camel-case", ("toolCalls",)) if is_sign else None


def _camel_result(message: Mapping[str, Any]) -> Sign | None:
    is_sign = message.get("tool_call_id") is None and is_camel_part(message)
    return ("camel-case", ("toolCallId",)) if is_sign else None


def sign_in(form: ForeignForm, place: Place, listed: object, test: Test) -> Sign | None:
    """Return the sign of the first element of a list that passes a test."""
    at = _first(listed, test)
    return None if at is None else (form, (*place, at))


def _first(listed: object, test: Test) -> int | None:
    """Return the position of the first object in a list that passes a test."""
    if isinstance(listed, list):
        for at, one in enumerate(listed):
            if isinstance(one, dict) and test(one):
                return at
    return None


def has_type(*types: str) -> Test:
    """Return a test for an object that has one of these types."""
    return lambda one: isinstance(kind := one.get("type"), str) and kind in types


def has_object(*names: str) -> Test:
    """Return a test for an object without a type that has an object under one of these names."""
    return lambda one: (
        one.get("type") is None and any(isinstance(one.get(name), dict) for name in names)
    )


_is_item: Final = has_type("function_call", "function_call_output")
_is_responses_part: Final = has_type("input_text", "input_image", "input_file", "output_text")
is_block: Final = has_type("tool_use", "tool_result")
is_converse_block: Final = has_object("toolUse", "toolResult")
is_gemini_part: Final = has_object(
    "functionCall", "function_call", "functionResponse", "function_response"
)
_is_flat: Final = has_type("function", "custom")


def is_ollama_call(call: Mapping[str, Any]) -> bool:
    """Tell whether a call has the form of Ollama's own interface."""
    function = call.get("function")
    return (
        call.get("id") is None
        and call.get("type") is None
        and isinstance(function, dict)
        and isinstance(function.get("arguments"), dict)
    )


def is_camel_part(part: Mapping[str, Any]) -> bool:
    """Tell whether an object holds the id of a call in camelCase."""
    return isinstance(part.get("toolCallId"), str)


def _is_said(one: Mapping[str, Any]) -> bool:
    return one.get("role") is not None or _is_item(one)


def _declares(tool: Mapping[str, Any]) -> bool:
    return any(tool.get(name) is not None for name in _DECLARATIONS)


def _is_anthropic_tool(tool: Mapping[str, Any]) -> bool:
    kind = tool.get("type")
    is_dated = isinstance(kind, str) and _DATED.search(kind) is not None
    is_theirs = tool.get("input_schema") is not None or is_dated
    return isinstance(tool.get("name"), str) and is_theirs


def _is_flat_function(tool: Mapping[str, Any]) -> bool:
    is_function = tool.get("parameters") is not None or _is_flat(tool)
    return isinstance(tool.get("name"), str) and is_function


def _is_gemini_text(part: Mapping[str, Any]) -> bool:
    return part.get("type") is None and isinstance(part.get("text"), str)
