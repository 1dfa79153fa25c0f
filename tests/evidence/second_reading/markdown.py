"""The code of a whole Markdown text, by CommonMark 0.31.2, read again for each question.

A line is turned into its columns first, so that a container is cut off like a prefix.
"""

import re
from dataclasses import dataclass, field

REST = "\ue001"
"""Ends a line behind which the same paragraph goes on."""
MUTE = "\ue002"
"""A backtick that is of no run, as in an opener."""
DEEPEST = 64
LISTED = (
    "address article aside base basefont blockquote body caption center col colgroup dd details "
    "dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 "
    "head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option "
    "p param search section summary table tbody td tfoot th thead title tr track ul"
)
NAMES = frozenset(LISTED.split())
RAW = ["script", "pre", "style", "textarea"]
ENDS = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>"}


@dataclass
class Span:
    """A fence or inline code; ``run`` is what ends it, and empty where nothing does."""

    start: int
    run: str
    is_fence: bool
    end: int = -1


@dataclass
class Line:
    """What is left of a line, without tabs at its begin, and where the line stands."""

    start: int
    text: str
    left: str
    column: int = 0

    @property
    def blank(self) -> bool:
        return self.left.strip(" ") == ""

    @property
    def indent(self) -> int:
        return len(self.left) - len(self.left.lstrip(" "))

    @property
    def body(self) -> str:
        return self.left.lstrip(" ")

    @property
    def at(self) -> int:
        """Return the offset of the first visible character, which no cut has changed."""
        return self.start + len(self.text) - len(self.body)

    def cut(self, count: int) -> None:
        """Take columns off, and write the tabs that now stand first as blanks."""
        self.left, self.column = self.left[count:], self.column + count
        blanks, column = "", self.column
        rest = self.left
        while rest[:1] in (" ", "\t") and rest:
            width = 1 if rest[0] == " " else 4 - column % 4
            blanks, column, rest = blanks + " " * width, column + width, rest[1:]
        self.left = blanks + rest


@dataclass
class Text:
    """A block that holds text or HTML, as far as it was read."""

    kind: str  # "paragraph", "heading" or the text that ends HTML, "" for a blank line
    raw: str = ""  # all of it
    prose: str = ""  # behind its last inline code
    defined: bool = field(default=False)
    labelled: bool = field(default=False)  # it begins with `[`


