"""Blocks in reasoning: drafts, or the calls that it ends with (definition "last calls")."""

from collections.abc import Callable, Collection

from commoncall.extraction.call_value import Refused
from commoncall.extraction.code import CodeTracker
from commoncall.extraction.decided import Decided
from commoncall.extraction.markers import Marker
from commoncall.extraction.parts import PartOfText, Rejected, Text, Whole
from commoncall.extraction.reading import Reading
from commoncall.extraction.record import Span
from commoncall.extraction.source import Parse, Pieces
from commoncall.json_text import JSON_SPACE


class _Drafted(Decided):
    """What the parts of reasoning are decided to be, with offsets in it."""

    def __init__(self, taken: Collection[str] | None) -> None:
        super().__init__(None, str, taken, shows_events=False)
        self.reached = 0  # what stands before is decided
        self.others = 0  # blocks that meant a call, and are none of the last calls
        # Blocks with a call, and the tags around, behind which only white space and closers came.
        self.last: list[Whole | Span] = []

    def pass_last(self) -> None:
        """Say that the blocks so far are no last calls."""
        self.others += sum(isinstance(each, Whole) for each in self.last)
        self.last = []

    def _take(self, part: PartOfText) -> None:
        if isinstance(part, Text):
            self.reached += len(part.text)
            if part.text.strip(JSON_SPACE):
                self.pass_last()
            return
        self.reached = part.end
        if isinstance(part, Span):
            # A tag of a wrapper can stand before the first call, and a token only behind one.
            if part.dialect or self.last:
                self.last.append(part)
        elif isinstance(part, Rejected):
            self.pass_last()
            self.others += part.is_meant
        elif any(isinstance(each, dict) for each in part.found):
            self.last.append(part)
        else:
            self.pass_last()
            refused = [each.code for each in part.found if isinstance(each, Refused)]
            is_addressed = part.dialect.is_addressed
            # Without a call, ``not_a_call`` means one (D29.5).
            self.others += any(is_addressed or code != "declaration" for code in refused)


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
        self._child.source.end(self._parse)
        self._drafted.finish()
        self._show()
        return any(isinstance(each, Whole) for each in self._drafted.last)

    def _show(self) -> None:
        # Nothing from the first call on, even if it is decided: that may be one of the last calls,
        # which are no reasoning.
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

    def give(self, start: int, closer: Marker | None) -> None:
        """Give the last calls, which end the reasoning (EXT-205)."""
        decided, at = self._reading.decided, self._start
        self._reading.note_opener()
        self._came.take()
        if at + self._shown > start:
            decided.say(Span(start, at + self._shown, "reasoning"))
        for part in self._drafted.last:
            placed = part._replace(start=at + part.start, end=at + part.end)
            if isinstance(placed, Whole):
                placed = placed._replace(repairs=[*placed.repairs, "reasoning_unclosed"])
            decided.say(placed)
        if closer:
            decided.say(Span(closer.start, closer.end, "reasoning"))
        self._reading.is_behind_block = True


def drafts_of(reading: Reading, parser: Callable[[Reading], Parse]) -> Drafts | None:
    """Return what reads the reasoning at the cursor; None where no block can stand in it."""
    language = reading.language.drafted
    if language is None:
        return None
    caller, drafted = reading.caller, _Drafted(language.taken)
    code = CodeTracker(None, opaque_fences=caller.opaque_fences)
    child = Reading(code, drafted, language, caller, reading.tags, may_be_lone=False)
    return Drafts(reading, child, drafted, parser(child))
