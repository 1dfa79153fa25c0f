"""When a value of JSON that comes in pieces may have ended."""

from commoncall.extraction.markers import BLANK_LINE, Markers

_BLANK_LINES = Markers([BLANK_LINE])


class Balance:
    """Counts the brackets of the kind with which a value begins, outside its strings.

    An object that misses its close stands in an array, so one kind tells more than both.
    """

    def __init__(self, bracket: str) -> None:
        self.opens = bracket
        self.closes = "]" if bracket == "[" else "}"
        self._open = 0
        self._in_string = False

    def missing(self, text: str) -> str | None:
        """Take more of the text; return None where the value may have ended, or where a blank line
        came, which ends a broken one (see ``Until``).
        """
        bare = text
        if "\\" in text:
            bare = text.replace("\\\\", "").replace('\\"', "")
        pieces = bare.split('"')
        outside = "".join(pieces[self._in_string :: 2])
        self._in_string ^= len(pieces) % 2 == 0
        *closed, left = outside.split(self.closes)
        for piece in closed:
            self._open += piece.count(self.opens) - 1
            if self._open <= 0:
                return None
        self._open += left.count(self.opens)
        rest = _BLANK_LINES.missing(text)
        return "\\" if rest is not None and bare.endswith("\\") else rest
