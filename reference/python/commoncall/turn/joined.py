"""One message out of chunks of Chat Completions, whatever servers put into them.

Holds `Joined`, with its parts: TRN-061 to TRN-067, TRN-072, TRN-074 of spec/v1/turn.md.
"""

from collections.abc import Callable, Iterator, Set
from typing import Any, Final, NamedTuple, cast

from commoncall.envelope import RefusedInput
from commoncall.forms import is_whole
from commoncall.growing import GrowingArguments, GrowingText
from commoncall.json_text import compact, is_blank, nearest
from commoncall.payload.foreign_form import camel_calls
from commoncall.payload.foreign_members import WIRE
from commoncall.payload.messages import SAYS_NOTHING, is_text_part, is_visible
from commoncall.payload.profile import Profile
from commoncall.places import Findings, Place
from commoncall.turn.growing import GrowingElements, GrowingMembers
from commoncall.turn.opaque import REASONING, carried_names
from commoncall.turn.receive import ModelMessage

_Key = tuple[float | None, str | None]
"""An index, an id, or both; what is stored under neither is not sought."""

CUT_OFF: Final = (
    *("length", "model_length", "content_filter"),
    *("insufficient_system_resource", "repetition", "error", "abort"),
    *("malformed_function_call", "MALFORMED_FUNCTION_CALL", "unexpected_tool_call"),
    *("UNEXPECTED_TOOL_CALL", "function_call_filter: MALFORMED_FUNCTION_CALL"),
)
"""Why a provider ends a message that the model had not ended (TRN-067)."""


_OF_CHUNKS: Final = {"choices", "error", "usage"}
"""What a chunk has; one without is of another interface (TRN-072)."""


class ChoiceNotSingleError(RefusedInput, ValueError):
    """A chunk has a second choice, or one of another index than 0 (TRN-061)."""


class Said(NamedTuple):
    """What a chunk says to who is watching."""

    content: str = ""
    refusal: str = ""


class _Slot:
    """A call that grows (definition "slot")."""

    def __init__(self, number: int, place: Place) -> None:
        self.number = number
        self.place = self.last_place = place  # of its first entry, and of its last one
        self.index: float | None = None
        self.id: str | None = None
        self.type: str | None = None
        self.name = GrowingText()  # the kept one
        self.arguments = GrowingArguments()
        self.members = GrowingMembers()
        self.members_of_function = GrowingMembers()

    def call(self) -> dict[str, object]:
        """Return the call as a message has it (TRN-063, TRN-065, TRN-066)."""
        texts = {"name": self.name.text, "arguments": self.arguments.text}
        function: dict[str, object] = {name: one for name, one in texts.items() if one is not None}
        self.members_of_function.put(function)
        heads = {"id": self.id, "type": self.type}
        call: dict[str, object] = {name: text for name, text in heads.items() if text is not None}
        self.members.put(call)
        return {**call, "function": function}


