"""Markers: openers, closers, the reasoning tags and the headers of messages."""

from dataclasses import dataclass
from typing import Any

from tests.evidence.second_reading.characters import BLANKS, ascii_lower
from tests.evidence.second_reading.descriptors import FORMS, MESSAGES, Form
from tests.evidence.second_reading.frames import Frame
from tests.evidence.second_reading.messages import (
    Messages,
    header_at,
    is_cut_header,
    kind_of,
    messages_of,
)

LONGEST_HEADER = 128


@dataclass(frozen=True)
class Marker:
    """A marker that stands at ``start`` and ends before ``end``."""

    kind: str  # "opener", "closer", "reasoning", "token", "dropped"
    owners: tuple[Form, ...]  # one of an opener, none of a reasoning opener (own marker)
    start: int
    end: int
    header: str = ""
    reserved: bool = False
    close: dict[str, Any] | None = None  # what belongs to a reasoning opener
    of_message: Form | None = None  # whose message a header begins, or an end ends

    @property
    def form(self) -> Form:
        """What an opener opens."""
        return self.owners[0]

    def closes(self, form: Form) -> bool:
        """Tell whether this is an own closer of a form (own marker)."""
        return self.kind == "closer" and form in self.owners


class Markers:
    """The markers of a text, each looked for once."""

    def __init__(
        self, text: str, active: list[Form], frame: Frame, *, starts_in_reasoning: bool = False
    ) -> None:
        self.text = text
        self.frame = frame
        self.active = active
        self.is_opened = not starts_in_reasoning
        self.messages = messages_of(
            active, [each for name in frame.dialects for each in FORMS[name]]
        )
        self.found: dict[int, Marker | None] = {}

    def at(self, place: int) -> Marker | None:
        """Return the marker that stands at a place."""
        if place not in self.found:
            found = self.of_messages(place)
            if found is None:
                found = marker_at(self.text, place, self.active, self.frame)
            self.found[place] = found
        return self.found[place]

    def of_messages(self, place: int) -> Marker | None:
        """Return the header of a message, or the end of one, that stands at a place (message)."""
        messages = self.messages
        if messages is None:
            return None
        form, opened = messages.form, place == 0 and self.is_opened
        owners = (form,) if messages.is_active else ()
        for end in messages.written["ends"]:
            if self.text.startswith(end, place):
                kind = "closer" if messages.is_active else "token"
                return Marker(kind, owners, place, place + len(end), of_message=form)
        header = header_at(self.text, place, messages, opened=opened)
        if header is None:
            if is_cut_header(self.text, place, messages, opened=opened):
                return Marker("dropped", (), place, len(self.text), of_message=form)
            return None
        kind = kind_of(header[0], messages)
        if kind in ("opener", "reserved"):
            reserved = kind == "reserved"
            return Marker("opener", owners, place, header[1], header[0], reserved, None, form)
        close = form.opener["messages"] if kind == "reasoning" else None
        return Marker(kind, (), place, header[1], header[0], close=close, of_message=form)

    def opens(self, place: int) -> bool:
        """Tell whether an opener stands at a place."""
        marker = self.at(place)
        return marker is not None and marker.kind == "opener"

    def is_no_value(self, place: int) -> bool:
        """Tell whether an opener or a token stands at a place, which begins no value (payload)."""
        return self.opens(place) or self.is_token(place)

    def is_header(self, place: int) -> bool:
        """Tell whether the header of a message stands at a place, of whatever kind (message)."""
        marker = self.at(place)
        return marker is not None and marker.of_message is not None and marker.kind != "closer"

    def is_token(self, place: int) -> bool:
        """Tell whether a token stands at a place; the end of a message can be one."""
        marker = self.at(place)
        if marker is None:
            return False
        return marker.kind == "token" or (marker.kind == "closer" and marker.of_message is not None)

    def closer_of(self, form: Form, place: int) -> Marker | None:
        """Return the own closer of a form that stands at a place."""
        marker = self.at(place)
        return marker if marker is not None and marker.closes(form) else None


def tag_end(text: str, at: int, begin: str) -> int | None:
    """Return the end of a tag that begins so, then holds blanks with one line feed at most, then
    `>` (EXT-011).
    """
    end = at + len(begin)
    if text[at : at + 1] != begin[0]:  # no letter: most places are none of a tag
        return None
    if ascii_lower(text[at:end]) != begin:
        return None
    while end < len(text) and ord(text[end]) in BLANKS:
        end += 1
    if text.count("\n", at, end) > 1:
        return None
    return end + 1 if text[end : end + 1] == ">" else None


def marker_at(text: str, at: int, active: list[Form], frame: Frame) -> Marker | None:
    """Return the marker that stands here, of the active dialects or the frame (EXT-010)."""
    active = [form for form in active if "messages" not in form.opener]
    for form in active:
        opener = opener_at(text, at, form)
        if opener is not None:
            return opener
    ends = [closer_end(text, at, form) for form in active]
    owners = tuple(form for form, end in zip(active, ends, strict=True) if end is not None)
    if owners:
        return Marker("closer", owners, at, max(end for end in ends if end is not None))
    for each in frame.reasoning:
        end = written_end(text, at, each["open"], "<")
        if end is not None:
            return Marker("reasoning", (), at, end, close=each["close"])
    for token in frame.tokens:
        if text.startswith(token, at):
            return Marker("token", (), at, at + len(token))
    return None


