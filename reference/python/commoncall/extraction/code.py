"""Code in Markdown: where a marker is quoted, not meant (definitions "code", "fence", "inline
code", "indented line").

The tracker is given the text in order and answers from what came before only, so a stream and the
whole text agree. It reads when it is asked, so text without markers costs it nothing.
"""

from __future__ import annotations

import re

from commoncall.extraction.source import Pieces
from commoncall.json_text import BLANKS

_TOKEN = re.compile(r"\n|`+|~+|[^\n`~]+")
_BLANK = f"[{re.escape(BLANKS.replace(chr(10), ''))}]"
_BLANK_BUT_TAB = f"[{re.escape(BLANKS.replace(chr(10), '').replace(chr(9), ''))}]"
_LINE_START = rf"(?:(?:{_BLANK}*+\n)++{_BLANK_BUT_TAB}{{0,3}}+|{_BLANK}*+)"
_INLINE = r"`[^`\n]++`(?!`)"  # that ends on its line
_REST = rf"[^\n`~]*+(?:{_INLINE}[^\n`~]*+)*+"
_DULL = rf"(?:[^{re.escape(BLANKS)}`~]|{_INLINE}){_REST}"
# The rest of a line, then lines that leave no code open and are no indented lines.
_DULL_LINES = re.compile(rf"{_REST}\n(?:{_LINE_START}{_DULL}\n)*+")
_DULL_PIECE = re.compile(rf"{_REST}(?:\n{_LINE_START}{_DULL})*+(?:\n{_LINE_START})?")
_BLANK_LINE = re.compile(rf"\n{_BLANK}*+\n")
_MARKS = ">-*+"
_PREFIX = BLANKS.replace("\n", "") + _MARKS
_MUCH = 1 << 13
_TAB_WIDTH = 4
_CODE_INDENT = 4
_FENCE_LENGTH = 3


OpenFence = tuple[str, int]
"""The character and the length of the run that opened the fence; ``""`` and 0 where none is."""


def is_line_prefix(text: str, end: int) -> bool:
    """Tell whether the last line of ``text[:end]`` begins in it and holds only what may stand
    before a fence, as behind a tag with a line feed before its ``>``.
    """
    while end and text[end - 1] in _PREFIX:
        end -= 1
    return end > 0 and text[end - 1] == "\n"


