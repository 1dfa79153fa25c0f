"""The blocks of Markdown, line by line, as far as they say what is code: CommonMark 0.31.2.

A line is judged by the state behind the line before it and by its own begin, so a stream can ask
before the line is whole: whatever visible character follows stands for the rest.
"""

import re
from typing import Literal, NamedTuple

Kind = Literal["blank", "text", "doubtful", "begin", "indented", "opening", "fenced", "closing"]

QUOTE = 0
"""A block quote among the containers; another number is the indent that a list item needs."""
MOST_CONTAINERS = 64
"""How many containers are told apart: what stands deeper is an indented line."""
FENCE_LENGTH = 3
"""How many marks a fence has at least."""

_CODE_INDENT = 4
_TAB_WIDTH = 4
_OPENING = re.compile(r"`{3,}+(?=[^`]*+\Z)|~{3,}+")
_HEADING = re.compile(r"#{1,6}+(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r"(?:=++|-++)[ \t]*+\Z")
_RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_ITEM = re.compile(r"(?:[-+*]|([0-9]{1,9})[.)])(?=[ \t]|\Z)")
_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|"
    "dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|"
    "hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|"
    "search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_VALUE = r"""(?:[^ \t"'=<>`]+|'[^']*'|"[^"]*")"""
_ATTRIBUTE = rf"[ \t]+[A-Za-z_:][A-Za-z0-9_.:-]*(?:[ \t]*=[ \t]*{_VALUE})?"
_TAG = rf"(?:<[A-Za-z][A-Za-z0-9-]*(?:{_ATTRIBUTE})*[ \t]*/?>|</[A-Za-z][A-Za-z0-9-]*[ \t]*>)"
# HTML among other text goes on behind the end of a line.
_SPACED = _ATTRIBUTE.replace(r" \t", r"\s")
_SPACED_TAG = _TAG.replace(r" \t", r"\s")
_OPEN_VALUE = r"""\s+[A-Za-z_:][A-Za-z0-9_.:-]*\s*=\s*(?:'[^']*|"[^"]*)"""
_BLANK = re.compile(r"(?!)")
"""Ends no line: such HTML goes on up to a blank line."""
# How HTML of the first six kinds begins a line, and what ends it; of the seventh is `_HTML_TAG`.
_HTML = [
    (
        re.compile(r"<(?:script|pre|style|textarea)(?=[ \t>]|\Z)", re.IGNORECASE | re.ASCII),
        re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE | re.ASCII),
    ),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{_NAMES})(?=[ \t]|/?>|\Z)", re.IGNORECASE | re.ASCII), _BLANK),
]
_HTML_TAG = re.compile(rf"{_TAG}[ \t]*+\Z")
_ANGLED = r"<(?:\\.|[^<>\n\\])*(?:>|\Z)"
_TITLE = r"""(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\((?:\\.|[^()\\])*\)?)"""
_INLINE = re.compile(
    r"\\."  # an escape
    r"|<!--(?:-?>|.*?(?:-->|(\Z)))|<\?.*?(?:\?>|(\Z))|<!\[CDATA\[.*?(?:\]\]>|(\Z))"
    r"|<![A-Za-z][^>]*(\Z)?|<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*(\Z)?"
    rf"|{_SPACED_TAG}|<[A-Za-z][A-Za-z0-9-]*(?:{_SPACED})*{_OPEN_VALUE}(\Z)"
    rf"|\]\(\s*(?:{_ANGLED}|(?!<)(?:\\.|[^\s()\\])*(?:\([^\s<]*)?)(?:\s+{_TITLE})?\s*(\Z)"
    r"|\]\[[^\[\]]*(\Z)",
    re.DOTALL | re.ASCII,
)


def may_hold_run(text: str) -> bool:
    """Tell whether a text, in which no code is, may end in HTML, a link or its like, so that a run
    of backticks behind it begins no code.
    """
    # A group matches where the text ends inside of what is found.
    return any(found.lastindex for found in _INLINE.finditer(text))


class Blocks(NamedTuple):
    """The blocks that are open behind a line."""

    containers: tuple[int, ...] = ()
    is_bare: bool = False  # the last one is an item that began with a blank line
    # "definition": a paragraph that begins as one does; "unclear": what D12.4 to D12.6 begin, which
    # goes on to a blank line or a fence.
    leaf: Literal["none", "paragraph", "definition", "unclear", "fence", "html"] = "none"
    fence: str = ""  # the run that opened it
    html_end: re.Pattern[str] = _BLANK  # what ends the line that ends it; a blank line does, too


class Line(NamedTuple):
    """A line, or as much of it as was read."""

    kind: Kind  # "text" goes on with a block, as "doubtful" does or is code; "begin" begins one
    at: int  # where its content begins behind the containers and its indent
    blocks: Blocks  # that are open behind it


class _Cursor:
    """A visible character of a line, or its end, and the blanks before it that still count."""

    at: int
    indent: int  # in columns
    is_blank: bool

    def __init__(self, line: str) -> None:
        self.line = line
        self._column = 0  # behind what was read, which can be within a tab
        self._look(0)

    def _look(self, at: int) -> None:
        line, column = self.line, self._column
        while (blank := line[at : at + 1]) and blank in " \t":
            column += 1 if blank == " " else _TAB_WIDTH - column % _TAB_WIDTH
            at += 1
        self.at, self.indent = at, column - self._column
        self.is_blank = at == len(line)

    def skip(self, columns: int) -> None:
        """Go over blanks, as many as there are."""
        columns = min(columns, self.indent)
        self._column += columns
        self.indent -= columns

    def go(self, length: int) -> None:
        """Go over visible characters, and the blanks before them."""
        self._column += self.indent + length
        self._look(self.at + length)


def begin_line(before: Blocks, line: str) -> Line:
    """Tell what a line is, without its end, from the blocks that are open before it."""
    cursor = _Cursor(line)
    kept, is_deep = _kept(before, cursor)
    containers = before.containers[:kept]
    is_whole = kept == len(before.containers)
    if line_of_leaf := _goes_on(before, containers, cursor, is_deep=is_deep):
        return line_of_leaf
    # Whether text goes on with the paragraph, also where it lacks the begin of a container.
    goes_on = before.leaf in ("paragraph", "definition")
    is_bare = False
    while not cursor.is_blank:
        interrupts = goes_on and is_whole
        if cursor.indent >= _CODE_INDENT:
            if indented := _indented(before, containers, cursor, goes_on=goes_on):
                return indented
            break
        if leaf := _leaf(containers, cursor, goes_on=goes_on, interrupts=interrupts):
            return leaf
        item = _ITEM.match(line, cursor.at)
        if line[cursor.at] == ">":
            _pass_quote(cursor)
            containers += (QUOTE,)
        elif item and not (interrupts and not _may_interrupt(item)):
            containers += (_pass_item(cursor, len(item[0])),)
            is_bare = cursor.is_blank
        else:
            break
        goes_on = False
        if len(containers) > MOST_CONTAINERS:
            return Line("indented", cursor.at, Blocks(containers[:-1]))
    if goes_on and not cursor.is_blank:
        if before.leaf != "definition" or (is_whole and not _ITEM.match(line, cursor.at)):
            return Line("text", cursor.at, before._replace(is_bare=False))
        # What ended there is the definition, or its paragraph goes on (D12.4).
        return Line("doubtful", cursor.at, Blocks(containers, leaf="unclear"))
    leaf_of_text: Literal["none", "paragraph"] = "none" if cursor.is_blank else "paragraph"
    kind: Kind = "blank" if cursor.is_blank else "begin"
    return Line(kind, cursor.at, Blocks(containers, is_bare, leaf_of_text))


def _goes_on(
    before: Blocks, containers: tuple[int, ...], cursor: _Cursor, *, is_deep: bool
) -> Line | None:
    """Return the line where what is open but a paragraph goes on, or may go on."""
    is_whole = containers == before.containers
    if is_whole and before.leaf == "fence":
        return _in_fence(before, cursor)
    if cursor.is_blank and (before.leaf != "html" or before.html_end is _BLANK):
        return None
    if is_deep or before.leaf == "unclear":
        found = _OPENING.match(cursor.line, cursor.at) if cursor.indent < _CODE_INDENT else None
        if found:
            return Line("opening", cursor.at, Blocks(containers, leaf="fence", fence=found[0]))
        if not cursor.is_blank:  # it begins (D12.6), or goes on
            return Line("doubtful", cursor.at, Blocks(containers, leaf="unclear"))
    return _html_line(before, cursor, "text") if is_whole and before.leaf == "html" else None


def _indented(
    before: Blocks, containers: tuple[int, ...], cursor: _Cursor, *, goes_on: bool
) -> Line | None:
    """Return the line where its indent makes it code, or may do so."""
    if not goes_on:
        return Line("indented", cursor.at, Blocks(containers))
    is_whole = containers == before.containers
    if not is_whole and _begins_block(cursor):  # readers differ: the container may end here (D12.5)
        return Line("doubtful", cursor.at, Blocks(containers, leaf="unclear"))
    if before.leaf == "definition":  # D12.3
        return Line("doubtful", cursor.at, before._replace(is_bare=False))
    return None


def is_html_tag(before: Blocks, line: str) -> Blocks | None:
    """Return what is open behind a whole line if HTML begins with it that only its end shows."""
    blocks = begin_line(before, line).blocks
    return blocks if blocks.leaf == "html" and blocks.html_end is _BLANK else None


def _kept(before: Blocks, cursor: _Cursor) -> tuple[int, bool]:
    """Move behind the begins of the containers that go on; tell how many these are, and whether one
    of them is a quotation whose sign is indented as code is, so that it may have ended.
    """
    last = len(before.containers) - 1
    is_deep = False
    for number, indent in enumerate(before.containers):
        if indent == QUOTE:
            if cursor.line[cursor.at : cursor.at + 1] != ">":
                return number, is_deep
            is_deep = is_deep or cursor.indent >= _CODE_INDENT
            _pass_quote(cursor)
        elif cursor.is_blank:
            if before.is_bare and number == last:
                return number, is_deep
        elif cursor.indent < indent:
            return number, is_deep
        else:
            cursor.skip(indent)
    return last + 1, is_deep


def _in_fence(before: Blocks, cursor: _Cursor) -> Line:
    line, at, run = cursor.line, cursor.at, before.fence
    if cursor.indent < _CODE_INDENT and line.startswith(run, at):
        end = at + len(run)
        while line[end : end + 1] == run[0]:
            end += 1
        if not line[end:].strip(" \t"):
            return Line("closing", end, before._replace(leaf="none"))
    return Line("fenced", at, before)


def _html_line(blocks: Blocks, cursor: _Cursor, kind: Kind) -> Line:
    return Line(kind, cursor.at, blocks._replace(leaf="html", is_bare=False))


def _leaf(
    containers: tuple[int, ...], cursor: _Cursor, *, goes_on: bool, interrupts: bool
) -> Line | None:
    """Return the line where a block of one line, a fence or HTML begins at the cursor."""
    line, at = cursor.line, cursor.at
    if found := _OPENING.match(line, at):
        return Line("opening", at, Blocks(containers, leaf="fence", fence=found[0]))
    if _HEADING.match(line, at):
        return Line("begin", at, Blocks(containers))
    for begin, end in _HTML:
        if begin.match(line, at):
            return _html_line(Blocks(containers, html_end=end), cursor, "begin")
    if not goes_on and _HTML_TAG.match(line, at):
        return _html_line(Blocks(containers), cursor, "begin")
    if (interrupts and _UNDERLINE.match(line, at)) or _RULE.match(line, at):
        return Line("blank", at, Blocks(containers))
    return None


def _begins_block(cursor: _Cursor) -> bool:
    """Tell whether a block would begin at the cursor if it was not indented."""
    line, at = cursor.line, cursor.at
    begins_one = _leaf((), cursor, goes_on=True, interrupts=False) is not None
    begins_one = begins_one or line.startswith((">", "```"), at)
    return begins_one or _ITEM.match(line, at) is not None


def _may_interrupt(item: re.Match[str]) -> bool:
    """Tell whether a list item can begin where a paragraph would go on."""
    is_empty = not item.string[item.end() :].strip(" \t")
    return not is_empty and int(item[1] or 1) == 1


def _pass_quote(cursor: _Cursor) -> None:
    cursor.go(1)
    cursor.skip(1)


def _pass_item(cursor: _Cursor, length: int) -> int:
    """Move behind the marker of a list item; return the indent that its content needs."""
    indent = cursor.indent + length
    cursor.go(length)
    blanks = 1 if cursor.is_blank or cursor.indent > _CODE_INDENT else cursor.indent
    cursor.skip(blanks)
    return indent + blanks
