"""The events of Responses as chunks of Chat Completions, and the response that they are together.

Holds the definitions "item of an event" and "rest" of spec/v1/interfaces.md.
"""

from dataclasses import dataclass, field
from itertools import count, groupby
from operator import itemgetter
from typing import Any, Final

from commoncall.interface.blocks import call_of, function_of, list_in
from commoncall.interface.chunks import called, chunk, ended, more, usage_of
from commoncall.interface.reply import read_reply
from commoncall.interface.table import FORMS, INPUT, JsonObject
from commoncall.interface.units import is_call
from commoncall.json_text import as_text, compact, compact_string, is_blank

_FORM: Final = FORMS["openai-responses"]
_CALL: Final = "call"

_PIECES: Final = {
    "response.output_text": ("message", "text"),
    "response.refusal": ("message", "refusal"),
    "response.reasoning_text": ("reasoning", "reasoning_text"),
    "response.reasoning_summary_text": ("reasoning", "summary_text"),
    "response.function_call_arguments": (_CALL, "arguments"),
    "response.custom_tool_call_input": (_CALL, INPUT),
}
"""By the event that brings pieces the kind of its item, and what they are pieces of."""

_BEGUN: Final[dict[str, JsonObject]] = {
    "text": {"type": "message", "role": "assistant"},
    "refusal": {"type": "message", "role": "assistant"},
    "reasoning_text": {"type": "reasoning", "summary": []},
    "summary_text": {"type": "reasoning", "summary": []},
    "arguments": {"type": "function_call"},
    INPUT: {"type": "custom_tool_call"},
}
"""What an item is of which only pieces came."""

_PARTS: Final = {
    "text": ("content", "output_text", "text"),
    "refusal": ("content", "refusal", "refusal"),
    "reasoning_text": ("content", "reasoning_text", "text"),
    "summary_text": ("summary", "summary_text", "text"),
}
"""Where an item has what came of it: the member, the type of the part, and its own member."""

_INPUT_START: Final = compact({INPUT: ""})[:-2]
_DELTAS: Final = {"text": "content", "refusal": "refusal"}
_ENDS: Final = {
    "response.completed": "stop",
    "response.incomplete": "length",
    "response.failed": "error",
}


@dataclass(slots=True)
class _Item:
    """An item that began, with the pieces that came of it.

    Attributes:
        arguments: the pieces of the arguments that it has in the contracts.
        number: of a call that chunks have begun, its index there.
        is_placed: whether an event told which item it is.
    """

    value: JsonObject
    pieces: list[tuple[str, str]] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    number: int | None = None
    is_placed: bool = False
    is_done: bool = False

    def came(self, name: str) -> str:
        """Return what came under a name."""
        if name == "arguments":
            return "".join(self.arguments)
        return "".join(piece for own, piece in self.pieces if own == name)

    def filled(self, value: JsonObject) -> JsonObject:
        """Return the item as it was told, with its pieces where that says nothing."""
        said = self._said().items()
        return {**value, **{name: new for name, new in said if _is_empty(value.get(name))}}

    def _said(self) -> dict[str, Any]:
        """Return the members that the pieces make (definition "pieces of an item")."""
        if any(name == INPUT for name, _ in self.pieces):
            return {INPUT: self.came(INPUT)}
        if not is_blank(text := self.came("arguments")):
            return {"arguments": text}
        said: dict[str, Any] = {}
        for name, pieces in groupby(self.pieces, key=itemgetter(0)):
            member, kind, own = _PARTS[name]
            if not is_blank(text := "".join(piece for _, piece in pieces)):
                said.setdefault(member, []).append({"type": kind, own: text})
        return said