def opener_at(text: str, at: int, form: Form) -> Marker | None:
    """Return the opener of a form that stands here (marker, descriptor)."""
    if form.dialect == MESSAGES:
        return message_header(text, at, form)
    opener = form.opener
    if "messages" in opener:
        return call_header(text, at, form)
    if "tag" in opener:
        end = tag_end(text, at, "<" + opener["tag"])
        return None if end is None else Marker("opener", (form,), at, end)
    if not text.startswith(opener["text"], at):
        return None
    if "end" in opener:
        return named_opener(text, at, form)
    return Marker("opener", (form,), at, at + len(opener["text"]))


def call_header(text: str, at: int, form: Form) -> Marker | None:
    """Return the header of a message that is an opener and stands here, not begun by the prompt."""
    messages = Messages(form, is_active=True)
    header = header_at(text, at, messages, opened=False)
    kind = "" if header is None else kind_of(header[0], messages)
    if header is None or kind not in ("opener", "reserved"):
        return None
    reserved = kind == "reserved"
    return Marker("opener", (form,), at, header[1], header[0], reserved, None, form)


def named_opener(text: str, at: int, form: Form) -> Marker | None:
    """Return an opener with ``end``, whose text stands here already (descriptor)."""
    end, name = form.opener["end"], form.opener["name"]
    inner = [name[member] for member in ("behind", "id") if member in name]
    begin = place = at + len(form.opener["text"])
    while place - begin <= LONGEST_HEADER:
        if text.startswith(end, place):
            return Marker("opener", (form,), at, place + len(end), text[begin:place])
        here = [word for word in inner if text.startswith(word, place)]
        if here:
            place += len(here[0])
            continue
        if place >= len(text) or text[place] in ("\n", "<", end[0]):
            return None
        place += 1
    return None


def closer_end(text: str, at: int, form: Form) -> int | None:
    """Return the end of the own closer of a form that stands here (marker)."""
    if "messages" in form.opener:
        ends = [end for end in form.opener["messages"]["ends"] if text.startswith(end, at)]
        return at + len(ends[0]) if ends else None
    return None if form.closer is None else written_end(text, at, form.closer, "</")


def written_end(text: str, at: int, marker: dict[str, Any], begin: str) -> int | None:
    """Return the end of a tag or a fixed text that stands here (marker)."""
    if "tag" in marker:
        return tag_end(text, at, begin + marker["tag"])
    return at + len(marker["text"]) if text.startswith(marker["text"], at) else None


def is_cut_closer(rest: str, form: Form) -> bool:
    """Tell whether the rest of a text is the begin of a closer and not a whole one."""
    closer = form.closer or {}
    if "messages" in form.opener:
        return any(end.startswith(rest) for end in form.opener["messages"]["ends"])
    if "text" in closer:
        return bool(closer["text"].startswith(rest))
    begin = "</" + closer["tag"]
    return begin.startswith(ascii_lower(rest)) or (
        ascii_lower(rest[: len(begin)]) == begin
        and all(ord(c) in BLANKS for c in rest[len(begin) :])
        and rest.count("\n") <= 1
    )


def message_header(text: str, at: int, form: Form) -> Marker | None:
    """Return the message header that stands here, if it opens a block (message header)."""
    if not text.startswith("<|start|>assistant", at):
        return None
    begin = at + len("<|start|>assistant")
    for length in range(LONGEST_HEADER + 1):
        place = begin + length
        if text.startswith("<|message|>", place):
            break
        if place >= len(text) or text[place] == "\n":
            return None
        if text[place] == "<" and not text.startswith(("<|channel|>", "<|constrain|>"), place):
            return None
    else:
        return None
    end = place + len("<|message|>")
    words = text[begin:place]
    if channel_of(words + "<|message|>") == "tool":
        return Marker("opener", (form,), at, end)
    if any(word in words for word in ("recipient:", "to:", "to=", "<|constrain|>")):
        return Marker("opener", (form,), at, end, reserved=True)
    return None  # EXT-011


def channel_of(header: str) -> str | None:
    """Return the text behind the last `<|channel|>` up to the next `<|`, without blanks around."""
    _, found, rest = header.rpartition("<|channel|>")
    if not found:
        return None
    return rest[: rest.index("<|")].strip("".join(map(chr, BLANKS)))


def reasoning_close(text: str, at: int, close: dict[str, Any]) -> tuple[int, int]:
    """Return start and end of the first closer from here on, or twice the end of the text."""
    for start in range(at, len(text)):
        end = written_end(text, start, close, "</")
        if end is not None:
            return start, end
    return len(text), len(text)