class CodeTracker:
    """Follow fences, inline code and indented lines through a text.

    Args:
        spans: gets the half-open offsets of the fences and inline code in which a marker was
            ignored (definition "segment").
        opaque_fences: a marker in a fence does not count.
        in_lines: lines in which nothing can begin are read at once.

    Attributes:
        blank_lines: how many blank lines have ended so far.
        open_fence: the fence that is open.
    """

    def __init__(
        self, spans: list[tuple[int, int]] | None, *, opaque_fences: bool, in_lines: bool
    ) -> None:
        self._spans = spans
        self._in_lines = in_lines
        self.blank_lines = 0
        self._opaque_fences = opaque_fences
        self._is_quiet = False  # all is read, nothing is open, and this line is visible
        self._unread = Pieces()
        self._unread_length = 0
        self._offset = 0
        self._run = ""  # "`" or "~" while the length of a run is not known yet
        self._run_length = 0
        # The line.
        self._last_line_end = 0  # offset of the line feed that ended the line before
        self._blank = True
        self._indent = 0
        self._in_prefix = True  # nothing but blanks, ">" and list markers so far
        self._in_digits = False  # a list marker of digits is not complete
        self._after_blank = False
        self._after_indented = False
        # The code.
        self._indented = False  # this line is an indented line
        self._inline = 0  # length of the run that opened inline code
        self._undecided = False  # it may open a fence instead: the rest of the line tells
        self.open_fence: OpenFence = ("", 0)
        self._fence_line = False  # this line opened the fence
        self._fence_end: int | None = None  # this line closes the fence if nothing visible follows
        self._span_start = 0
        self._span_marked = False

    def add(self, text: str, *, is_opener: bool = False) -> None:
        """Move over text, but read it later; what stands in an opener begins and ends no code."""
        if not text:
            return
        if is_opener:
            if self._undecided and "`" in text:
                self._opens_inline()
            text = text.replace("`", "x").replace("~", "x")
        if self._unread_length > _MUCH:
            self.read()
        self._is_quiet = False
        self._unread.append(text)
        self._unread_length += len(text)

    def read(self) -> None:
        """Read what was added."""
        if not self._unread_length:
            return
        text = self._unread.take()
        self._unread_length = 0
        at = 0
        tries = self._in_lines  # once in a line, so that a long line is not read again and again
        while at < len(text):
            if tries and self._is_dull():
                if lines := _DULL_LINES.match(text, at):
                    self._dull_lines(text, at, lines.end())
                    at = lines.end()
                    continue
                tries = False
            token: str = _TOKEN.match(text, at)[0]  # type: ignore[index]
            self._token(token)
            tries = tries or (self._in_lines and token == "\n")
            at += len(token)

    def _token(self, token: str) -> None:
        if self._run and token[0] != self._run:
            self._end_run()
        if token[0] in "`~":
            self._run = token[0]
            self._run_length += len(token)
        elif token == "\n":
            self._end_line()
        else:
            self._plain(token)
        self._offset += len(token)

    def _is_dull(self) -> bool:
        """Nothing is open, and this line can begin nothing but with a backtick or a tilde."""
        return not (
            self._blank or self._run or self._inline or self.open_fence[0] or self._indented
        )

    def _dull_lines(self, text: str, start: int, end: int) -> None:
        """Move to the begin of the line behind lines that hold no code."""
        if _BLANK_LINE.search(text, start, end):
            self.blank_lines += 1
        self._offset += end - start
        self._last_line_end = self._offset - 1
        self._after_blank = self._after_indented = self._in_digits = False
        self._blank = self._in_prefix = True
        self._indent = 0

    def skip_to(self, offset: int, *, in_prefix: bool = False) -> None:
        """Move over a block or reasoning, behind which a fence can begin only ``in_prefix``."""
        self.read()
        if offset > self._offset:
            self._end_run()
            self._blank = self._in_digits = False
            self._in_prefix = in_prefix
            self._offset = offset
            self._is_quiet = not (self._inline or self.open_fence[0])

    def skip_if_dull(self, text: str, start: int, end: int, to: int) -> bool:
        """Move to the offset ``to`` over ``text[start:end]`` and the block behind it, if that text
        can begin no code and stands in none; tell whether that is so.
        """
        if not self._is_quiet:
            at_begin = not (self._offset or self._unread_length)
            if not at_begin or (start < end and text[start] in BLANKS):
                return False
        if _DULL_PIECE.fullmatch(text, start, end) is None:
            return False
        self._is_quiet, self._blank, self._in_prefix = True, False, False
        self._offset = to
        return True

    def restore_fence(self, fence: OpenFence) -> None:
        """Say which fence is open behind a block: the one that was open before it."""
        self.read()
        self.open_fence = fence
        self._is_quiet = False

    def hides(self) -> bool:
        """Tell whether the marker that begins here, and makes its line visible, stands in code
        (EXT-030).
        """
        self.read()
        self._end_run()
        self._visible()
        self._in_prefix = False
        in_fence = bool(self.open_fence[0]) and self._opaque_fences
        return bool(self._inline) or self._indented or self._fence_line or in_fence

    def note_marker(self) -> None:
        """Say that a marker begins here and is ignored."""
        self._span_marked = True

    def finish(self) -> None:
        """End the text, and with it the code that is still open."""
        if not self._span_marked:
            return  # nobody asks where that ends
        self.read()
        self._end_run()
        if self.open_fence[0] or self._undecided:
            self._end_fence(self._offset)
        elif self._inline:
            self._end_inline(self._offset)

    def _plain(self, text: str) -> None:
        for character in text:
            if not self._blank and not self._in_prefix:
                break
            if character not in BLANKS:
                self._visible()
                self._in_prefix = self._in_prefix and self._continues_prefix(character)
            else:
                if self._blank:
                    self._indent += _TAB_WIDTH if character == "\t" else 1
                self._in_prefix = self._in_prefix and not self._in_digits
        if self._fence_end is not None and text.strip(BLANKS):
            self._fence_end = None

    def _continues_prefix(self, character: str) -> bool:
        was_in_digits, self._in_digits = self._in_digits, character in "0123456789"
        if was_in_digits:
            return self._in_digits or character in ".)"
        return self._in_digits or character in _MARKS

    def _visible(self) -> None:
        """The line is not blank."""
        self._fence_end = None
        if not self._blank:
            return
        self._blank = False
        follows = self._after_blank or self._after_indented
        if self._indent >= _CODE_INDENT and follows and not (self._inline or self.open_fence[0]):
            self._indented = True

    def _end_run(self) -> None:
        if not self._run:
            return
        run, length = self._run, self._run_length
        self._run, self._run_length = "", 0
        start = self._offset - length
        begins_line = self._in_prefix and not self._in_digits and length >= _FENCE_LENGTH
        self._visible()
        self._in_prefix = False
        fence, fence_length = self.open_fence
        if fence:
            if begins_line and run == fence and length >= fence_length:
                self._fence_end = self._offset
        elif self._inline:
            if run == "`":
                self._opens_inline()
                if length == self._inline:
                    self._end_inline(self._offset)
        elif begins_line or (run == "`" and not self._indented):
            self._span_start, self._span_marked = start, False
            if run == "~":
                self.open_fence, self._fence_line = (run, length), True
            else:
                self._inline, self._undecided = length, begins_line

    def _opens_inline(self) -> None:
        """A further backtick on its line: a run opened no fence, and no inline code if indented."""
        if self._undecided and self._indented:
            self._inline = 0
        self._undecided = False

    def _end_line(self) -> None:
        if self._blank:
            self.blank_lines += 1
            if self._inline:
                self._end_inline(self._last_line_end)
        if self._undecided:
            self.open_fence, self._fence_line = ("`", self._inline), True
            self._inline, self._undecided = 0, False
        if self._fence_end is not None:
            self._end_fence(self._offset)
        self._after_blank = self._blank
        self._after_indented = self._indented
        self._fence_line = self._indented = self._in_digits = False
        self._blank = self._in_prefix = True
        self._indent = 0
        self._last_line_end = self._offset

    def _end_fence(self, end: int) -> None:
        """End a fence behind the run that closes it, or with the text."""
        if self._opaque_fences:  # else not all of it is code
            self._note_span(end if self._fence_end is None else self._fence_end)
        self.open_fence, self._fence_end = ("", 0), None

    def _end_inline(self, end: int) -> None:
        self._inline = 0
        self._note_span(end)

    def _note_span(self, end: int) -> None:
        if self._span_marked and self._spans is not None:
            self._spans.append((self._span_start, end))