class Reader:
    """Reads the lines of a text, and keeps its code."""

    def __init__(self, text: str) -> None:
        self.spans: list[Span] = []
        self.open: Span | None = None
        self.containers: list[int] = []  # 0 for a quotation, else the columns of a list item
        self.bare = False
        self.deep = False  # whether the sign of a quotation is indented as code is
        self.unclear = False  # whether the containers of the paragraph have ended
        self.text: Text | None = None
        self.fence: str | None = None
        self.hidden = False  # the last visible character stands in code
        self.closing = False  # the last line closes a fence
        lines = re.split(f"(\r\n|\r|\n|{REST})", text)
        at, after_rest = 0, False
        for line, end in zip(lines[::2], [*lines[1::2], ""], strict=True):
            is_last = end == ""
            if not (after_rest and not line.strip(" \t")) and not (
                is_last and not line.strip(" \t")
            ):
                self.line(at, line)
            at, after_rest = at + len(line) + len(end), end == REST
        self.end(len(text))

    def end(self, at: int) -> None:
        """End the code that is open."""
        if self.open:
            self.open.end = at
            self.spans.append(self.open)
        self.open = None

    def line(self, start: int, text: str) -> None:
        line = Line(start, text, text)
        line.cut(0)
        kept = self.kept(line)
        whole = kept == len(self.containers)
        self.hidden = self.closing = False
        if not self.goes_on(line, self.containers[:kept], whole=whole):
            self.find(line, self.containers[:kept], whole=whole)

    def goes_on(self, line: Line, inside: list[int], *, whole: bool) -> bool:
        """Read a line with which a fence or HTML goes on, or on which it is unclear what does."""
        if whole and self.fence is not None:
            self.in_fence(line, self.fence)
            return True
        if (self.deep or self.unclear) and not line.blank:
            shallow = self.deep and line.indent < 4
            if shallow and self.leaf(line, paragraph=True, whole=False) == "fence":
                self.begin(line, inside, "fence")
                return True
            self.doubt(line)
            self.text = self.text or Text("paragraph")
            self.text.kind, self.containers, self.unclear = "paragraph", inside, True
            self.more(line)
            self.bare, self.fence = False, None
            return True
        if whole and self.is_html() and not (line.blank and self.text and self.text.kind == ""):
            self.more(line)
            return True
        return False

    def find(self, line: Line, inside: list[int], *, whole: bool) -> None:
        """Read the containers that begin on a line, and what it is."""
        bare, paragraph = False, self.text
        if paragraph and paragraph.kind != "paragraph":
            paragraph = None
        while not line.blank:
            if line.indent >= 4:
                self.read_indented(line, inside, paragraph, whole=whole)
                return
            leaf = self.leaf(line, paragraph=paragraph is not None, whole=whole)
            if leaf is not None:
                self.begin(line, inside, leaf)
                return
            marker = self.marker(line)
            if marker is None or (paragraph and whole and not self.may_interrupt(marker)):
                break
            inside = [*inside, self.enter(line, marker)]
            bare = marker[0] != ">" and line.blank
            paragraph = None
            if len(inside) > DEEPEST:
                self.leave(line.start, inside[:-1])
                self.hidden = True
                return
        if line.blank:
            self.leave(line.start, inside)
            self.bare = bare
        elif paragraph is None:
            self.begin(line, inside, "paragraph")
        else:
            self.bare = False
            if paragraph.defined and not whole:
                self.unclear, self.containers = True, inside
                self.doubt(line)
            self.more(line)

    def read_indented(
        self, line: Line, inside: list[int], paragraph: Text | None, *, whole: bool
    ) -> None:
        """Read a line that is indented as code is."""
        if paragraph is None:
            self.leave(line.start, inside)
            self.hidden = True
            return
        looks = line.body.startswith("```") or self.marker(line) is not None
        looks = looks or self.leaf(line, paragraph=True, whole=False) is not None
        if paragraph.defined or (not whole and looks):
            self.doubt(line)
        self.bare = False
        self.more(line)

    def kept(self, line: Line) -> int:
        """Cut off the containers that go on, and count them."""
        self.deep = False
        for number, columns in enumerate(self.containers):
            if columns == 0:
                if not line.body.startswith(">"):
                    return number
                self.deep = self.deep or line.indent > 3
                line.cut(line.indent + 1)
                line.cut(line.left[:1] == " ")
            elif line.blank:
                if self.bare and number == len(self.containers) - 1:
                    return number
            elif line.indent < columns:
                return number
            else:
                line.cut(columns)
        return len(self.containers)

    def is_html(self) -> bool:
        return self.text is not None and self.text.kind not in ("paragraph", "heading")

    def in_fence(self, line: Line, fence: str) -> None:
        body = line.body.rstrip(" \t")
        if line.indent < 4 and set(body) == {fence[0]} and len(body) >= len(fence):
            self.end(line.at + len(body))
            self.fence, self.closing = None, True
        elif not line.blank:
            self.hidden = True

    def leave(self, start: int, inside: list[int]) -> None:
        """End the leaf that is open before a line."""
        self.end(start - 1)
        self.containers, self.bare, self.unclear = inside, False, False
        self.text = self.fence = None

    def leaf(self, line: Line, *, paragraph: bool, whole: bool) -> str | None:
        """Return which leaf other than a paragraph or indented code begins here, if any."""
        body = line.body
        if body.startswith("```") and not {"`", MUTE} & {*body.lstrip("`")}:
            return "fence"
        if body.startswith("~~~"):
            return "fence"
        if re.match(r"#{1,6}([ \t]|$)", body):
            return "heading"
        if body.startswith("<"):
            end = html(body)
            if end is not None:
                return f"html {end}"
            if not paragraph and is_tag(body.rstrip(" \t")):
                return "html "
        if paragraph and whole and set(body.rstrip(" \t")) in ({"="}, {"-"}):
            return "line"
        marks = re.sub(r"[ \t]", "", body)
        return "line" if len(marks) >= 3 and len(set(marks)) == 1 and marks[0] in "*-_" else None

    def marker(self, line: Line) -> re.Match[str] | None:
        return re.match(r">|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]|$)", line.body)

    def may_interrupt(self, marker: re.Match[str]) -> bool:
        if marker[0] == ">":
            return True
        behind = marker.string[marker.end() :]
        return behind.strip(" \t") != "" and (len(marker[0]) == 1 or int(marker[0][:-1]) == 1)

    def enter(self, line: Line, marker: re.Match[str]) -> int:
        """Cut off the begin of a container; return what a list item needs on further lines."""
        columns = line.indent + len(marker[0])
        line.cut(columns)
        if marker[0] == ">":
            line.cut(line.left[:1] == " ")
            return 0
        blanks = 1 if line.blank or line.indent > 4 else line.indent
        line.cut(min(blanks, line.indent))
        return columns + blanks

    def begin(self, line: Line, inside: list[int], leaf: str) -> None:
        """Begin a leaf."""
        self.leave(line.start, inside)
        if leaf == "fence":
            run = re.match("`+|~+", line.body)
            assert run
            self.fence, self.open, self.hidden = run[0], Span(line.at, run[0], is_fence=True), True
        elif leaf != "line":
            kind = leaf.removeprefix("html ")
            self.text = Text(kind, labelled=line.body.startswith("["))
            self.more(line)
            if kind == "heading":
                self.text = None

    def doubt(self, line: Line) -> None:
        """Take a line for inline code that nothing ends."""
        self.open = self.open or Span(line.at, "", is_fence=False)
        self.open.run = ""

    def more(self, line: Line) -> None:
        """Read a further line of a text."""
        text, body = self.text, line.body
        assert text is not None
        at, behind = 0, len(text.raw)
        text.raw += body + "\n"
        label = re.match(r"\[(?:[^\[\]\\]|\\.)*\]:", text.raw, re.DOTALL) if text.labelled else None
        known = label.end() - behind if label else len(body)
        while True:
            pattern = r"`+" if self.open else r"\\.|`+"
            found = re.compile(pattern).search(body, at)
            if found is None:
                break
            before, at = body[at : found.start()], found.end()
            if self.open is None:
                text.prose += before
                if found[0][0] == "\\":
                    text.prose += found[0]
                    continue
                sure = at <= known and not holds_run(text.prose)
                self.open = Span(line.at + found.start(), found[0] if sure else "", is_fence=False)
            elif at > known:
                self.open.run = ""
            elif found[0] == self.open.run:
                self.end(line.at + at)
                text.prose = ""
        if self.open is None:
            text.prose += body[at:]
        text.prose += "\n"
        text.defined = label is not None and text.kind == "paragraph"
        self.hidden = self.open is not None
        if self.is_html() and text.kind and ends(text.kind, body):
            self.text = None


