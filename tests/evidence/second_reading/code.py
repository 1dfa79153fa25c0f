"""Code: the Markdown text that is read as prose, and what stands in code at its end (code)."""

from dataclasses import dataclass

from tests.evidence.second_reading import markdown
from tests.evidence.second_reading.markers import Markers

LETTER = "x"


@dataclass(frozen=True)
class Code:
    """Code from ``start`` to before ``end``, in which a marker is ignored."""

    start: int
    end: int


class Reader:
    """The text up to a place, with a letter for what is no Markdown."""

    def __init__(self, markers: Markers, *, extract: bool) -> None:
        self.source = markers.text
        self.extract = extract
        self.at = 0
        self.text = ""
        self.places: list[int] = []  # of each character
        self.ignored: list[int] = []  # where a marker stands in code
        self.in_comment = False  # one is open (quotation)
        self.sign = ""  # the last characters, in which a sign of a comment can begin

    def copy(self) -> "Reader":
        """Return one that knows the same and goes on alone."""
        other = object.__new__(Reader)
        other.__dict__.update(self.__dict__)
        other.places, other.ignored = list(self.places), list(self.ignored)
        return other

    def add(self, end: int, text: str | None = None) -> None:
        """Add text up to a place."""
        start, self.at = self.at, max(self.at, end)
        for place, character in enumerate(self.source[start:end] if text is None else text, start):
            # No run in a comment begins or ends code.
            self.text += markdown.MUTE if self.in_comment and character == "`" else character
            self.places.append(place)
            self.sign = (self.sign + character)[-4:]
            if self.in_comment and self.sign.endswith("-->"):
                self.in_comment, self.sign = False, ""
            elif not self.in_comment and self.sign == "<!--" and not self.is_hidden():
                self.in_comment, self.sign = True, "--"

    def skip(self, start: int, end: int, *, whole: bool = True) -> None:
        """Add a letter for what is no Markdown."""
        if end <= self.at:
            return
        self.add(start)
        self.sign = ""
        letter = LETTER
        if whole and not self.text[self.line_start() :].strip(" \t"):
            letter += markdown.REST
        self.text += letter
        self.places += [start if letter == LETTER else end] * len(letter)
        self.at = end

    def hides(self, at: int, *, closes: bool = False) -> bool:
        """Tell whether a marker here stands in code; ``closes``: it is an own closer."""
        self.add(at)
        return self.is_hidden(closes=closes)

    def is_hidden(self, *, closes: bool = False) -> bool:
        """Tell the same of what stands behind the text."""
        read = markdown.Reader(self.text + LETTER)
        if not read.hidden:
            return False
        is_fenced = read.fence is not None and read.open is None and bool(read.spans)
        if closes and is_fenced and markdown.Reader(self.text).closing:
            return False
        # Behind the line that opens a fence, markers count where fences extract.
        is_first_line = is_fenced and read.spans[-1].start >= self.line_start()
        return not (self.extract and is_fenced and not is_first_line)

    def line_start(self) -> int:
        ends = ("\r", "\n", markdown.REST)
        return max(self.text.rfind(end) for end in ends) + 1

    def ignore(self, at: int, end: int, *, opens: bool) -> None:
        """Pass a marker in code; no run of an opener begins or ends any (code)."""
        self.ignored.append(at)
        self.add(end, self.source[at:end].replace("`", markdown.MUTE) if opens else None)

    def codes(self) -> list[Code]:
        """Return the fences and inline code of the whole text in which a marker is ignored."""
        self.add(len(self.source))
        found = []
        for span in markdown.Reader(self.text).spans:
            start = self.places[span.start]
            end = self.places[span.end] if span.end < len(self.places) else len(self.source)
            is_segment = not (span.is_fence and self.extract)
            if is_segment and any(start <= at < end for at in self.ignored):
                found.append(Code(start, end))
        return found
