"""Payloads of literal calls: where they begin and end, and the calls that they are."""

from dataclasses import dataclass, field
from typing import Any

from tests.evidence.second_reading.call_payloads import call_of_parameters, compact_string
from tests.evidence.second_reading.call_values import Found, Refused, Rejected, shown_name
from tests.evidence.second_reading.characters import is_letter_or_digit, skip_json_white_space
from tests.evidence.second_reading.descriptors import Form
from tests.evidence.second_reading.json_values import Tree
from tests.evidence.second_reading.parts import Parts
from tests.evidence.second_reading.payload import Failed, Payload, Truncated

WORDS = {
    **{word: word for word in ("true", "false", "null")},
    **{"True": "true", "False": "false", "None": "null"},
}
ESCAPES = {"\\": "\\", "'": "'", '"': '"', "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
DIGITS = {"x": 2, "u": 4}
"""How many hexadecimal digits stand behind these."""


@dataclass
class Calls(Payload):
    """A complete payload: each call with its name, and its arguments as parameters have them."""

    calls: list[tuple[str, list[tuple[str, str, str]]]] = field(default_factory=list)


def calls_begin(text: str, opener_end: int, at: int, form: Form) -> bool:
    """Tell whether a payload of literal calls begins behind an opener and its white space."""
    assert form.payload is not None
    if form.payload["list"]:
        return text.startswith("[", at)
    return line_begins(text, at) and (at == opener_end or "\n" in text[opener_end:at])


def line_begins(text: str, at: int) -> bool:
    """Tell whether a call outside a list begins here, as far as one character says."""
    return at < len(text) and (text[at] == "_" or is_letter_or_digit(text[at]))


def read_literal_calls(text: str, at: int, form: Form) -> Calls:
    """Return the payload of literal calls that begins here.

    Raises:
        Failed: at the first character of what stands in place of a part.
        Truncated: where the text ends before the payload does, or in a word.
    """
    assert form.payload is not None
    literals = Literals(text, at)
    read = Calls()
    if form.payload["list"]:
        literals.sign("[")
        read.calls = literals.until("]", literals.call)
        read.end = literals.at
        return read
    while True:
        read.calls.append(literals.call())
        read.end = literals.at
        at = skip_json_white_space(text, read.end)
        if "\n" not in text[read.end : at] or not line_begins(text, at):
            return read


def read_each_call(payload: Calls, form: Form, tools: list[Any]) -> list[Found | Refused]:
    """Return the calls, or the first refusal of one (EXT-179), or that there are none (EXT-047)."""
    found: list[Found | Refused] = []
    for name, pairs in payload.calls:
        try:
            found.append(call_of_parameters(name, pairs, form, tools))
        except Rejected as rejected:
            shown = None if rejected.code == "invalid_json" else shown_name(Tree(name, name), form)
            return [Refused(rejected.code, shown)]
    return found or [Refused("empty")]


class Literals(Parts):
    """Reads the parts of calls."""

    def until(self, closer: str, part: Any) -> list[Any]:
        """Read parts with a comma behind each, but the last one at will, and what closes them."""
        parts = []
        while self.next() != closer:
            parts.append(part())
            if self.next() != closer:
                self.sign(",")
        self.sign(closer)
        return parts

    def call(self) -> tuple[str, list[tuple[str, str, str]]]:
        """Read a call."""
        name = self.word()
        self.sign("(")
        return name, self.until(")", self.argument)

    def argument(self) -> tuple[str, str, str]:
        """Read an argument."""
        name = self.word()
        self.sign("=")
        return name, self.literal(), "json"

    def word(self) -> str:
        """Read a word that has to stand here."""
        self.next()
        end = self.at
        while end < len(self.text) and is_of_word(self.text[end]):
            end += 1
        if end == self.at:
            raise Failed(self.at)
        if end == len(self.text):
            raise Truncated
        word = self.text[self.at : end]
        self.at = end
        return word

    def literal(self) -> str:
        """Read a literal, to any depth; return it as JSON."""
        made: list[str] = []
        closers: list[str] = []
        while True:
            if not closers or self.next() != closers[-1]:
                if closers and closers[-1] == "}":
                    made += [self.string(), self.sign(":")]
                if self.next() in "[{":
                    closers.append("]" if self.next() == "[" else "}")
                    made.append(self.sign(self.next()))
                    continue
                made.append(self.scalar())
            elif made[-1] == ",":  # no comma that is not needed
                made.pop()
            while closers and self.next() == closers[-1]:
                made.append(self.sign(closers.pop()))
            if not closers:
                return "".join(made)
            made.append(self.sign(","))

    def scalar(self) -> str:
        """Read a string or a word that is a value."""
        if self.next() in "'\"":
            return self.string()
        start = self.at
        word = self.word()
        if word not in WORDS and not is_number(word):
            raise Failed(start)
        return WORDS.get(word, word)

    def string(self) -> str:
        """Read a string."""
        quote = self.next()
        if quote not in "'\"":
            raise Failed(self.at)
        self.at += 1
        read = ""
        while self.character() != quote:
            if self.character() == "\\":
                read += self.escape()
            else:
                read += self.character()
                self.at += 1
        self.at += 1
        return compact_string(joined(read))

    def character(self) -> str:
        if self.at == len(self.text):
            raise Truncated
        return self.text[self.at]

    def escape(self) -> str:
        """Read an escape; where it is none, its backslash is the error."""
        start = self.at
        self.at += 1
        kind = self.character()
        self.at += 1
        if kind in ESCAPES:
            return ESCAPES[kind]
        number = ""
        for _ in range(DIGITS.get(kind, 0)):
            number += self.character()
            self.at += 1
            if number[-1] not in "0123456789abcdefABCDEF":
                raise Failed(start)
        if not number:
            raise Failed(start)
        return chr(int(number, 16))


def is_of_word(character: str) -> bool:
    """Tell whether a character can stand in a word."""
    return character in "_-+." or is_letter_or_digit(character)


def is_number(word: str) -> bool:
    """Tell whether a word is a number of RFC 8259."""
    rest = word.removeprefix("-")
    whole = leading_digits(rest)
    rest = rest[len(whole) :]
    if not whole or (whole[0] == "0" and whole != "0"):
        return False
    if rest.startswith("."):
        fraction = leading_digits(rest[1:])
        if not fraction:
            return False
        rest = rest[1 + len(fraction) :]
    if rest[:1] in ("e", "E"):
        rest = rest[2:] if rest[1:2] in ("+", "-") else rest[1:]
        return rest != "" and leading_digits(rest) == rest
    return rest == ""


def leading_digits(text: str) -> str:
    """Return the ASCII digits at the start of a text."""
    end = 0
    while end < len(text) and text[end] in "0123456789":
        end += 1
    return text[:end]


def joined(text: str) -> str:
    """Return a text in which two halves of a surrogate pair that meet are one character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
