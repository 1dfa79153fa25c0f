"""Payloads: where they begin and end, where they fail, and what the repairs make of them."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.evidence.second_reading.characters import run_end, skip_json_white_space

SHORT_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


class Truncated(Exception):
    """The text ends inside the payload."""


class Failed(Exception):
    """The payload fails at a character."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


@dataclass
class Payload:
    """A complete payload: the repaired texts of its values, its end, and its repairs."""

    end: int = 0
    values: list[str] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)


def payload_begin(text: str, at: int, opens: Callable[[int], bool]) -> tuple[int, int] | None:
    """Return where the first value of a payload that begins here stands, and its fence's length.

    ``opens`` tells of a place whether an opener stands there, where no value begins.
    """
    if value_begins(text, at, opens):
        return at, 0
    if text[at : at + 1] not in ("`", "~"):
        return None
    end = run_end(text, at)
    if end - at < 3:
        return None
    value = end + len("json") if text.startswith("json", end) else end
    value = skip_json_white_space(text, value)
    return (value, end - at) if value_begins(text, value, opens) else None


def value_begins(text: str, at: int, opens: Callable[[int], bool]) -> bool:
    """Tell whether an object or array of a payload begins here (payload)."""
    return text[at : at + 1] in ("{", "[") and not opens(at)


def read_payload(
    text: str, at: int, opens: Callable[[int], bool], *, alone: bool, fenced: bool
) -> Payload:
    """Return the payload that begins here (payload).

    ``alone`` is that of a dialect without a closer, which has one value; in a ``fenced`` one a
    fence is no repair.

    Raises:
        Failed: at a character that neither the grammar nor a repair allows.
        Truncated: where the text ends before the payload is complete.
    """
    begin = payload_begin(text, at, opens)
    assert begin is not None
    value, fence = begin
    payload = Payload()
    if fence and not fenced:
        payload.repairs.append("code_fence")
    while value_begins(text, value, opens) and not (alone and payload.values):
        scanner = Scanner(text, value)
        payload.end = scanner.scan()
        payload.values.append("".join(scanner.repaired))
        payload.repairs += scanner.repairs
        value = skip_json_white_space(text, payload.end)
    if fence and text[value : value + 1] == text[at]:
        end = run_end(text, value)
        if end - value >= fence:
            payload.end = end
    return payload


@dataclass
class Open:
    """An object or array that is open, and what its last member's value was."""

    bracket: str
    in_array: bool
    last_is_container: bool = False


class Scanner:
    """Reads one object or array, character by character, and writes what the repairs make of it."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.repaired: list[str] = []
        self.repairs: list[str] = []
        self.open: list[Open] = []
        self.in_string = False

    def peek(self) -> str:
        if self.at >= len(self.text):
            raise Truncated
        return self.text[self.at]

    def take(self) -> None:
        self.repaired.append(self.peek())
        self.at += 1

    def white_space(self) -> None:
        while self.peek() in " \t\n\r":
            self.take()

    def scan(self) -> int:
        """Return the place behind the value."""
        self.value()
        while self.open:
            self.white_space()
            inner = self.open[-1]
            if self.peek() == ",":
                self.comma(inner)
            elif self.peek() == closing(inner.bracket):
                self.close()
            else:
                raise Failed(self.at)
        return self.at

    def comma(self, inner: Open) -> None:
        """Read a comma between two values, and begin the second, unless a repair applies."""
        place = len(self.repaired)
        self.take()
        self.white_space()
        if self.peek() == closing(inner.bracket):
            self.repairs.append("trailing_comma")
            del self.repaired[place]
            self.close()
        elif inner.bracket == "[":
            self.value()
        elif self.peek() == "{" and inner.in_array and inner.last_is_container:
            self.repairs.append("missing_object_close")
            self.repaired.insert(place, "}")
            self.pop()
            self.value()
        else:
            self.key()
            self.value()

    def value(self) -> None:
        """Read a value; of an object or array only as far as behind its first scalar."""
        while self.peek() in "{[":
            bracket = self.peek()
            in_array = bool(self.open) and self.open[-1].bracket == "["
            self.open.append(Open(bracket, in_array))
            self.take()
            self.white_space()
            if self.peek() == closing(bracket):
                self.close()
                return
            if bracket == "{":
                self.key()
        if self.peek() == '"':
            self.string()
        elif self.peek() in "-0123456789":
            self.number()
        else:
            self.literal()
        self.open[-1].last_is_container = False

    def key(self) -> None:
        """Read the name of a member, and what stands between it and its value."""
        if self.peek() != '"':
            raise Failed(self.at)
        self.string()
        self.white_space()
        if self.peek() != ":":
            raise Failed(self.at)
        self.take()
        self.white_space()

    def close(self) -> None:
        self.take()
        self.pop()

    def pop(self) -> None:
        self.open.pop()
        if self.open:
            self.open[-1].last_is_container = True

    def string(self) -> None:
        self.in_string = True
        self.take()
        while self.peek() != '"':
            if self.peek() == "\\":
                self.escape()
            elif self.peek() < " ":
                self.repairs.append("control_chars")
                character = self.text[self.at]
                self.repaired.append(SHORT_ESCAPES.get(character, f"\\u{ord(character):04x}"))
                self.at += 1
            else:
                self.take()
        self.take()
        self.in_string = False

    def escape(self) -> None:
        self.take()
        if self.peek() == "u":
            self.take()
            for _ in range(4):
                self.one_of("0123456789abcdefABCDEF")
        else:
            self.one_of('"\\/bfnrt')

    def one_of(self, characters: str) -> None:
        if self.peek() not in characters:
            raise Failed(self.at)
        self.take()

    def number(self) -> None:
        if self.peek() == "-":
            self.take()
        if self.peek() == "0":
            self.take()
        else:
            self.digits()
        if self.peek() == ".":
            self.take()
            self.digits()
        if self.peek() in "eE":
            self.take()
            if self.peek() in "+-":
                self.take()
            self.digits()

    def digits(self) -> None:
        self.one_of("0123456789")
        while self.peek() in "0123456789":
            self.take()

    def literal(self) -> None:
        for word in ("true", "false", "null"):
            if self.peek() == word[0]:
                for letter in word:
                    self.one_of(letter)
                return
        raise Failed(self.at)


def closing(bracket: str) -> str:
    """Return the bracket that closes one."""
    return "}" if bracket == "{" else "]"
