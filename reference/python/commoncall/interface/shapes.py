"""The events of a reply in each interface, and the reply that they are together.

Holds the definitions from "written block" on, and ITF-034 to ITF-036 of spec/v1/interfaces.md. What
is said, and in which order, is decided in `writing`.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple

from commoncall.interface.blocks import text_in
from commoncall.interface.chunks import count_of
from commoncall.interface.table import JsonObject
from commoncall.json_text import decode_object, is_blank

Kind = Literal["reasoning", "text", "refusal"]
EventList = list[JsonObject]

BROKE_OFF: Final = "the reply broke off"
_CUT: Final = {
    "length": ("max_tokens", "max_output_tokens"),
    "content_filter": ("refusal", "content_filter"),
}
"""Why a model did not end a reply itself, in the words of either interface."""

_END_OF_TIME: Final = 253402300800
"""The second behind the last that a time of four digits for the year has."""


class Head(NamedTuple):
    """What a reply says of itself before it says anything else."""

    id: str = "reply"
    model: str = ""
    created: float = 0


class SaidCall(NamedTuple):
    """A call that is whole, and what it has of a function that was carried."""

    id: str
    name: str
    arguments: str
    own: JsonObject


class MessageShape:
    """A message of Anthropic Messages.

    Attributes:
        reply: what the events were together so far.
    """

    def __init__(self, head: Head) -> None:
        self._id = head.id
        self._content: list[JsonObject] = []
        self._is_refused = False
        self.reply: JsonObject = {
            "id": head.id,
            "type": "message",
            "role": "assistant",
            "model": head.model,
            "content": self._content,
            "stop_reason": None,
            "stop_sequence": None,
            "usage": _message_usage({}),
        }

    def begun(self) -> EventList:
        """Begin the message."""
        message: JsonObject = {**self.reply, "content": []}
        return [{"type": "message_start", "message": message}]

    def opened(self, kind: Kind) -> EventList:
        """Begin a block."""
        return self._started(_block(kind, ""))

    def grown(self, kind: Kind, text: str) -> EventList:
        """Add a text to the block that was begun."""
        name = _block_name(kind)
        return [self._delta({"type": f"{name}_delta", name: text})]

    def closed(self, kind: Kind, text: str, status: str) -> EventList:
        """End the block, which has this text."""
        self._content[-1] = _block(kind, text)
        self._is_refused |= kind == "refusal"
        return [self._stopped()]

    def called(self, call: SaidCall, status: str) -> EventList | None:
        """Take a call; None where its arguments are no object."""
        empty = is_blank(call.arguments)
        given = {} if empty else decode_object(call.arguments)
        if given is None:
            return None
        made = re.sub("[^A-Za-z0-9_-]", "_", f"call_{self._id}_{len(self._content)}")
        identifier = call.id if re.fullmatch("[A-Za-z0-9_-]+", call.id) else made
        block: JsonObject = {"type": "tool_use", "id": identifier, "name": call.name, "input": {}}
        events = self._started(block)
        if not empty:
            piece: JsonObject = {"type": "input_json_delta", "partial_json": call.arguments}
            events.append(self._delta(piece))
        self._content[-1] = {**block, "input": given}
        return [*events, self._stopped()]

    def ended(self, reason: object, usage: Mapping[str, Any] | None, stop: str | None) -> EventList:
        """End the message."""
        calls = any(block["type"] == "tool_use" for block in self._content)
        said = "refusal" if self._is_refused else "stop_sequence" if stop else "end_turn"
        natural = "tool_use" if calls else said
        cut = _CUT.get(str(reason))
        ended = cut[0] if cut else natural
        stopped = stop if ended == "stop_sequence" else None
        why: JsonObject = {"stop_reason": ended, "stop_sequence": stopped}
        counted = _message_usage(usage or {})
        self.reply |= {**why, "usage": counted}
        end: JsonObject = {"type": "message_delta", "delta": why, "usage": counted}
        return [end, {"type": "message_stop"}]

    def failed(self, code: str, message: str) -> EventList:
        """End with an error in the place of the message."""
        self.reply = {"type": "error", "error": {"type": "api_error", "message": message}}
        return [self.reply]

    def _started(self, block: JsonObject) -> EventList:
        self._content.append(block)
        at = len(self._content) - 1
        return [{"type": "content_block_start", "index": at, "content_block": block}]

    def _delta(self, delta: JsonObject) -> JsonObject:
        at = len(self._content) - 1
        return {"type": "content_block_delta", "index": at, "delta": delta}

    def _stopped(self) -> JsonObject:
        return {"type": "content_block_stop", "index": len(self._content) - 1}


class ResponseShape:
    """A response of Responses; its members are those of `MessageShape`."""

    def __init__(self, head: Head) -> None:
        self._id = head.id
        self._number = 0
        self._output: list[JsonObject] = []
        self.reply: JsonObject = {
            "id": head.id,
            "object": "response",
            "created_at": head.created,
            "status": "in_progress",
            "error": None,
            "incomplete_details": None,
            "model": head.model,
            "output": self._output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "usage": None,
        }

    def begun(self) -> EventList:
        """Begin the response."""
        kinds = ("response.created", "response.in_progress")
        return [self._event(kind, response={**self.reply, "output": []}) for kind in kinds]

    def opened(self, kind: Kind) -> EventList:
        """Begin an item, and its part."""
        item = self._said(kind, [], "in_progress")
        added = self._event("response.output_item.added", **self._at(), item=item)
        place = self._part_at(kind)
        part = self._event("response.content_part.added", **place, part=_part(kind, ""))
        return [added, part]

    def grown(self, kind: Kind, text: str) -> EventList:
        """Add a text to the part that was begun."""
        more: JsonObject = {"logprobs": []} if kind == "text" else {}
        name = f"response.{_PARTS[kind]}.delta"
        return [self._event(name, **self._part_at(kind), delta=text, **more)]

    def closed(self, kind: Kind, text: str, status: str) -> EventList:
        """End the item, which has this text."""
        place, part = self._part_at(kind), _part(kind, text)
        said = {name: part[name] for name in part if name in ("text", "refusal", "logprobs")}
        done = self._event(f"response.{_PARTS[kind]}.done", **place, **said)
        ended = self._event("response.content_part.done", **place, part=part)
        return [done, ended, self._done(self._said(kind, [part], status))]

    def called(self, call: SaidCall, status: str) -> EventList | None:
        """Take a call."""
        own = {"type": "function_call", "name": call.name, **call.own}
        is_text = own["type"] == "custom_tool_call"
        prefix, member = ("ctc", "input") if is_text else ("fc", "arguments")
        item = {
            "id": self._identifier(prefix),
            "call_id": call.id or self._identifier("call"),
            **own,
            member: "",
            "status": "in_progress",
        }
        given = text_in(call.arguments) if is_text else call.arguments
        place = {**self._at(), "item_id": item["id"]}
        kind = f"response.{own['type']}_{member}"
        named = {} if is_text else {"name": own["name"]}
        return [
            self._event("response.output_item.added", **self._at(), item=item),
            self._event(f"{kind}.delta", **place, delta=given),
            self._event(f"{kind}.done", **place, **named, **{member: given}),
            self._done({**item, member: given, "status": status}),
        ]

    def ended(self, reason: object, usage: Mapping[str, Any] | None, stop: str | None) -> EventList:
        """End the response."""
        cut = _CUT.get(str(reason))
        status = "incomplete" if cut else "completed"
        self.reply["incomplete_details"] = {"reason": cut[1]} if cut else None
        self.reply["usage"] = None if usage is None else _response_usage(usage)
        return self._over(status)

    def failed(self, code: str, message: str) -> EventList:
        """End with an error."""
        self.reply["error"] = {"code": code, "message": message}
        return self._over("failed")

    def _over(self, status: str) -> EventList:
        self.reply["status"] = status
        return [self._event(f"response.{status}", response=self.reply)]

    def _said(self, kind: Kind, parts: list[JsonObject], status: str) -> JsonObject:
        if kind == "reasoning":
            item: JsonObject = {"type": "reasoning", "id": self._identifier("rs"), "summary": []}
        else:
            item = {"type": "message", "id": self._identifier("msg"), "role": "assistant"}
        return {**item, "content": parts, "status": status}

    def _done(self, item: JsonObject) -> JsonObject:
        event = self._event("response.output_item.done", **self._at(), item=item)
        self._output.append(item)
        return event

    def _event(self, kind: str, **members: object) -> JsonObject:
        self._number += 1
        return {"type": kind, "sequence_number": self._number - 1, **members}

    def _at(self) -> dict[str, object]:
        return {"output_index": len(self._output)}

    def _part_at(self, kind: Kind) -> dict[str, object]:
        prefix = "rs" if kind == "reasoning" else "msg"
        return {**self._at(), "item_id": self._identifier(prefix), "content_index": 0}

    def _identifier(self, prefix: str) -> str:
        return f"{prefix}_{self._id}_{len(self._output)}"


class FlatShape:
    """A reply of Ollama; its members are those of `MessageShape`."""

    def __init__(self, head: Head) -> None:
        is_time = 0 <= head.created < _END_OF_TIME
        time = datetime.fromtimestamp(int(head.created) if is_time else 0, UTC)
        self._head = {"model": head.model, "created_at": time.strftime("%Y-%m-%dT%H:%M:%SZ")}
        self._message: dict[str, Any] = {"role": "assistant", "content": ""}
        self.reply: JsonObject = {**self._head, "message": self._message, "done": True}

    def begun(self) -> EventList:
        """Begin the reply, which says nothing yet."""
        return []

    def opened(self, kind: Kind) -> EventList:
        """Begin a text, which says nothing yet."""
        return []

    def grown(self, kind: Kind, text: str) -> EventList:
        """Say a text."""
        return [self._line({_member(kind): text})]

    def closed(self, kind: Kind, text: str, status: str) -> EventList:
        """Take the whole of a text that was said."""
        self._message[_member(kind)] = self._message.get(_member(kind), "") + text
        return []

    def called(self, call: SaidCall, status: str) -> EventList | None:
        """Take a call; None where its arguments are no object."""
        given = {} if is_blank(call.arguments) else decode_object(call.arguments)
        if given is None:
            return None
        made: JsonObject = {"function": {"name": call.name, "arguments": given}}
        made = {"id": call.id, **made} if call.id else made
        self._message.setdefault("tool_calls", []).append(made)
        return [self._line({"tool_calls": [made]})]

    def ended(self, reason: object, usage: Mapping[str, Any] | None, stop: str | None) -> EventList:
        """End the reply."""
        counted = usage or {}
        end: JsonObject = {
            "done": True,
            "done_reason": reason or "stop",
            "prompt_eval_count": _count(counted, "prompt_tokens"),
            "eval_count": _count(counted, "completion_tokens"),
        }
        self.reply |= end
        return [{**self._line({}), **end}]

    def failed(self, code: str, message: str) -> EventList:
        """End with an error in the place of the reply."""
        self.reply = {"error": message}
        return [self.reply]

    def _line(self, said: JsonObject) -> JsonObject:
        message = {"role": "assistant", "content": "", **said}
        return {**self._head, "message": message, "done": False}


_PARTS: Final[Mapping[Kind, str]] = {
    "reasoning": "reasoning_text",
    "text": "output_text",
    "refusal": "refusal",
}


def _part(kind: Kind, text: str) -> JsonObject:
    """Return the part of an item of Responses."""
    if kind == "text":
        return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    return {"type": _PARTS[kind], "refusal" if kind == "refusal" else "text": text}


def _member(kind: Kind) -> str:
    return "thinking" if kind == "reasoning" else "content"


def _block_name(kind: Kind) -> str:
    return "thinking" if kind == "reasoning" else "text"


def _block(kind: Kind, text: str) -> JsonObject:
    """Return the block of Anthropic Messages; it has none for a refusal but a text."""
    name = _block_name(kind)
    signed = {"signature": ""} if name == "thinking" else {}
    return {"type": name, name: text, **signed}


def _message_usage(usage: Mapping[str, Any]) -> JsonObject:
    cached, stored = _cached(usage), _stored(usage)
    return {
        "input_tokens": max(_count(usage, "prompt_tokens") - (cached or 0) - (stored or 0), 0),
        **({} if stored is None else {"cache_creation_input_tokens": stored}),
        **({} if cached is None else {"cache_read_input_tokens": cached}),
        "output_tokens": _count(usage, "completion_tokens"),
    }


def _cached(usage: Mapping[str, Any]) -> int | None:
    """Return the tokens that came from the cache; None where they are not told."""
    beside = (usage.get(name) for name in ("prompt_cache_hit_tokens", "cached_tokens"))
    return _first(_details(usage, "prompt").get("cached_tokens"), *beside)


def _stored(usage: Mapping[str, Any]) -> int | None:
    """Return the tokens that went into the cache; None where they are not told."""
    before = _details(usage, "prompt").get("cache_write_tokens")
    return _first(before, usage.get("cache_creation_input_tokens"))


def _first(*told: object) -> int | None:
    """Return the first number of tokens that is told."""
    return next((count_of(count) for count in told if count is not None), None)


def _response_usage(usage: Mapping[str, Any]) -> JsonObject:
    prompt, completion = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    after = _details(usage, "completion")
    return {
        "input_tokens": prompt,
        "input_tokens_details": {
            "cached_tokens": _cached(usage) or 0,
            "cache_write_tokens": _stored(usage) or 0,
        },
        "output_tokens": completion,
        "output_tokens_details": {"reasoning_tokens": _count(after, "reasoning_tokens")},
        "total_tokens": prompt + completion,
    }


def _details(usage: Mapping[str, Any], side: str) -> Mapping[str, Any]:
    details = usage.get(f"{side}_tokens_details")
    return details if isinstance(details, dict) else {}


def _count(counted: Mapping[str, Any], name: str) -> int:
    return count_of(counted.get(name))
