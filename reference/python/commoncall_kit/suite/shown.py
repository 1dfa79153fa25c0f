"""What a stream has to have shown after each chunk (EXT-115).

Of the text that stands outside blocks and reasoning, as the segments of the result say. What may
wait is what the requirement names: blanks, half a surrogate pair, what can still become a marker,
what stands behind an opener that is not decided or behind a payload, a run that may end a
payload, and all of a text that begins as a bare message does. Where a segment does not say whether
a marker counts, it may wait.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from commoncall import json_text
from commoncall.json_text import BLANKS, JSON_SPACE
from commoncall_kit.suite.markers import (
    INNER_BLANKS,
    Markers,
    are_known,
    behind_space,
    partner_behind,
)

FENCES: Final = ("`", "~")
QUOTED: Final = 40
"""So many characters of a text a message shows."""

_RUN = re.compile(rf"(?:`{{3,}}|~{{3,}})(?:json)?[{JSON_SPACE}]*")  # the begin of a payload
_BLANK_LINE = re.compile(rf"\n[{re.escape(BLANKS.replace(chr(10), ''))}]*+\n")
_BEGIN = re.compile(r"[ \t>+*.)0-9-]*")  # of a line: containers, or what looks like them
# What a blank line does not end: containers, and HTML with an end of its own.
_CONTAINER = re.compile(
    r"^[ \t]*(?:[>+*-]|[0-9]+[.)]|<(?:[!?]|pre|script|style|textarea))",
    re.MULTILINE | re.IGNORECASE,
)
_TAB_WIDTH: Final = 4
_CODE_INDENT: Final = 4
_QUOTED_LINE: Final = re.compile(r"[ \t]*>")
_UNSURE_ENDS: Final = (["trailing_text"], ["payload_too_large"])
"""Codes of blocks whose end the prose behind their payload can decide."""


class _Place(NamedTuple):
    """A character that is shown: where it stands, and until how much of the text is read it may
    wait for what the block before it needs.
    """

    at: int
    character: str
    wait: int


def held_back(
    given: Mapping[str, Any], emitted: Sequence[Any], result: Mapping[str, Any]
) -> str | None:
    """Say after how many code points a stream holds back text that it has to show, or nothing.

    Args:
        given: the input of the stream.
        emitted: what it emitted for each chunk; the texts make up the content.
        result: its inner result, with segments and a content.
    """
    if not are_known(given):
        return None
    chunks = list(whole_pairs(given["chunks"]))
    text = Text(given, result["segments"])
    places = text.places()
    shown = "".join(place.character for place in places)
    lead = len(shown) - len(shown.lstrip(BLANKS))
    if result["content"].startswith(shown[:lead]):
        lead = 0
    decided: dict[int, int] = {}  # by the place of an opener that is text
    read = length = 0
    known = visible = first = 0  # of `places`: what is read, its last visible end, what is held
    for chunk, events in zip(chunks, emitted, strict=False):
        read += len(chunk)
        if events:
            length += sum(len(event["text"]) for event in events if "text" in event)
        while known < len(places) and places[known].at < read:
            known += 1
            visible = visible if places[known - 1].character in BLANKS else known
        first = max(first, lead + length)
        while first < visible and places[first].character in BLANKS:
            first += 1
        if first >= visible or read <= places[first].wait:
            continue
        at = places[first].at
        if at not in decided:
            decided[at] = text.decided(at)
        if read >= decided[at] and not text.may_wait(at, read):
            held = "".join(place.character for place in places[first:visible])
            return (
                f"EXT-115: {_quoted(held)} is held back after {read} code points, "
                f"when the chunk {_quoted(chunk)} has come"
            )
    return None


def _columns(blanks: str) -> int:
    """Return how many columns the blanks of a text take, or more."""
    return blanks.count(" ") + blanks.count("\t") * _TAB_WIDTH


def whole_pairs(chunks: Iterable[str]) -> Iterator[str]:
    """Return the chunks with each half of a surrogate pair in the chunk that completes it."""
    half = ""
    for chunk in chunks:
        text, half = json_text.whole_pairs(half + chunk)
        yield text
    if half:
        yield half


def _quoted(text: str) -> str:
    return json.dumps(text if len(text) <= QUOTED else f"{text[:QUOTED]}...")


class Text:
    """A text, with what its segments say of it."""

    def __init__(self, given: Mapping[str, Any], segments: Sequence[Mapping[str, Any]]) -> None:
        self.whole = "".join(whole_pairs(given["chunks"]))
        self._fences = given.get("fences", "opaque")
        self._markers = Markers(given)
        self._segments: list[tuple[int, int, Mapping[str, Any]]] = []
        at = 0
        for segment in segments:
            end = at + len(segment["text"])
            self._segments.append((at, end, segment))
            at = end
        self._code = [range(at, end) for at, end, each in self._segments if each["kind"] == "code"]
        self._behind_removed = {
            end for _, end, each in self._segments if each["kind"] not in ("text", "code")
        }

    def places(self) -> list[_Place]:
        """Return each character that is shown."""
        places = self._places()
        visible = next((each for each in places if each.character not in JSON_SPACE), None)
        if self._markers.may_be_bare and visible and visible.character in "{[":
            return [each._replace(wait=len(self.whole)) for each in places]
        return places

    def _places(self) -> list[_Place]:
        places: list[_Place] = []
        wait = 0
        for at, end, segment in self._segments:
            if segment["kind"] in ("text", "code"):
                places += [_Place(place, self.whole[place], wait) for place in range(at, end)]
            elif segment["kind"] == "reasoning":
                wait = end
            else:
                unsure = max(self._unsure_end(end, segment), self._end_of_left(at, end))
                wait = max(self._run_end(end), unsure - 1)
        return places

    def _unsure_end(self, end: int, segment: Mapping[str, Any]) -> int:
        """Return how much is read when the end of a block is known, 0 where that is its closer."""
        is_unsure = segment.get("codes") in _UNSURE_ENDS and self.whole[end - 1] != ">"
        return self._end_of_prose(end) if is_unsure else 0

    def _end_of_left(self, at: int, end: int) -> int:
        """Return how much is read when an opener that is a control token is known to be left, 0
        where something else was removed (EXT-204).
        """
        opener = self._markers.at(self.whole, at) if self._markers.are_control else None
        if opener is None or not opener.opens or opener.end != end:
            return 0
        return max(self._end_of_no_payload(end), self._end_of_prose(end))

    def may_wait(self, at: int, read: int) -> bool:
        """Tell whether what stands from a place on, as far as it is read, may be the begin of a
        marker; the header that begins a text can begin with a blank, which is not judged alone.
        """
        may_become, whole = self._markers.may_become, self.whole
        return may_become(whole[at:read], is_first=False) or (
            not whole[:at].strip(BLANKS) and may_become(whole[:read], is_first=True)
        )

    def decided(self, at: int) -> int:
        """Return how much is read when an opener at a place, which is text, is known to be text; 0
        where there is none.
        """
        marker = self._markers.at(self.whole, at)
        if marker is None or self._is_code(at):
            return 0
        if not marker.opens:  # a token, perhaps
            return self._end_of_marked(at)
        if self._is_indented(at) or self._is_on_quoted_line(at):
            return 0
        end = marker.end
        while inner := self._markers.at(self.whole, behind_space(self.whole, end)):
            if not inner.opens:
                break
            end = inner.end
            if self._is_indented(inner.start):
                return end
        return max(
            self._end_of_no_payload(end),
            self._end_of_prose(end),
            self._end_of_marked(at),
            self._no_marker_behind(end),
        )

    def _is_on_quoted_line(self, at: int) -> bool:
        """Tell whether a place is on a line that `>` begins, for sure: nothing was removed before,
        and no tag can end there (definition "quotation").
        """
        start = self.whole.rfind("\n", 0, at) + 1
        is_sure = start == 0 or self.whole.endswith("\n\n", 0, start)
        is_sure = is_sure and not any(end <= at for end in self._behind_removed)
        return is_sure and _QUOTED_LINE.match(self.whole, start, at) is not None

    def _end_of_marked(self, at: int) -> int:
        """Return by when an opener behind a mark is known to begin marked text or none, 0 without
        a mark: behind the last partner in its segment that something could stand before.
        """
        partner = partner_behind(self.whole, at)
        if not partner:
            return 0
        last = next(end for begin, end, _ in self._segments if begin <= at < end)
        return self.whole.rfind(partner, at, last) + 1

    def unmarked(self, end: int) -> int:
        """Return how much is read when blocks behind a mark, which end at a place, are known to be
        no marked text.
        """
        at = behind_space(self.whole, end)
        last = next(each for _, begin, each in self._segments if begin == end)
        with_blank = end + 2 if self.whole[end : end + 1] in INNER_BLANKS else 0
        read = self._no_marker_behind(end)
        return max(read, with_blank, self.decided(at), self._unsure_end(end, last))

    def _no_marker_behind(self, end: int) -> int:
        """Return how much is read when what stands behind white space is known to be no marker, or
        a whole one.
        """
        at = behind_space(self.whole, end)
        read = at + 1
        while read <= len(self.whole) and self.may_wait(at, read):
            read += 1
        return read

    def _may_be_indented(self, at: int) -> bool:
        """Tell whether a place is on a line that can be an indented one, in containers too."""
        begin = _BEGIN.match(self.whole, self._line_start(at))
        assert begin
        return begin.end() <= at and _columns(begin[0]) >= _CODE_INDENT

    def _is_indented(self, at: int) -> bool:
        """Tell whether a place is on an indented line for sure: nothing that is removed, no fence
        that is no code and no container or HTML may begin before it.
        """
        start = self._line_start(at)
        before = self.whole[:start]
        is_plain = not _CONTAINER.search(before) and "\r" not in before
        if not is_plain or self._fences == "extract" or any(e <= at for e in self._behind_removed):
            return False
        for line in (self.whole[start : at + 1], *reversed(before.split("\n")[:-1])):
            visible = line.lstrip(" \t")
            if not visible:
                return True
            if _columns(line.removesuffix(visible)) < _CODE_INDENT:
                return False
        return True

    def _line_start(self, at: int) -> int:
        return max(self.whole.rfind("\n", 0, at), self.whole.rfind("\r", 0, at)) + 1

    def _run_end(self, at: int) -> int:
        """Return where a run ends that may end the payload in front of a place."""
        begin = end = behind_space(self.whole, at)
        while self.whole[end : end + 1] in FENCES and self.whole[end] == self.whole[begin]:
            end += 1
        return end

    def _end_of_no_payload(self, at: int) -> int:
        """Return how much is read when the run behind an opener is known to begin no payload."""
        run = _RUN.match(self.whole, behind_space(self.whole, at))
        if run is None:
            return 0
        opener = self._markers.at(self.whole, run.end())
        return opener.end if opener and self.whole[run.end()] in "{[" else run.end() + 1

    def _end_of_prose(self, at: int) -> int:
        """Return where a blank line ends, or the next marker outside code, whichever is first;
        where the text ends first, a place behind it (definitions "undecided opener", "behind the
        payload").
        """
        blank = _BLANK_LINE.search(self.whole, at)
        end = blank.end() if blank else len(self.whole) + 1
        while (marker := self._markers.find(self.whole, at)) and marker.start < end:
            if not self._may_be_code(marker.start):
                return marker.end
            at = marker.start + 1
        return end

    def _may_be_code(self, at: int) -> bool:
        """Tell whether a place is in code, or on a line that is indented or opens a fence, which no
        segment tells.
        """
        line = self.whole[self._line_start(at) : at]
        opens = self._fences == "extract" and any(each * 3 in line for each in FENCES)
        return opens or self._is_code(at) or self._may_be_indented(at)

    def _is_code(self, at: int) -> bool:
        return any(at in span for span in self._code)
