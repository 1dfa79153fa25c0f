"""The scanner of JSON payloads: where the values of a sequence end, and which of the named
repairs they need.

It begins with the decoder of the host, and reads by hand what that does not take. It decides
nothing about calls (definition "payload").
"""

import re
from bisect import bisect_left
from operator import attrgetter

from commoncall.extraction.literals import NUMBER, VALUES, Edit, LiteralScanner, Need
from commoncall.json_text import JSON_SPACE, compact, scan_value

# Plain characters in long runs, and complete escapes.
_IN_STRING = r'[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*'
_STRINGS = {'"': re.compile(_IN_STRING)}
_MORE_DIGITS = re.compile(r"([0-9])[0-9]+")


class PayloadScanner(LiteralScanner):
    """Scan a sequence of JSON objects and arrays, to an error that no repair admits."""

    strings = _STRINGS
    half_escape = re.compile(r"\\(?:u[0-9A-Fa-f]{0,3})?\Z")

    def __init__(self, begins: str = "{[") -> None:
        super().__init__(Need.BETWEEN)
        self._begins = begins  # what a value can begin with
        self.takes_further = False  # it stops before a further value unless this is set
        self.sequence: list[str] = []  # what its values begin with
        # The half-open offsets of the call values: of objects of the sequence, and of all elements
        # of its arrays, None for one that is no object; and of a string of the sequence.
        self.values: list[tuple[int, int] | None] = []
        self.edits: list[Edit] = []  # the repairs, in order
        self._object_at = -1  # where the call value that is open began
        self._comma = -1  # where one stands that nothing has followed
        self._is_behind_bracket = False  # the last value ended in one

    def _read(self, text: str, at: int) -> int:
        character, need = text[at], self.need
        if self._word or character in JSON_SPACE:
            return super()._read(text, at)
        if need is Need.BETWEEN:
            if character not in self._begins or (self.end and not self.takes_further):
                return at
            self.takes_further = False
            self.sequence.append(character)
            self.need = need = Need.VALUE
        if character == '"' or (character != "]" and need in VALUES):
            self._begin(character)
            # The decoder of the host takes most values whole; others are read by hand from here on.
            if self._object_at == self.offset and (end := _end_of_value(text, at)):
                self.need = Need.COMMA
                self._end_container(self.offset + end - at)
                return end
        return super()._read(text, at)

    def _begin(self, character: str) -> None:
        """Note that a key or a value begins here."""
        self._comma, self._is_behind_bracket = -1, False
        # Call values are objects of the sequence, or elements of its arrays; none is in an object.
        if len(self.open) < 2 and "}" not in self.open:
            if character == "{":
                self._object_at = self.offset
            elif self.open:
                self.values.append(None)

    def _end_string(self, end: int) -> None:
        super()._end_string(end)
        if not self.open:
            self.values.append((self._string_at, end))
            self._end_container(end)

    def _read_odd(self, text: str, at: int) -> int:
        """Read what may not stand in a string (EXT-051)."""
        if text.startswith("\\'", at):
            self.edits.append(Edit(self.offset, "escaped_apostrophe"))
            return at + 2
        if text[at] == "\\":
            return super()._read_odd(text, at)
        self.edits.append(Edit(self.offset, "control_chars"))
        return at + 1

    def _read_word(self, text: str, at: int) -> int:
        end = super()._read_word(text, at)
        if self._word:  # that goes on, and must not grow
            word = "".join(self._word)
            # A number can be cut off behind its sign, its point or its "e".
            is_number = NUMBER.fullmatch(word) or NUMBER.fullmatch(word + "0")
            if not (is_number or any(each.startswith(word) for each in self.words)):
                self.fail(self.offset)
            self._word[:] = [_MORE_DIGITS.sub(r"\1", word)]
        return end

    def _behind_comma(self) -> Need:
        self._comma = self.offset  # (EXT-051)
        return super()._behind_comma()

    def _closed(self, bracket: str) -> None:
        if self._comma >= 0:
            self.edits.append(Edit(self._comma, "trailing_comma"))
        self._end_container(self.offset + 1)

    def _end_container(self, end: int) -> None:
        self._comma, self._is_behind_bracket = -1, True
        if self._object_at >= 0 and len(self.open) < 2 and "}" not in self.open:
            self.values.append((self._object_at, end))
            self._object_at = -1
        if not self.open:
            self.end = end
            self.need = Need.BETWEEN

    def _other_sign(self, sign: str) -> None:
        """Read what stands in the place of a key, or nowhere (EXT-051)."""
        if sign != "{" or not self._misses_close():
            super()._other_sign(sign)
            return
        comma = self._comma
        self.edits.append(Edit(comma, "missing_object_close"))
        self.open.pop()
        self._end_container(comma)
        self.need = Need.VALUE
        self._begin(sign)
        self._sign(sign)

    def _misses_close(self) -> bool:
        """Whether a comma came last, behind a bracket in an object that is an element."""
        return self._comma >= 0 and self._is_behind_bracket and self.open[-2:] == ["]", "}"]


def _end_of_value(text: str, at: int) -> int:
    """Return the place behind a value that the decoder of the host reads; 0 where it does not, also
    where the rest of the value has not come.
    """
    try:
        return scan_value(text, at)[1]
    except (ValueError, StopIteration, RecursionError):
        return 0


def repaired(source: str, start: int, end: int, edits: list[Edit]) -> str:
    """Return ``source[start:end]`` with the edits that fall into it, which are in order, made: a
    control character becomes its escape, a trailing comma and the backslash of an apostrophe go, a
    missing ``}`` is put in. Nothing else changes (EXT-051).
    """
    pieces: list[str] = []
    first = bisect_left(edits, start, key=attrgetter("offset"))
    for position in range(first, len(edits)):
        edit = edits[position]
        inserts = edit.code == "missing_object_close"
        if edit.offset + (not inserts) > end:
            break
        pieces += source[start : edit.offset], "}" * inserts
        if edit.code == "control_chars":
            pieces.append(compact(source[edit.offset])[1:-1])
        start = edit.offset + (not inserts)
    pieces.append(source[start:end])
    return "".join(pieces)