def html(body: str) -> str | None:
    """Return what ends the block of HTML that begins here, by one of the first six rules."""
    name = re.match(r"</?([A-Za-z][A-Za-z0-9]*)(?=[ \t]|/?>|$)", body)
    if name and name[1].lower() in RAW and re.match(r"<[A-Za-z]+([ \t>]|$)", body):
        return "raw"
    for begin, end in ENDS.items():
        if body.startswith(begin):
            return end
    if re.match("<![A-Za-z]", body):
        return ">"
    return "" if name and name[1].lower() in NAMES else None


def ends(kind: str, body: str) -> bool:
    if kind == "raw":
        return any(f"</{name}>" in body.lower() for name in RAW)
    return kind in body


def tag_end(text: str, at: int, space: str) -> tuple[int, bool]:
    """Return where a tag ends that begins at a place, or -1, and whether the text ends in a value
    of it.
    """
    name = re.compile("<(/?)[A-Za-z][A-Za-z0-9-]*").match(text, at)
    if name is None:
        return -1, False
    at = name.end()
    while not name[1]:
        attribute = re.compile(rf"[{space}]+[A-Za-z_:][A-Za-z0-9_.:-]*").match(text, at)
        if attribute is None:
            break
        at = attribute.end()
        equals = re.compile(rf"[{space}]*=[{space}]*").match(text, at)
        if equals is None:
            continue
        quote = text[equals.end() : equals.end() + 1]
        if quote and quote in "'\"":
            end = text.find(quote, equals.end() + 1)
            if end < 0:
                return -1, True
            at = end + 1
        else:
            value = re.compile(rf"[^{space}\"'=<>`]+").match(text, equals.end())
            if value is None:
                return -1, False
            at = value.end()
    close = re.compile(rf"[{space}]*{'' if name[1] else '/?'}>").match(text, at)
    return (close.end() if close else -1), False


def is_tag(body: str) -> bool:
    return tag_end(body, 0, r" \t")[0] == len(body)


def holds_run(text: str) -> bool:
    """Tell whether a text can end in what takes a run of backticks for itself (inline code)."""
    at = 0
    while at < len(text):
        end = construct(text, at)
        if end is None:
            return True
        at = max(end, at + 1)
    return False


SPACE = r" \t\n\x0b\f\r"


def construct(text: str, at: int) -> int | None:
    """Return the end of the construct that begins here, or None where the text ends in it."""
    if text[at] == "\\":
        return at + 2
    for begin, end in [*ENDS.items(), ("<!", ">")]:
        if text.startswith(begin, at) and (begin != "<!" or re.match("[A-Za-z]", text[at + 2 :])):
            found = text.find(end, at + len(begin))
            return None if found < 0 else found + len(end)
    link = re.compile(rf"<[A-Za-z][A-Za-z0-9+.-]{{1,31}}:[^<>{SPACE}]*").match(text, at)
    if link:
        return None if link.end() == len(text) else link.end()
    behind, is_open = tag_end(text, at, SPACE)
    if is_open or behind >= 0:
        return None if is_open else behind
    if text.startswith("][", at):
        label = re.compile(r"[^\[\]]*").match(text, at + 2)
        return None if label and label.end() == len(text) else at + 2
    return behind_link(text, at) if text.startswith("](", at) else at + 1


def behind_link(text: str, at: int) -> int | None:
    """Return the end of the destination behind `](`, or None where the text can end in a link."""
    target = re.compile(
        rf"[{SPACE}]*(?:<[^<>\n]*>?|(?:\\.|[^{SPACE}()\\])*(?:\([^<{SPACE}]*)?)", re.DOTALL
    ).match(text, at + 2)
    assert target
    rest = text[target.end() :]
    titles = [r'"(?:\\.|[^"\\])*"?', r"'(?:\\.|[^'\\])*'?", r"\((?:\\.|[^()\\])*\)?"]
    title = rf"(?:[{SPACE}]+(?:{'|'.join(titles)}))?[{SPACE}]*"
    return None if re.fullmatch(title, rest, re.DOTALL) else target.end()