class _Slots:
    """The calls that grow, in the order in which they came, and which of them an entry is of.

    ``carried`` are the names of what is opaque in a call.
    """

    def __init__(self, carried: Set[str]) -> None:
        self.all: list[_Slot] = []
        self.carried = carried
        self._last_of: dict[_Key, _Slot] = {}
        self._last_at: dict[object, _Slot] = {}
        self._is_row = self._is_by_place = False

    def begin(self, entries: list[dict[str, Any]]) -> None:
        """Look at the entries of an array before they come one by one."""
        self._is_row = len(entries) > 1
        self._is_by_place = self._is_row and not any(map(_says_whose, entries))

    def of(
        self,
        index: float | None,
        identifier: str | None,
        name: str | None,
        piece: str | None,
        place: Place,
    ) -> _Slot:
        """Return the slot of an entry, a new one where it has none (definition "slot")."""
        slot = self._open(index, identifier)
        if self._is_by_place:
            # What stood there comes before the last slot, and nothing else says whose this is.
            slot = self._last_at.get(place[-1], slot)
        if slot is None and not identifier and not name and piece and not is_blank(piece):
            slot = self._unended()
        # Only a name begins a further call: servers send pieces of one under other indices and ids.
        if (
            slot is None
            or (
                name
                and (
                    (identifier and slot.id and identifier != slot.id)
                    or (piece is not None and not slot.arguments.goes_on_with(piece))
                    # Both are elements of one array.
                    or (None in (index, slot.index) and slot.last_place[:-1] == place[:-1])
                )
            )
        ):
            slot = _Slot(len(self.all), place)
            self.all.append(slot)
        slot.last_place = place
        if self._is_row:
            self._last_at[place[-1]] = slot
        slot.index = index if slot.index is None else slot.index
        slot.id = slot.id or identifier
        for key in ((slot.index, None), (None, slot.id), (slot.index, slot.id)):
            if self._last_of.setdefault(key, slot).number < slot.number:
                self._last_of[key] = slot
        return slot

    def _open(self, index: float | None, identifier: str | None) -> _Slot | None:
        """Return the slot that index and id of an entry speak of, without them the last one.

        The rows of the definition "slot" but for the place in an array, and for `_unended`, the
        last one.
        """
        if not self.all:
            return None
        last, find = self.all[-1], self._last_of.get
        # An entry without an id goes on with the last slot.
        named = (identifier and find((None, identifier))) or last
        if index is None:
            return named
        known = find((index, identifier)) or find((index, None))
        # A slot that began without an index takes an entry that has one.
        return known or next((one for one in (named, last) if one.index is None), None)

    def _unended(self) -> _Slot | None:
        """Return the last slot, if its arguments can go on; some servers count pieces."""
        last = self.all[-1] if self.all else None
        return None if last is None or last.arguments.is_whole() else last

    def once(self, not_read: Callable[[Place], None]) -> Iterator[_Slot]:
        """Yield the slots that are no repeated calls, and say where the others are."""
        seen: set[tuple[object, ...]] = set()
        for slot in self.all:
            said = slot.name.text, slot.arguments.text
            calls = {(key, *said) for key in (slot.index, slot.id) if key is not None}
            if slot.index is not None and calls & seen and slot.arguments.is_whole():
                not_read(slot.place)
            else:
                yield slot
            seen |= calls


