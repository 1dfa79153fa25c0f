"""The scanner of JSON payloads: where the values of a sequence end, and which of the named
repairs they need.

It reads each character once, in chunks of any size, keeps no text, and decides nothing about
calls (definition "payload").
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from enum import IntEnum, auto
from operator import attrgetter
from typing import Literal

from commoncall.json_text import JSON_SPACE, compact

Repair = Literal["control_chars", "missing_object_close", "trailing_comma"]

# Plain characters and complete escapes; possessive, because a long string must cost no memory.
_IN_STRING = r'[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*+'
_STRING_RUN = re.compile(_IN_STRING)
_SPACE = r"[ \t\n\r]*+"
_SPACE_RUN = re.compile(_SPACE)
_DIGIT_RUN = re.compile(r"[0-9]++")
# Members and elements whose values hold no other values, with the commas behind them; then what may
# stand before the bracket that closes, or before that which opens the value of a member.
_SCALAR = (
    rf'(?:"{_IN_STRING}"|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+|true|false|null)'
)
_KEY = rf'{_SPACE}"{_IN_STRING}"{_SPACE}:{_SPACE}'
_MEMBERS = re.compile(
    rf"((?:{_KEY}{_SCALAR}{_SPACE},)*+)(?:{_KEY}(?:{_SCALAR}{_SPACE}(?=\}})()|(?=[\[{{])()))?+"
)
_ELEMENTS = re.compile(
    rf"((?:{_SPACE}{_SCALAR}{_SPACE},)*+)(?:{_SPACE}{_SCALAR}{_SPACE}(?=\])())?+"
)
_HEX = frozenset("0123456789abcdefABCDEF")
_LITERALS = {"t": "true", "f": "false", "n": "null"}


class State(IntEnum):
    """What the scanner expects next."""

    BETWEEN_VALUES = auto()  # of the sequence: a further value, or what is not the payload's
    VALUE = auto()
    FIRST_ELEMENT = auto()  # a value or "]"
    NEXT_ELEMENT = auto()  # behind a comma of an array
    FIRST_KEY = auto()  # a key or "}"
    NEXT_KEY = auto()  # behind a comma of an object
    COLON = auto()
    COMMA = auto()  # or the bracket that closes
    STRING = auto()
    ESCAPE = auto()
    HEX = auto()
    LITERAL = auto()
    MINUS = auto()
    ZERO = auto()
    INTEGER = auto()
    POINT = auto()
    FRACTION = auto()
    EXPONENT = auto()
    EXPONENT_SIGN = auto()
    EXPONENT_DIGITS = auto()
    FAILED = auto()


# Looking a member up in an enumeration is dear beside the rest.
_BETWEEN_VALUES, _STRING = State.BETWEEN_VALUES, State.STRING
_FIRST_KEY, _NEXT_KEY = State.FIRST_KEY, State.NEXT_KEY
_FIRST_ELEMENT, _NEXT_ELEMENT = State.FIRST_ELEMENT, State.NEXT_ELEMENT


def _digits(state: State) -> dict[str, State]:
    return dict.fromkeys("0123456789", state)


# For each state inside a number: a character -> the next state. A number may end where it is in
# _NUMBER_ENDS.
_EXPONENT = dict.fromkeys("eE", State.EXPONENT)
_EXPONENT_DIGITS = _digits(State.EXPONENT_DIGITS)
_NUMBER: dict[State, dict[str, State]] = {
    State.MINUS: {**_digits(State.INTEGER), "0": State.ZERO},
    State.ZERO: {".": State.POINT, **_EXPONENT},
    State.INTEGER: {**_digits(State.INTEGER), ".": State.POINT, **_EXPONENT},
    State.POINT: _digits(State.FRACTION),
    State.FRACTION: {**_digits(State.FRACTION), **_EXPONENT},
    State.EXPONENT: {**_EXPONENT_DIGITS, **dict.fromkeys("+-", State.EXPONENT_SIGN)},
    State.EXPONENT_SIGN: _EXPONENT_DIGITS,
    State.EXPONENT_DIGITS: _EXPONENT_DIGITS,
}
_NUMBER_ENDS = {State.ZERO, State.INTEGER, State.FRACTION, State.EXPONENT_DIGITS}
_DIGITS_FOLLOW = {State.INTEGER, State.FRACTION, State.EXPONENT_DIGITS}
_ENDS, _OPENS = 2, 3  # groups of _MEMBERS and _ELEMENTS


@dataclass(frozen=True, slots=True)
class Edit:
    """A repair: ``missing_object_close`` inserts at ``offset``, the others replace a character."""

    offset: int
    code: Repair


@dataclass(slots=True)
class Value:
    """A value of the sequence, or of an array of it; half-open offsets in the payload."""

    start: int
    end: int
    is_object: bool


@dataclass(slots=True)
class _Container:
    is_object: bool
    ends_member: bool = False  # its last member's value is an object or array


class PayloadScanner:
    """Scan a sequence of JSON objects and arrays.

    Args:
        stops: brackets that begin a further value only behind ``take_further``.
        in_runs: whole members and elements are read at once.

    Attributes:
        state: what is expected next; ``FAILED`` at an error that no repair admits.
        end: offset behind the last complete value of the sequence.
        values: the call values: objects of the sequence, and all elements of its arrays.
        edits: the repairs, in order.
    """

    def __init__(self, stops: str = "", *, in_runs: bool = True) -> None:
        self._stops = stops
        self._in_runs = in_runs
        self._takes_further = False
        self._count = 0  # of the values of the sequence that are whole
        self.state = State.BETWEEN_VALUES
        self.end = 0
        self.values: list[Value] = []
        self.edits: list[Edit] = []
        self._offset = 0
        self._stack: list[_Container] = []
        self._is_key = False
        self._comma = 0
        self._literal = ""
        self._hex_left = 0

    @property
    def complete(self) -> bool:
        """Whether at least one value was read and none is open."""
        return self.state is _BETWEEN_VALUES and self.end > 0

    def pass_separator(self) -> None:
        """Take the character at which it stopped for white space between two values."""
        self._offset += 1

    def take_further(self) -> None:
        """Let the bracket that comes next begin a further value."""
        self._takes_further = True

    @property
    def is_one_object(self) -> bool:
        """Whether the sequence is one object, and no array."""
        return self._count == 1 and bool(self.values) and self.values[0].start == 0

    @property
    def is_one_array(self) -> bool:
        """Whether the sequence is one array, and no object."""
        return self._count == 1 and not self.is_one_object

    def scan(self, text: str, at: int) -> int:
        """Read from a place on.

        Returns the end of the text; or, with ``state`` BETWEEN_VALUES, the place of what begins no
        further value; or, with ``state`` FAILED, that of the error.
        """
        base = self._offset - at
        while at < len(text):
            self._offset = base + at
            if self.state is _STRING:
                at = _STRING_RUN.match(text, at).end()  # type: ignore[union-attr]
                if at < len(text):
                    self._offset = base + at
                    self._string_character(text[at])
                    at += 1
            elif behind := self._in_runs and self._clean_run(text, at):
                at = behind
            elif text[at] in JSON_SPACE and self.state in _SPACE_STATES:
                at = _SPACE_RUN.match(text, at).end()  # type: ignore[union-attr]
            elif self._structure(text[at]):
                at += 1
            else:
                break
        self._offset = base + at
        return at

    def _clean_run(self, text: str, at: int) -> int:
        """Read whole members, elements or digits; return the place behind them, 0 without any."""
        state = self.state
        if state in _DIGITS_FOLLOW:
            digits = _DIGIT_RUN.match(text, at)
            return digits.end() if digits else 0
        if state is _FIRST_KEY or state is _NEXT_KEY:
            run = _MEMBERS.match(text, at)
        elif (state is _FIRST_ELEMENT or state is _NEXT_ELEMENT) and (
            len(self._stack) > 1 or self._stack[0].is_object
        ):
            run = _ELEMENTS.match(text, at)
        else:
            return 0
        assert run is not None
        if run.end() == at:
            return 0
        if run.end(1) > at:
            self._comma = self._offset + run.end(1) - 1 - at
            self.state = State.NEXT_KEY if self._stack[-1].is_object else State.NEXT_ELEMENT
            self._stack[-1].ends_member = False
        if run.lastindex == _ENDS:
            self._stack[-1].ends_member = False
            self.state = State.COMMA
        elif run.lastindex == _OPENS:
            self.state = State.VALUE
        return run.end()

    def _string_character(self, character: str) -> None:
        """Read what a plain run of a string stops at (EXT-051)."""
        if character == '"':
            self._end_string()
        elif character == "\\":
            self.state = State.ESCAPE
        else:
            self.edits.append(Edit(self._offset, "control_chars"))

    def _structure(self, character: str) -> bool:
        """Read one character of structure; tell whether it belongs to the payload."""
        if self.state in _NUMBER_ENDS and character not in _NUMBER[self.state]:
            self._end_value(is_container=False, end=self._offset)
            if character in JSON_SPACE:
                return True
        read = _READ[self.state](self, character)
        if not read and self.state is not _BETWEEN_VALUES:
            self.state = State.FAILED
        return read

    def _stops_at(self, character: str) -> bool:
        return character in self._stops and self.complete and not self._takes_further

    def _between_values(self, character: str) -> bool:
        if character not in "{[" or self._stops_at(character):
            return False
        self._takes_further = False
        return self._begin_value(character)

    def _first_element(self, character: str) -> bool:
        return self._end_container() if character == "]" else self._begin_value(character)

    def _next_element(self, character: str) -> bool:
        """Read behind the comma of an array (EXT-051)."""
        if character == "]":
            self.edits.append(Edit(self._comma, "trailing_comma"))
            return self._end_container()
        return self._begin_value(character)

    def _first_key(self, character: str) -> bool:
        return self._end_container() if character == "}" else self._begin_key(character)

    def _next_key(self, character: str) -> bool:
        """Read behind the comma of an object (EXT-051)."""
        if character == "}":
            self.edits.append(Edit(self._comma, "trailing_comma"))
            return self._end_container()
        if character == "{" and self._misses_close():
            self.edits.append(Edit(self._comma, "missing_object_close"))
            self._stack.pop()
            self._end_value(is_container=True, end=self._comma)
            self.state = State.NEXT_ELEMENT
            return self._begin_value(character)
        return self._begin_key(character)

    def _misses_close(self) -> bool:
        """Whether the object is an element of an array and its last member ended in a bracket."""
        inner = self._stack[-1]
        return inner.ends_member and len(self._stack) > 1 and not self._stack[-2].is_object

    def _colon(self, character: str) -> bool:
        self.state = State.VALUE
        return character == ":"

    def _comma_or_close(self, character: str) -> bool:
        is_object = self._stack[-1].is_object
        if character == ",":
            self._comma = self._offset
            self.state = State.NEXT_KEY if is_object else State.NEXT_ELEMENT
            return True
        return character == ("}" if is_object else "]") and self._end_container()

    def _escape(self, character: str) -> bool:
        self.state = State.HEX if character == "u" else State.STRING
        self._hex_left = 4
        return character in '"\\/bfnrtu'

    def _hex(self, character: str) -> bool:
        self._hex_left -= 1
        if self._hex_left == 0:
            self.state = State.STRING
        return character in _HEX

    def _literal_rest(self, character: str) -> bool:
        expected, self._literal = self._literal[0], self._literal[1:]
        if character != expected:
            return False
        if not self._literal:
            self._end_value(is_container=False, end=self._offset + 1)
        return True

    def _number_rest(self, character: str) -> bool:
        following = _NUMBER[self.state].get(character)
        if following is None:
            return False
        self.state = following
        return True

    def _begin_value(self, character: str) -> bool:
        self._note_value(character)
        if character in "{[":
            self._stack.append(_Container(character == "{"))
            self.state = State.FIRST_KEY if character == "{" else State.FIRST_ELEMENT
        elif character == '"':
            self._is_key = False
            self.state = State.STRING
        elif character in _LITERALS:
            self._literal = _LITERALS[character][1:]
            self.state = State.LITERAL
        else:  # a number without a sign goes on as one with a sign does
            self.state = State.MINUS
            return character == "-" or self._number_rest(character)
        return True

    def _note_value(self, character: str) -> None:
        """Note a value that begins here if it is a call value."""
        if len(self._stack) == 1 and not self._stack[0].is_object:
            self.values.append(Value(self._offset, self._offset, character == "{"))
        elif not self._stack and character == "{":
            self.values.append(Value(self._offset, self._offset, True))

    def _begin_key(self, character: str) -> bool:
        self._is_key = True
        self.state = State.STRING
        return character == '"'

    def _end_string(self) -> None:
        if self._is_key:
            self.state = State.COLON
        else:
            self._end_value(is_container=False, end=self._offset + 1)

    def _end_container(self) -> bool:
        self._stack.pop()
        self._end_value(is_container=True, end=self._offset + 1)
        return True

    def _end_value(self, *, is_container: bool, end: int) -> None:
        """Tell the container of a value that it ended, and note the end if it is a call value."""
        if not self._stack:
            if self.values and self.values[-1].end == self.values[-1].start:
                self.values[-1].end = end
            self.end = end
            self._count += 1
            self.state = State.BETWEEN_VALUES
            return
        if len(self._stack) == 1 and not self._stack[0].is_object:
            self.values[-1].end = end
        self._stack[-1].ends_member = is_container
        self.state = State.COMMA


_VALUE_STATES = {State.BETWEEN_VALUES, State.VALUE, State.FIRST_ELEMENT, State.NEXT_ELEMENT}
_SPACE_STATES = _VALUE_STATES | {State.FIRST_KEY, State.NEXT_KEY, State.COLON, State.COMMA}

_READ = {
    State.BETWEEN_VALUES: PayloadScanner._between_values,
    State.VALUE: PayloadScanner._begin_value,
    State.FIRST_ELEMENT: PayloadScanner._first_element,
    State.NEXT_ELEMENT: PayloadScanner._next_element,
    State.FIRST_KEY: PayloadScanner._first_key,
    State.NEXT_KEY: PayloadScanner._next_key,
    State.COLON: PayloadScanner._colon,
    State.COMMA: PayloadScanner._comma_or_close,
    State.ESCAPE: PayloadScanner._escape,
    State.HEX: PayloadScanner._hex,
    State.LITERAL: PayloadScanner._literal_rest,
    **dict.fromkeys(_NUMBER, PayloadScanner._number_rest),
}


def repaired(source: str, start: int, end: int, edits: list[Edit]) -> str:
    """Return ``source[start:end]`` with the edits that fall into it, which are in order, made: a
    control character becomes its escape, a trailing comma goes, a missing ``}`` is put in
    (EXT-051). Nothing else changes (EXT-056, EXT-057).
    """
    pieces: list[str] = []
    first = bisect_left(edits, start, key=attrgetter("offset"))
    for position in range(first, len(edits)):
        edit = edits[position]
        inserts = edit.code == "missing_object_close"
        if edit.offset > end or (edit.offset == end and not inserts):
            break
        pieces.append(source[start : edit.offset])
        start = edit.offset if inserts else edit.offset + 1
        if inserts:
            pieces.append("}")
        elif edit.code == "control_chars":
            pieces.append(compact(source[edit.offset])[1:-1])
    pieces.append(source[start:end])
    return "".join(pieces)
