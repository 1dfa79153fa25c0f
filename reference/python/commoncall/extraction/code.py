"""Code in Markdown: where a marker is quoted, not meant (definitions "code", "fence", "inline
code").

The tracker is given the text in order and answers from what came before only, so a stream and the
whole text agree. It reads when it is asked, so text without markers costs it nothing.
"""

import re
from dataclasses import dataclass
from typing import Literal

from commoncall.extraction.line import Line
from commoncall.extraction.source import Pieces

_TOKEN = re.compile(r"\n|`+|~+|[^\n`~]+")
_MUCH = 1 << 12
FENCE_LENGTH = 3
"""How many marks a fence has at least."""


@dataclass(slots=True)
class OpenCode:
    """A fence or inline code, by the run that opened it; ``either`` while a run of backticks can be
    both, which the rest of its line tells.
    """

    kind: Literal["fence", "inline", "either"]
    run: str
    length: int
    start: int
    holds_marker: bool = False


class CodeTracker:
    """Follow fences, inline code and indented lines through a text."""

    def __init__(self, spans: list[tuple[int, int]] | None, *, opaque_fences: bool) -> None:
        # Gets the half-open offsets of the fences and inline code in which a marker was ignored
        # (definition "segment").
        self._spans = spans
        self._opaque_fences = opaque_fences  # a marker in a fence does not count
        self._unread = Pieces()
        self._unread_length = 0
        self._offset = 0
        self._run = ""  # "`" or "~" while the length of a run is not known yet
        self._run_length = 0
        self.line = Line()  # that is being read
        self.open: OpenCode | None = None  # the fence or inline code that is

    # What stands here

    @property
    def hides(self) -> bool:
        """Whether the marker that was met last stands in code (EXT-030)."""
        code = self.open
        if code is None:
            return self.line.indented
        is_first_line = code.start >= self.line.start
        return code.kind != "fence" or is_first_line or self._opaque_fences

    # What comes

    def add(self, text: str, *, is_opener: bool = False) -> None:
        """Move over text, but read it later; what stands in an opener begins and ends no code."""
        if not text:
            return
        if is_opener:
            if self.open and "`" in text:
                self._note_backtick(self.open)
            text = text.replace("`", "x").replace("~", "x")
        if self._unread_length > _MUCH:
            self.read()
        self._unread.append(text)
        self._unread_length += len(text)

    def meet_marker(self) -> None:
        """Say that a marker begins here."""
        self.read()
        self._end_run()
        self.line.meet()

    def note_marker(self) -> None:
        """Say that the marker that was met last is ignored."""
        if self.open:
            self.open.holds_marker = True

    def skip_to(self, offset: int, *, in_prefix: bool = False) -> None:
        """Move over a block or reasoning, behind which a fence can begin only ``in_prefix``."""
        self.read()
        if offset > self._offset:
            self._end_run()
            self.line.skip(in_prefix=in_prefix)
            self._offset = offset

    def forget_from(self, offset: int) -> None:
        """Say that no code stands behind an offset (EXT-201)."""
        while self._spans and self._spans[-1][0] >= offset:
            self._spans.pop()

    def finish(self) -> None:
        """End the text, and with it the code that is still open."""
        if not (self.open and self.open.holds_marker):
            return  # nobody asks where that ends
        self.read()
        self._end_run()
        self._end_code(self._offset if self.line.fence_end is None else self.line.fence_end)

    # Reading

    def read(self) -> None:
        """Read what was added."""
        if not self._unread_length:
            return
        text = self._unread.take()
        self._unread_length = 0
        for token in _TOKEN.finditer(text):
            self._token(token[0])

    def _token(self, token: str) -> None:
        if self._run and token[0] != self._run:
            self._end_run()
        if token[0] in "`~":
            self._run = token[0]
            self._run_length += len(token)
        elif token == "\n":
            self._end_line()
        else:
            self.line.read(token)
        self._offset += len(token)

    def _end_run(self) -> None:
        """Read the run that has ended here: it begins or ends code, or is neither."""
        if not self._run:
            return
        run, length = self._run, self._run_length
        self._run, self._run_length = "", 0
        fences = self.line.meet() and length >= FENCE_LENGTH
        code = self.open
        if code is None:
            if fences or (run == "`" and not self.line.indented):
                kind: Literal["fence", "inline", "either"] = "inline"
                if fences:
                    kind = "fence" if run == "~" else "either"
                self.open = OpenCode(kind, run, length, self._offset - length)
        elif code.kind == "fence":
            if fences and run == code.run and length >= code.length:
                self.line.fence_end = self._offset
        elif run == "`":
            self._note_backtick(code)
            if self.open and length == code.length:
                self._end_code(self._offset)

    def _note_backtick(self, code: OpenCode) -> None:
        """A backtick on its line: a run opened no fence, and no inline code if that is indented."""
        if code.kind == "either":
            code.kind = "inline"
            if self.line.indented:
                self.open = None

    def _end_line(self) -> None:
        code, line = self.open, self.line
        if code and code.kind == "either":
            code.kind = "fence"
        elif code and code.kind == "inline" and line.blank:
            self._end_code(line.start - 1)
        elif line.fence_end is not None:
            self._end_code(line.fence_end)
        self.line = line.next(self._offset + 1, in_code=self.open is not None)

    def _end_code(self, end: int) -> None:
        """End what is open; where markers in fences count, not all of a fence is code."""
        code, self.open = self.open, None
        is_noted = code and code.holds_marker and (code.kind == "inline" or self._opaque_fences)
        if code and is_noted and self._spans is not None:
            self._spans.append((code.start, end))
