"""The form of another interface, told by what no Chat Completions has.

Holds the definitions "flat tools", "foreign sign" and "first sign", and PAY-167 to PAY-169 of
spec/v1/payload.md. A null counts as absent; words look alike everywhere, and are no sign. The order
of the branches is that of the rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from commoncall import border
from commoncall.envelope import RefusedInput
from commoncall.places import Place, pointer

ForeignForm = Literal[
    "anthropic-messages", "bedrock-converse", "gemini-generate-content", "openai-responses"
]
Sign = tuple[ForeignForm, Place]
"""The form that a sign is of, and its place."""

_ITEMS: Final = frozenset({"function_call", "function_call_output"})
_BLOCKS: Final = frozenset({"tool_use", "tool_result"})
_CONVERSE_BLOCKS: Final = ("toolUse", "toolResult")
_GEMINI_PARTS: Final = ("functionCall", "function_call", "functionResponse", "function_response")
_FLAT_TYPES: Final = frozenset({"function", "custom"})
_DATED: Final = re.compile(r"_[0-9]{8}\Z")
_DECLARATIONS: Final = ("functionDeclarations", "function_declarations")


class ForeignFormError(RefusedInput):
    """A request or a history has the form of another interface; ``error`` names it and a place."""


def refuse_foreign_request(request: object, *, takes_tools: bool) -> None:
    """Raise `ForeignFormError` for a request in the form of another interface (PAY-167, PAY-169).

    Where the model takes no tools, they go in any form, and theirs does not count.
    """
    if isinstance(request, dict):
        _refuse(_sign_of_request(request, takes_tools=takes_tools))
        messages = request.get("messages")
        if isinstance(messages, list):
            _refuse(_sign_of_messages(messages, ("request",)))


def refuse_foreign_messages(messages: Sequence[object], below: Place = ()) -> None:
    """Raise `ForeignFormError` for a history in the form of another interface (PAY-168).

    ``below`` is where the messages stand, where that is not the input itself.
    """
    _refuse(_sign_of_messages(messages, below))


# What the border of Python reads.


def read_request(value: object, place: str) -> dict[str, Any]:
    """Return a request of a Python program; see `border.request`."""
    return border.request(value, place, _refuse_at)


def read_messages(value: object, place: str) -> list[dict[str, Any]]:
    """Return messages of a Python program; see `border.messages`."""
    return border.messages(value, place, _refuse_at)


def _refuse_at(messages: Sequence[object], place: str) -> None:
    refuse_foreign_messages(messages, tuple(place.split(".")[:-1]))


def _refuse(sign: Sign | None) -> None:
    if sign is not None:
        form, place = sign
        path = pointer(place)
        raise ForeignFormError({"code": "form_not_chat_completions", "form": form, "path": path})


def _sign_of_request(request: Mapping[str, Any], *, takes_tools: bool) -> Sign | None:
    """Return the first sign of a request that stands outside of its messages."""
    if request.get("messages") is None:
        if request.get("contents") is not None:
            return "gemini-generate-content", ("request", "contents")
        # Without tools, a string is that of embeddings too.
        given = request.get("input")
        has_tools = given is not None and request.get("tools") is not None
        if has_tools or _first(given, _is_item) is not None:
            return "openai-responses", ("request", "input")
    config = request.get("toolConfig")
    if isinstance(config, dict) and isinstance(config.get("tools"), list):
        return "bedrock-converse", ("request", "toolConfig")
    tools = request.get("tools")
    if not takes_tools or _first(tools, lambda tool: tool.get("function") is not None) is not None:
        return None
    place = ("request", "tools")
    return (
        _sign("gemini-generate-content", place, tools, _declares)
        or _sign("anthropic-messages", place, tools, _is_anthropic_tool)
        or _sign("openai-responses", place, tools, _is_flat_function)
    )


def _sign_of_messages(messages: Sequence[object], below: Place) -> Sign | None:
    """Return the first sign that stands in messages, which are in a place of the input."""
    for at, message in enumerate(messages):
        if not isinstance(message, dict):
            continue
        if (
            not isinstance(message.get("content"), list)
            and message.get("role") is not None
            and "parts" not in message
        ):
            continue  # Most messages: nothing in them can be a sign.
        if sign := _sign_of_message(message):
            form, inside = sign
            return form, (*below, "messages", at, *inside)
    return None


def _sign_of_message(message: Mapping[str, Any]) -> Sign | None:
    content, role = message.get("content"), message.get("role")
    sign: Sign | None = None
    # What a tool returned is data, whatever it looks like.
    if isinstance(content, list) and role in ("user", "assistant"):
        sign = _sign("anthropic-messages", ("content",), content, _is_block) or _sign(
            "bedrock-converse", ("content",), content, _is_converse_block
        )
    if not sign and "parts" in message:
        parts = message["parts"]
        sign = _sign("gemini-generate-content", ("parts",), parts, _is_gemini_part)
        if not sign and content is None:
            sign = _sign("gemini-generate-content", ("parts",), parts, _is_gemini_text)
    if not sign and role is None and _has_type(message, _ITEMS):
        return "openai-responses", ()
    return sign


def _sign(
    form: ForeignForm, place: Place, listed: object, test: Callable[[Mapping[str, Any]], bool]
) -> Sign | None:
    """Return the sign of the first element of a list that passes a test."""
    at = _first(listed, test)
    return None if at is None else (form, (*place, at))


def _first(listed: object, test: Callable[[Mapping[str, Any]], bool]) -> int | None:
    """Return the position of the first object in a list that passes a test."""
    if isinstance(listed, list):
        for at, one in enumerate(listed):
            if isinstance(one, dict) and test(one):
                return at
    return None


def _is_item(one: Mapping[str, Any]) -> bool:
    return one.get("role") is not None or _has_type(one, _ITEMS)


def _declares(tool: Mapping[str, Any]) -> bool:
    return any(tool.get(name) is not None for name in _DECLARATIONS)


def _is_anthropic_tool(tool: Mapping[str, Any]) -> bool:
    kind = tool.get("type")
    is_dated = isinstance(kind, str) and _DATED.search(kind) is not None
    is_theirs = tool.get("input_schema") is not None or is_dated
    return isinstance(tool.get("name"), str) and is_theirs


def _is_flat_function(tool: Mapping[str, Any]) -> bool:
    is_function = tool.get("parameters") is not None or _has_type(tool, _FLAT_TYPES)
    return isinstance(tool.get("name"), str) and is_function


def _is_block(part: Mapping[str, Any]) -> bool:
    return _has_type(part, _BLOCKS)


def _is_converse_block(part: Mapping[str, Any]) -> bool:
    return _has_object(part, _CONVERSE_BLOCKS)


def _is_gemini_part(part: Mapping[str, Any]) -> bool:
    return _has_object(part, _GEMINI_PARTS)


def _is_gemini_text(part: Mapping[str, Any]) -> bool:
    return part.get("type") is None and isinstance(part.get("text"), str)


def _has_type(one: Mapping[str, Any], types: frozenset[str]) -> bool:
    kind = one.get("type")
    return isinstance(kind, str) and kind in types


def _has_object(one: Mapping[str, Any], names: Sequence[str]) -> bool:
    """Tell whether an object without a type has an object under one of some names."""
    return one.get("type") is None and any(isinstance(one.get(name), dict) for name in names)
