"""The scanner of calls in the spelling of Python (definition "payload of literal calls")."""

from typing import NamedTuple

from commoncall.extraction.literals import (
    NUMBER,
    VALUES,
    Need,
    Written,
    WrittenScanner,
    as_json,
    begins_name,
)
from commoncall.json_text import PYTHON_WORDS


class WrittenCall(NamedTuple):
    """A call in a payload."""

    name: str
    arguments: list[Written]
    is_bad: bool  # something in it is no literal


class CallScanner(WrittenScanner):
    """Scan calls: a list of them, or one on each line."""

    word_needs = (*VALUES, Need.NAME, Need.FIRST_CALL, Need.FIRST_ARGUMENT)
    words = WrittenScanner.words.union(PYTHON_WORDS)

    def __init__(self, *, is_list: bool) -> None:
        super().__init__(Need.LIST if is_list else Need.NAME)
        self.is_list = is_list
        self.calls: list[WrittenCall] = []
        self._name = ""  # of the call that is open
        self._commas: list[bool] = []  # for each open tuple whether it has one
        self._bad_at = -1  # where the first stands that is no literal, in all of it
        self._is_bad = False  # the call that is open holds such
        self._has_line_feed = False  # behind the last call

    def _read(self, text: str, at: int) -> int:
        if self.need is Need.BETWEEN and begins_name(text[at]):
            if not self._has_line_feed:
                self.is_over = True
                return at
            self.need, self._has_line_feed = Need.NAME, False
        behind = super()._read(text, at)
        if self.need is Need.BETWEEN:
            self._has_line_feed = self._has_line_feed or "\n" in text[at:behind]
        return behind

    def _end_word(self, word: str, end: int) -> None:
        if self.need is Need.FIRST_ARGUMENT:
            self.json.append(f'"{word}"')
            self.need = Need.EQUALS
        elif self.need not in VALUES:
            self._name, self.need = word, Need.OPEN
        elif word in self.words or NUMBER.fullmatch(word.removeprefix("+")):
            super()._end_word(word.removeprefix("+"), end)
        else:
            self._note_bad(end - len(word))
            self.need = Need.COMMA

    def _behind_comma(self) -> Need:
        if self.is_list and len(self.open) == 1:
            return Need.FIRST_CALL
        if self._in_tuple:
            self._commas[-1] = True
        elif self.open[-1] == ")":
            return Need.FIRST_ARGUMENT
        return super()._behind_comma()

    @property
    def _in_tuple(self) -> bool:
        """Whether the bracket that was opened last is that of a tuple, not of a call."""
        return len(self.open) > 1 + self.is_list and self.open[-1] == ")"

    def _sign(self, sign: str) -> None:
        # "(1)" is no tuple.
        if sign == ")" and self._in_tuple and not self._commas.pop() and self.need is Need.COMMA:
            self._note_bad(self.offset)
        super()._sign(sign)

    def _read_odd(self, text: str, at: int) -> int:
        """Read what is no escape, of which only the call is bad."""
        self._note_bad(self.offset)
        return at + 1

    def _note_bad(self, offset: int) -> None:
        """Note that something at an offset is no literal, which only its call is rejected for."""
        self._is_bad = True
        self._bad_at = offset if self._bad_at < 0 else self._bad_at

    def fail(self, offset: int) -> None:
        """Say that the payload goes on in no way, since the first that was no literal."""
        super().fail(offset if self._bad_at < 0 else self._bad_at)

    def _closed(self, bracket: str) -> None:
        if bracket == ")" and len(self.open) == self.is_list:
            self.json[-1] = "}"
            self.calls.append(WrittenCall(self._name, self.json, self._is_bad))
            self.json, self._is_bad = [], False
        if not self.open:
            self.end = self.offset + 1
            self.is_over = self.is_list
            self.need = Need.BETWEEN

    def _other_sign(self, sign: str) -> None:
        if sign == "[" and self.need is Need.LIST:
            self.open.append("]")
            self.need = Need.FIRST_CALL
        elif sign == "(" and self.need is Need.OPEN:
            self.open.append(")")
            self.need, self.json = Need.FIRST_ARGUMENT, ["{"]
        elif sign == "(" and self.need in VALUES:
            self._commas.append(False)
            self.open.append(")")
            self.need = Need.FIRST_ELEMENT
        elif sign == "=" and self.need is Need.EQUALS:
            self.need = Need.VALUE
        elif self.need is Need.BETWEEN:
            self.is_over = True
        else:
            super()._other_sign(sign)


class ValueScanner(CallScanner):
    """Scan one object or array; what is no literal in it is an error."""

    def __init__(self) -> None:
        super().__init__(is_list=False)
        self.need, self.open = Need.VALUE, [")"]  # as an argument of a call is

    def _note_bad(self, offset: int) -> None:
        self.fail(offset)

    def _closed(self, bracket: str) -> None:
        if self.open == [")"]:
            self.end, self.is_over, self.need = self.offset + 1, True, Need.BETWEEN


def literal_as_json(text: str) -> str | None:
    """Return a text that is one literal as JSON, None where it is none."""
    scanner = CallScanner(is_list=False)
    written = f"_(_={text})"
    scanner.scan(written, 0)
    if scanner.end < len(written) or len(scanner.calls) != 1:
        return None
    call = scanner.calls[0]
    # What is left stands between '{"_":' and "}"; with a further argument it is no JSON.
    return None if call.is_bad else as_json(call.arguments[3:-1], written)
