"""Code in Markdown: where a marker is quoted, not meant (definitions "code", "inline code").

The tracker is given the text in order and answers from what came before only, so a stream and the
whole text agree. It reads when it is asked, so text without markers costs it nothing.
"""

import re
from dataclasses import dataclass, field, replace

from commoncall.extraction.markdown import Blocks, Line, begin_line, is_html_tag, may_hold_run
from commoncall.extraction.source import ParseOf, Pieces, Source

_LINE = re.compile(r"([^\r\n]*+)(\r\n|\r|\n|)")
_RUN = re.compile(r"`+")
_RUN_OR_ESCAPE = re.compile(r"\\.|`+")
_BACKTICKS = re.compile(r"`*+")
_PLAIN = re.compile(r"[^`\r\n]*+")
_LABEL_END = re.compile(r"(?:[^\[\]\\]|\\.|\\\Z)*(\]:|.)?", re.DOTALL)
_KEPT_WHOLE = 1 << 12
"""Longer texts are not kept whole, so that a line without an end takes linear time."""
_ENOUGH = 1 << 10
"""So many characters before a place are enough to tell what goes on there."""
_TEXT = ("text", "doubtful", "begin")
"""The kinds of lines in which inline code can begin."""
_LONGEST_STRAY = 2
"""A longer run may be meant as a fence, and begins code whether or not a run ends it."""
_LETTER = "x"
"""What stands for a block or reasoning, which are no Markdown."""
_UNSURE = "<!-- "
"""Stands for a long text in which HTML or a link may have begun (D12.1)."""


@dataclass(slots=True)
class OpenCode:
    """A fence or inline code, by the run that opened it, which is empty where none ends it."""

    is_fence: bool
    run: str
    start: int
    holds_marker: bool = False
    holds_sign: bool = False  # another run or the begin of a comment, before a marker
    is_closed: bool = False  # a run ends it, as far as somebody asked


@dataclass(slots=True)
class CodePlace:
    """Where the tracker is in Markdown."""

    blocks: Blocks = field(default_factory=Blocks)  # before the line
    line: Line | None = None  # what the line is, once something visible stands on it
    line_start: int = 0
    line_text: str = ""  # as much of it as is needed to tell what it is
    has_text: bool = False  # something beside blanks stands on the line
    is_rest: bool = False  # the line is what follows a block or reasoning
    ends_html: bool = False  # the line ends the HTML that it is
    open: OpenCode | None = None
    before: OpenCode | None = None  # what was open before a fence opened on the line
    text: str = ""  # of a paragraph or its like, as much as can be read as HTML or a link
    may_be_label: bool = False  # it is the begin of a label of a definition
    is_definition: bool = False  # it begins as a definition does
    has_text_run: bool = False  # a run in it was found to begin no code


