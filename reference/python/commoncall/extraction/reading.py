"""What is known while a text is read, and the steps that the parsers of its parts share."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from commoncall.extraction.code import Ahead, CodePlace, CodeTracker
from commoncall.extraction.decided import Decided
from commoncall.extraction.dialects import HEADER_LENGTH, Dialect
from commoncall.extraction.language import Language
from commoncall.extraction.markers import LONGEST, NO_TAGS, Marker, Markers, ToolTags
from commoncall.extraction.parameters import Declared, declared_schemas
from commoncall.extraction.parts import Rejected, Text, Whole
from commoncall.extraction.payloads import Payload
from commoncall.extraction.quotation import (
    LONGEST_MARK,
    Comments,
    Lines,
    Marked,
    Strings,
    partner_behind,
    partner_stands,
)
from commoncall.extraction.record import SegmentKind, Span
from commoncall.extraction.source import ParseOf, Source
from commoncall.json_text import JSON_SPACE, SPACE_RUN, utf8_length


class Block(NamedTuple):
    """A block that is being read."""

    dialect: Dialect
    start: int  # the offset of its opener
    inner: int  # the offset behind its opener
    header: str  # what stands in its opener, where that has a header
    has_words: bool = False  # text stands before it on its line


class Wrapper(NamedTuple):
    """An opener that stands before another opener, and its text with the white space behind it."""

    opener: Marker
    text: str


class Pending(NamedTuple):
    """A block that its own closer rejects as a whole; anything else makes it text, or, where
    ``end`` is set, rejects it up to there.
    """

    block: Block
    code: str
    end: int | None
    code_before: CodePlace


@dataclass(frozen=True)
class Caller:
    """What the caller says."""

    tools: Sequence[object]  # their declarations
    payload_bytes: int | None  # the limit of dialects that have one, in the place of their own
    effective: Collection[str] | None  # the names of the tools, None for any
    opaque_fences: bool  # no marker in a fence counts
    guided_name: str  # of the tool of which the text is the arguments, or nothing

    def tool_name(self, written: str) -> str:
        """Return the name behind a path with colons, where only that is effective (D55.6)."""
        behind = written.rpartition(":")[2].strip(JSON_SPACE)
        names = self.effective or ()
        return behind if behind in names and written not in names else written

    @cached_property
    def declared(self) -> Declared:
        """The schemas that the tools declare, worked out for the first block that asks."""
        return declared_schemas(self.tools)


@dataclass(slots=True)
class Reading:
    """A text that is being read."""

    code: CodeTracker
    decided: Decided  # gets what the parts of the text are
    language: Language
    caller: Caller
    tags: ToolTags
    source: Source = field(default_factory=Source)
    wrappers: list[str] = field(default_factory=list)  # the keys of those open, the innermost last
    waiting: list[Wrapper] = field(default_factory=list)  # those of them without a block so far
    pending: Pending | None = None  # the block whose fate is not decided
    may_be_bare: bool = False  # a bare message can begin at the cursor
    first: int = 0  # the offset where one could
    lines: Lines = field(default_factory=Lines)
    comments: Comments = field(default_factory=Comments)
    strings: Strings = field(default_factory=Strings)
    _marked: Marked | None = None  # what is read here may be marked text
    is_behind_block: bool = False  # only white space and closers have come since one (EXT-203)
    may_be_lone: bool = True  # a closer of reasoning at the cursor is a token (D9.9)
    _has_content: bool = False  # a header of a message to show has come
    has_words: bool = False  # text stands on the line before the cursor, and nothing else since
    _tail: str = ""  # of the prose directly before the cursor, as long as a mark

    # Markers

    def marker_here(self, markers: Markers | None = None) -> ParseOf[Marker | None]:
        """Return the marker that begins at the cursor, which does not move. Who asks has looked at
        the character there: nothing waits for that.
        """
        source, markers = self.source, markers or self.language.markers
        while True:
            found = markers.read_at(source.text, source.at, source.base, self.tags)
            if not found or found.kind != "cut_off":
                return found
            if not (yield from self.more_behind(found)):
                return self.cut_header(found)

    def seek(
        self,
        markers: Markers,
        each: Callable[[str], object] | None = None,
        *,
        skip: int = 0,
        whole: bool = False,
        cut: Callable[[Marker], Marker | None] = lambda _: None,
    ) -> ParseOf[Marker | None]:
        """Read up to the next of some markers, or to the end, and give each piece of text to
        ``each``, with ``whole`` that of the marker too. The first ``skip`` characters begin none.
        ``cut`` says what a marker is that the end of the text cuts off.
        """
        source = self.source
        # ``given_ahead`` is how much behind the cursor ``each`` has already: with ``whole`` it gets
        # a marker before the cursor is behind that.
        at, given_ahead = source.at + skip, 0
        while True:
            found = markers.first(source.text, at, source.base, self.tags)
            end = found.start - source.base if found else len(source.text)
            if each:
                given = found.end - source.base if found and whole else end
                begun = source.at + given_ahead
                if given > begun:
                    each(source.text[begun:given])
                given_ahead = max(given, begun) - end
            source.at = end
            # Whether an end is bound, what follows it says, and that has not come (D44.2).
            is_last = found is not None and (found.kind, found.end) == ("bound", source.last)
            if found and found.kind != "cut_off" and not is_last:
                break
            has_come = yield from self.more_behind(found) if found else source.more()
            at = source.at
            if has_come:
                continue
            if not found:
                return None
            found = cut(found) or markers.read_at(source.text, at, source.base, is_end=True)
            if found:
                break
            # A marker that the end of the text cuts off is none, and the next can begin in it.
            at = source.at + 1
        # More than it can be given already, of what seemed to be its header: no marker stands in
        # that.
        return found._replace(end=max(found.end, source.offset + given_ahead))

    def skip_markers(self, passes: Callable[[Marker], bool]) -> ParseOf[Marker | None]:
        """Move over white space and markers that pass; return the first marker that does not, if
        one stands there.
        """
        while True:
            yield from self.source.skip_run(SPACE_RUN)
            found = yield from self.marker_here()
            if not found or not passes(found):
                return found
            self.move_behind(found)

    def only_closers_follow(self, others: Markers | None = None) -> ParseOf[bool]:
        """Tell whether nothing but white space, closers, these others too, and tokens stands from
        the cursor on, which is marked and does not move.
        """
        start = self.source.offset
        while True:
            yield from self.skip_markers(_closes)
            other = (yield from self.marker_here(others)) if others else None
            if not other:
                break
            self.move_behind(other)
        is_rest = not (yield from self.source.peek())
        self.source.back_to(start)
        return is_rest

    def words_follow(self) -> ParseOf[bool]:
        """Tell whether something else than white space, closers and tokens comes from the cursor
        on, which is marked and does not move, but for an opener that comes first of it, here or on
        another line (D72.4).
        """
        start = self.source.offset
        found = yield from self.skip_markers(_closes)
        between = self.source.since(start)
        is_call = found is not None and found.opens and (not between or "\n" in between)
        is_rest = not (yield from self.source.peek())
        self.source.back_to(start)
        return not (is_call or is_rest)

    def more_behind(self, begin: Marker) -> ParseOf[bool]:
        """Wait for more behind what may be the begin of a marker; False at the end.

        Longer than any marker are only tags with many blanks before their ``>``.
        """
        return (yield from self.source.more(visible=begin.end - begin.start > LONGEST))

    def cut_header(self, found: Marker) -> Marker | None:
        """Return what it is that the end of the text cuts off: a header of a message, of which
        nothing is run (EXT-190), or without messages a token (EXT-204) or closer (EXT-203).
        """
        source, messages = self.source, self.language.messages
        text = source.text[found.start - source.base :]
        alone = self.language.markers.read_at(text, 0, found.start, is_end=True)
        if not messages:
            token = alone or self.language.control.begun_token(text, found.start)
            # One character that is no `<`, such as a bracket of the text, is too little (EXT-203).
            is_cut = self.is_behind_block and (len(text) > 1 or text == "<")
            return token or (self.cut_closer(found.start) if is_cut else None)
        # Where the text begins, the prompt may have written the first part of the header. Elsewhere
        # a model leaves out the begin of headers of calls alone (D41.4).
        key, kind = self.language.messages_key, messages.kind(text.removeprefix(messages.begin))
        is_call, is_first = kind in ("opener", "reserved"), found.start == 0
        begins = [messages.begin]
        if is_first or is_call:
            begins.append(messages.channel)
        if is_first:
            begins += [messages.recipient, f" {messages.recipient}"]
        begun = next(filter(text.startswith, begins), None)
        # No header is cut off here (D41.4): without a token, text can begin as a recipient does.
        if begun is None or "<" not in text or len(text) - len(begun) > HEADER_LENGTH:
            return alone
        if alone and messages.holds_text(text.removeprefix(messages.begin)):
            return alone  # the channel is whole (D41.6), and behind it stands text
        if key and is_call:  # D43.7
            return found._replace(kind="reserved", dialects=(key,))
        return found._replace(kind="drop")

    def cut_closer(self, start: int) -> Marker | None:
        """Return the closer or token there that the end of the text cuts off."""
        if self.language.messages:
            return None
        source, at = self.source, start - self.source.base
        tags = self.tags if source.text.startswith("</", at) else NO_TAGS
        found = self.language.closing.read_at(source.text, at, source.base, tags)
        return found._replace(kind="closer") if found and found.kind == "cut_off" else None

    def cut_call(self, found: Marker) -> Marker | None:
        """Return the header of a message to a tool that the end of the text cuts off."""
        marker = self.cut_header(found) if self.language.messages else None
        return marker if marker and marker.opens else None

    # Moving on

    def prose(self, text: str, marker: Marker | None = None) -> None:
        """Say that text is content, which is no marker, or this one that is ignored."""
        self.note_prose(text, marker)
        if self.pending is None:
            self.say_text(text)

    def note_prose(self, text: str, marker: Marker | None = None) -> None:
        """Note such a text."""
        self._tail = (self._tail + text[-LONGEST_MARK:])[-LONGEST_MARK:]
        _, ends_line, rest = text.rpartition("\n")
        self.has_words = bool(rest.strip(JSON_SPACE)) or (self.has_words and not ends_line)
        self._add(text, has_runs=not (marker and marker.opens))
        if text.strip(JSON_SPACE):
            self.is_behind_block = self.may_be_lone = False
        if marker:
            self.lines.skip(text)
        else:
            self.lines.read(text)
        if not self.strings.is_over:
            self.strings.read(text)

    def say_text(self, text: str) -> None:
        """Say that a text is content."""
        self.decided.say(Text(text))

    def say_muted(self, text: str) -> None:
        """Say that a text in which no marker counts is content."""
        self.decided.say(Text(text, is_muted=True))

    def _add(self, text: str, *, has_runs: bool) -> None:
        """Give text to the tracker of code, and note the comments in it."""
        code, comments, at = self.code, self.comments, 0
        while end := comments.sign(text, at):
            code.add(text[at:end], has_runs=has_runs)
            code.meet_marker()
            if not comments.is_open:
                code.note_comment()
            comments.is_open = not (comments.is_open or code.hides)
            at = end
        code.add(text[at:], has_runs=has_runs)

    def is_in_code(self) -> ParseOf[bool]:
        """Tell whether the marker at the cursor, which was met last, stands in code. Behind a run
        that can begin inline code the rest of its block says so.
        """
        source, code = self.source, self.code
        if code.may_be_text():
            start, was_marked, ahead = source.offset, source.is_marked, Ahead(code.state())
            if not was_marked:
                source.mark(start)
            is_known = False
            while not is_known and (yield from source.peek()):
                is_known = yield from ahead.read(source)
            code.settle(is_closed=ahead.finish())
            source.back_to(start)
            if not was_marked:
                source.unmark()
        return code.hides

    def leave(self, marker: Marker) -> None:
        """Move over a marker at the cursor that is text.

        A closer of reasoning that is no token is no marker either, but text like any other (D2.3).
        """
        source = self.source
        text = source.text[source.at : marker.end - source.base]
        self.move_behind(marker)
        self.prose(text, None if marker.kind == "lone" else marker)

    def move_behind(self, marker: Marker) -> None:
        """Move the cursor behind a marker in the window."""
        self.source.at = marker.end - self.source.base

    def remove(self, marker: Marker, kind: SegmentKind, dialect: str = "") -> None:
        """Take a marker out of the text: a token (EXT-175), or a tag of a wrapper."""
        self.move_behind(marker)
        self.skip()
        calls = 0 if dialect else None
        self.decided.say(Span(marker.start, marker.end, kind, dialect, calls))

    def remove_token(self, token: Marker) -> None:
        """Take a token out of the text; behind a further header a line feed counts as text
        (EXT-086).
        """
        self.is_behind_block = False
        self.remove(token, "token")
        if token.kind == "content":
            if self._has_content:
                # No character of the input: a pair, which counts these, cannot hold it.
                self.decided.say(Text("\n", is_muted=True))
            self._has_content = True

    def skip(self, *, is_whole: bool = True) -> None:
        """Say that the cursor is behind what is no prose, or an opener."""
        self._tail = ""
        self.has_words = False
        self.lines.skip()
        self.comments.skip()
        self.code.skip_to(self.source.offset, is_whole=is_whole)

    # Quotations

    @property
    def quotes(self) -> bool:
        """Whether the opener that was met last stands in a quotation but marked text (EXT-200)."""
        return self.lines.is_quoted or self.comments.is_open or self.strings.is_open

    def end_pending(self, code: CodePlace) -> None:
        """Say that what was read belongs to a block, behind whose opener the code was this: what
        began since then, code or a quotation, ends with the block (D10.5).
        """
        self.code.restore(code)
        self.lines.is_quoted = False
        self.comments.end()

    @property
    def is_held(self) -> bool:
        """Whether what is read may be marked text."""
        return self._marked is not None

    def begin_marked(self) -> None:
        """Hold what the opener or token at the cursor begins, where it stands behind an opening
        mark, and that in no quotation.
        """
        partner = partner_behind(self._tail)
        if partner and not self.quotes:
            self._marked = Marked(self.source.offset, partner, self._has_content)
            self.source.hold()
            self.decided.hold()

    def note_opener(self) -> None:
        """Say that an opener begins a block here, or a wrapper."""
        self.strings.is_over = True
        self.is_behind_block = self.may_be_lone = False
        if self._marked:
            self._marked.has_opener = True

    def at_partner(self) -> ParseOf[bool]:
        """Tell whether what is read may be marked text, and the partner stands at the cursor."""
        marked = self._marked
        return marked is not None and (yield from partner_stands(self.source, marked.partner))

    def end_marked(self) -> ParseOf[bool]:
        """Leave marked text unread if it ends at the cursor, and tell so (EXT-200)."""
        marked = self._marked
        if not marked or not marked.has_opener or not (yield from self.at_partner()):
            return False
        self.code.forget_from(marked.start)
        if self.decided.record:
            self.decided.record.marked.append((marked.start, self.source.offset))
        self._has_content = marked.has_content  # no header stands in marked text
        self.is_behind_block = False  # nor a block
        self._end_hold(holds=False)
        return True

    def end_unmarked(self) -> None:
        """Say that what is read is no marked text, and goes no further."""
        if self._marked:
            self._end_hold(holds=True)

    def _end_hold(self, *, holds: bool) -> None:
        text, self._marked = self.source.end_hold(), None
        self.decided.end_hold(holds=holds)
        if not holds:
            self.say_text(text)

    # The end of a block

    def end_block(
        self,
        block: Block,
        read: Payload,
        *,
        needed: Sequence[str] = (),
        closer: Marker | None = None,
    ) -> None:
        """End a block with a whole payload at the cursor, which is judged if it is not too large
        and the dialect admits the repairs that it needed (EXT-160, EXT-164).
        """
        source, allowed = self.source, block.dialect.repairs
        needed = (*read.needed, *needed)
        is_forbidden = allowed is not None and not allowed.issuperset(needed)
        if is_forbidden or self._is_too_large(block, closer.start if closer else source.offset):
            self.reject(block, "invalid_json", closer=closer)  # which says so where it is too large
            return
        self.skip()
        text = source.since(read.start, read.end)
        source.unmark()  # so that no long value is held once more
        found = read.judge(text)
        self.decide_wrappers()
        self.is_behind_block = True
        strange = closer.header if closer and not closer.dialects else ""
        self.decided.say(Whole(block.dialect, block.start, source.offset, found, needed, strange))

    def reject(
        self,
        block: Block,
        code: str,
        *,
        end: int | None = None,
        closer: Marker | None = None,
    ) -> None:
        """Reject a block, which ends at the cursor unless ``end`` is given (EXT-086, EXT-164)."""
        if end is None:
            self.skip()
            end = self.source.offset
        self.decide_wrappers()
        if code != "reserved_header" and self._is_too_large(block, closer.start if closer else end):
            code = "payload_too_large"
        is_meant = code != "empty" or bool(block.header)  # D29.2
        self.is_behind_block = True
        self.decided.say(Rejected(block.dialect, block.start, end, code, is_meant))

    def _is_too_large(self, block: Block, end: int) -> bool:
        """Tell whether the inner text of a block, which ends there, is too long (EXT-164)."""
        limit = block.dialect.limit_bytes
        if limit is None:
            return False
        if self.caller.payload_bytes is not None:
            limit = self.caller.payload_bytes
        return utf8_length(self.source.since(block.inner, end)) > limit

    def suspend(self, block: Block, code: str, end: int | None = None) -> None:
        """Let the text behind the cursor decide about a block (see ``Pending``)."""
        before = self.code.state()
        self.skip(is_whole=False)
        self.pending = Pending(block, code, end, before)

    def say_text_from(self, start: int, inner: int = 0, key: str = "") -> None:
        """Say that all from a place to the cursor is text, and so are the wrappers that wait for a
        first block (EXT-046). An opener at that place, if it has a ``key``, ends at ``inner``.
        """
        for opener, text in self.waiting:
            self._opener_is_text(opener.start, opener.end, text, opener.dialects[0])
        self.end_wrappers()
        text = self.source.since(start)
        self._opener_is_text(start, inner, text, key)
        is_word = bool(key) and not self.language.dialects[key].is_control
        self.has_words = self.has_words or (is_word and "\n" not in text)
        self.is_behind_block = False
        self.source.unmark()

    def _opener_is_text(self, start: int, end: int, text: str, key: str) -> None:
        """Say that a text with an opener is text, but for a control token (EXT-204)."""
        if key and (dialect := self.language.dialects[key]).is_control:
            token = Span(start, end, "token")
            refused = Rejected(dialect, start, end, "not_json", is_meant=True)
            self.decided.say(token if dialect.is_section else refused)
            text = text[end - start :]
        self.say_text(text)

    def decide_wrappers(self) -> None:
        """Say that the block inside is a call or rejected, so the openers around it wrap; one whose
        header names a call of its own has lost that (D8).
        """
        for opener, text in self.waiting:
            dialect = self.language.dialects[opener.dialects[0]]
            tag = Span(opener.start, opener.end, "call", dialect.id, 0)
            refused = Rejected(dialect, opener.start, opener.end, "not_json", is_meant=True)
            self.decided.say(refused if opener.header and dialect.is_called_in_header else tag)
            self.say_formatting(opener.end, opener.start + len(text))
        self.waiting.clear()

    def closes_wrapper(self, marker: Marker) -> bool:
        """Tell whether a marker closes one that is open; those inside it end with it (EXT-049)."""
        return any(map(marker.is_closer, self.wrappers))

    def end_wrappers(self) -> None:
        """End all wrappers."""
        self.wrappers.clear()
        self.waiting.clear()

    def say_formatting(self, start: int, end: int) -> None:
        """Take white space between the tags and blocks of a wrapper out of the text (EXT-049)."""
        if end > start:
            self.decided.say(Span(start, end, "token"))


def _closes(found: Marker) -> bool:
    """Tell whether a marker can stand behind all blocks of a text."""
    return found.kind == "closer" or found.is_token