class Joined:
    """Takes chunks, and has the message at the end; the profile says what is opaque."""

    def __init__(self, profile: Profile) -> None:
        self.findings = Findings()
        self._carried = carried_names(profile)
        self._members = GrowingMembers()
        self._texts = {"content": GrowingText(), "refusal": GrowingText()}
        self._parts = GrowingElements()  # of contents that are arrays, but for their texts
        self._slots = _Slots(profile.opaque_members - WIRE)
        self._names_of_deltas: set[str] = set()  # of the members that said something
        self._is_finished = self._is_cut = False
        self._chunks = 0

    def add(self, chunk: object) -> Said:
        """Take the next chunk, any JSON.

        Raises:
            ChoiceNotSingleError: it is part of several messages.
        """
        number, self._chunks = self._chunks, self._chunks + 1
        if chunk == "[DONE]":
            self._is_finished = True
        if not isinstance(chunk, dict):
            return Said()
        if not chunk.keys() & _OF_CHUNKS:
            self._not_read(("chunks", number))
        if chunk.get("error") is not None:
            self._is_cut = True
        choice = _choice_of(chunk)
        if choice is None:
            return Said()
        reason = choice.get("finish_reason")
        if is_visible(reason):
            self._is_finished = True
            self._is_cut = self._is_cut or reason in CUT_OFF
        delta, message = choice.get("delta"), choice.get("message")
        place: Place = ("chunks", number, "choices", 0)
        said = Said()
        if isinstance(delta, dict):
            self._names_of_deltas |= {name for name in delta if delta[name] not in SAYS_NOTHING}
            said = self._read(delta, (*place, "delta"))
        if isinstance(message, dict):
            below = (*place, "message")
            more = self._read(self._unsaid(message, delta, below), below)
            return Said(said.content + more.content, said.refusal + more.refusal)
        return said

    def _unsaid(self, message: dict[str, Any], delta: object, place: Place) -> dict[str, Any]:
        """Return what of a whole message no delta has said (definition "delta")."""
        beside = delta if isinstance(delta, dict) else {}
        for name in ("content", "refusal", "tool_calls"):
            value = message.get(name)
            is_repeated = False
            if isinstance(value, str):
                text = self._texts.get(name)
                is_repeated = value == beside.get(name) or (text is not None and text.equals(value))
            elif isinstance(value, list) and name == "tool_calls":
                # A list of no more calls than there are repeats these, whatever it says of them.
                is_repeated = len(value) <= len(self._slots.all)
            if name in self._names_of_deltas and value not in SAYS_NOTHING and not is_repeated:
                self._not_read((*place, name))
        return {name: one for name, one in message.items() if name not in self._names_of_deltas}

    def _read(self, delta: dict[str, Any], place: Place) -> Said:
        content, refusal = self._content(delta, place), self._text(delta, "refusal", place)
        reasoning = {name for name in REASONING if isinstance(delta.get(name), str)}
        self._carry(self._members, delta, self._carried | reasoning, place)
        calls = delta.get("tool_calls")
        if isinstance(calls, list):
            self._slots.begin([entry for entry in calls if isinstance(entry, dict)])
            for number, entry in enumerate(calls):
                here = (*place, "tool_calls", number)
                if isinstance(entry, dict):
                    self._enter(entry, here)
                elif entry is not None:
                    self._not_read(here)
        elif calls is not None:
            self._not_read((*place, "tool_calls"))
        if delta.get("function_call") is not None:
            self._not_read((*place, "function_call"))
        if camel_calls(delta):
            self._not_read((*place, "toolCalls"))
        return Said(content, refusal)

    def _content(self, delta: dict[str, Any], place: Place) -> str:
        """Take the content of a delta, and return what of it is spoken ("spoken pieces")."""
        parts = delta.get("content")
        if not isinstance(parts, list):
            return self._text(delta, "content", place)
        texts = [part["text"] for part in parts if is_text_part(part)]
        for text in texts:
            self._texts["content"].append(text)
        self._parts.extend([part for part in parts if not is_text_part(part)])
        return "".join(texts)

    def _text(self, delta: dict[str, Any], member: str, place: Place) -> str:
        text = delta.get(member)
        if isinstance(text, str):
            self._texts[member].append(text)
            return text
        if text is not None:
            self._not_read((*place, member))
        return ""

    def _carry(
        self, members: GrowingMembers, given: dict[str, Any], names: Set[str], place: Place
    ) -> None:
        """Carry what is opaque in an object, and say what of it is lost (TRN-072, TRN-074)."""
        for name in members.add(given, names):
            self.findings.add((*place, name), "opaque_removed")

    def _not_read(self, place: Place) -> None:
        """Say that something is not in the message (TRN-072)."""
        self.findings.add(place, "delta_not_read")

    def _enter(self, entry: dict[str, Any], place: Place) -> None:
        """Put an entry into its slot."""
        function = entry.get("function")
        if not isinstance(function, dict):
            if function is not None:
                self._not_read((*place, "function"))
            function = {}
        name, piece = function.get("name"), _piece(function.get("arguments"))
        identifier, named = _seen(entry.get("id")), _seen(name)
        slot = self._slots.of(_index(entry), identifier, named, piece, place)
        slot.type = slot.type or _seen(entry.get("type"))
        carried = self._slots.carried
        self._carry(slot.members, entry, carried, place)
        self._carry(slot.members_of_function, function, carried, (*place, "function"))
        if isinstance(name, str) and not (slot.name.is_given and slot.name.equals(name)):
            slot.name.append(name)
        if piece is not None:
            slot.arguments.add(piece)

    def message(self) -> ModelMessage:
        """Return what all chunks are together (TRN-062, TRN-063, TRN-067, TRN-074)."""
        slots = self._slots.once(self._not_read)
        calls: list[object] = [slot.call() for slot in slots]
        text = self._texts["content"].text
        spoken: list[object] = [] if text is None else [{"type": "text", "text": text}]
        parts = self._parts.elements()
        message: ModelMessage = {
            "text": [*parts, *spoken] if parts else text,
            "tool_calls": calls or None,
            "truncated": self._is_cut or not self._is_finished,
        }
        if (refusal := self._texts["refusal"].text) is not None:
            message["refusal"] = refusal
        self._members.put(cast(dict[str, Any], message))
        return message


def _choice_of(chunk: dict[str, Any]) -> dict[str, Any] | None:
    choices = chunk.get("choices")
    if not isinstance(choices, list) or not choices:
        return None
    choice = choices[0] if isinstance(choices[0], dict) else None
    index = choice.get("index") if choice else None
    if len(choices) > 1 or not (index is None or (is_whole(index) and index == 0)):
        raise ChoiceNotSingleError({"code": "choice_not_single"})
    return choice


def _index(entry: dict[str, Any]) -> float | None:
    index: Any = entry.get("index")
    return nearest(index) if is_whole(index) else None


def _says_whose(entry: dict[str, Any]) -> bool:
    return _index(entry) is not None or is_visible(entry.get("id"))


def _seen(text: object) -> str | None:
    return text if is_visible(text) else None


def _piece(arguments: object) -> str | None:
    """Return a piece of arguments; what is no text is JSON in whole, or cannot be read."""
    try:
        return arguments if arguments is None or isinstance(arguments, str) else compact(arguments)
    except ValueError:
        return "NaN"