class CodeTracker:
    """Follow fences, inline code and indented lines through a text."""

    def __init__(self, spans: list[tuple[int, int]] | None, *, opaque_fences: bool) -> None:
        # Gets the half-open offsets of the fences and inline code in which a marker was ignored
        # (definition "segment").
        self._spans = spans
        self._opaque_fences = opaque_fences  # a marker in a fence does not count
        self._unread = Pieces()
        self._unread_length = 0
        self._has_line_end = False  # in what is unread
        self._offset = 0  # behind what was read
        self._place = CodePlace()

    # What stands here

    @property
    def hides(self) -> bool:
        """Whether the marker that was met last stands in code (EXT-030)."""
        code, line = self._place.open, self._place.line
        assert line
        if code is None:
            return line.kind == "indented"
        return not code.is_fence or line.kind == "opening" or self._opaque_fences

    def may_be_text(self) -> bool:
        """Whether that is inline code only if a run ends it, and nobody has asked for that."""
        code = self._place.open
        if not code or code.is_fence or not 0 < len(code.run) <= _LONGEST_STRAY:
            return False
        return not (code.holds_sign or code.is_closed)

    def settle(self, *, is_closed: bool) -> None:
        """Say whether a run ends the inline code; otherwise that which opened it is text."""
        place = self._place
        assert place.open
        place.open.is_closed = is_closed
        if not is_closed:
            place.open, place.has_text_run = None, True

    def is_in(self, code: OpenCode) -> bool:
        """Read all; tell whether this code is still open."""
        self._read_all()
        return code is self._place.open

    @property
    def is_line_known(self) -> bool:
        """Whether what the line is can be told from what came of it."""
        return self._place.line is not None

    def note_comment(self) -> None:
        """Say that a comment may begin, in code or not."""
        if self._place.open:
            self._place.open.holds_sign = True

    def hides_closer(self) -> bool:
        """Whether a marker in code is hidden: not where what ends a fence stands before it."""
        place = self._place
        return begin_line(place.blocks, place.line_text).kind != "closing"

    def state(self) -> CodePlace:
        """Return what ``restore`` goes back to."""
        place = self._place
        return replace(place, open=place.open and replace(place.open))

    def restore(self, state: CodePlace) -> None:
        """Forget what began and ended since then, all of which is a block."""
        self._read_all()
        self._place = state

    # What comes

    def add(self, text: str, *, has_runs: bool = True) -> None:
        """Move over text, but read it later; no run counts in an opener."""
        if not has_runs and "`" in text:  # D10.4; but it can show that a fence is none (D11.2)
            self._read_all()
            if self._place.line:
                self._meet_backtick(self._place.line, self._place.line_text)
            text = text.replace("`", _LETTER)
        self._unread.append(text)
        self._unread_length += len(text)
        self._has_line_end = self._has_line_end or "\n" in text
        if self._unread_length > _KEPT_WHOLE and self._has_line_end:
            self._read_all(only_lines=True)

    def meet_marker(self) -> None:
        """Say that a marker, a block or reasoning begins here."""
        self._read_all()
        if self._place.line is None:
            self._read_head(_LETTER)

    def note_marker(self) -> None:
        """Say that the marker that was met last is ignored."""
        if self._place.open:
            self._place.open.holds_marker = True

    def skip_to(self, offset: int, *, is_whole: bool = True) -> None:
        """Move over an opener, a block or reasoning; what follows it as a whole is a line of its
        own where only blanks stand before it.
        """
        if offset <= self._offset + self._unread_length:
            return  # a block in doubt, over whose opener it moved, was read on behind (EXT-046)
        self.meet_marker()
        self._offset = offset
        if self._place.open is None:
            self._keep(_LETTER)
        if self._place.has_text or not is_whole:
            self._place.line_text += _LETTER
            self._place.has_text = True
        else:
            self._end_line(offset)
            self._place.is_rest = True

    def forget_from(self, offset: int) -> None:
        """Say that no code stands behind an offset (EXT-200)."""
        while self._spans and self._spans[-1][0] >= offset:
            self._spans.pop()

    def finish(self) -> None:
        """End the text, and with it the code that is still open."""
        self._read_all()
        if self._place.line or self._place.has_text:
            self._read_line()
        self._end_code(self._offset)

    # Reading

    def _read_all(self, *, only_lines: bool = False) -> None:
        """Read what is unread; ``only_lines``: the lines of it that are whole."""
        text = self._unread.take()
        end = text.rfind("\n") + 1 if only_lines else len(text)
        self._read(text[:end])
        self._unread.append(text[end:])
        self._unread_length = len(text) - end
        self._has_line_end = False

    def _read(self, text: str) -> None:
        for found in _LINE.finditer(text):
            part, end = found.groups()
            if part:
                self._offset += len(part)
                self._read_part(part)
            if end:
                self._read_line()
                self._offset += len(end)
                self._end_line(self._offset)

    def _read_part(self, part: str) -> None:
        """Read more of the line."""
        place = self._place
        place.has_text = place.has_text or bool(part.strip(" \t"))
        line, text = place.line, place.line_text
        if line is None or len(text) < _KEPT_WHOLE:
            place.line_text += part
        if line and "`" in part:
            line = self._meet_backtick(line, text)
        if line and line.kind in _TEXT:
            self._read_inline(line, part, self._offset - len(part))

    def _read_head(self, next_: str = "") -> Line:
        """Read what the line is, and what came of it."""
        place = self._place
        line = place.line = begin_line(place.blocks, place.line_text + next_)
        start = place.line_start + line.at
        if line.kind == "opening":
            # A further backtick on the line may show that this is no fence.
            place.before = place.open
            place.open = OpenCode(True, line.blocks.fence, start)
        elif line.kind == "doubtful":  # D12.4 to D12.6: it is code to the end of its block
            place.open = place.open or OpenCode(False, "", start)
            place.open.run = ""
        elif line.kind not in ("text", "fenced", "closing"):
            self._end_code(place.line_start - 1)
        if line.kind == "begin":
            place.text, place.is_definition, place.has_text_run = "", False, False
            place.may_be_label = (place.line_text + next_).startswith("[", line.at)
        if line.kind in _TEXT:
            self._read_inline(line, place.line_text[line.at :], start)
        return line

    def _meet_backtick(self, line: Line, text: str) -> Line:
        """Read a further backtick, behind the text of a line: a run of backticks opened no fence
        there, so the line is read again from that run on.
        """
        place, fence = self._place, self._place.open
        if line.kind != "opening" or not fence or fence.run[0] != "`":
            return line
        place.open, place.before = place.before, None
        behind_run = line.at + len(fence.run)
        whole, place.line_text = place.line_text, text[:behind_run]
        line = self._read_head("x`")
        place.line_text = whole
        self._read_inline(line, text[behind_run:], place.line_start + behind_run)
        if place.open:
            place.open.holds_marker |= fence.holds_marker
        return line

    def _read_inline(self, line: Line, text: str, start: int) -> None:
        """Read text of a line in which inline code can begin and end."""
        place = self._place
        label_end = self._read_label(text)
        at = behind_code = 0
        while found := (_RUN if place.open else _RUN_OR_ESCAPE).search(text, at):
            run, at = found[0], found.end()
            if run[0] == "\\":
                continue
            if place.open is None:
                before = place.text + text[behind_code : found.start()]
                place.text = ""
                is_sure = at <= label_end and not (place.has_text_run or may_hold_run(before))
                place.open = OpenCode(False, run if is_sure else "", start + found.start())
            elif at > label_end:  # in a definition or behind it (D12.2)
                place.open.run = ""
            elif run == place.open.run:
                place.open.is_closed = True
                self._end_code(start + at)
                behind_code = at
            else:
                place.open.holds_sign = True
        if place.open is None:
            self._keep(text[behind_code:])
        if line.blocks.leaf == "html":
            # What ends the HTML can have begun before this text.
            tail = place.line_text[: -len(text)][line.at :][-_ENOUGH:] if text else ""
            place.ends_html |= bool(line.blocks.html_end.search(tail + text))

    def _keep(self, text: str) -> None:
        """Keep text that can be the begin of HTML or a link, if that is not too much."""
        text = self._place.text + text
        if len(text) > _KEPT_WHOLE:
            text = _UNSURE if may_hold_run(text) else text[-_ENOUGH:]
        self._place.text = text

    def _read_label(self, text: str) -> int:
        """Return the place in a text behind which it is known to be in a definition (D12.2): its
        begin where one began before, its end where none is known.
        """
        place = self._place
        if place.is_definition:
            return 0
        if place.may_be_label and text:
            is_begin = not place.text and text[0] == "["  # a second one stands in no label
            found = _LABEL_END.match(text, 1 if is_begin else 0)
            assert found
            place.may_be_label = found[1] is None
            place.is_definition = found[1] == "]:"
            if place.is_definition:
                return found.end()
        return len(text)

    def _read_line(self) -> None:
        """Read the end of the line."""
        place = self._place
        if place.is_rest and not place.has_text:
            place.line = Line("text", 0, place.blocks)
        line = place.line or self._read_head()
        if line.kind == "closing":
            self._end_code(place.line_start + line.at)
        elif line.kind == "opening":
            # No backtick came that shows it to be none: the fence ends the code that was open.
            fence, place.open = place.open, place.before
            self._end_code(place.line_start - 1)
            place.open, place.before = fence, None

    def _end_line(self, offset: int) -> None:
        """Go to the next line."""
        place = self._place
        assert place.line
        blocks = place.line.blocks
        if place.line.kind == "begin" and len(place.line_text) < _KEPT_WHOLE:
            blocks = is_html_tag(place.blocks, place.line_text) or blocks
        if place.ends_html:
            blocks = blocks._replace(leaf="none")
        elif place.is_definition and blocks.leaf == "paragraph":
            blocks = blocks._replace(leaf="definition")
        place.blocks, place.line, place.line_start, place.line_text = blocks, None, offset, ""
        place.has_text = place.is_rest = place.ends_html = False
        self._keep("\n")

    def _end_code(self, end: int) -> None:
        """End what is open; where markers in fences count, not all of a fence is code."""
        code, self._place.open = self._place.open, None
        is_noted = code and code.holds_marker and not (code.is_fence and not self._opaque_fences)
        if code and is_noted and self._spans is not None:
            self._spans.append((code.start, end))


class Ahead:
    """Tells whether a run ends the inline code that is open at a place, by what follows in its
    block (definition "inline code").
    """

    def __init__(self, place: CodePlace) -> None:
        assert place.open
        self._code = place.open
        self._tracker = CodeTracker(None, opaque_fences=True)
        self._tracker.restore(place)

    def read(self, source: Source) -> ParseOf[bool]:
        """Read more at the cursor: a run or text before one, or a whole line where it is not known
        what that is. Tell whether it is known then.
        """
        begin, first = source.offset, source.text[source.at]
        if not self._tracker.is_line_known:
            yield from source.skip_line()
        elif first == "`":
            yield from source.skip_run(_BACKTICKS)
        else:
            source.at = _PLAIN.match(source.text, source.at + 1).end()  # type: ignore[union-attr]
            if first == "\r" and (yield from source.peek()) == "\n":
                source.at += 1
        self._tracker.add(source.since(begin))
        return not (self._tracker.is_in(self._code) and self._code.run)

    def finish(self) -> bool:
        """End the text; tell whether a run ends the code, or none can: then it is code anyway."""
        self._tracker.finish()
        return self._code.is_closed or not self._code.run