class ResponseEvents:
    """Reads the events of Responses one by one.

    Attributes:
        reply: what the events were together so far; None before there was one.
    """

    def __init__(self) -> None:
        self.reply: JsonObject | None = None
        self._has_ended = False
        self._items: list[_Item] = []  # in the order in which they began
        self._done: list[_Item] = []  # in the order in which they were done
        self._known: dict[tuple[str, str, str | None], _Item] = {}  # by kind and place
        self._last: dict[str, _Item] = {}  # of each kind
        self._calls: dict[str | None, _Item] = {}  # that chunks have begun, by their ids
        self._numbers = count()
        self._came: dict[str, list[str]] = {name: [] for name in _DELTAS}  # of all items

    def feed(self, kind: str, event: JsonObject) -> list[JsonObject]:
        """Take the next event, and return the chunks that it is."""
        if kind in _ENDS:
            return self._ended(kind, event.get("response"))
        name, _, step = kind.rpartition(".")
        item, delta = event.get("item"), event.get("delta")
        is_told = step in ("added", "done")
        if name == "response.output_item" and is_told and isinstance(item, dict):
            return self._told(event, item, step)
        if name in _PIECES:
            of, piece = _PIECES[name]
            whole = event.get(_PARTS[piece][2] if piece in _PARTS else piece)
            if step == "delta" and isinstance(delta, str):
                return self._add(self._item(of, event, _BEGUN[piece], "piece"), piece, delta)
            if step == "done" and isinstance(whole, str):
                return self._settle(self._item(of, event, _BEGUN[piece], "piece"), piece, whole)
        return []

    def _item(self, kind: str, event: JsonObject, item: JsonObject, step: str) -> _Item:
        """Return the item of an event; one that begins with it where there is none."""
        index, is_told = event.get("output_index"), step != "piece"
        ids = (item.get("id"), item.get("call_id")) if is_told else (event.get("item_id"),)
        places = [(kind, "id", as_text(each)) for each in ids if each not in (None, "")]
        if index is not None:
            places.insert(0, (kind, "output_index", as_text(index)))
        looked_up = places if index is None else places[:1]
        found = next((self._known[place] for place in looked_up if place in self._known), None)
        last = self._last.get(kind)
        if found is None and last is not None:
            can_be_last = not last.is_placed or (index is None and step != "added")
            found = last if can_be_last else None
        if found is None or (is_told and _is_other(found, item)):
            found = self._last[kind] = _Item({**item})
            self._items.append(found)
        found.is_placed |= bool(places) or is_told
        self._known.update(dict.fromkeys(places, found))
        return found

    def _told(self, event: JsonObject, value: JsonObject, step: str) -> list[JsonObject]:
        is_done, of_call = step == "done", is_call(value, "assistant", _FORM)
        item = self._item(_kind_of(value), event, value, step)
        if is_done and not item.is_done:
            self._done.append(item)
        if is_done:
            value = item.filled(value)
        if is_done or not item.is_done:
            item.value = {**value}
        item.is_done |= is_done
        can_begin = of_call and (is_done or _is_known(value))
        chunks = self._begun(item) if can_begin else []
        if is_done:
            for name, whole in _said_in(value).items():
                chunks += self._settle(item, name, whole)
            if not self._has_ended:
                self.reply = {"status": "incomplete", "output": [each.value for each in self._done]}
        return chunks

    def _begun(self, item: _Item) -> list[JsonObject]:
        """Begin a call that chunks have not begun, with the arguments that came before it."""
        if item.number is not None:
            return []
        item.number, identifier = next(self._numbers), item.value.get("call_id")
        self._calls[as_text(identifier)] = item
        name = function_of(call_of(item.value, _FORM)).get("name")
        waiting = item.came("arguments")
        waited = [more(item.number, waiting)] if waiting else []
        return [called(item.number, identifier, name), *waited]

    def _add(self, item: _Item, name: str, piece: str) -> list[JsonObject]:
        if name == "arguments":
            item.arguments.append(piece)
            return [more(item.number, piece)] if item.number is not None else []
        item.pieces.append((name, piece))
        if name == INPUT:
            # As it stands in the compact JSON of the object that the tool takes here.
            start = "" if item.arguments else _INPUT_START
            return self._add(item, "arguments", start + compact_string(piece)[1:-1])
        if name not in _DELTAS:
            return []
        self._came[name].append(piece)
        return [chunk({_DELTAS[name]: piece})]

    def _settle(self, item: _Item, name: str, whole: str) -> list[JsonObject]:
        """Take what an item is in the end: what is left of it."""
        rest = rest_of(whole, item.came(name))
        if name == INPUT:
            item.pieces.append((name, rest))
            return self._settle(item, "arguments", compact({INPUT: whole}))
        return self._add(item, name, rest) if rest else []

    def _ended(self, kind: str, response: object) -> list[JsonObject]:
        came = [(item, item.value) for item in self._done]
        came += [(item, item.filled(item.value)) for item in self._items if not item.is_done]
        output: list[tuple[_Item | None, Any]] = [*came]
        if isinstance(response, dict):
            self._has_ended, self.reply = True, response
            if response.get("output") not in (None, []):
                output = [(None, value) for value in self._whole(list_in(response, "output"))]
            if output:
                self.reply = {**response, "output": [value for _, value in output]}
        rest = [] if kind == "response.failed" else self._rest(output)
        return [*rest, ended(_ENDS[kind], _usage_in(response))]

    def _whole(self, output: list[Any]) -> list[Any]:
        """Return the items of a response, with the pieces that came of them."""
        given: set[int] = set()
        whole: list[Any] = []
        for value in output:
            ids = (value.get(name) for name in ("id", "call_id")) if isinstance(value, dict) else ()
            places = [(_kind_of(value), "id", as_text(each)) for each in ids]
            item = next((self._known[each] for each in places if each in self._known), None)
            if item is not None and id(item) not in given:
                given.add(id(item))
                value = item.filled(value)
            whole.append(value)
        return whole

    def _rest(self, output: list[tuple[_Item | None, Any]]) -> list[JsonObject]:
        """Return what the end of a response holds and no event before it said."""
        begun = self._calls.copy()
        said = [_said_in(value) for _, value in output]
        left: dict[str, int] = {}
        for name, pieces in self._came.items():
            whole = "".join(each.get(name, "") for each in said)
            left[name] = len(whole) - len(rest_of(whole, "".join(pieces)))
        chunks: list[JsonObject] = []
        for (item, value), texts in zip(output, said, strict=True):
            if is_call(value, "assistant", _FORM):
                call = item or begun.get(as_text(value.get("call_id"))) or _Item(value)
                chunks += self._begun(call)
                chunks += self._settle(call, "arguments", texts.get("arguments", ""))
            for name in _DELTAS:
                text = texts.get(name, "")
                chunks += [chunk({_DELTAS[name]: rest})] if (rest := text[left[name] :]) else []
                left[name] = max(0, left[name] - len(text))
        return chunks


