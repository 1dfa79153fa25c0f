"""A line of Markdown: whether it is blank, whether it is an indented line, and whether a fence may
begin in it (definitions "fence", "indented line").
"""

from dataclasses import dataclass

from commoncall.json_text import BLANKS

_MARKS = ">-*+"
_PREFIX = BLANKS.replace("\n", "") + _MARKS
_TAB_WIDTH = 4
_CODE_INDENT = 4


def is_line_prefix(text: str, end: int) -> bool:
    """Tell whether the last line of ``text[:end]`` begins in it and holds only what may stand
    before a fence, as behind a tag with a line feed before its ``>``.
    """
    while end and text[end - 1] in _PREFIX:
        end -= 1
    return end > 0 and text[end - 1] == "\n"


@dataclass(slots=True)
class Line:
    """The line that is being read."""

    start: int = 0  # its offset
    blank_lines: int = 0  # how many were read before it
    _may_be_indented: bool = False
    blank: bool = True  # it has no visible character so far
    indented: bool = False  # it is an indented line
    fence_end: int | None = None  # where the fence ends if nothing visible follows here
    _indent: int = 0
    _in_prefix: bool = True  # nothing but blanks, ">" and list markers so far
    _in_digits: bool = False  # a list marker of digits is not complete

    def next(self, start: int, *, in_code: bool) -> "Line":
        """Return the next line; ``in_code``: a fence or inline code is open there."""
        may_be_indented = not in_code and (self.blank or self.indented)
        return Line(start, self.blank_lines + self.blank, may_be_indented)

    def skip(self, *, in_prefix: bool) -> None:
        """Move over a block or reasoning, behind which a fence can begin only ``in_prefix``."""
        self.blank, self._in_prefix, self._in_digits = False, in_prefix, False

    def read(self, text: str) -> None:
        """Move over text without a line feed and runs."""
        for character in text:
            if not self.blank and not self._in_prefix:
                break
            if character not in BLANKS:
                self._visible()
                self._in_prefix = self._in_prefix and self._continues_prefix(character)
            else:
                if self.blank:
                    self._indent += _TAB_WIDTH if character == "\t" else 1
                self._in_prefix = self._in_prefix and not self._in_digits
        if self.fence_end is not None and text.strip(BLANKS):
            self.fence_end = None

    def meet(self) -> bool:
        """Move over a run, or meet a marker; tell whether a run can begin or end a fence here."""
        if not self._in_prefix:
            self.fence_end = None
            return False
        self._visible()
        self._in_prefix = False
        return not self._in_digits

    def _continues_prefix(self, character: str) -> bool:
        was_in_digits, self._in_digits = self._in_digits, character in "0123456789"
        if was_in_digits:
            return self._in_digits or character in ".)"
        return self._in_digits or character in _MARKS

    def _visible(self) -> None:
        self.fence_end = None
        if self.blank:
            self.blank = False
            self.indented = self._may_be_indented and self._indent >= _CODE_INDENT
