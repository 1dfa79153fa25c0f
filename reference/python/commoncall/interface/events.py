"""The events of a streamed reply as chunks of Chat Completions, and the whole reply at the end.

Holds `Events`, `read_events`, and ITF-027 and ITF-028 of spec/v1/interfaces.md.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypedDict

from commoncall.interface.blocks import (
    call_of,
    function_of,
    id_of,
    list_in,
    text_of,
    type_of,
    without_null,
)
from commoncall.interface.flat import calls_of, read_call
from commoncall.interface.reply import CUT_DONE, FINISH_REASONS, read_reply
from commoncall.interface.table import FORMS, Interface, JsonObject
from commoncall.interface.units import is_call
from commoncall.json_text import as_text, decode_object, is_blank

_RESPONSES: Final = FORMS["openai-responses"]


class ReadEvents(TypedDict):
    """Chunks as `turn.stream` takes them, and the reply that the events were together."""

    chunks: list[JsonObject]
    reply: JsonObject | None


def read_events(interface: Interface, events: Sequence[Any]) -> ReadEvents:
    """Read the events of a stream at once."""
    read = Events(interface)
    return {
        "chunks": [chunk for event in events for chunk in read.feed(event)],
        "reply": read.reply,
    }


class Events:
    """Reads events one by one: ``feed`` each. It does no work of its own, and waits for nothing.

    Attributes:
        reply: what the events were together so far; None before there was one.
    """

    def __init__(self, interface: Interface) -> None:
        self.reply: JsonObject | None = None
        self._read = {
            "anthropic-messages": self._message,
            "openai-responses": self._response,
            "ollama-chat": self._line,
        }[interface]
        self._head: JsonObject | None = None  # of a message: what is no block
        self._final: JsonObject | None = None  # the response that ended
        self._parts: list[JsonObject] = []  # the blocks or items of the reply so far
        self._open: dict[object, JsonObject] = {}  # the items that only began, by their place
        self._blocks: dict[object, JsonObject] = {}  # that have begun, by their index
        self._last: object = None  # the index of the block that began last
        self._begun_calls = itertools.count()  # gives the index of a call in chunks
        self._calls: dict[object, int] = {}  # that index, by the place of the call in events
        self._arguments: dict[object, str] = {}  # that came, by the same, also before the call
        self._ids: set[object] = set()  # of the calls that chunks have begun
        self._said: set[object] = set()  # the places of which a text came, None for an unknown one

    def feed(self, event: object) -> list[JsonObject]:
        """Take the next event, any JSON, and return the chunks that it is."""
        if not isinstance(event, dict):
            return []
        if event.get("type") == "error":
            error = event.get("error")
            return [{"error": {} if error is None else error, "choices": []}]
        return self._read(str(event.get("type")), event)

    def _message(self, kind: str, event: JsonObject) -> list[JsonObject]:
        is_of_last = event.get("index") is None and kind != "content_block_start"
        at = self._last if is_of_last else as_text(event.get("index"))
        block, delta = event.get("content_block"), event.get("delta")
        if kind == "message_start":
            message = event.get("message")
            self._told_of_message(message if isinstance(message, dict) else {})
        elif kind == "content_block_start" and isinstance(block, dict):
            return self._begun(at, dict(block))
        elif kind == "content_block_delta" and isinstance(delta, dict) and at in self._blocks:
            return self._grown(at, delta)
        elif kind == "content_block_stop" and at in self._blocks:
            return self._ended(at, self._blocks[at])
        elif kind == "message_delta":
            told = delta if isinstance(delta, dict) else {}
            self._told_of_message({**(self._head or {}), **told})
            reason = told.get("stop_reason")
            return [] if reason is None else [_chunk({}, FINISH_REASONS.get(str(reason), "stop"))]
        return []

    def _told_of_message(self, head: JsonObject) -> None:
        self._head = head
        self.reply = {**head, "content": [*self._parts]} if self._parts else head

    def _begun(self, at: object, block: JsonObject) -> list[JsonObject]:
        self._blocks[at], self._last = block, at
        self._parts.append(block)
        for known in (self._calls, self._arguments):
            known.pop(at, None)
        self._told_of_message(self._head or {})
        if block.get("type") == "tool_use":
            return [self._called(at, block.get("id"), block.get("name"))]
        text = block.get("text") if block.get("type") == "text" else None
        return [_chunk({"content": text})] if text and isinstance(text, str) else []

    def _grown(self, at: object, delta: JsonObject) -> list[JsonObject]:
        block = self._blocks[at]
        match delta:
            case {"type": "input_json_delta", "partial_json": str(text)}:
                self._arguments[at] = self._arguments.get(at, "") + text
                return [self._more(at, text)] if text and at in self._calls else []
            case {"type": "citations_delta", "citation": citation}:
                block["citations"] = [*list_in(block, "citations"), citation]
            case {"type": "text_delta", "text": str(text)}:
                block["text"] = text_of(block.get("text")) + text
                return [_chunk({"content": text})]
            case {"type": "thinking_delta", "thinking": str(text)}:
                block["thinking"] = text_of(block.get("thinking")) + text
            case {"type": "signature_delta", "signature": str(text)}:
                block["signature"] = text
        return []

    def _ended(self, at: object, block: JsonObject) -> list[JsonObject]:
        """End a block: a call without arguments has those that it began with."""
        text = self._arguments.get(at, "")
        if not is_blank(text):
            read = decode_object(text)
            block["input"] = text if read is None else read
        elif at in self._calls:
            given = block.get("input")
            return [self._more(at, "{}" if given is None else as_text(given) or "")]
        return []

    def _response(self, kind: str, event: JsonObject) -> list[JsonObject]:
        response, item, delta = (event.get(name) for name in ("response", "item", "delta"))
        at = as_text(event.get("output_index"))
        match kind:
            case "response.completed" | "response.incomplete" | "response.failed":
                if isinstance(response, dict):
                    self._final = response
                    self.reply = self._with_items(response)
                ended = {"response.completed": "stop", "response.incomplete": "length"}
                unsaid = self._unsaid() if kind in ended else []
                return [*unsaid, _chunk({}, ended.get(kind, "error"))]
            case "response.output_text.delta" | "response.refusal.delta" if isinstance(delta, str):
                self._said.add(at)
                if at in self._open:
                    _add_text(self._open[at], "refusal" if "refusal" in kind else "text", delta)
                return [_chunk({"refusal" if "refusal" in kind else "content": delta})]
            case "response.function_call_arguments.delta" if isinstance(delta, str):
                return self._argued(at, delta)
            case "response.function_call_arguments.done":
                return self._settled(at, event.get("arguments"))
            case "response.output_item.added" | "response.output_item.done" if isinstance(
                item, dict
            ):
                return self._item(kind.endswith("done"), at, item)
        return []

    def _argued(self, at: object, text: str) -> list[JsonObject]:
        """Take arguments; those that come before their call wait for it."""
        self._arguments[at] = self._arguments.get(at, "") + text
        return [self._more(at, text)] if at in self._calls else []

    def _settled(self, at: object, arguments: object) -> list[JsonObject]:
        """Take the arguments of the end, where none came before."""
        came = not is_blank(self._arguments.get(at, ""))
        return [] if came or not isinstance(arguments, str) else self._argued(at, arguments)

    def _item(self, is_done: bool, at: object, item: JsonObject) -> list[JsonObject]:
        if is_call(item, "assistant", _RESPONSES):
            chunks = self._call(is_done, at, item)
        else:
            chunks = self._texts(at, item) if is_done else []
        if not is_done:
            self._open[at] = {**item}
        else:
            self._open.pop(at, None)
            self._parts.append(item)
            if self._final is None:
                self.reply = {"status": "incomplete", "output": [*self._parts]}
        return chunks

    def _with_items(self, response: JsonObject) -> JsonObject:
        """Return a response; where it has no item, with those that came before it (ITF-028)."""
        for at, item in self._open.items():
            if not is_blank(text := self._arguments.get(at, "")):
                item["arguments"] = text
        came = [*self._parts, *self._open.values()]
        is_empty = response.get("output") in (None, [])
        return {**response, "output": came} if came and is_empty else response

    def _call(self, is_done: bool, at: object, item: JsonObject) -> list[JsonObject]:
        chunks, function = [], function_of(call_of(item, _RESPONSES))
        if at not in self._calls:
            chunks.append(self._called(at, item.get("call_id"), function.get("name")))
            chunks += [self._more(at, text)] if (text := self._arguments.get(at)) else []
        return chunks + (self._settled(at, function.get("arguments")) if is_done else [])

    def _texts(self, at: object, item: object) -> list[JsonObject]:
        """Return the texts of an item of which none came. One without a place can be of any."""
        if self._said & {at, None}:
            return []
        said = read_reply("openai-responses", {"output": [item]})["message"]
        texts = {"content": said["text"], "refusal": said.get("refusal")}
        chunks = [_chunk({name: text}) for name, text in texts.items() if text]
        self._said |= {at} if chunks else set()
        return chunks

    def _unsaid(self) -> list[JsonObject]:
        """Return what the end of a response holds and no event before it said."""
        chunks: list[JsonObject] = []
        begun, silent = self._ids.copy(), not self._said
        # Nothing came with the places ("end", N): those of events are texts.
        for number, item in enumerate(list_in(self._final, "output")):
            if not is_call(item, "assistant", _RESPONSES):
                chunks += self._texts(("end", number), item) if silent else []
            elif as_text(item.get("call_id")) not in begun:
                chunks += self._call(True, ("end", number), item)
        return chunks

    def _line(self, kind: str, event: JsonObject) -> list[JsonObject]:
        """Read a line of Ollama, which can hold words, calls and the end."""
        if event.get("error") is not None:
            return [{"error": event["error"], "choices": []}]
        chunks: list[JsonObject] = []
        if isinstance(message := event.get("message"), dict):
            known: JsonObject = self.reply or {}
            self.reply = {**known, **without_null(event), "message": _joined(known, message)}
            if text := message.get("content"):
                chunks += [_chunk({"content": text})] if isinstance(text, str) else []
            chunks += [self._whole(read_call(call, None)) for call in calls_of(message)]
        if event.get("done") is True:
            reason = event.get("done_reason")
            chunks.append(_chunk({}, reason if reason in CUT_DONE else "stop"))
        return chunks

    def _whole(self, call: Any) -> JsonObject:
        index, identifier, given = next(self._begun_calls), id_of(call), function_of(call)
        function = {name: given[name] for name in ("name", "arguments") if name in given}
        known = {} if identifier is None else {"id": identifier}
        call = {"index": index, **known, "type": "function", "function": function}
        return _chunk({"tool_calls": [call]})

    def _called(self, at: object, identifier: object, name: object) -> JsonObject:
        number = self._calls[at] = next(self._begun_calls)
        self._ids.add(as_text(identifier))
        function = {"name": name, "arguments": ""}
        call = {"index": number, "id": identifier, "type": "function", "function": function}
        return _chunk({"tool_calls": [call]})

    def _more(self, at: object, arguments: str) -> JsonObject:
        call = {"index": self._calls[at], "function": {"arguments": arguments}}
        return _chunk({"tool_calls": [call]})


def _add_text(item: JsonObject, kind: str, text: str) -> None:
    """Add a text or a refusal to the content of an item, if it can to its last part."""
    content, part_type = list_in(item, "content"), "refusal" if kind == "refusal" else "output_text"
    last: JsonObject = {"type": part_type}
    if content and type_of(content[-1]) == part_type:
        *content, last = content
    item["content"] = [*content, {**last, kind: text_of(last.get(kind)) + text}]


def _joined(reply: Mapping[str, Any], message: JsonObject) -> JsonObject:
    """Return the message of a reply and what one more says, as one."""
    known: Mapping[str, Any] = reply.get("message", {})
    told = without_null(message)
    for name, kind in (("content", str), ("thinking", str), ("tool_calls", list)):
        if isinstance(known.get(name), kind) and isinstance(told.get(name), kind):
            told[name] = known[name] + told[name]
    return {**known, **told}


def _chunk(delta: JsonObject, reason: str | None = None) -> JsonObject:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