def _kind_of(item: JsonObject) -> str:
    """Return of which kind an item is (definition "item of an event")."""
    if is_call(item, "assistant", _FORM):
        return _CALL
    kind = as_text(item.get("type"))
    return "message" if kind is None else kind


def _is_known(call: JsonObject) -> bool:
    """Tell whether a call has what chunks can begin it with: an id, and a name."""
    return all(as_text(call.get(name)) for name in ("call_id", "name"))


def _is_empty(given: object) -> bool:
    """Tell whether a member of an item says nothing: a text, or parts."""
    if isinstance(given, list):
        return all(
            isinstance(one, dict) and "" in (one.get("text"), one.get("refusal")) for one in given
        )
    return given is None or (isinstance(given, str) and is_blank(given))


def _usage_in(response: object) -> JsonObject | None:
    usage = response.get("usage") if isinstance(response, dict) else None
    if not isinstance(usage, dict):
        return None
    before, after = usage.get("input_tokens_details"), usage.get("output_tokens_details")
    cached = before if isinstance(before, dict) else {}
    details = {name: cached.get(name) for name in ("cached_tokens", "cache_write_tokens")}
    reasoning = after.get("reasoning_tokens") if isinstance(after, dict) else None
    return usage_of((usage.get("input_tokens"),), usage.get("output_tokens"), details, reasoning)


def rest_of(whole: str, came: str) -> str:
    """Return what a text has beyond what came of it (definition "rest")."""
    if is_blank(came):
        return whole
    return whole[len(came) :] if whole.startswith(came) else ""


def _is_other(found: _Item, item: JsonObject) -> bool:
    """Tell whether an item that is told is another than the one that began at its place."""
    of_call = is_call(item, "assistant", _FORM)
    name = "call_id" if of_call else "id"
    own, told = (as_text(each.get(name)) or None for each in (found.value, item))
    if found.is_done:
        return told is None or told != own
    return of_call and None not in (own, told) and told != own


def _said_in(item: Any) -> dict[str, str]:
    """Return the arguments of a call, or the text and the refusal of any other item."""
    if is_call(item, "assistant", _FORM):
        return {"arguments": as_text(function_of(call_of(item, _FORM)).get("arguments")) or ""}
    said = read_reply("openai-responses", {"output": [item]})["message"]
    texts = {"text": said["text"], "refusal": said.get("refusal")}
    return {name: text for name, text in texts.items() if isinstance(text, str)}
