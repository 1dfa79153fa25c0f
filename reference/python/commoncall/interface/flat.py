"""Messages that are those of the contracts, but for a few members: those of Ollama.

Holds the definitions "flat message" and "flat element", ITF-040, ITF-041 and ITF-043 of
spec/v1/interfaces.md.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from commoncall.envelope import MARK
from commoncall.interface.aligned import aligned, calls_in
from commoncall.interface.blocks import (
    DATA_URL,
    NOT_SHOWN,
    function_of,
    id_of,
    list_in,
    unsaid,
    without_null,
)
from commoncall.interface.table import Flat, JsonObject
from commoncall.interface.units import Piece, Unit
from commoncall.json_text import as_text, decode_object, equal
from commoncall.places import Findings, Place


def unmarked(native: Any) -> Any:
    """Return an element without the mark of a store."""
    if not isinstance(native, dict):
        return native
    return {name: value for name, value in native.items() if name != MARK}


def flat_messages(natives: Sequence[Any], flat: Flat, *, with_ids: bool = True) -> list[Any]:
    """Return the messages of a history; ``with_ids``: each call has one, and so has its result."""
    messages = []
    calls = _Waiting([])
    for at, native in enumerate(natives):
        message = _message(native, at if with_ids else None, flat)
        messages.append(message)
        if isinstance(message, dict) and message.get("role") == "tool":
            identifier = message.get("tool_call_id")
            if identifier is None or calls.is_stray(identifier):
                identifier = calls.first(message.get("name"))
            if identifier is not None:
                message["tool_call_id"] = identifier
                calls.answered.add(as_text(identifier))
        elif known := [call for call in calls_in(message) if call.get("id") is not None]:
            calls = _Waiting(known, any(id_of(call) is None for call in calls_of(native)))
    return messages


class _Waiting:
    """The calls of a message, and which of them have results."""

    def __init__(self, calls: Sequence[JsonObject], has_made: bool = False) -> None:
        self.answered: set[str | None] = set()
        self._has_made = has_made
        self._known = {as_text(call.get("id")) for call in calls}
        self._ids: dict[object, deque[object]] = defaultdict(deque)
        for call in calls:
            for name in (None, as_text(function_of(call).get("name"))):
                self._ids[name].append(call.get("id"))

    def is_stray(self, identifier: object) -> bool:
        """Tell whether an id is that of no call, where some came without one."""
        return self._has_made and as_text(identifier) not in self._known

    def first(self, name: object) -> object:
        """Return the id of the first call of a name, or of any, that has no result."""
        ids = self._ids[as_text(name)]
        while ids and as_text(ids[0]) in self.answered:
            ids.popleft()
        return ids[0] if ids else None


def written_messages(
    messages: Sequence[Any], natives: Sequence[Any], flat: Flat, found: Findings
) -> list[Any]:
    """Return messages as the interface has them: those that did not change as they were."""
    read = flat_messages(natives, flat)
    units = [Unit(None, [Piece(native, at)], read[at]) for at, native in enumerate(natives)]
    made = {
        _made_id(at, number)
        for at, native in enumerate(natives)
        for number, call in enumerate(calls_of(native))
        if isinstance(call, dict) and call.get("id") is None
    }
    names: dict[str | None, object] = {}
    sent = []
    for at, unit in enumerate(aligned(units, messages)):
        message = messages[at]
        for call in calls_in(message):
            if (identifier := as_text(call.get("id"))) is not None:
                names[identifier] = function_of(call).get("name")
        if unit is not None and _stays(unit, message, flat, found):
            sent.append(unit.pieces[0].block)
        else:
            sent.append(_element(message, ("request", "messages", at), flat, made, names, found))
    return sent


def _stays(unit: Unit, message: Any, flat: Flat, found: Findings) -> bool:
    """Tell whether the element of a unit goes back as it was; say why the endpoint refuses it."""
    piece = unit.pieces[0]
    faults = list(_faults_of(piece.block, unit.message))
    for code in faults:
        found.add(("carried", flat["messages"], piece.home), code)
    return not faults and equal(unit.message, message)


def _faults_of(native: Any, read: Any) -> Iterator[str]:
    """Yield why the endpoint does not take an element as it is, which was read as a message."""
    if isinstance(native, dict) and isinstance(native.get("content"), list):
        yield "content_coerced"
    if any(isinstance(function_of(call).get("arguments"), str) for call in calls_of(native)):
        yield "arguments_coerced"
    if isinstance(native, dict):
        given = native.get("tool_call_id")
        if given is not None and not equal(given, read["tool_call_id"]):
            yield "id_replaced"


def calls_of(message: Any) -> list[Any]:
    """Return what stands in the array of the calls of a message."""
    return list_in(message, "tool_calls")


def read_call(call: Any, identifier: str | None) -> Any:
    """Return a call as the contracts have it, with an id where it has none."""
    if not isinstance(call, dict) or not isinstance(call.get("function"), dict):
        return call
    function = {**call["function"]}
    if (arguments := function.get("arguments")) is not None:
        function["arguments"] = as_text(arguments)
    made = {} if identifier is None else {"id": identifier}
    given = without_null(call)
    return {**made, "type": "function", **given, "function": function}


def _message(native: Any, at: int | None, flat: Flat) -> Any:
    message = unmarked(native)
    if not isinstance(message, dict):
        return message
    content, images = message.get("content"), message.get(flat["images"])
    shown = images if isinstance(images, list) else []
    is_text = all(isinstance(one, str) for one in shown)
    if shown and is_text and (content is None or isinstance(content, str)):
        del message[flat["images"]]
        text = [{"type": "text", "text": content}] if content else []
        message["content"] = [*text, *(_image(image, flat) for image in shown)]
    if message.get("role") == "assistant" and (calls := calls_of(message)):
        message["tool_calls"] = [
            read_call(call, None if at is None else _made_id(at, number))
            for number, call in enumerate(calls)
        ]
    if message.get("role") == "tool" and message.get(flat["result_name"]) is not None:
        message["name"] = message.pop(flat["result_name"])
    return message


def _image(image: str, flat: Flat) -> JsonObject:
    known = (media for begin, media in flat["media"].items() if image.startswith(begin))
    url = f"data:{next(known, 'image/png')};base64,{image}"
    return {"type": "image_url", "image_url": {"url": url}}


def _made_id(at: int, number: int) -> str:
    return f"call_{at}_{number}"


def _element(
    message: Any,
    place: Place,
    flat: Flat,
    made: Set[str],
    names: Mapping[str | None, object],
    found: Findings,
) -> Any:
    """Return a message that is new, or has changed, as the interface has it."""
    if not isinstance(message, dict):
        return message
    is_result = message.get("role") == "tool"
    content = _content(
        message.get("content"), (*place, "content"), flat, found, is_result=is_result
    )
    sent = {**message, **content}
    if isinstance(message.get("tool_calls"), list):
        sent["tool_calls"] = []
        for number, call in enumerate(message["tool_calls"]):
            written = _written_call(call, made)
            if written is None:
                found.add((*place, "tool_calls", number), "not_written")
            else:
                sent["tool_calls"].append(written)
    if is_result:
        identifier = as_text(message.get("tool_call_id"))
        name = names.get(identifier, sent.pop("name", None))
        if name is not None:
            sent[flat["result_name"]] = name
        if identifier in made:
            del sent["tool_call_id"]
    return sent


def _content(
    content: Any, place: Place, flat: Flat, found: Findings, *, is_result: bool
) -> JsonObject:
    """Return the members that a content is: its text, and its images. A model is told what it
    cannot see of a result.
    """
    if not isinstance(content, list):
        return {"content": "" if content is None else content}
    texts, images = [], []
    for at, part in enumerate(content):
        match part:
            case {"type": "text", "text": str(text)}:
                texts.append(text)
            case {"type": "image_url", "image_url": {"url": str(url)}} if data := DATA_URL.match(
                url
            ):
                images.append(data[2])
            case _:
                found.add((*place, at), "not_written")
                if is_result:
                    texts.append(NOT_SHOWN)
                continue
        for unwritten in unsaid(part):
            found.add((*place, at, *unwritten), "not_written")
    text = "\n".join(filter(None, texts)) if is_result else "".join(texts)
    said: JsonObject = {"content": text}
    return {**said, flat["images"]: images} if images else said


def _written_call(call: Any, made: Set[str]) -> JsonObject | None:
    function = function_of(call)
    arguments = function.get("arguments")
    given = decode_object(arguments) if isinstance(arguments, str) else None
    if given is None:
        return None
    gone = ("type", "id") if as_text(call.get("id")) in made else ("type",)
    rest = {name: value for name, value in call.items() if name not in gone}
    return {**rest, "function": {**function, "arguments": given}}
