"""Blocks in reasoning: drafts, or the calls that it ends with (definition "last calls")."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from commoncall.extraction.call_value import Found, Refused
from commoncall.extraction.code import CodeTracker
from commoncall.extraction.decided import Decided
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.markers import Marker
from commoncall.extraction.reading import Reading
from commoncall.extraction.record import SegmentKind
from commoncall.extraction.source import Parse, Pieces
from commoncall.json_text import JSON_SPACE


class _Block(NamedTuple):
    """A block with a call, or a tag around such blocks, with offsets in the reasoning."""

    start: int
    end: int
    dialect: Dialect | None  # None for a tag
    tag: tuple[SegmentKind, str]
    found: Sequence[Found] = ()
    repairs: Sequence[str] = ()


class _Drafted(Decided):
    """What the parts of reasoning are decided to be."""

    def __init__(self) -> None:
        super().__init__(None, str, shows_events=False)
        self.reached = 0  # what stands before is decided
        self.others = 0  # blocks that meant a call, and are none of the last calls
        self.last: list[_Block] = []  # behind which only white space and closers came

    def text(self, text: str) -> None:
        if self._is_held(lambda: self.text(text)):
            return
        self.reached += len(text)
        if text.strip(JSON_SPACE):
            self.pass_last()

    def pass_last(self) -> None:
        """Say that the blocks so far are no last calls."""
        self.others += sum(each.dialect is not None for each in self.last)
        self.last = []

    def block(
        self,
        dialect: Dialect,
        start: int,
        end: int,
        found: Sequence[Found],
        repairs: Sequence[str] = (),
    ) -> None:
        if self._is_held(lambda: self.block(dialect, start, end, found, repairs)):
            return
        self.reached = end
        if any(isinstance(each, dict) for each in found):
            self.last.append(_Block(start, end, dialect, ("call", ""), found, repairs))
            return
        self.pass_last()
        refused = [each.code for each in found if isinstance(each, Refused)]
        self.others += any(dialect.is_addressed or code != "declaration" for code in refused)

    def rejected(self, dialect: Dialect, start: int, end: int, code: str, *, meant: bool) -> None:
        if self._is_held(lambda: self.rejected(dialect, start, end, code, meant=meant)):
            return
        self.reached = end
        self.pass_last()
        self.others += meant

    def removed(
        self,
        start: int,
        end: int,
        kind: SegmentKind,
        dialect: str = "",
        calls: int | None = None,
        codes: Sequence[str] = (),
    ) -> None:
        if self._is_held(lambda: self.removed(start, end, kind, dialect, calls, codes)):
            return
        self.reached = end
        if dialect or self.last:
            self.last.append(_Block(start, end, None, (kind, dialect)))


class Drafts:
    """Reads reasoning a second time, for the blocks in it; shows what they leave of it."""

    def __init__(self, reading: Reading, child: Reading, drafted: _Drafted, parse: Parse) -> None:
        self._reading = reading
        self._child = child
        self._drafted = drafted
        self._parse = parse
        self._start = reading.source.offset
        self._came = Pieces()  # and is not shown
        self._shown = 0
        next(parse)

    def read(self, text: str) -> None:
        """Read a piece of the reasoning."""
        self._came.append(text)
        self._child.source.give(text)
        next(self._parse)
        self._show()

    def end(self) -> bool:
        """Say that the reasoning has ended; tell whether it ends with calls."""
        self._child.source.end()
        for _ in self._parse:
            raise AssertionError("the parser wants text behind the end")
        self._show()
        return any(each.dialect for each in self._drafted.last)

    def _show(self) -> None:
        drafted = self._drafted
        to = drafted.last[0].start if drafted.last else drafted.reached
        if to > self._shown:
            text = self._came.take()
            self._reading.decided.reasoning_text(text[: to - self._shown])
            self._came.append(text[to - self._shown :])
            self._shown = to

    def leave(self) -> int:
        """Say that the blocks are drafts; return how many meant a call."""
        self._reading.decided.reasoning_text(self._came.take())
        self._drafted.pass_last()
        return self._drafted.others

    def run(self, start: int, closer: Marker | None) -> None:
        """Give the last calls, which end the reasoning (EXT-205)."""
        decided, at = self._reading.decided, self._start
        self._reading.note_opener()
        self._came.take()
        if at + self._shown > start:
            decided.removed(start, at + self._shown, "reasoning")
        for block in self._drafted.last:
            begin, end = at + block.start, at + block.end
            if block.dialect is None:
                kind, dialect = block.tag
                decided.removed(begin, end, kind, dialect, 0 if dialect else None)
            else:
                repairs = [*block.repairs, "reasoning_unclosed"]
                decided.block(block.dialect, begin, end, block.found, repairs)
        if closer:
            decided.removed(closer.start, closer.end, "reasoning")
        self._reading.is_behind_block = True


def drafts_of(reading: Reading, parser: Callable[[Reading], Parse]) -> Drafts | None:
    """Return what reads the reasoning at the cursor; None where no block can stand in it."""
    language = reading.language.drafted
    if language is None:
        return None
    caller, drafted = reading.caller, _Drafted()
    code = CodeTracker(None, opaque_fences=caller.opaque_fences)
    child = Reading(code, drafted, language, caller)
    return Drafts(reading, child, drafted, parser(child))
