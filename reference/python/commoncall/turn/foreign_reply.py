"""The reply of another interface, told by what no Chat Completions has.

Holds the definition "reply sign", TRN-080 and TRN-081. A null counts as absent.
"""

from collections.abc import Mapping
from typing import Any, Final

from commoncall import border
from commoncall.payload.foreign_form import (
    Sign,
    camel_calls,
    has_type,
    is_block,
    is_camel_part,
    is_converse_block,
    is_gemini_part,
    is_ollama_call,
    refuse,
    sign_in,
)
from commoncall.places import Place

_is_words: Final = has_type("output_text")
_EVENTS: Final = ("messageStart", "contentBlockStart", "contentBlockDelta")


def refuse_foreign_reply(reply: object, place: Place = ("message",)) -> None:
    """Raise `ForeignFormError` for a message or a chunk in the form of another interface."""
    sign = _sign_of_reply(reply)
    if sign is not None:
        form, inside = sign
        refuse((form, (*place, *inside)))


def read_message(value: object, place: str) -> dict[str, Any]:
    """Return the message of a model, for a Python program; see `border.reply`. Of a choice it is
    the message with the ``finish_reason`` of the choice.
    """
    given = border.sent(value, place)
    match given:
        case {"message": dict(message), "finish_reason": reason} if "done" not in given:
            read = border.reply(message, message, f"{place}.message", refuse_foreign_reply)
            return {**read, "finish_reason": reason}
    return border.reply(given, value, place, refuse_foreign_reply)


def _sign_of_reply(reply: object) -> Sign | None:
    """Return the sign of a message or a chunk that it has another form, or None."""
    match reply:
        case {"choices": [{"delta": dict(delta)}, *_]} if sign := camel_calls(delta):
            form, inside = sign
            return form, ("choices", 0, "delta", *inside)
    if not isinstance(reply, dict) or reply.get("choices") is not None:
        return None
    sign = camel_calls(reply) or _sign_in_message(reply)
    if sign is None and all(reply.get(name) is None for name in ("role", "text", "tool_calls")):
        return _sign_in_whole(reply)
    return sign


def _sign_in_message(message: Mapping[str, Any]) -> Sign | None:
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        return sign_in("ollama-chat", ("tool_calls",), calls, is_ollama_call)
    listed = (name for name in ("text", "content", "parts") if isinstance(message.get(name), list))
    name = next(listed, "")
    parts, at = message.get(name), (name,)
    sign = (
        sign_in("anthropic-messages", at, parts, is_block)
        or sign_in("bedrock-converse", at, parts, is_converse_block)
        or sign_in("gemini-generate-content", at, parts, is_gemini_part)
        or sign_in("camel-case", at, parts, is_camel_part)
    )
    if sign is None and message.get("type") == "message":
        if message.get("stop_reason") is not None:
            return "anthropic-messages", ()
        if sign_in("openai-responses", at, parts, _is_words):
            return "openai-responses", ()
    return sign


def _sign_in_whole(reply: Mapping[str, Any]) -> Sign | None:
    output, kind = reply.get("output"), reply.get("type")
    if isinstance(reply.get("message"), dict) and isinstance(reply.get("done"), bool):
        return "ollama-chat", ("message",)
    if isinstance(reply.get("candidates"), list):
        return "gemini-generate-content", ("candidates",)
    if isinstance(output, list):
        return "openai-responses", ("output",)
    if isinstance(output, dict) and isinstance(output.get("message"), dict):
        return "bedrock-converse", ("output",)
    for name in _EVENTS:
        if isinstance(reply.get(name), dict):
            return "bedrock-converse", (name,)
    if isinstance(kind, str):
        if kind == "function_call" or kind.startswith("response."):
            return "openai-responses", ()
        if kind.startswith(("message_", "content_block_")):
            return "anthropic-messages", ()
    return None
