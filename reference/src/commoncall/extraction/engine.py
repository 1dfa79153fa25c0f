"""The extractor: one pass over the text, in chunks of any size (definitions "block", "wrapper",
"failed block").

Each method that begins with an underscore and yields is a parser of one thing, written as a
generator (see ``source``). What a block is decided to be goes to the record and to the events.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from commoncall.extraction.call_value import (
    Call,
    RefusedError,
    read_arguments,
    read_call,
    with_note,
)
from commoncall.extraction.clean import CleanBlock
from commoncall.extraction.code import CodeTracker, OpenFence, is_line_prefix
from commoncall.extraction.dialects import HEADER_LENGTH, Dialect, name_in_header
from commoncall.extraction.events import Event, Events
from commoncall.extraction.language import REASONING_CLOSER, Language
from commoncall.extraction.markers import Marker, Markers
from commoncall.extraction.parameters import declared_types, read_parameters
from commoncall.extraction.payload_scanner import PayloadScanner, State, repaired
from commoncall.extraction.record import Extraction, Record, SegmentKind
from commoncall.extraction.source import MANY, Parse, Pieces, Source, Wait
from commoncall.extraction.wrappers import Wrappers
from commoncall.json_text import BLANKS

_SPACE_RUN = re.compile(r"[ \t\n\r]*")
_FENCE_RUN = {"`": re.compile("`*"), "~": re.compile("~*")}
_FENCE_LENGTH = 3
_NAME_RUN = re.compile(r"[^\n<]*")
_BLANKS = frozenset(BLANKS)
_SMALL = 100  # characters of a chunk that can wait
_LONGEST = 2048
"""No marker is as long as this, but for blanks before its ``>``."""


class _Block(NamedTuple):
    """A block that is being read: its dialect, the offset of its opener, and its header."""

    dialect: Dialect
    start: int
    header: str


class _Pending(NamedTuple):
    """A block whose fate the following text decides: its own closer rejects all of it.

    Anything else makes it text, or, when ``end`` is set, rejects it up to there. ``spans`` says how
    many spans of code were noted before it.
    """

    block: _Block
    code: str
    end: int | None
    blank_lines: int
    fence: OpenFence
    spans: int


class Extractor:
    """Finds the calls in a text that arrives in chunks.

    Feed chunks, then finish; each gives the events that it decided. With a record, ``result`` is
    there after ``finish``; without one, no text is held but that of an open block.
    """

    def __init__(
        self,
        *,
        language: Language,
        tools: Sequence[object],
        opaque_fences: bool,
        starts_in_reasoning: bool,
        new_id: Callable[[], str],
        record: Record | None,
        events: Events | None,
    ) -> None:
        self._source = Source()
        self._record = record
        self._events = events
        self._language = language
        self._code = CodeTracker(record.code if record else None, opaque_fences=opaque_fences)
        self._tools = tools
        self._new_id = new_id
        self._wrappers = Wrappers()
        self._pending: _Pending | None = None
        self._clean_from = 0  # before this offset no block is read as a clean one
        self._held = Pieces()
        self._passed: list[str] = []  # prose that the parser has not been given
        self._last, self._other_last = language.last
        self._parse = self._document(starts_in_reasoning)
        self._waits_for = next(self._parse)
        self._is_undecided = False  # the parser waits for a decision about a block
        self._flows_without = ""  # a chunk without this is shown; "" stands in every chunk
        self._tail = ""  # blanks behind what was shown, not given to the parser

    def feed(self, chunk: str) -> list[Event]:
        """Read a chunk.

        Most chunks are a few characters of prose or of a payload. What is done for one of them is
        dear beside its size, so this is written for them.
        """
        if self._record:
            self._record.chunks.append(chunk)
        if self._is_undecided:
            if self._last not in chunk and self._other_last not in chunk:
                small = self._held.small
                small.append(chunk)
                if len(small) == MANY:
                    self._held.join()
                return []
        elif chunk:
            if self._tail:
                chunk = self._tail + chunk
                self._tail = ""
            text = chunk if self._flows_without not in chunk else self._before_marker(chunk)
            if text:
                if text[-1] in _BLANKS:
                    text = text.rstrip(BLANKS)
                    self._tail = chunk[len(text) :]
                    if not text:
                        return [] if len(chunk) < _SMALL else self._read("")
                passed = self._passed
                passed.append(text)
                if len(passed) == MANY or len(text) > _SMALL:
                    self._catch_up()
                return [{"text": text}]
            if self._tail:
                return []
        return self._read(chunk)

    def _before_marker(self, chunk: str) -> str:
        """Return what of a chunk can be shown: all, or what stands before the begin of a marker
        that the chunk cuts off, which becomes the tail. Where the parser has to read the chunk
        there is neither.
        """
        if self._waits_for != "prose" or not self._flows():
            return ""
        match = self._language.markers.search(chunk, 0)
        if match is None:
            return chunk
        start = match.start()
        if match.lastgroup or len(chunk) - start > _SMALL:
            return ""
        self._tail = chunk[start:]
        return chunk[:start]

    def _flows(self) -> bool:
        return self._events is not None and self._events.flows

    def _read(self, chunk: str) -> list[Event]:
        """Give a chunk to the parser, unless it can wait for more."""
        if self._waits_for == "visible" and not chunk.strip(BLANKS):
            self._held.append(chunk)
            return []
        self._catch_up()
        if self._held:
            self._held.append(chunk)
            chunk = self._held.take()
        elif self._tail:
            chunk = self._tail + chunk
            self._tail = ""
        self._source.give(chunk)
        self._waits_for = wait = next(self._parse)
        self._is_undecided = wait == "decision"
        self._flows_without = self._language.first if wait == "prose" and self._flows() else ""
        return self._events.take() if self._events else []

    def _catch_up(self) -> None:
        """Move over prose that was shown already."""
        if not self._passed:
            return
        text = "".join(self._passed)
        self._passed.clear()
        self._source.base += len(text)
        self._code.add(text)

    def finish(self) -> list[Event]:
        """End the text."""
        self._catch_up()
        if self._held or self._tail:
            self._source.give(self._held.take() + self._tail)
            next(self._parse)
        self._source.end()
        for _ in self._parse:
            raise AssertionError("the parser wants text behind the end")
        self._code.finish()
        if not self._events:
            return []
        self._events.finish()
        return self._events.take()

    def result(self) -> Extraction:
        """Return the result. Call ``finish`` before."""
        assert self._record is not None
        return self._record.result()

    # Prose

    def _document(self, starts_in_reasoning: bool) -> Parse:
        source = self._source
        if starts_in_reasoning and (yield from source.peek()):
            yield from self._reasoning(source.offset)
        while marker := (yield from self._next_marker()):
            if self._pending and (yield from self._ends_pending(self._pending, marker)):
                continue
            if marker.kind == "closer":
                self._prose_to(marker.end)
            elif marker.kind == "reasoning":
                source.at = marker.end - source.base
                yield from self._reasoning(marker.start)
            else:
                yield from self._blocks(marker)
        if self._pending:
            self._release(self._pending)

    def _next_marker(self) -> Generator[Wait, None, Marker | None]:
        """Read text up to the next marker outside code, not further; None at the end (EXT-010,
        EXT-034).
        """
        source, language = self._source, self._language
        while True:
            undecided = self._pending is not None and self._pending.end is None
            markers = language.with_foreign if undecided else language.markers
            if self._pending:
                match = markers.search(source.text, source.at)
            else:
                match = self._clean_blocks()
            if match is None:
                self._prose_to(source.base + len(source.text))
                if not (yield from source.more(None if self._pending else "prose")):
                    return None
                continue
            marker = markers.read(match, source.base)
            if marker is None:
                self._prose_to(source.base + match.start() + 1)
                continue
            self._prose_to(marker.start)
            if undecided and not self._pending:
                continue  # a blank line came first, and other markers count behind it
            if marker.kind == "cut_off":
                if not (yield from self._cut_off(marker)):
                    self._prose_to(marker.end)
                    return None
            elif not self._code.hides():
                return marker
            else:
                if marker.kind != "foreign":
                    self._code.note_marker()
                self._prose_to(marker.end)

    def _cut_off(self, begin: Marker, wait: Wait = None) -> Generator[Wait, None, bool]:
        """Wait for more behind what may be the begin of a marker; False at the end."""
        if begin.end - begin.start > _LONGEST:
            wait = "visible"
        elif "\n" in self._source.text[begin.start - self._source.base :]:
            wait = None  # a blank line counts as soon as it is not in a marker
        return (yield from self._source.more(wait))

    def _prose_to(self, offset: int) -> None:
        """Move over text that is no marker."""
        source = self._source
        end = offset - source.base
        if end == source.at:
            return
        text = source.text[source.at : end]
        source.at = end
        self._code.add(text)
        pending = self._pending
        if pending is None:
            if self._events:
                self._events.text(text)
            return
        self._code.read()
        if self._code.blank_lines > pending.blank_lines:
            self._release(pending)

    def _skip(self, text: str | None = None) -> None:
        """Say that the cursor is behind what is no prose, or that may be none.

        The end of that is the end of the ``text``, by default what stands before the cursor.
        """
        source = self._source
        end = source.at if text is None else len(text)
        text = source.text if text is None else text
        self._code.skip_to(source.offset, in_prefix=is_line_prefix(text, end))

    def _show(self, text: str) -> None:
        if self._events and text:
            self._events.text(text)

    def _ends_pending(self, pending: _Pending, marker: Marker) -> Generator[Wait, None, bool]:
        """Decide about a pending block by the marker behind it (EXT-045, EXT-048).

        Returns whether the marker belongs to the block.
        """
        block = pending.block
        if marker.kind == "foreign":
            self._pending = None
            self._forget_code(pending)
            self._code.restore_fence(pending.fence)
            yield from self._failed(block)
        elif marker.is_closer(block.dialect.key):
            self._pending = None
            self._forget_code(pending)
            self._source.at = marker.end - self._source.base
            self._skip()
            self._code.restore_fence(pending.fence)
            self._reject(block, marker.end, pending.code)
        else:
            self._release(pending)
            return False
        self._source.release()
        yield from self._blocks((yield from self._between_blocks()))
        return True

    def _forget_code(self, pending: _Pending) -> None:
        """Say that what was code while a block was pending is in the block: its line may have begun
        before the block, and is no indented line now.
        """
        if self._record:
            del self._record.code[pending.spans :]

    def _release(self, pending: _Pending) -> None:
        """No closer came for a pending block (EXT-046, EXT-048)."""
        self._pending = None
        text, base = self._source.kept()
        block = pending.block
        if pending.end is None:
            for wrapper in self._wrappers.count():
                self._show(wrapper.text)
            shown = block.start
        else:
            self._reject(block, pending.end, pending.code)
            shown = pending.end
        self._wrappers.end()
        self._show(text[shown - base : self._source.offset - base])
        self._source.release()

    # Reasoning

    def _reasoning(self, start: int) -> Parse:
        """Read reasoning to its first closing tag (EXT-020 to EXT-024, EXT-026)."""
        source, record, events = self._source, self._record, self._events
        begin = source.offset
        if events:
            events.reasoning_begins()
        each = events.reasoning if events else None
        closer = yield from self._seek(REASONING_CLOSER, each)
        end = source.offset
        if closer:
            source.at = closer.end - source.base
        self._skip()
        if record:
            record.reasoning.append((begin, end))
        self._remove(start, source.offset, "reasoning", codes=() if closer else ("unclosed",))

    def _seek(
        self, markers: Markers, each: Callable[[str], object] | None = None, *, skip: int = 0
    ) -> Generator[Wait, None, Marker | None]:
        """Read up to the next of some markers, not further, or to the end of the text.

        Each piece of text before it is given to ``each``. A marker before the first ``skip``
        characters end is not looked for.
        """
        source = self._source
        at = source.at + skip
        while True:
            match = markers.search(source.text, at)
            found = match and markers.read(match, source.base)
            if match and not found:
                at = match.start() + 1
                continue
            end = found.start - source.base if found else len(source.text)
            if each and end > source.at:
                each(source.text[source.at : end])
            source.at = end
            if found and found.kind != "cut_off":
                return found
            if found:
                is_cut_off = yield from self._cut_off(found, None if each else "decision")
                at = source.at if is_cut_off else source.at + 1
            elif (yield from source.more(None if each else "decision")):
                at = source.at
            else:
                return None

    # Blocks

    def _blocks(self, opener: Marker | None) -> Parse:
        """Read a block, and what follows it as long as that is a further block."""
        source = self._source
        while opener:
            dialect = self._language.dialects[opener.dialects[0]]
            source.mark(opener.start)
            source.at = opener.end - source.base
            read = self._reserved if opener.kind == "reserved" else self._block
            opener = yield from read(_Block(dialect, opener.start, opener.header), opener)
            if not self._pending:
                source.release()

    def _clean_blocks(self) -> re.Match[str] | None:
        """Read prose and clean blocks as far as they go in the window (see ``clean``).

        Returns what the search for the next marker found. No payload is read here a second time.
        """
        source, record, events = self._source, self._record, self._events
        search, openers = self._language.markers.search, self._language.clean
        skip_if_dull, new_id = self._code.skip_if_dull, self._new_id
        text, base, at = source.text, source.base, source.at
        while match := search(text, at):
            start, begin = match.span()
            clean = openers.get(match.lastgroup)
            if clean is None:
                break
            head = clean.head(text, begin)
            if head is None and not clean.begins(text, begin):
                break
            closer = self._closer(clean, begin)
            if closer < 0:
                break
            call = clean.read_usual(text, head, closer) if head else None
            found = None if call else clean.read_any(text, begin, closer)
            end = closer + len(clean.closer)
            if not (call or found) or not skip_if_dull(text, at, start, base + end):
                break
            if events and at < start:
                events.text(text[at:start])
            source.at = at = end
            if not call:
                self._accept(clean.dialect, base + start, base + end, found or ())
                continue
            call["id"] = new_id()
            if record:
                record.calls.append(call)
                record.remove(base + start, base + end, "call", clean.dialect.id, 1)
            if events:
                events.call(call)
                events.removed()
        return match

    def _closer(self, clean: CleanBlock, begin: int) -> int:
        """Return the place of the first closer behind ``begin``, -1 where there is none or a block
        before was read up to it already.
        """
        text, base = self._source.text, self._source.base
        if base + begin < self._clean_from:
            return -1
        # One character is found much faster than several.
        closer = text.find(clean.closer[0], begin)
        if not text.startswith(clean.closer, closer):
            closer = text.find(clean.closer, begin)
        self._clean_from = base + (closer if closer >= 0 else len(text))
        return closer

    def _clean_to(self, dialect: Dialect, at: int) -> int:
        """Return the place up to which the host's decoder may read values of a payload."""
        if self._source.base + at < self._clean_from:
            return 0
        end = len(self._source.text)
        clean = self._language.clean_blocks.get(dialect.key)
        if clean is None:
            self._clean_from = self._source.base + end
            return end
        closer = self._closer(clean, at)
        return closer if closer >= 0 else end

    def _reserved(self, block: _Block, opener: Marker) -> Generator[Wait, None, Marker | None]:
        """Read a message that is addressed, up to its end; none of it is shown (EXT-103)."""
        source = self._source
        source.release()
        closer = yield from self._seek(self._language.reserved_closers(block.dialect.key))
        if closer:
            source.at = closer.end - source.base
        self._reject_here(block, "reserved_header")
        return (yield from self._between_blocks())

    def _block(self, block: _Block, opener: Marker) -> Generator[Wait, None, Marker | None]:
        """Read from behind an opener; return an opener that follows at once, as a further block
        or inside this one.
        """
        source = self._source
        yield from source.skip_run(_SPACE_RUN)
        character = yield from source.peek()
        if not character:
            self._reject_here(block, "truncated")
            return None
        scanner = block.dialect.payload.scanner
        found = yield from self._marker_here("decision")
        if found and found.opens:
            text = source.since(block.start)
            self._code.add(_without_runs(text))
            self._wrappers.open(opener, text)
            return found
        if scanner == "parameters":
            if (yield from self._begins_parameters(block, source.since(opener.end), found)):
                return (yield from self._parameters(block))
        elif scanner != "none" and character in "{[":
            return (yield from self._payload(block, fence=""))
        elif scanner != "none" and character in _FENCE_RUN:
            fence = yield from self._opening_fence()
            if fence:
                return (yield from self._payload(block, fence=fence))
        if found and found.is_closer(block.dialect.key):
            source.at = found.end - source.base
            self._reject_here(block, "empty")
            return (yield from self._between_blocks())
        space = source.since(opener.end)
        no_mention = not space and not found and _begins_foreign_payload(character)
        if "\n" in space or no_mention:
            return (yield from self._fail(block))
        self._suspend(block, "not_json", None)
        return None

    def _marker_here(self, wait: Wait = None) -> Generator[Wait, None, Marker | None]:
        """Return the marker that begins at the cursor, which does not move."""
        source, markers = self._source, self._language.markers
        while True:
            match = markers.match(source.text, source.at)
            found = match and markers.read(match, source.base)
            if not found or found.kind != "cut_off":
                return found
            if not (yield from self._cut_off(found, wait)):
                return None

    def _suspend(self, block: _Block, code: str, end: int | None) -> None:
        """Let the text that follows decide about the block."""
        if end:
            self._skip("")
        else:  # It may be text, and its line an indented one (definition "indented line").
            self._code.add(_without_runs(self._source.since(block.start)))
            self._code.read()
        spans = len(self._record.code) if self._record else 0
        self._pending = _Pending(
            block, code, end, self._code.blank_lines, self._code.open_fence, spans
        )

    def _may_decide(self, text: str, at: int) -> bool:
        """Tell whether anything from a place on can decide about a block."""
        return text.find(self._last, at) >= 0 or text.find(self._other_last, at) >= 0

    def _opening_fence(self) -> Generator[Wait, None, str]:
        """Read a code fence before a payload; return its run, or nothing (EXT-051)."""
        source = self._source
        start = source.offset
        character = yield from source.peek()
        yield from source.skip_run(_FENCE_RUN[character])
        run = source.since(start)
        for letter in "json":
            if (yield from source.peek()) != letter:
                break
            source.at += 1
        info = source.since(start)[len(run) :]
        yield from source.skip_run(_SPACE_RUN)
        character = yield from source.peek()
        if len(run) >= _FENCE_LENGTH and info in ("", "json") and character in ("{", "["):
            found = yield from self._marker_here("decision")
            if not (found and found.opens):
                return run
        source.back_to(start)
        return ""

    def _payload(self, block: _Block, fence: str) -> Generator[Wait, None, Marker | None]:
        """Read a payload to its end, which its JSON says and no marker (EXT-040, EXT-042)."""
        source = self._source
        start = source.offset
        stops = self._language.begins_values if block.dialect.closer else "{["
        scanner = PayloadScanner(stops)
        if not self._may_decide(source.text, source.at):
            # The decoder reads a payload from its begin, and nothing up to here ends it.
            yield from source.more("decision")
            self._clean_from = min(self._clean_from, source.offset)
        while True:
            clean_to = self._clean_to(block.dialect, source.at)
            source.at = scanner.scan(source.text, source.at, clean_to)
            if scanner.complete and not block.dialect.closer:
                break
            if source.at < len(source.text):
                if (yield from self._ends_payload(scanner)):
                    break
                scanner.take_further()
                continue
            # Blank lines behind the payload count once text follows them, so all of it matters.
            if not (yield from source.more(None if scanner.complete else "decision")):
                break
        if scanner.state is State.FAILED:
            return (yield from self._fail(block))
        if not scanner.complete:
            self._reject_here(block, "truncated")
            return None
        source.back_to(start + scanner.end)
        if fence:
            yield from self._closing_fence(fence)
        return (yield from self._behind_payload(block, start, scanner, fenced=bool(fence)))

    def _ends_payload(self, scanner: PayloadScanner) -> Generator[Wait, None, bool]:
        """Tell whether the scanner stopped for good, and not before a bracket that may be the begin
        of a further value or of an opener.
        """
        if not scanner.complete or self._source.text[self._source.at] not in "{[":
            return True
        found = yield from self._marker_here("decision")
        return found is not None and found.opens

    def _closing_fence(self, fence: str) -> Parse:
        source = self._source
        end = source.offset
        yield from source.skip_run(_SPACE_RUN)
        start = source.offset
        yield from source.skip_run(_FENCE_RUN[fence[0]])
        if not source.since(start).startswith(fence):
            source.back_to(end)

    def _behind_payload(
        self, block: _Block, start: int, scanner: PayloadScanner, *, fenced: bool
    ) -> Generator[Wait, None, Marker | None]:
        """Decide about a block whose payload is complete (EXT-041, EXT-048, EXT-055)."""
        source = self._source
        end = source.offset
        if block.dialect.closer is None:
            self._end_payload(block, start, scanner, ["code_fence"] * fenced)
            return (yield from self._between_blocks())
        yield from source.skip_run(_SPACE_RUN)
        character = yield from source.peek()
        found = yield from self._marker_here("decision")
        if found and found.is_closer(block.dialect.key):
            source.at = found.end - source.base
            self._end_payload(block, start, scanner, ["code_fence"] * fenced)
            return (yield from self._between_blocks())
        if character and character in ',}]:"':
            return (yield from self._fail(block))
        source.back_to(end)
        if not character or (found and (found.opens or self._wrappers.closes(found))):
            self._end_payload(block, start, scanner, ["code_fence"] * fenced + ["missing_closer"])
            return (yield from self._between_blocks(always=True))
        self._suspend(block, "trailing_text", end)
        return None

    # Parameters

    def _begins_parameters(
        self, block: _Block, space: str, found: Marker | None
    ) -> Generator[Wait, None, bool]:
        """Tell whether the cursor, behind an opener and white space, is at the begin of a payload
        of parameters; ``found`` is the marker there.
        """
        source, payload = self._source, block.dialect.payload
        if payload.name_in_first_line:
            return (not space or "\n" in space) and _is_name_begin(source.text[source.at])
        if found and found.is_closer(block.dialect.key):
            return True
        start = source.offset
        begins = yield from self._literal(payload.name_begin)
        source.back_to(start)
        return begins

    def _parameters(self, block: _Block) -> Generator[Wait, None, Marker | None]:
        """Read parameters up to the own closer, which has to follow them (EXT-121)."""
        source, payload = self._source, block.dialect.payload
        name: str | None = name_in_header(block.dialect, block.header)
        if payload.name_in_first_line:
            name = yield from self._name_before("")
        if name is None:
            return (yield from self._fail(block))
        parameters: list[tuple[str, str]] = []
        while True:
            yield from source.skip_run(_SPACE_RUN)
            if not (yield from self._literal(payload.name_begin)):
                break
            asked = payload.name_end
            key = yield from self._name_before(asked)
            if key is not None and payload.value_begin:
                asked = payload.value_begin
                yield from source.skip_run(_SPACE_RUN)
                key = key if (yield from self._literal(asked)) else None
            value = None
            if key is not None:
                asked = payload.value_end
                value = yield from self._text_before(asked)
            if key is None or value is None:
                return (yield from self._break_off(block, asked))
            parameters.append((key, value))
        found = yield from self._marker_here("decision")
        if not found or not found.is_closer(block.dialect.key):
            return (yield from self._break_off(block, payload.name_begin, closes=True))
        source.at = found.end - source.base
        try:
            values = with_note(read_parameters(name, parameters, declared_types(self._tools)))
        except RefusedError as refused:
            values = [refused.code]
        self._end_block(block, values)
        return (yield from self._between_blocks())

    def _break_off(
        self, block: _Block, asked: str, *, closes: bool = False
    ) -> Generator[Wait, None, Marker | None]:
        """End a block in which something else stands at the cursor than the text that its form
        asks for, or, where it ``closes``, than that and the own closer. It is cut off where the
        text ends inside one of these.
        """
        source = self._source
        is_cut_off = asked.startswith(source.text[source.at : source.at + len(asked)])
        if closes and not is_cut_off:
            is_cut_off = self._language.cuts_off_closer(block.dialect.key, source.text, source.at)
        if not is_cut_off:
            return (yield from self._fail(block))
        source.at = len(source.text)
        self._reject_here(block, "truncated")
        return None

    def _name_before(self, end: str) -> Generator[Wait, None, str | None]:
        """Move over a name and its ``end``, or, where that is empty, up to a line feed, a ``<`` or
        the end of the text; return the name.

        None where something else stands in the place of the end; the cursor is there.
        """
        source = self._source
        start = source.offset
        while True:
            text, last = source.text, start + HEADER_LENGTH - source.base
            run = _NAME_RUN.match(text, source.at, max(last, source.at))
            assert run is not None
            stop = run.end()
            if not end and stop < len(text):
                source.at = stop
                return source.since(start) if text[stop] in "\n<" else None
            found = text.find(end, source.at, stop + len(end)) if end else -1
            if found >= 0:
                source.at = found + len(end)
                return source.since(start)[: -len(end)]
            # The window may cut the end off.
            begins = range(max(source.at, len(text) - max(len(end) - 1, 0)), stop + 1)
            cut_off = next((at for at in begins if end.startswith(text[at:])), None)
            source.at = stop if cut_off is None else cut_off
            if cut_off is None or not (yield from source.more("decision")):
                return None if end else source.since(start)

    def _literal(self, text: str) -> Generator[Wait, None, bool]:
        """Move over a text if it stands here, and tell so."""
        source = self._source
        while True:
            here = source.text[source.at : source.at + len(text)]
            if here == text:
                source.at += len(text)
                return True
            if not text.startswith(here) or not (yield from source.more("decision")):
                return False

    def _text_before(self, end: str) -> Generator[Wait, None, str | None]:
        """Move behind the next ``end`` and return the text before it; None where there is none."""
        source = self._source
        start = source.offset
        while (found := source.text.find(end, source.at)) < 0:
            source.at = max(source.at, len(source.text) - len(end) + 1)
            if not (yield from source.more("decision")):
                source.at = len(source.text)
                return None
        source.at = found + len(end)
        return source.since(start)[: -len(end)]

    def _end_block(self, block: _Block, found: Sequence[Call | str]) -> None:
        """End a block at the cursor."""
        end = self._source.offset
        self._skip()
        self._count_wrappers()
        self._accept(block.dialect, block.start, end, found)

    def _end_payload(
        self, block: _Block, start: int, scanner: PayloadScanner, repairs: Sequence[str]
    ) -> None:
        """End a block whose payload began at ``start`` and is complete."""
        end = self._source.offset
        self._skip()
        found = self._values(block, start, scanner)
        self._count_wrappers()
        if self._accept(block.dialect, block.start, end, found) and self._record:
            for edit in scanner.edits:
                self._record.repaired(edit.code)
            for code in repairs:
                self._record.repaired(code)

    def _values(self, block: _Block, start: int, scanner: PayloadScanner) -> list[Call | str]:
        """Read the values of a complete payload: calls, and codes of what is none (EXT-047,
        EXT-074, EXT-075, EXT-077, EXT-101).
        """
        dialect = block.dialect
        scans = dialect.payload.scanner
        if scans == "json_arguments":
            return self._call_of_arguments(block, start, scanner)
        if scans == "json_object" and not scanner.is_one_object:
            return ["not_a_call"]
        if scans == "json_array" and not scanner.is_one_array:
            return ["not_a_call"]
        text, base = self._source.kept()
        start -= base
        payload = text[start : start + scanner.end] if scanner.edits else ""
        empty_arrays = list(reversed(scanner.empty_arrays))
        found: list[Call | str] = []
        for position, value in enumerate(scanner.values):
            while empty_arrays and empty_arrays[-1] == position:
                found.append("empty")
                empty_arrays.pop()
            try:
                if not value.is_object:
                    raise RefusedError("not_a_call")
                begin, end = start + value.start, start + value.end
                source = text
                if payload:
                    source = repaired(payload, value.start, value.end, scanner.edits)
                    begin, end = 0, len(source)
                found += with_note(read_call(source, begin, end, dialect))
            except RefusedError as refused:
                found.append(refused.code)
        found += ["empty"] * len(empty_arrays)
        return found

    def _call_of_arguments(
        self, block: _Block, start: int, scanner: PayloadScanner
    ) -> list[Call | str]:
        """Read a payload that is the arguments of one call (EXT-142)."""
        arguments = None
        if scanner.is_one_object:
            text, base = self._source.kept()
            payload = text[start - base : start - base + scanner.end]
            value = scanner.values[0]
            arguments = repaired(payload, value.start, value.end, scanner.edits)
        try:
            name = name_in_header(block.dialect, block.header)
            return with_note(read_arguments(name, arguments))
        except RefusedError as refused:
            return [refused.code]

    def _accept(self, dialect: Dialect, start: int, end: int, found: Sequence[Call | str]) -> bool:
        """End a block with a complete payload: with a call it is one, without it is rejected
        (EXT-006, EXT-077, EXT-081). Returns which.
        """
        record, events = self._record, self._events
        codes: list[str] = []
        calls = 0
        for item in found:
            if isinstance(item, str):
                codes.append(item)
                continue
            calls += 1
            item["id"] = self._new_id()
            if record:
                record.calls.append(item)
            if events:
                events.call(item)
        self._remove(start, end, "call" if calls else "rejected", dialect.id, calls or None, codes)
        return calls > 0

    def _reject_here(self, block: _Block, code: str) -> None:
        self._skip()
        self._reject(block, self._source.offset, code)

    def _reject(self, block: _Block, end: int, code: str) -> None:
        """Reject a block (EXT-050)."""
        self._count_wrappers()
        self._remove(block.start, end, "rejected", block.dialect.id, codes=(code,))

    def _remove(
        self,
        start: int,
        end: int,
        kind: SegmentKind,
        dialect: str = "",
        calls: int | None = None,
        codes: Sequence[str] = (),
    ) -> None:
        if self._record:
            self._record.remove(start, end, kind, dialect, calls, codes)
        if self._events:
            self._events.removed()

    # Failed blocks

    def _fail(self, block: _Block) -> Generator[Wait, None, Marker | None]:
        """Read a failed block from its error on, and what follows it."""
        yield from self._failed(block)
        return (yield from self._between_blocks())

    def _failed(self, block: _Block) -> Parse:
        """Read a failed block from its error to the closer that balances it (EXT-043, EXT-044)."""
        source, own = self._source, self._language.own(block.dialect.key)
        missing = own.count("opener", source.since(block.start))
        source.release()
        skip = 0
        while found := (yield from self._seek(own, skip=skip)):
            if found.kind == "blank_line":
                self._code.skip_to(found.start)
                self._reject(block, found.start, "invalid_json")
                self._wrappers.end()
                yield from self._muted(block.dialect, missing)
                return
            missing += 1 if found.kind == "opener" else -(found.kind == "closer")
            if not missing:
                source.at = found.end - source.base
                break
            skip = 1  # only the closer that balances the block is read whole
        self._reject_here(block, "invalid_json")

    def _muted(self, dialect: Dialect, missing: int) -> Parse:
        """Read the text behind the blank line of a failed block, in which no marker counts."""
        source, own = self._source, self._language.own(dialect.key)
        skip = 0
        while found := (yield from self._seek(own, self._show, skip=skip)):
            if found.kind != "blank_line":
                missing += 1 if found.kind == "opener" else -(found.kind == "closer")
            if not missing:
                source.at = found.end - source.base
                codes = ("invalid_json",)
                self._remove(found.start, found.end, "rejected", dialect.id, codes=codes)
                break
            skip = 1
        self._skip()

    # Wrappers

    def _count_wrappers(self) -> None:
        """Say that the block inside is a call or rejected, so the openers around it are
        wrappers.
        """
        if not self._wrappers:
            return
        for opener, text in self._wrappers.count():
            dialect = self._language.dialects[opener.dialects[0]]
            self._remove(opener.start, opener.end, "call", dialect.id, 0)
            self._show(text[opener.end - opener.start :])

    def _between_blocks(self, *, always: bool = False) -> Generator[Wait, None, Marker | None]:
        """Read the white space and closers behind a block; return the opener of a further block.

        Without an open wrapper nothing is read, unless ``always``, where an opener or a closer is
        known to follow.
        """
        source, wrappers = self._source, self._wrappers
        source.release()
        while wrappers or always:
            while True:
                space = _SPACE_RUN.match(source.text, source.at)
                assert space is not None
                self._prose_to(source.base + space.end())
                if source.at < len(source.text) or not (yield from source.more()):
                    break
            found = yield from self._marker_here()
            if found and found.opens and (wrappers or not self._code.hides()):
                return found
            if not found or not wrappers.closes(found):
                break
            source.at = found.end - source.base
            self._skip()
            dialect = self._language.dialects[wrappers.close(found)]
            self._remove(found.start, found.end, "call", dialect.id, 0)
            always = False
        wrappers.end()
        return None


def _without_runs(opener: str) -> str:
    """Return an opener as text in which no code begins, in lines of the same length."""
    return opener.replace("`", "x").replace("~", "x")


def _is_name_begin(character: str) -> bool:
    return character == "_" or unicodedata.category(character)[0] in "LN"


def _begins_foreign_payload(character: str) -> bool:
    """Tell whether this, directly behind an opener, is the begin of a payload that is no JSON
    object or array, or of a tag that is no marker.
    """
    return character in "\"'<" or unicodedata.category(character)[0] in "LN"
