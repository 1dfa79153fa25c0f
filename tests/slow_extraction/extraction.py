"""``extraction.extract``, read a second time from the text: slow, plain, and of the whole text.

The main loop reads prose. A block is decided from its opener on by looking ahead as far as needed,
which is why this takes quadratic time and knows no chunks. Nothing here comes from the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from tests.slow_extraction.call_payloads import read_call_payload
from tests.slow_extraction.call_values import Found, read_values
from tests.slow_extraction.characters import (
    BLANKS,
    ascii_lower,
    is_blank,
    is_letter_or_digit,
    line_start,
    next_blank_line,
    skip_json_white_space,
)
from tests.slow_extraction.code import Code, Reader
from tests.slow_extraction.descriptors import DEFAULT, Form, active_forms
from tests.slow_extraction.markers import Marker, marker_at, reasoning_close
from tests.slow_extraction.parameters import Parameters, parameters_begin, read_parameters
from tests.slow_extraction.payload import Failed, Payload, Truncated, payload_begin, read_payload

FOREIGN_TAGS = ("<function=", "<parameter", "<invoke", "<arg_key", "<arg_value")


class IdsExhausted(Exception):
    """The generator holds no further id (EXT-083)."""


@dataclass
class Block:
    """What became of the block that an opener begins.

    ``end`` is behind the block. Prose goes on there, but behind a failed block with a blank line it
    goes on at ``resume``: behind the balancing closer, which begins at ``closer``, or the text.
    """

    end: int
    codes: list[str]
    payload: Payload | Parameters | None = None
    resume: int | None = None
    closer: int | None = None


@dataclass(frozen=True)
class Stop:
    """Where prose that decides about a block ends, and why."""

    at: int
    why: str  # "marker", "foreign", "blank line or end"


def extract(
    text: str,
    *,
    effective: list[str],
    native_calls: bool = False,
    dialects: list[str] | None = None,
    fences: str = "opaque",
    starts_in_reasoning: bool = False,
    tools: list[Any] | None = None,
    ids: Iterable[str],
) -> dict[str, Any]:
    """Return the result of ``extraction.extract``, with its diagnostics.

    Raises:
        IdsExhausted: when there are more calls than ids.
    """
    active = active_forms(DEFAULT if dialects is None else dialects)
    if not effective or native_calls:  # EXT-003, EXT-004
        active = []
    code = Reader(text, extract=fences == "extract")
    oracle = Oracle(text, active, code, tools or [], iter(ids))
    oracle.read(starts_in_reasoning=starts_in_reasoning)
    return oracle.result()


class Oracle:
    """One text, the segments found in it so far, and the calls."""

    def __init__(
        self, text: str, active: list[Form], code: Reader, tools: list[Any], ids: Iterator[str]
    ) -> None:
        self.text = text
        self.active = active
        self.code = code
        self.tools = tools
        self.ids = ids
        self.markers: dict[int, Marker | None] = {}
        self.wrappers: list[Form] = []
        self.pieces: list[tuple[int, int, dict[str, Any]]] = []
        self.reasonings: list[str] = []
        self.calls: list[dict[str, Any]] = []
        self.matched: list[str] = []
        self.repairs: Counter[str] = Counter()

    # The text, from the front to the back.

    def read(self, *, starts_in_reasoning: bool) -> None:
        """Read the whole text as prose, with its code, reasoning and blocks."""
        at = 0
        if starts_in_reasoning and self.text:  # EXT-024
            at = self.reasoning(0, 0)
        while at < len(self.text):
            code = self.code.code_at(at)
            if code is not None:
                self.hide(code)
                at = code.end
                continue
            marker = self.marker(at)
            if marker is None or marker.kind == "closer":  # EXT-012
                at += 1
            elif marker.kind == "reasoning":
                at = self.reasoning(at, marker.end)
            else:
                at = self.blocks(marker)

    def marker(self, at: int) -> Marker | None:
        """Return the marker that stands at a place, which is looked for once."""
        if at not in self.markers:
            self.markers[at] = marker_at(self.text, at, self.active)
        return self.markers[at]

    def opens(self, at: int) -> bool:
        """Tell whether an opener stands at a place."""
        marker = self.marker(at)
        return marker is not None and marker.kind == "opener"

    def reasoning(self, start: int, inner: int) -> int:
        """Take reasoning, which begins behind its opener, and return its end (EXT-020)."""
        close, end = reasoning_close(self.text, inner)
        self.reasonings.append(self.text[inner:close])
        self.piece("reasoning", start, end, codes=[] if close < end else ["unclosed"])
        return end

    def hide(self, code: Code) -> None:
        """Keep code as a segment if a marker is ignored in it (segment)."""
        if any(self.marker(place) for place in range(code.start, code.end)):
            self.piece("code", code.start, code.end)

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
        at: int | None = opener.start
        since = opener.start
        end = opener.end
        self.wrappers = []
        while at is not None:
            marker = self.marker(at)
            if marker is not None and marker.kind == "opener":
                chain = self.chain(marker)
                before = [*self.wrappers, *(outer.form for outer in chain[:-1])]
                block = self.block(chain[-1], before, since)
                if block is None:  # EXT-046
                    return self.behind_text(chain[-1], since)
                self.take(chain, block)
                self.wrappers = before
                end = block.end
                if block.resume is not None:
                    return block.resume
            elif marker is not None and self.closes_one(marker, self.wrappers):
                closed = self.wrappers.pop()
                while not marker.closes(closed):
                    closed = self.wrappers.pop()
                self.piece("call", at, marker.end, dialect=closed.dialect, calls=0)
                end = marker.end
            else:
                return self.behind_wrapper(at)
            since = end
            at = skip_json_white_space(self.text, end) if self.wrappers else None
            if at == len(self.text):
                return at
        return end

    def closes_one(self, marker: Marker, wrappers: list[Form]) -> bool:
        """Tell whether a marker is the closer of an open wrapper."""
        return any(marker.closes(wrapper) for wrapper in wrappers)

    def chain(self, opener: Marker) -> list[Marker]:
        """Return an opener and the openers directly behind it (block, 2)."""
        chain = [opener]
        while not chain[-1].reserved:
            following = self.marker(skip_json_white_space(self.text, chain[-1].end))
            if following is None or following.kind != "opener":
                break
            chain.append(following)
        return chain

    def behind_wrapper(self, at: int) -> int:
        """Return where prose goes on when another character than white space ends the wrapper.

        Its line can be an indented one, although the first blanks stand in the wrapper.
        """
        start = line_start(self.text, at)
        if is_blank(self.text[start:at]):
            code = self.code.indented_line(start)
            if code is not None:
                self.hide(code)
                return code.end
        return at

    def behind_text(self, opener: Marker, since: int) -> int:
        """Return where prose goes on behind an undecided opener that is text."""
        code = self.line_of_opener(self.code, opener, since)
        if code is None:
            return opener.end
        if any(self.marker(place) for place in range(opener.end, code.end)):
            self.piece("code", code.start, code.end)
        return code.end

    def line_of_opener(self, code: Reader, opener: Marker, since: int) -> Code | None:
        """Read the lines that begin in openers that can still be text, or in the white space before
        them; return the indented line that goes on behind the last one (indented line).
        """
        line = None
        for start in range(since + 1, opener.end):
            if self.text[start - 1] == "\n":
                line = code.indented_line(start)
        return line

    def take(self, chain: list[Marker], block: Block) -> None:
        """Keep the segments of a block and of the openers of its wrappers."""
        for opener in chain:
            if opener.form.dialect not in self.matched:  # EXT-090
                self.matched.append(opener.form.dialect)
        for wrapper in chain[:-1]:
            self.piece("call", wrapper.start, wrapper.end, dialect=wrapper.form.dialect, calls=0)
        opener = chain[-1]
        dialect = opener.form.dialect
        calls, codes = self.calls_of(opener, block)
        for name, arguments, arguments_json in calls:
            identifier = next(self.ids, None)
            if identifier is None:
                raise IdsExhausted
            call = {"id": identifier, "name": name}
            self.calls.append({**call, "arguments": arguments, "arguments_json": arguments_json})
        if calls:
            if isinstance(block.payload, Payload):
                self.repairs.update(block.payload.repairs)  # EXT-091
            more = {"dialect": dialect, "calls": len(calls)}
            self.piece("call", opener.start, block.end, codes=codes, **more)
            return
        self.piece("rejected", opener.start, block.end, codes=codes, dialect=dialect)
        if block.closer is not None and block.resume is not None:
            self.piece("rejected", block.closer, block.resume, codes=codes, dialect=dialect)

    def calls_of(self, opener: Marker, block: Block) -> tuple[list[Found], list[str]]:
        """Return the calls of a block, and the codes of its segment (payload scanner)."""
        payload, form = block.payload, opener.form
        if payload is None or form.payload is None:
            return [], block.codes
        if isinstance(payload, Parameters):
            return read_call_payload(opener, payload, self.tools)
        if form.scanner == "json_arguments":
            return read_call_payload(opener, payload.values, self.tools)
        return read_values(payload.values, form.payload)

    def block(self, opener: Marker, wrappers: list[Form], since: int) -> Block | None:
        """Return what the block of an opener is, or None where the opener is text (block).

        ``since`` is where the openers before it begin, or the white space in a wrapper.
        """
        text = self.text
        if opener.reserved:
            return self.reserved_block(opener)
        at = skip_json_white_space(text, opener.end)
        marker = self.marker(at)
        if self.payload_begins(opener, at):  # 3, for 2 is the chain's
            if opener.form.is_read_as_parameters:
                return self.parameters_block(opener, at)
            return self.payload_block(opener, at, wrappers)
        if marker is not None and marker.closes(opener.form):
            return Block(marker.end, ["empty"])  # 1, which no payload but of parameters begins with
        if at == len(text):
            return Block(at, ["truncated"])  # 4
        if "\n" in text[opener.end : at]:
            return self.failed_block(opener, at)  # 5
        if at == opener.end and (
            is_letter_or_digit(text[at])
            or text[at] in "\"'"
            or (text[at] == "<" and marker is None)
        ):
            return self.failed_block(opener, at)  # 6
        return self.undecided(opener, since)  # 7

    def payload_begins(self, opener: Marker, at: int) -> bool:
        """Tell whether the payload of a block begins behind its opener and white space (block)."""
        if opener.form.payload is None:  # of a section
            return False
        if opener.form.is_read_as_parameters:
            return parameters_begin(self.text, opener.end, at, opener.form)
        return payload_begin(self.text, at, self.opens) is not None

    def parameters_block(self, opener: Marker, at: int) -> Block:
        """Read a payload of parameters, which ends with the own closer."""
        try:
            payload = read_parameters(self.text, at, opener.form)
        except Truncated:
            return Block(len(self.text), ["truncated"])
        except Failed as failed:
            return self.failed_block(opener, failed.at)
        return Block(payload.end, [], payload)

    def reserved_block(self, opener: Marker) -> Block:
        """EXT-103."""
        for at in range(opener.end, len(self.text)):
            for token in ("<|end|>", "<|call|>"):
                if self.text.startswith(token, at):
                    return Block(at + len(token), ["reserved_header"])
        return Block(len(self.text), ["reserved_header"])

    def payload_block(self, opener: Marker, at: int, wrappers: list[Form]) -> Block:
        """Read a payload and decide by what stands behind it (behind the payload)."""
        alone = opener.form.closer is None
        try:
            payload = read_payload(self.text, at, self.opens, alone=alone)
        except Truncated:
            return Block(len(self.text), ["truncated"])  # EXT-042
        except Failed as failed:
            return self.failed_block(opener, failed.at)
        if alone:  # EXT-130
            return Block(payload.end, [], payload)
        behind = skip_json_white_space(self.text, payload.end)
        marker = self.marker(behind)
        if marker is not None and marker.closes(opener.form):
            return Block(marker.end, [], payload)  # 1
        closes_wrapper = marker is not None and self.closes_one(marker, wrappers)
        if closes_wrapper or self.opens(behind) or behind == len(self.text):  # 2
            payload.repairs.append("missing_closer")
            return Block(payload.end, [], payload)
        if self.text[behind] in ',}]:"':  # 3
            return self.failed_block(opener, behind)
        stop = self.prose_stop(deepcopy(self.code), payload.end)  # 4
        marker = self.marker(stop.at) if stop.why == "marker" else None
        if marker is not None and marker.closes(opener.form):
            return Block(marker.end, ["trailing_text"])
        return Block(payload.end, ["trailing_text"])

    def undecided(self, opener: Marker, since: int) -> Block | None:
        """Decide about an undecided opener by the prose behind it."""
        code = deepcopy(self.code)
        line = self.line_of_opener(code, opener, since)
        stop = self.prose_stop(code, opener.end, line, FOREIGN_TAGS)
        if stop.why == "foreign":
            return self.failed_block(opener, stop.at)
        marker = self.marker(stop.at) if stop.why == "marker" else None
        if marker is not None and marker.closes(opener.form):
            return Block(marker.end, ["not_json"])  # EXT-045
        return None

    def failed_block(self, opener: Marker, error: int) -> Block:
        """Find the end of a block that fails (failed block)."""
        closer = self.balancing_closer(opener, error)
        blank = next_blank_line(self.text, error)
        last = len(self.text) if closer is None else closer.start
        if blank is not None and blank < last:
            if closer is None:
                return Block(blank - 1, ["invalid_json"], resume=len(self.text))
            start, end = closer.start, closer.end
            return Block(blank - 1, ["invalid_json"], resume=end, closer=start)
        return Block(len(self.text) if closer is None else closer.end, ["invalid_json"])

    def balancing_closer(self, opener: Marker, error: int) -> Marker | None:
        """Return the own closer at or behind the error that balances all own openers."""
        needed = 0
        for at in range(opener.start, len(self.text)):
            marker = self.marker(at)
            if marker is None or opener.form not in marker.owners or marker.reserved:
                continue
            if marker.kind == "opener":
                needed += 1
            elif at >= error:
                needed -= 1
                if needed == 0:
                    return marker
        return None

    def prose_stop(
        self, code: Reader, start: int, line: Code | None = None, foreign: tuple[str, ...] = ()
    ) -> Stop:
        """Read prose, with its code, up to what decides about a block; it may begin in an indented
        line.
        """
        blank = next_blank_line(self.text, start - 1)
        end = len(self.text) if blank is None else self.text.index("\n", blank) + 1
        at = line.end if line else start
        while at < end:
            hidden = code.code_at(at)
            if hidden is not None:
                at = hidden.end
                continue
            if self.marker(at) is not None:
                return Stop(at, "marker")
            if any(ascii_lower(self.text[at : at + len(tag)]) == tag for tag in foreign):
                return Stop(at, "foreign")
            at += 1
        return Stop(end, "blank line or end")

    # What is left when the text has been read.

    def result(self) -> dict[str, Any]:
        """Return content, reasoning, calls and diagnostics."""
        return {
            "content": self.content(),
            "reasoning": "\n".join(self.reasonings) if self.reasonings else None,  # EXT-023
            "tool_calls": self.calls,
            "matched": self.matched,
            "repairs": [{"code": c, "count": n} for c, n in sorted(self.repairs.items())],
            "segments": self.segments(),
        }

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
