"""The reply of a model in another interface, in the form that `turn.receive` takes.

Holds `read_reply`, and ITF-022 and ITF-023 of spec/v1/interfaces.md.
"""

from typing import Any, Final, TypedDict

from commoncall.interface.blocks import list_in, parts_in, type_of, without_null
from commoncall.interface.flat import calls_of, flat_messages
from commoncall.interface.table import FLAT, FORMS, Interface, JsonObject
from commoncall.interface.units import units_of

FINISH_REASONS: Final = {
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
}
"""By the reason of Anthropic Messages that of Chat Completions, where that is not `stop`."""

CUT_DONE: Final = ("length", "content_filter")
CUT_OFF: Final = {
    "stop_reason": [native for native, why in FINISH_REASONS.items() if why in CUT_DONE],
    "status": ("incomplete", "failed"),
    "done_reason": CUT_DONE,
}
"""Why a reply ended that the model had not ended, by the member that says it (ITF-023)."""


class ReadReply(TypedDict):
    """A reply as `turn.receive` takes it, and as the history of the interface has it."""

    message: JsonObject
    history: list[Any]


def read_reply(interface: Interface, reply: JsonObject) -> ReadReply:
    """Read the reply of a model: what it said, called and refused, and what the history gets."""
    history = history_of(reply, interface)
    said = [
        message
        for message in _messages(history, interface)
        if isinstance(message, dict) and message.get("role") == "assistant"
    ]
    parts = [part for message in said for part in parts_in(message.get("content"))]
    texts = _texts_of(parts, "text")
    refusals = [words for words in _texts_of(parts, "refusal") if words]
    calls = [call for message in said for call in calls_of(message)]
    message: JsonObject = {"text": "".join(texts) if texts else None, "tool_calls": calls or None}
    if refusals:
        message["refusal"] = "".join(refusals)
    if any(reply.get(name) in whys for name, whys in CUT_OFF.items()):
        message["truncated"] = True
    return {"message": message, "history": history}


def _texts_of(parts: list[Any], kind: str) -> list[str]:
    """Return what the parts of a type say, each under the name of its type."""
    said = [part.get(kind) for part in parts if type_of(part) == kind]
    return [text for text in said if isinstance(text, str)]


def _messages(history: list[Any], interface: Interface) -> list[Any]:
    if flat := FLAT.get(interface):
        return flat_messages(history, flat, with_ids=False)
    form = FORMS[interface]
    _, units = units_of({form["messages"]: history}, form)
    return [unit.message for unit in units]


def history_of(reply: JsonObject, interface: Interface) -> list[Any]:
    """Return the messages or the items of a reply, without members that are null."""
    if interface in FLAT:
        message = reply.get("message")
        return [_said(message)] if isinstance(message, dict) else []
    if FORMS[interface]["has_items"]:
        return [_said(item) for item in list_in(reply, "output")]
    content = reply.get("content")
    if isinstance(content, list):
        content = [_said(block) for block in content]
    return [] if content in (None, "", []) else [{"role": "assistant", "content": content}]


def _said(block: Any) -> Any:
    """Return a block without null, which SDKs write for what is absent, and endpoints refuse."""
    if not isinstance(block, dict):
        return block
    said = without_null(block)
    if isinstance(content := said.get("content"), list):
        said["content"] = [_said(part) for part in content]
    return said
