"""``extraction.extract``, read a second time from the text: slow, plain, and of the whole text.

The main loop reads prose. A block is decided from its opener on by looking ahead as far as needed,
which is why this takes quadratic time and knows no chunks. Nothing here comes from the package.
What a dialect looks like is read from its descriptor (EXT-116).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from tests.evidence.second_reading.bare import Bare, bare_message
from tests.evidence.second_reading.blocks import Block, chain_of, read_block
from tests.evidence.second_reading.call_payloads import read_call_payload
from tests.evidence.second_reading.call_values import Found, Refused, read_values, sendable
from tests.evidence.second_reading.characters import (
    BLANKS,
    JSON_WHITE_SPACE,
    is_blank,
    skip_json_white_space,
)
from tests.evidence.second_reading.code import Reader
from tests.evidence.second_reading.descriptors import Form, active_forms
from tests.evidence.second_reading.frames import frame_of
from tests.evidence.second_reading.literal_calls import Calls, read_each_call
from tests.evidence.second_reading.markdown import MUTE
from tests.evidence.second_reading.marked_text import marked_end
from tests.evidence.second_reading.markers import Marker, Markers, reasoning_close
from tests.evidence.second_reading.messages import message_end
from tests.evidence.second_reading.parameters import Parameters
from tests.evidence.second_reading.payload import Payload
from tests.evidence.second_reading.quotations import is_in_string, is_on_quoted_line
from tests.evidence.second_reading.quoted_object import NamedObject, read_one_call
from tests.evidence.second_reading.unreadable import error_type, is_unreadable, narrowed


class IdsExhausted(Exception):
    """The generator holds no further id (EXT-083)."""


def extract(
    text: str,
    *,
    effective: list[str] | None = None,
    observe: bool = False,
    labels: list[str] | None = None,
    native_calls: bool = False,
    dialects: list[str] | None = None,
    format: str | None = None,
    fences: str = "opaque",
    starts_in_reasoning: bool = False,
    tools: list[Any] | None = None,
    limits: dict[str, int] | None = None,
    ids: Iterable[str],
) -> dict[str, Any]:
    """Return the result of ``extraction.extract``, with its diagnostics.

    ``labels`` decide nothing here (EXT-167).

    Raises:
        IdsExhausted: when there are more calls than ids.
    """
    frame = frame_of(format)
    active = active_forms(frame.dialects if dialects is None else dialects)
    if not (effective or observe) or native_calls:  # EXT-003, EXT-004, EXT-167
        active = []
    bare = [form for form in active if form.is_bare]
    marked = [form for form in active if not form.is_bare]
    markers = Markers(text, marked, frame, starts_in_reasoning=starts_in_reasoning)
    code = Reader(markers, extract=fences == "extract")
    payload_bytes = limits["payload_bytes"] if limits else None
    reading = Reading(markers, code, tools or [], payload_bytes, iter(ids))
    reading.bare, reading.effective = bare, None if observe else effective
    reading.read(starts_in_reasoning=starts_in_reasoning)
    return reading.result()


class Reading:
    """One text, the segments found in it so far, and the calls."""

    def __init__(
        self,
        markers: Markers,
        code: Reader,
        tools: list[Any],
        payload_bytes: int | None,
        ids: Iterator[str],
    ) -> None:
        self.text = markers.text
        self.markers = markers
        self.code = code
        self.tools = tools
        self.payload_bytes = payload_bytes
        self.ids = ids
        self.bare: list[Form] = []
        self.marked: list[tuple[int, int]] = []  # marked texts
        self.has_opened = False  # an opener that is in no quotation has come
        self.effective: list[str] | None = None
        self.wrappers: list[Form] = []
        self.pieces: list[tuple[int, int, dict[str, Any]]] = []
        self.reasonings: list[str] = []
        self.calls: list[dict[str, Any]] = []
        self.unreadable: list[dict[str, Any]] = []
        self.removed = 0
        self.matched: list[str] = []
        self.repairs: Counter[str] = Counter()

    # The text, from the front to the back.

    def read(self, *, starts_in_reasoning: bool) -> None:
        """Read the whole text as prose, with its code, reasoning and blocks."""
        at = 0
        if starts_in_reasoning and self.text:
            at = self.first_reasoning()
            self.code.skip(0, at)
        while at < len(self.text):
            if self.bare and self.is_begin(at):
                found = bare_message(self.markers, at, self.bare, self.effective)
                if found is not None:
                    self.take_bare(found)
                    self.code.skip(found.start, found.end)
                    at = found.end
                    continue
            marker = self.markers.at(at)
            at = at + 1 if marker is None else self.marker(marker)
        for code in self.code.codes():
            self.piece("code", code.start, code.end)
        self.pieces.sort(key=lambda piece: piece[0])

    def marker(self, marker: Marker) -> int:
        """Read a marker, and return where prose goes on."""
        start, end = marker.start, marker.end
        if self.code.hides(start):
            self.code.ignore(start, end, opens=marker.kind == "opener")
            return end
        if marker.kind == "closer" and not marker.of_message:  # EXT-012
            return end
        if marker.kind in ("opener", "closer", "token"):
            return self.opener_or_token(marker)
        if marker.kind == "dropped":
            end = self.drop(marker)
        elif marker.of_message is not None:
            bound = message_end(self.text, end, marker.of_message)
            end = self.reasoning_to(start, end, bound)
        else:
            assert marker.close is not None
            end = self.reasoning(start, end, marker.close)
        self.code.skip(start, end)
        return end

    def opener_or_token(self, marker: Marker) -> int:
        """Take what an opener or a token begins, and return its end."""
        start, end = marker.start, marker.end
        is_quoted = self.is_quoted(start)
        marked = None if is_quoted else marked_end(self.markers, marker, self.code)
        if marked is not None:  # EXT-201
            self.has_opened = True
            self.marked.append((start, marked))
            self.code.skip(start, marked)
            return marked
        if marker.kind != "opener":  # EXT-178; or the end of a message, which closes no block
            self.piece("token", start, end)
            self.code.skip(start, end)
            return end
        if is_quoted:  # EXT-200
            self.code.add(end, self.text[start:end].replace("`", MUTE))
            return end
        self.has_opened = True
        return self.blocks(marker)

    def is_begin(self, at: int) -> bool:
        """Tell whether nothing but reasoning, tokens and white space stands before a place, and one
        of these, or nothing, directly before it (bare message).
        """
        behind = 0
        for start, end, segment in self.pieces:
            if self.text[behind:start].strip(" \t\n\r"):
                return False
            if segment["kind"] not in ("reasoning", "token"):
                return False
            behind = end
        return behind == at

    def is_quoted(self, at: int) -> bool:
        """Tell whether an opener stands in a quotation other than marked text (quotation)."""
        removed = [(s, e) for s, e, segment in self.pieces if segment["kind"] != "code"]
        is_on_line = is_on_quoted_line(self.markers, at, removed + self.marked)
        if self.code.in_comment or is_on_line:
            return True
        begin, text = 0, ""  # what stands before the place and is no token
        for start, end, segment in self.pieces:
            if segment["kind"] == "code":
                continue
            text += self.text[begin:start]
            if text.strip(JSON_WHITE_SPACE) and segment["kind"] != "token":
                return False
            begin = end
        text += self.text[begin:at]
        return not self.has_opened and is_in_string(text.lstrip(JSON_WHITE_SPACE))

    def take_bare(self, found: Bare) -> None:
        """Keep a bare message with its calls (EXT-189)."""
        self.matched.append(found.dialect)
        codes = []
        for call in found.calls:
            self.call(call)
            codes += [] if sendable(call.name) else ["name_not_sendable"]
        more = {"dialect": found.dialect, "calls": len(found.calls)}
        self.piece("call", found.start, found.end, codes=codes, **more)

    def drop(self, header: Marker) -> int:
        """Take a dropped message, and return its end (message, EXT-166)."""
        assert header.of_message is not None
        _, end = message_end(self.text, header.end, header.of_message)
        self.piece("message", header.start, end)
        self.removed += 1
        return end

    def first_reasoning(self) -> int:
        """Take the reasoning in which the text starts, and return its end (reasoning)."""
        others, messages = self.markers.frame.reasoning, self.markers.messages
        if others:
            return self.reasoning(0, 0, others[0]["close"])
        assert messages is not None
        return self.reasoning_to(0, 0, message_end(self.text, 0, messages.form))

    def reasoning(self, start: int, inner: int, closer: dict[str, Any]) -> int:
        """Take reasoning, which begins behind its opener, and return its end (reasoning)."""
        return self.reasoning_to(start, inner, reasoning_close(self.text, inner, closer))

    def reasoning_to(self, start: int, inner: int, closer: tuple[int, int]) -> int:
        """Take reasoning up to the place of its closer, and return the end of that."""
        close, end = closer
        self.reasonings.append(self.text[inner:close])
        self.piece("reasoning", start, end, codes=[] if close < end else ["unclosed"])
        return end

    def piece(
        self, kind: str, start: int, end: int, *, codes: list[str] | None = None, **more: Any
    ) -> None:
        segment = {"kind": kind, "text": self.text[start:end], **more}
        if codes:
            segment["codes"] = codes
        if end > start:
            self.pieces.append((start, end, segment))

    # Blocks, and the wrappers around them.

    def blocks(self, opener: Marker) -> int:
        """Take the block of an opener and those of its wrapper; return where prose goes on."""
        at = opener.start
        end = opener.end
        self.wrappers = []
        while (marker := self.markers.at(at)) is not None and not self.code.hides(at):
            if marker.kind == "opener":
                chain = chain_of(self.markers, marker, self.code)
                before = [*self.wrappers, *(outer.form for outer in chain[:-1])]
                for outer in chain[:-1]:
                    self.code.skip(outer.start, outer.end)
                block = read_block(self.markers, chain[-1], before, self.code)
                last = chain[-1].end if block is None else (block.resume or block.end)
                if block and block.code == "trailing_text" and block.inner_end == block.end:
                    self.code.skip(chain[-1].start, chain[-1].end)
                    self.code.skip(chain[-1].end, last, whole=False)
                self.code.skip(chain[-1].start, last)
                if block is None:  # EXT-046
                    return chain[-1].end
                self.take(chain, narrowed(self.text, chain[-1], block, self.payload_bytes))
                self.wrappers = before
                end = block.end
                if block.resume is not None:
                    return block.resume
            elif any(map(marker.closes, self.wrappers)):
                closed = self.wrappers.pop()
                while not marker.closes(closed):
                    closed = self.wrappers.pop()
                self.piece("call", at, marker.end, dialect=closed.dialect, calls=0)
                self.code.skip(at, marker.end)
                end = marker.end
            else:
                break
            if not self.wrappers:
                break
            at = skip_json_white_space(self.text, end)
        return end

    def take(self, chain: list[Marker], block: Block) -> None:
        """Keep the segments of a block and of the openers of its wrappers."""
        for opener in chain:
            if opener.form.dialect not in self.matched:  # EXT-090
                self.matched.append(opener.form.dialect)
        for wrapper in chain[:-1]:
            self.piece("call", wrapper.start, wrapper.end, dialect=wrapper.form.dialect, calls=0)
        opener = chain[-1]
        dialect = opener.form.dialect
        calls, unreadable = len(self.calls), len(self.unreadable)
        codes: list[str] = []  # EXT-093
        for read in self.read_payload(opener, block):
            if isinstance(read, Found):
                self.call(read)
                codes += [] if sendable(read.name) else ["name_not_sendable"]  # EXT-064
                continue
            codes.append(read.code)
            if is_unreadable(opener, block, read):
                lost = {"before": len(self.calls), "name": read.name}
                self.unreadable.append({**lost, "error_type": error_type(read)})
        if len(self.calls) > calls:
            if isinstance(block.payload, Payload):
                self.repairs.update(block.payload.repairs)  # EXT-091
            more = {"dialect": dialect, "calls": len(self.calls) - calls}
            self.piece("call", opener.start, block.end, codes=codes, **more)
            return
        if len(self.unreadable) == unreadable:  # EXT-166
            self.removed += 1
        self.piece("rejected", opener.start, block.end, codes=codes, dialect=dialect)

    def call(self, found: Found) -> None:
        """Keep a call with its id (EXT-080, EXT-081)."""
        identifier = next(self.ids, None)
        if identifier is None:
            raise IdsExhausted
        self.calls.append({"id": identifier, **found._asdict()})

    def read_payload(self, opener: Marker, block: Block) -> list[Found | Refused]:
        """Return what a block holds, in order, or what it is as a whole (payload scanner)."""
        payload = block.payload
        if payload is None:
            assert block.code is not None
            return [Refused(block.code)]
        if isinstance(payload, Parameters):
            return [read_call_payload(opener, payload, self.tools)]
        if isinstance(payload, Calls):
            return read_each_call(payload, opener.form, self.tools)
        if isinstance(payload, NamedObject):
            return [read_one_call(payload, opener.form, self.tools)]
        if opener.form.scanner == "json_arguments":
            return [read_call_payload(opener, payload.values, self.tools)]
        return read_values(payload.values, opener.form)

    # What is left when the text has been read.

    def result(self) -> dict[str, Any]:
        """Return content, reasoning, calls and diagnostics."""
        result: dict[str, Any] = {
            "content": self.content(),
            "reasoning": "\n".join(self.reasonings) if self.reasonings else None,  # EXT-023
            "tool_calls": self.calls,
        }
        if self.unreadable:  # EXT-165
            result["unreadable"] = self.unreadable
        if self.removed:  # EXT-166
            result["removed"] = self.removed
        result["matched"] = self.matched
        result["repairs"] = [{"code": c, "count": n} for c, n in sorted(self.repairs.items())]
        result["segments"] = self.segments()
        return result

    def segments(self) -> list[dict[str, Any]]:
        """Return all segments, with text between the pieces (segment, EXT-092)."""
        found: list[dict[str, Any]] = []
        behind = 0
        for start, end, segment in [*self.pieces, (len(self.text), len(self.text), None)]:
            if start > behind:
                found.append({"kind": "text", "text": self.text[behind:start]})
            if segment is not None:
                found.append(segment)
            behind = end
        return found

    def content(self) -> str | None:
        """Content, and EXT-087."""
        kept = ""
        removed_at = []  # places in the content where something was removed
        for segment in self.segments():
            if segment["kind"] in ("text", "code"):
                kept += segment["text"]
            else:
                removed_at.append(len(kept))
        if removed_at and is_blank(kept):
            return None
        if not removed_at:
            return kept
        blanks = "".join(map(chr, BLANKS))
        if removed_at[0] <= len(kept) - len(kept.lstrip(blanks)):
            first_trimmed = kept.lstrip(blanks)
        else:
            first_trimmed = kept
        if removed_at[-1] >= len(kept.rstrip(blanks)):
            return first_trimmed.rstrip(blanks)
        return first_trimmed
