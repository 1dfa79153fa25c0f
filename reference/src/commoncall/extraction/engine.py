"""The extractor: one pass over the text, in chunks of any size (definitions "block", "wrapper",
"failed block").

Each method that begins with an underscore and yields is a parser of one thing, written as a
generator (see ``source``). What a block
is decided to be goes to the output; what it is not goes there as text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from commoncall.extraction.call_value import RefusedError, read_call, read_message
from commoncall.extraction.code import CodeTracker, OpenFence
from commoncall.extraction.dialects import HARMONY_PSEUDO
from commoncall.extraction.markers import REASONING_CLOSER, RESERVED_CLOSERS, Tag, reader_of
from commoncall.extraction.output import Call, Event, Extraction, Output
from commoncall.extraction.payload_scanner import PayloadScanner, State, repaired
from commoncall.extraction.source import Parse, Source
from commoncall.extraction.wrappers import Wrappers
from commoncall.json_text import BLANKS

_SPACE_RUN = re.compile(r"[ \t\n\r]*")
_LINE_BLANK_RUN = re.compile(f"[{re.escape(BLANKS.replace(chr(10), ''))}]*")
_FENCE_RUN = {"`": re.compile("`*"), "~": re.compile("~*")}
_UP_TO_TAG = re.compile("[^<]*")
_UP_TO_TAG_OR_LINE_END = re.compile("[^<\n]*")
_FENCE_LENGTH = 3


@dataclass(slots=True)
class _Block:
    """A block that is being read: its opener, and all its characters so far."""

    dialect: str
    start: int
    pieces: list[str]


@dataclass(slots=True)
class _Pending:
    """A block whose fate the following text decides: its own closer rejects all of it.

    Anything else makes it text, or, when ``end`` is set, rejects it up to there.
    """

    block: _Block
    code: str
    end: int | None
    blank_lines: int
    fence: OpenFence
    held: list[str]


class Extractor:
    """Finds the calls in a text that arrives in chunks.

    Feed chunks, then finish; each gives the events that it decided. ``result`` is there after
    ``finish``.
    """

    def __init__(
        self,
        *,
        dialects: Sequence[str],
        opaque_fences: bool,
        starts_in_reasoning: bool,
        new_id: Callable[[], str],
    ) -> None:
        self._source = Source()
        self._code = CodeTracker(opaque_fences=opaque_fences)
        self._markers = reader_of(dialects)
        self._new_id = new_id
        self._output = Output()
        self._wrappers = Wrappers(self._output)
        self._pending: _Pending | None = None
        self._chunks: list[str] = []
        self._parse = self._document(starts_in_reasoning)

    def feed(self, chunk: str) -> list[Event]:
        """Read a chunk."""
        self._chunks.append(chunk)
        self._source.feed(chunk)
        next(self._parse)
        return self._output.take_events()

    def finish(self) -> list[Event]:
        """End the text."""
        self._source.end()
        for _ in self._parse:
            raise AssertionError("the parser wants text behind the end")
        self._code.finish()
        self._output.finish()
        return self._output.take_events()

    @property
    def calls(self) -> Sequence[Call]:
        """The calls so far; an event names one by its place here."""
        return self._output.calls

    def result(self) -> Extraction:
        """Return the result. Call ``finish`` before."""
        return self._output.result("".join(self._chunks), self._code.spans)

    # Prose

    def _document(self, starts_in_reasoning: bool) -> Parse:
        if starts_in_reasoning and (yield from self._source.peek()):
            yield from self._reasoning(self._source.offset, "")
        while marker := (yield from self._next_marker()):
            if self._pending and (yield from self._ends_pending(self._pending, marker)):
                continue
            if marker.kind == "closer":
                self._text(marker.raw)
            elif marker.kind == "reasoning":
                yield from self._reasoning(marker.start, marker.raw)
            else:
                yield from self._blocks(marker)
        if self._pending:
            self._release(self._pending)

    def _ends_pending(self, pending: _Pending, marker: Tag) -> Generator[None, None, bool]:
        """Decide about a pending block by the marker behind it (EXT-045, EXT-048).

        Returns whether the marker belongs to the block.
        """
        self._pending = None
        if marker.kind == "foreign":
            self._source.unread(marker.raw)
            self._code.open_fence = pending.fence
            pending.block.pieces += pending.held
            yield from self._failed(pending.block)
        elif marker.is_closer(pending.block.dialect):
            self._code.skip(marker.raw)
            self._code.open_fence = pending.fence
            self._reject(pending.block, marker.end, [pending.code])
        else:
            self._release(pending)
            return False
        yield from self._blocks((yield from self._between_blocks()))
        return True

    def _next_marker(self) -> Generator[None, None, Tag | None]:
        """Read text up to the next marker outside code; None at the end (EXT-010, EXT-034)."""
        while character := (yield from self._source.peek()):
            if character != "<":
                self._text(self._source.take_some(_UP_TO_TAG))
                continue
            hidden = self._code.hides()
            foreign = self._pending is not None and self._pending.end is None and not hidden
            found = yield from self._markers.read(self._source, foreign=foreign)
            if found.kind != "none":
                if not hidden:
                    return found
                self._code.note_marker()
            self._text(found.raw)
        return None

    def _text(self, text: str) -> None:
        self._code.feed(text)
        if self._pending is None:
            self._output.text(text)
            return
        self._pending.held.append(text)
        if self._code.blank_lines > self._pending.blank_lines:
            pending, self._pending = self._pending, None
            self._release(pending)

    def _release(self, pending: _Pending) -> None:
        """No closer came for a pending block (EXT-046, EXT-048)."""
        if pending.end is None:
            self._wrappers.block_is_text()
            self._output.text("".join(pending.block.pieces))
        else:
            self._wrappers.block_counts()
            self._output.rejected(
                pending.block.start, pending.end, pending.block.dialect, [pending.code]
            )
        self._wrappers.end()
        self._output.text("".join(pending.held))

    def _reasoning(self, start: int, opener: str) -> Parse:
        """Read reasoning to its first closing tag (EXT-020 to EXT-024, EXT-026)."""
        self._code.skip(opener)
        self._output.reasoning_begins()
        while character := (yield from self._source.peek()):
            if character == "<":
                found = yield from REASONING_CLOSER.read(self._source)
                self._code.skip(found.raw)
                if found.kind == "closer":
                    self._output.reasoning_ends(start, found.end, unclosed=False)
                    return
                self._output.reasoning(found.raw)
            else:
                text = self._source.take_some(_UP_TO_TAG)
                self._code.skip(text)
                self._output.reasoning(text)
        self._output.reasoning_ends(start, self._source.offset, unclosed=True)

    # Blocks

    def _blocks(self, opener: Tag | None) -> Parse:
        """Read a block, and what follows it as long as that is a further block."""
        while opener:
            read = self._reserved if opener.kind == "reserved" else self._block
            opener = yield from read(opener)

    def _reserved(self, opener: Tag) -> Generator[None, None, Tag | None]:
        """Read a message that is addressed, up to its end; none of it is shown (EXT-103)."""
        block = _Block(opener.name, opener.start, [opener.raw])
        while character := (yield from self._source.peek()):
            if character != "<":
                block.pieces.append(self._source.take_some(_UP_TO_TAG))
                continue
            found = yield from RESERVED_CLOSERS.read(self._source)
            block.pieces.append(found.raw)
            if found.kind == "closer":
                break
        self._skip_and_reject(block, ["reserved_header"])
        return (yield from self._between_blocks())

    def _block(self, opener: Tag) -> Generator[None, None, Tag | None]:
        """Read from behind an opener; return an opener that follows at once, as a further block
        or inside this one.
        """
        space = yield from self._source.take_run(_SPACE_RUN)
        block = _Block(opener.name, opener.start, [opener.raw, space])
        character = yield from self._source.peek()
        if not character:
            self._skip_and_reject(block, ["truncated"])
            return None
        if character in "{[":
            return (yield from self._payload(block, fence=""))
        if character in _FENCE_RUN:
            fence = yield from self._opening_fence(block)
            if fence:
                return (yield from self._payload(block, fence=fence))
        elif character == "<":
            found = yield from self._markers.read(self._source)
            if found.is_closer(block.dialect):
                block.pieces.append(found.raw)
                self._skip_and_reject(block, ["empty"])
                return (yield from self._between_blocks())
            if found.opens:
                self._code.skip(opener.raw + space)
                self._wrappers.open(opener, space)
                return found
            self._source.unread(found.raw)
            if not space and found.kind == "none":
                return (yield from self._fail(block))
        if "\n" in space or (not space and _begins_foreign_payload(character)):
            return (yield from self._fail(block))
        self._suspend(block, "not_json", None)
        return None

    def _suspend(self, block: _Block, code: str, end: int | None) -> None:
        """Let the text that follows decide about the block."""
        self._code.skip("".join(block.pieces))
        self._pending = _Pending(
            block, code, end, self._code.blank_lines, self._code.open_fence, []
        )

    def _opening_fence(self, block: _Block) -> Generator[None, None, str]:
        """Read a code fence before a payload; return its run, or nothing (EXT-051)."""
        character = yield from self._source.peek()
        run = yield from self._source.take_run(_FENCE_RUN[character])
        info = ""
        while (character := (yield from self._source.peek())) and "json".startswith(
            info + character
        ):
            info += self._source.take(1)
        space = yield from self._source.take_run(_SPACE_RUN)
        character = yield from self._source.peek()
        if len(run) >= _FENCE_LENGTH and info in ("", "json") and character in ("{", "["):
            block.pieces.append(run + info + space)
            return run
        self._source.unread(run + info + space)
        return ""

    def _payload(self, block: _Block, fence: str) -> Generator[None, None, Tag | None]:
        """Read a payload to its end, which its JSON says and no marker (EXT-040, EXT-042)."""
        scanner = PayloadScanner()
        payload: list[str] = []
        while (yield from self._source.peek()):
            text, at = self._source.window()
            payload.append(self._source.take(scanner.scan(text, at) - at))
            text, at = self._source.window()
            if at < len(text):
                break
        source = "".join(payload)
        if scanner.state is State.FAILED:
            block.pieces.append(source)
            return (yield from self._fail(block))
        if not scanner.complete:
            block.pieces.append(source)
            self._skip_and_reject(block, ["truncated"])
            return None
        self._source.unread(source[scanner.end :])
        source = source[: scanner.end]
        block.pieces.append(source)
        if fence:
            yield from self._closing_fence(block, fence)
        return (yield from self._behind_payload(block, source, scanner, fenced=bool(fence)))

    def _closing_fence(self, block: _Block, fence: str) -> Parse:
        space = yield from self._source.take_run(_SPACE_RUN)
        run = yield from self._source.take_run(_FENCE_RUN[fence[0]])
        if run.startswith(fence):
            block.pieces.append(space + run)
        else:
            self._source.unread(space + run)

    def _behind_payload(
        self, block: _Block, source: str, scanner: PayloadScanner, *, fenced: bool
    ) -> Generator[None, None, Tag | None]:
        """Decide about a block whose payload is complete (EXT-041, EXT-048, EXT-055)."""
        end = self._source.offset
        space = yield from self._source.take_run(_SPACE_RUN)
        character = yield from self._source.peek()
        found = Tag("none", "", "", self._source.offset)
        if character == "<":
            found = yield from self._markers.read(self._source)
        if found.is_closer(block.dialect):
            block.pieces.append(space + found.raw)
            self._accept(block, source, scanner, fenced=fenced, closed=True)
            return (yield from self._between_blocks())
        if character and character in ',}]:"':
            block.pieces.append(space)
            return (yield from self._fail(block))
        self._source.unread(space + found.raw)
        if found.opens or self._wrappers.closes(found) or not character:
            self._accept(block, source, scanner, fenced=fenced, closed=False)
            return (yield from self._between_blocks(always=True))
        self._suspend(block, "trailing_text", end)
        return None

    def _accept(
        self, block: _Block, source: str, scanner: PayloadScanner, *, fenced: bool, closed: bool
    ) -> None:
        """Read the values of a complete payload: a block with a call is one, a block without is
        rejected (EXT-006, EXT-047, EXT-074, EXT-075, EXT-077, EXT-081, EXT-101).
        """
        self._wrappers.block_counts()
        raw = "".join(block.pieces)
        self._code.skip(raw)
        empty_arrays = list(reversed(scanner.empty_arrays))
        codes: list[str] = []
        calls = 0
        message = block.dialect == HARMONY_PSEUDO
        if message and not scanner.is_one_object:
            self._output.rejected(
                block.start, block.start + len(raw), block.dialect, ["not_a_call"]
            )
            return
        for position, value in enumerate(scanner.values):
            while empty_arrays and empty_arrays[-1] == position:
                codes.append("empty")
                empty_arrays.pop()
            try:
                if not value.is_object:
                    raise RefusedError("not_a_call")
                text = repaired(source, value.start, value.end, scanner.edits)
                found = read_message(text) if message else read_call(text)
            except RefusedError as refused:
                codes.append(refused.code)
                continue
            calls += 1
            if found.note:
                codes.append(found.note)
            self._output.call(
                {
                    "id": self._new_id(),
                    "name": found.name,
                    "arguments": found.arguments,
                    "arguments_json": found.arguments_json,
                }
            )
        codes += ["empty"] * len(empty_arrays)
        if not calls:
            self._output.rejected(block.start, block.start + len(raw), block.dialect, codes)
            return
        self._output.block(block.start, block.start + len(raw), block.dialect, calls, codes)
        for edit in scanner.edits:
            self._output.repaired(edit.code)
        if fenced:
            self._output.repaired("code_fence")
        if not closed:
            self._output.repaired("missing_closer")

    def _skip_and_reject(self, block: _Block, codes: list[str]) -> None:
        self._code.skip("".join(block.pieces))
        self._reject(block, self._source.offset, codes)

    def _reject(self, block: _Block, end: int, codes: list[str]) -> None:
        self._wrappers.block_counts()
        self._output.rejected(block.start, end, block.dialect, codes)

    # Failed blocks

    def _fail(self, block: _Block) -> Generator[None, None, Tag | None]:
        """Read a failed block from its error on, and what follows it."""
        self._code.skip("".join(block.pieces))
        yield from self._failed(block)
        return (yield from self._between_blocks())

    def _failed(self, block: _Block) -> Parse:
        """Read a failed block from its error to the closer that balances it (EXT-043, EXT-044)."""
        missing = self._markers.count_openers(block.dialect, "".join(block.pieces))
        while character := (yield from self._source.peek()):
            if character == "<":
                raw, missing = yield from self._own_tag(block.dialect, missing)
                self._code.skip(raw)
                if not missing:
                    break
            elif character == "\n":
                line_end = self._source.offset
                space = self._source.take(1) + (yield from self._source.take_run(_LINE_BLANK_RUN))
                if (yield from self._source.peek()) == "\n":
                    self._source.unread(space)
                    self._reject(block, line_end, ["invalid_json"])
                    self._wrappers.end()
                    yield from self._muted(block.dialect, missing)
                    return
                self._code.skip(space)
            else:
                self._code.skip(self._source.take_some(_UP_TO_TAG_OR_LINE_END))
        self._reject(block, self._source.offset, ["invalid_json"])

    def _muted(self, dialect: str, missing: int) -> Parse:
        """Read the text behind the blank line of a failed block, in which no marker counts."""
        while character := (yield from self._source.peek()):
            start = self._source.offset
            if character == "<":
                raw, missing = yield from self._own_tag(dialect, missing)
            else:
                raw = self._source.take_some(_UP_TO_TAG)
            self._code.skip(raw)
            if not missing:
                self._output.rejected(start, self._source.offset, dialect, ["invalid_json"])
                return
            self._output.text(raw)

    def _own_tag(self, dialect: str, missing: int) -> Generator[None, None, tuple[str, int]]:
        """Read at a ``<`` of a failed block; return what was read and how many closers still miss.

        Only the closer that balances the block is read whole: any other tag is plain text.
        """
        found = yield from self._markers.read(self._source)
        if found.name == dialect:
            missing += {"opener": 1, "closer": -1}.get(found.kind, 0)
        if missing:
            self._source.unread(found.raw[1:])
            return found.raw[0], missing
        return found.raw, missing

    # Wrappers

    def _between_blocks(self, *, always: bool = False) -> Generator[None, None, Tag | None]:
        """Read the white space and closers behind a block; return the opener of a further block.

        Without an open wrapper nothing is read, unless ``always``, where an opener or a closer is
        known to follow.
        """
        while self._wrappers or always:
            space = yield from self._source.take_run(_SPACE_RUN)
            self._code.feed(space)
            self._output.text(space)
            if (yield from self._source.peek()) == "<":
                found = yield from self._markers.read(self._source)
                if found.opens:
                    return found
                if self._wrappers.closes(found):
                    self._code.skip(found.raw)
                    self._wrappers.close(found)
                    always = False
                    continue
                self._source.unread(found.raw)
            self._wrappers.end()
            return None
        return None


def _begins_foreign_payload(character: str) -> bool:
    """Tell whether this, directly behind an opener, is the begin of a payload that is no JSON
    object or array.
    """
    return character in "\"'" or unicodedata.category(character)[0] in "LN"
