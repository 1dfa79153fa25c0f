"""A reply of Chat Completions in the form of an interface, whole and as events.

Holds `write_reply`, `write_events`, `WrittenEvents`, the definition "pieces of a reply", and
ITF-031, ITF-035 to ITF-037 of spec/v1/interfaces.md.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final, TypedDict

from commoncall.envelope import Finding
from commoncall.growing import GrowingArguments
from commoncall.interface.blocks import function_of, list_in, text_of
from commoncall.interface.reply import CUT_DONE
from commoncall.interface.shapes import (
    BROKE_OFF,
    EventList,
    FlatShape,
    Head,
    Kind,
    MessageShape,
    ResponseShape,
    SaidCall,
)
from commoncall.interface.table import FORMS, Form, Interface, JsonObject
from commoncall.interface.tools import owns_of
from commoncall.interface.units import units_of
from commoncall.json_text import as_text, is_blank, known_by
from commoncall.places import Findings, Place

_READ: Final[Mapping[str, type | tuple[type, ...]]] = {
    "role": object,
    "reasoning_content": str,
    "reasoning": str,
    "content": (str, list),
    "refusal": str,
    "tool_calls": list,
}
"""The members of a message that make pieces, and what they have to be."""


Shape = MessageShape | ResponseShape | FlatShape
_SHAPES: Final[Mapping[Interface, type[Shape]]] = {
    "anthropic-messages": MessageShape,
    "openai-responses": ResponseShape,
    "ollama-chat": FlatShape,
}

_NOTHING: Final[tuple[object, ...]] = (None, "", [], {})

_ENDS: Final = {
    **dict.fromkeys(("stop", "tool_calls", "function_call"), "stop"),
    **dict.fromkeys(("length", "model_length", "repetition"), "length"),
    "content_filter": "content_filter",
    **dict.fromkeys(("error", "abort", "insufficient_system_resource"), "error"),
    **dict.fromkeys(("malformed_function_call", "MALFORMED_FUNCTION_CALL"), "error"),
    **dict.fromkeys(("unexpected_tool_call", "UNEXPECTED_TOOL_CALL"), "error"),
    "function_call_filter: MALFORMED_FUNCTION_CALL": "error",
}
"""By the reason of a provider that of Chat Completions (definition "end of a reply")."""


class WrittenReply(TypedDict):
    """A reply as the interface has it, and what of it has no place there."""

    reply: JsonObject
    findings: list[Finding]


class WrittenStream(TypedDict):
    """The events of an interface, and what of the chunks has no place there."""

    events: list[JsonObject]
    findings: list[Finding]


def write_reply(
    interface: Interface, reply: JsonObject, carried: JsonObject | None = None
) -> WrittenReply:
    """Write a reply of Chat Completions; one that is an error becomes one of the interface.

    Args:
        interface: the name of its table.
        reply: the reply.
        carried: what `read` gave beside the request: calls come back with their namespaces. None:
            no function of it was carried.
    """
    written = WrittenEvents(interface, carried, place=("reply",))
    written.feed(reply)
    written.finish(is_whole=True)
    return {"reply": written.reply, "findings": written.findings}


def write_events(
    interface: Interface, chunks: Sequence[Any], carried: JsonObject | None = None
) -> WrittenStream:
    """Write the chunks of a stream at once; for ``carried`` see `write_reply`."""
    written = WrittenEvents(interface, carried)
    events = [event for chunk in chunks for event in written.feed(chunk)]
    return {"events": [*events, *written.finish()], "findings": written.findings}


class WrittenEvents:
    """Writes chunks one by one: ``feed`` each, then ``finish``. It does no work of its own."""

    def __init__(
        self,
        interface: Interface,
        carried: JsonObject | None = None,
        *,
        place: Place | None = None,
    ) -> None:
        form = FORMS.get(interface)
        self._owns = {} if form is None or carried is None else _owns(carried, form)
        self._new: type[Shape] = _SHAPES[interface]
        self._is_begun = False
        self._shape: Shape  # once it is begun
        self._place = place  # of a whole reply; a chunk has one of its own
        self._fed = 0
        self._kind: Kind | None = None  # of the block that is open
        self._texts: list[str] = []  # of that block
        self._calls: list[_Call] = []  # in the order of their first pieces
        self._last_of: dict[tuple[Hashable, str], _Call] = {}  # of an index, and an id or none
        self._reason: str | None = None
        self._stop: str | None = None  # the stop sequence that matched
        self._usage: Mapping[str, Any] | None = None
        self._is_over = False
        self._found = Findings()

    @property
    def reply(self) -> JsonObject:
        """What the events were together, after ``finish``."""
        return self._shape.reply if self._is_begun else {}

    @property
    def findings(self) -> list[Finding]:
        """What has no place in the interface, in the order of places."""
        return self._found.rendered()

    def feed(self, chunk: object) -> EventList:
        """Take the next chunk, any JSON, and return the events that can be given now."""
        place = self._place or ("chunks", self._fed)
        self._fed += 1
        if chunk == "[DONE]":
            self._reason = self._reason or "stop"
        if self._is_over or not isinstance(chunk, dict):
            return []
        error = chunk.get("error")
        if isinstance(error, dict) or (isinstance(error, str) and error):
            return self._failed(error)
        events: EventList = []
        for at, choice in enumerate(list_in(chunk, "choices")):
            inside = (*place, "choices", at)
            if not _is_first(choice, at):
                self._found.add(inside, "not_written")
                continue
            if not self._is_begun:
                events += self._begun(_head(chunk))
            self._used(choice)
            reason = choice.get("finish_reason")
            if isinstance(reason, str) and not is_blank(reason):
                self._reason = _ENDS.get(reason, "stop")
                if reason not in _ENDS:
                    self._found.add((*inside, "finish_reason"), "not_written")
            stop = text_of(choice.get("stop_reason")) or text_of(choice.get("matched_stop"))
            self._stop = stop or self._stop
            name = "delta" if isinstance(choice.get("delta"), dict) else "message"
            if isinstance(said := choice.get(name), dict):
                events += self._said(said, (*inside, name))
        self._used(chunk)
        return events

    def finish(self, *, is_whole: bool = False) -> EventList:
        """End the reply; ``is_whole``: it was no stream, and needs no reason."""
        if self._is_over:
            return []
        has_reason = is_whole or self._reason is not None
        if not (self._is_begun and has_reason) or self._reason == "error":
            return self._failed(BROKE_OFF)
        self._is_over = True
        # Pieces of calls can come in any order, and a block ends before the next begins: so calls
        # are written here. What the model was cut off in is the last block.
        named = [call for call in self._calls if call.name]
        last = "incomplete" if self._reason in CUT_DONE else "completed"
        events = self._closed("completed" if named else last)
        for call in self._calls:
            status = last if call in named[-1:] else "completed"
            own = self._owns.get(call.name, {})
            said = SaidCall(call.id, call.name, str(call.arguments), own)
            written = self._shape.called(said, status) if call.name else None
            if written is None:
                self._found.add(call.place, "not_written")
            events += written or []
        return [*events, *self._shape.ended(self._reason, self._usage, self._stop)]

    def _used(self, told: JsonObject) -> None:
        """Take the usage that a chunk or a choice tells."""
        if isinstance(usage := told.get("usage"), dict):
            self._usage = usage

    def _begun(self, head: Head) -> EventList:
        self._is_begun, self._shape = True, self._new(head)
        return self._shape.begun()

    def _failed(self, error: Any) -> EventList:
        self._is_over = True
        events = [] if self._is_begun else self._begun(Head())
        told = error if isinstance(error, dict) else {"message": error}
        code = text_of(told.get("code")) or "server_error"
        message = told.get("message")
        message = message if isinstance(message, str) else BROKE_OFF
        return [*events, *self._shape.failed(code, message)]

    def _said(self, said: JsonObject, place: Place) -> EventList:
        """Give the events for what a message or a delta says."""
        for name, value in said.items():
            if value not in _NOTHING and not isinstance(value, _READ.get(name, ())):
                self._found.add((*place, name), "not_written")
        reasoning = text_of(said.get("reasoning_content")) or text_of(said.get("reasoning"))
        events = self._grown("reasoning", reasoning)
        events += self._grown("text", text_of(said.get("content")))
        for at, part in enumerate(list_in(said, "content")):
            events += self._part(part, (*place, "content", at))
        events += self._grown("refusal", text_of(said.get("refusal")))
        for at, call in enumerate(list_in(said, "tool_calls")):
            self._call(call, at, (*place, "tool_calls", at))
        return events

    def _part(self, part: Any, place: Place) -> EventList:
        match part:
            case str(text) | {"type": "text", "text": str(text)}:
                return self._grown("text", text)
            case {"type": "refusal", "refusal": str(text)}:
                return self._grown("refusal", text)
        self._found.add(place, "not_written")
        return []

    def _call(self, piece: Any, at: int, place: Place) -> None:
        """Join a piece to its call."""
        if not isinstance(piece, dict):
            self._found.add(place, "not_written")
            return
        given, function = piece.get("index"), function_of(piece)
        index = known_by(at if given is None else given)
        identifier, name = text_of(piece.get("id")), text_of(function.get("name"))
        arguments = as_text(function.get("arguments")) or ""
        call = self._last_of.get((index, identifier)) or self._last_of.get((index, ""))
        # Only a name begins a further call: servers send pieces of one under other ids.
        if call is None or (name and call.is_ended_by(identifier, arguments)):
            call = self._last_of[index, ""] = _Call(place)
            self._calls.append(call)
        if not call.id:
            call.id, self._last_of[index, identifier] = identifier, call
        call.name = call.name or name
        call.arguments.add(arguments)

    def _grown(self, kind: Kind, text: str) -> EventList:
        if not text:
            return []
        events: EventList = []
        if kind != self._kind:
            events = [*self._closed(), *self._shape.opened(kind)]
            self._kind = kind
        self._texts.append(text)
        return [*events, *self._shape.grown(kind, text)]

    def _closed(self, status: str = "completed") -> EventList:
        """End the block that was begun, if one was."""
        if self._kind is None:
            return []
        events = self._shape.closed(self._kind, "".join(self._texts), status)
        self._kind, self._texts = None, []
        return events


def _owns(carried: JsonObject, form: Form) -> dict[object, JsonObject]:
    _, units = units_of(carried, form)
    return owns_of(carried, (piece.block for unit in units for piece in unit.pieces), form)


class _Call:
    """A call that comes in pieces, and where it began."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.id = self.name = ""
        self.arguments = GrowingArguments()

    def is_ended_by(self, identifier: str, arguments: str) -> bool:
        """Tell whether a piece with a name is of another call."""
        is_of_another = bool(identifier and self.id) and identifier != self.id
        return is_of_another or not self.arguments.goes_on_with(arguments)


def _is_first(choice: Any, at: int) -> bool:
    """Tell whether a choice is the one that is written."""
    index = choice.get("index") if isinstance(choice, dict) else -1
    index = at if index is None else index
    return index == 0 and not isinstance(index, bool)


def _head(chunk: JsonObject) -> Head:
    created: Any = chunk.get("created")
    is_time = isinstance(created, int | float) and not isinstance(created, bool)
    identifier, model = text_of(chunk.get("id")) or "reply", text_of(chunk.get("model"))
    return Head(identifier, model, created if is_time else 0)
