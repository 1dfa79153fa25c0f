"""The events of a streamed reply as chunks of Chat Completions, and the whole reply at the end.

Holds `Events`, `read_events`, and ITF-027 and ITF-028 of spec/v1/interfaces.md; those of Responses
are read in `response_events`.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypedDict

from commoncall.interface.blocks import function_of, id_of, list_in, text_of, without_null
from commoncall.interface.chunks import called, chunk, ended, more, usage_of
from commoncall.interface.flat import calls_of, read_call
from commoncall.interface.reply import CUT_DONE, FINISH_REASONS
from commoncall.interface.response_events import ResponseEvents
from commoncall.interface.table import Interface, JsonObject
from commoncall.json_text import as_text, decode_object, is_blank

_BEGINS: Final[Mapping[str, JsonObject]] = {
    "text_delta": {"type": "text", "text": ""},
    "thinking_delta": {"type": "thinking", "thinking": ""},
    "signature_delta": {"type": "thinking", "thinking": ""},
    "input_json_delta": {"type": "tool_use"},
}
"""The block that a delta begins where no block takes it."""

_PIECES: Final = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}


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


@dataclass(slots=True)
class _Block:
    """A block that began, its number if it is a call, and the pieces of its JSON."""

    value: JsonObject
    number: int | None
    json: list[str] = field(default_factory=list)

    def takes(self, kind: str) -> bool:
        """Tell whether a delta of a type can be of this block."""
        own, begun = self.value.get("type"), _BEGINS[kind]["type"]
        return own not in ("text", "thinking") if begun == "tool_use" else own == begun


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
        self._items = ResponseEvents()
        self._head: JsonObject | None = None  # of a message: what is no block
        self._parts: list[JsonObject] = []  # the blocks of the reply so far
        self._blocks: dict[object, _Block] = {}  # that have begun, by their index
        self._last: _Block | None = None  # that began last
        self._begun_calls = itertools.count()  # gives the index of a call in chunks

    def feed(self, event: object) -> list[JsonObject]:
        """Take the next event, any JSON, and return the chunks that it is."""
        if not isinstance(event, dict):
            return []
        if event.get("type") == "error":
            error = event.get("error")
            return [{"error": {} if error is None else error, "choices": []}]
        return self._read(str(event.get("type")), event)

    def _response(self, kind: str, event: JsonObject) -> list[JsonObject]:
        chunks = self._items.feed(kind, event)
        self.reply = self._items.reply
        return chunks

    def _message(self, kind: str, event: JsonObject) -> list[JsonObject]:
        at = as_text(event.get("index"))
        block, delta = event.get("content_block"), event.get("delta")
        known = self._last if at is None else self._blocks.get(at, self._last)
        if kind == "message_start":
            message = event.get("message")
            self._told_of_message(message if isinstance(message, dict) else {})
        elif kind == "content_block_start" and isinstance(block, dict):
            return self._begun(at, dict(block))
        elif kind == "content_block_delta" and isinstance(delta, dict):
            return self._added(at, known, delta)
        elif kind == "content_block_stop" and known is not None:
            return self._ended(known)
        elif kind == "message_delta":
            return self._closing(delta if isinstance(delta, dict) else {}, event.get("usage"))
        return []

    def _closing(self, told: JsonObject, usage: object) -> list[JsonObject]:
        """Take what the end of a message says."""
        head: JsonObject = {**(self._head or {}), **told}
        used = head.get("usage")
        used = {**used} if isinstance(used, dict) else {}
        if isinstance(usage, dict):
            head["usage"] = used = {**used, **without_null(usage)}
        self._told_of_message(head)
        if (reason := told.get("stop_reason")) is None:
            return []
        read, stored = (used.get(f"cache_{name}_input_tokens") for name in ("read", "creation"))
        cached = {"cached_tokens": read, "cache_write_tokens": stored}
        counted = usage_of(
            (used.get("input_tokens"), read, stored), used.get("output_tokens"), cached
        )
        stop = told.get("stop_sequence") if reason == "stop_sequence" else None
        return [ended(FINISH_REASONS.get(str(reason), "stop"), counted, stop)]

    def _told_of_message(self, head: JsonObject) -> None:
        self._head = head
        self.reply = {**head, "content": [*self._parts]} if self._parts else head

    def _begun(self, at: object, block: JsonObject) -> list[JsonObject]:
        is_call = block.get("type") == "tool_use"
        self._last = _Block(block, next(self._begun_calls) if is_call else None)
        self._blocks[at] = self._last
        self._parts.append(block)
        self._told_of_message(self._head or {})
        if self._last.number is not None:
            return [called(self._last.number, block.get("id"), block.get("name"))]
        text = block.get("text") if block.get("type") == "text" else None
        return [chunk({"content": text})] if text and isinstance(text, str) else []

    def _added(self, at: object, known: _Block | None, delta: JsonObject) -> list[JsonObject]:
        """Add a delta to its block, to the last one, or to one that it begins: the first of these
        that takes it.
        """
        kind = str(delta.get("type"))
        if "citation" in delta and known is not None:
            known.value["citations"] = [*list_in(known.value, "citations"), delta["citation"]]
        piece = delta.get(_PIECES.get(kind, ""))
        if not isinstance(piece, str):
            return []
        for block in (known, self._last):
            if block is not None and block.takes(kind):
                return self._grown(block, kind, piece)
        if not piece:
            return []
        begun = self._begun(at, {**_BEGINS[kind]})
        return begun + self._grown(self._blocks[at], kind, piece)

    def _grown(self, block: _Block, kind: str, piece: str) -> list[JsonObject]:
        if kind == "input_json_delta":
            block.json.append(piece)
            return [more(block.number, piece)] if piece and block.number is not None else []
        name = _PIECES[kind]
        known = "" if kind == "signature_delta" else text_of(block.value.get(name))
        block.value[name] = known + piece
        return [chunk({"content": piece})] if kind == "text_delta" else []

    def _ended(self, block: _Block) -> list[JsonObject]:
        """End a block: a call without arguments has those that it began with."""
        text = "".join(block.json)
        if not is_blank(text):
            read = decode_object(text)
            if block.number is not None or "input" in block.value:
                block.value["input"] = text if read is None else read
        elif block.number is not None:
            given = as_text(block.value.get("input"))
            block.json.append("{}" if given is None else given)
            return [more(block.number, block.json[-1])]
        return []

    def _line(self, kind: str, event: JsonObject) -> list[JsonObject]:
        """Read a line of Ollama, which can hold words, calls and the end."""
        if event.get("error") is not None:
            return [{"error": event["error"], "choices": []}]
        chunks: list[JsonObject] = []
        if isinstance(message := event.get("message"), dict):
            known: JsonObject = self.reply or {}
            self.reply = {**known, **without_null(event), "message": _joined(known, message)}
            if text := message.get("content"):
                chunks += [chunk({"content": text})] if isinstance(text, str) else []
            chunks += [self._whole(read_call(call, None)) for call in calls_of(message)]
        if event.get("done") is True:
            reason = event.get("done_reason")
            counts = (event.get("prompt_eval_count"), event.get("eval_count"))
            usage = usage_of(counts[:1], counts[1], {})
            chunks.append(ended(reason if reason in CUT_DONE else "stop", usage))
        return chunks

    def _whole(self, call: Any) -> JsonObject:
        index, identifier, given = next(self._begun_calls), id_of(call), function_of(call)
        function = {name: given[name] for name in ("name", "arguments") if name in given}
        known = {} if identifier is None else {"id": identifier}
        call = {"index": index, **known, "type": "function", "function": function}
        return chunk({"tool_calls": [call]})


def _joined(reply: Mapping[str, Any], message: JsonObject) -> JsonObject:
    """Return the message of a reply and what one more says, as one."""
    known: Mapping[str, Any] = reply.get("message", {})
    told = without_null(message)
    for name, kind in (("content", str), ("thinking", str), ("tool_calls", list)):
        if isinstance(known.get(name), kind) and isinstance(told.get(name), kind):
            told[name] = known[name] + told[name]
    return {**known, **told}
