"""Quoted objects: a name, and an object whose strings stand between quotes of the descriptor."""

from dataclasses import dataclass, field
from typing import Any

from tests.evidence.second_reading.call_payloads import call_of_parameters, compact_string
from tests.evidence.second_reading.call_values import Found, Refused, Rejected, shown_name
from tests.evidence.second_reading.characters import JSON_WHITE_SPACE
from tests.evidence.second_reading.descriptors import Form
from tests.evidence.second_reading.json_values import Tree
from tests.evidence.second_reading.literal_calls import is_number, is_of_word
from tests.evidence.second_reading.parts import Parts
from tests.evidence.second_reading.payload import Failed, Payload, Truncated

JSON_WORDS = {"true": "true", "false": "false", "null": "null"}
PYTHON_WORDS = {"True": "true", "False": "false", "None": "null"}
NOT_BARE = "\n:,{}[]\"'"


@dataclass
class NamedObject(Payload):
    """A complete payload: the name, and each member as parameters have them."""

    name: str = ""
    pairs: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Part:
    """A value: its JSON, and what stands between its quotes where it is a string."""

    json: str
    string: str | None = None


def read_quoted_object(text: str, at: int, form: Form) -> NamedObject:
    """Return the quoted object that begins here.

    Raises:
        Failed: at the first character of what stands in place of a part.
        Truncated: where the text ends before the payload does, or in a part.
    """
    assert form.payload is not None
    written = form.payload
    parts = Members(text, at + len(written["name_begin"]), written)
    parts.next()
    read = NamedObject(name=parts.bare())
    parts.sign("{")
    if parts.next() != "}":
        read.pairs.append(pair(parts, written))
        while parts.next() != "}":
            parts.sign(",")
            read.pairs.append(pair(parts, written))
    parts.sign("}")
    read.end = parts.at
    return read


def pair(parts: "Members", written: dict[str, Any]) -> tuple[str, str, str]:
    """Read a member of the outermost object."""
    key = parts.key()
    parts.sign(":")
    value = parts.value()
    if value.string is None:
        return key, value.json, "json"
    return key, value.string, "typed" if written.get("typed") else "string"


def read_one_call(payload: NamedObject, form: Form, tools: list[Any]) -> Found | Refused:
    """Return the call, or its refusal."""
    try:
        return call_of_parameters(payload.name, payload.pairs, form, tools)
    except Rejected as rejected:
        name = Tree(payload.name, payload.name)
        shown = None if rejected.code == "invalid_json" else shown_name(name, form)
        return Refused(rejected.code, shown)


class Members(Parts):
    """Reads the parts of an object."""

    def __init__(self, text: str, at: int, written: dict[str, Any]) -> None:
        super().__init__(text, at)
        self.quote: str = written["quote"]
        self.words = JSON_WORDS | (PYTHON_WORDS if written.get("python") else {})

    def bare(self) -> str:
        """Read a bare text that has to stand here."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in NOT_BARE + self.quote[0]:
            self.at += 1
        if self.at == len(self.text):
            raise Truncated
        if self.at == start:
            raise Failed(start)
        return self.text[start : self.at].strip(JSON_WHITE_SPACE)

    def is_string(self) -> bool:
        """Tell whether a string begins here."""
        self.next()
        if self.text.startswith(self.quote, self.at):
            return True
        if self.quote.startswith(self.text[self.at :]):
            raise Truncated
        return False

    def string(self) -> str:
        """Read a string; return what stands between its quotes."""
        start = self.at + len(self.quote)
        end = self.text.find(self.quote, start)
        if end < 0:
            raise Truncated
        self.at = end + len(self.quote)
        return self.text[start:end]

    def key(self) -> str:
        """Read a key."""
        return self.string() if self.is_string() else self.bare()

    def value(self) -> Part:
        """Read a value, to any depth."""
        made: list[str] = []
        closers: list[str] = []
        while True:
            if closers and closers[-1] == "}":
                made += [compact_string(self.key()), self.sign(":")]
            if self.is_string():
                string = self.string()
                if not closers:
                    return Part("", string)
                made.append(compact_string(string))
            elif self.next() in "[{":
                made.append(self.sign(self.next()))
                closers.append("]" if made[-1] == "[" else "}")
                if self.next() != closers[-1]:
                    continue
            else:
                made.append(self.word())
            while closers and self.next() == closers[-1]:
                made.append(self.sign(closers.pop()))
            if not closers:
                return Part("".join(made))
            made.append(self.sign(","))

    def word(self) -> str:
        """Read a word that is a value."""
        start = self.at
        while self.at < len(self.text) and is_of_word(self.text[self.at]):
            self.at += 1
        if self.at == len(self.text):
            raise Truncated
        word = self.text[start : self.at]
        if word not in self.words and not is_number(word):
            raise Failed(start)
        return self.words.get(word, word)
