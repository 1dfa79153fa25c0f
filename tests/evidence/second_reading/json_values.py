"""JSON texts as trees that keep their places, as the section JSON of the vocabulary has them."""

import math
from dataclasses import dataclass
from typing import Any

from tests.evidence.second_reading.characters import skip_json_white_space

ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
LITERALS: dict[str, object] = {"true": True, "false": False, "null": None}


class NoJson(Exception):
    """The text is no JSON text."""


@dataclass(frozen=True)
class Tree:
    """A value and the piece of text that it stands in.

    ``value`` is a dict of trees, where the last of equal names counts, a list of trees, a str, a
    float, a bool or None.
    """

    value: Any
    text: str

    def get(self, name: str) -> "Tree | None":
        """Return a member of an object."""
        member: Tree | None = self.value.get(name)
        return member

    @property
    def is_object(self) -> bool:
        """Tell whether this is an object."""
        return isinstance(self.value, dict)


def plain(tree: Tree) -> Any:
    """Return the value without its places."""
    if isinstance(tree.value, dict):
        return {name: plain(member) for name, member in tree.value.items()}
    if isinstance(tree.value, list):
        return [plain(element) for element in tree.value]
    return tree.value


def equal(a: Tree, b: Tree) -> bool:
    """Vocabulary, equal values."""
    if type(a.value) is not type(b.value):
        return False
    if isinstance(a.value, dict):
        return a.value.keys() == b.value.keys() and all(
            equal(a.value[name], b.value[name]) for name in a.value
        )
    if isinstance(a.value, list):
        return len(a.value) == len(b.value) and all(map(equal, a.value, b.value))
    return bool(a.value == b.value)


def nesting_depth(text: str) -> int:
    """Vocabulary, nesting depth."""
    open_now = deepest = at = 0
    while at < len(text):
        if text[at] in "[{":
            open_now += 1
            deepest = max(deepest, open_now)
        elif text[at] in "]}":
            open_now = max(0, open_now - 1)
        elif text[at] == '"':
            at += 1
            while at < len(text) and text[at] != '"':
                at += 2 if text[at] == "\\" else 1
        at += 1
    return deepest


def elements(text: str) -> list[str]:
    """Return the texts of the elements of an array, which may nest to any depth."""
    pieces: list[str] = []
    depth = start = at = 0
    while at < len(text):
        if text[at] == '"':
            at += 1
            while text[at] != '"':
                at += 2 if text[at] == "\\" else 1
        elif text[at] in "[{":
            depth += 1
            start = at + 1 if depth == 1 else start
        elif text[at] in "]}" or (text[at] == "," and depth == 1):
            depth -= text[at] != ","
            if depth == 0 or text[at] == ",":
                pieces.append(text[start:at].strip(" \t\n\r"))
                start = at + 1
        at += 1
    return [] if pieces == [""] else pieces


def read_json(text: str) -> Tree:
    """Read a JSON text (vocabulary, JSON text) that nests 128 deep at most.

    Raises:
        NoJson: for every other text.
    """
    tree, end = _value(text, skip_json_white_space(text, 0))
    if skip_json_white_space(text, end) != len(text):
        raise NoJson
    return tree


def _value(text: str, start: int) -> tuple[Tree, int]:
    character = text[start : start + 1]
    value: object
    if character == "{":
        value, end = _object(text, start + 1)
    elif character == "[":
        value, end = _array(text, start + 1)
    elif character == '"':
        value, end = _string(text, start)
    else:
        value, end = _scalar(text, start)
    return Tree(value, text[start:end]), end


def _object(text: str, at: int) -> tuple[dict[str, Tree], int]:
    members: dict[str, Tree] = {}
    at = skip_json_white_space(text, at)
    if text[at : at + 1] == "}":
        return members, at + 1
    while True:
        name, at = _string(text, at)
        at = skip_json_white_space(text, at)
        if text[at : at + 1] != ":":
            raise NoJson
        members[name], at = _value(text, skip_json_white_space(text, at + 1))
        at = skip_json_white_space(text, at)
        if text[at : at + 1] == "}":
            return members, at + 1
        if text[at : at + 1] != ",":
            raise NoJson
        at = skip_json_white_space(text, at + 1)


def _array(text: str, at: int) -> tuple[list[Tree], int]:
    items: list[Tree] = []
    at = skip_json_white_space(text, at)
    if text[at : at + 1] == "]":
        return items, at + 1
    while True:
        item, at = _value(text, skip_json_white_space(text, at))
        items.append(item)
        at = skip_json_white_space(text, at)
        if text[at : at + 1] == "]":
            return items, at + 1
        if text[at : at + 1] != ",":
            raise NoJson
        at += 1


def _string(text: str, at: int) -> tuple[str, int]:
    if text[at : at + 1] != '"':
        raise NoJson
    at += 1
    units: list[int] = []
    while text[at : at + 1] != '"':
        if at >= len(text) or text[at] < " ":
            raise NoJson
        if text[at] != "\\":
            if is_half_a_pair(text[at]):  # before its escapes are read
                raise NoJson
            units.append(ord(text[at]))
            at += 1
        elif text[at + 1 : at + 2] == "u":
            digits = text[at + 2 : at + 6]
            if len(digits) < 4 or any(d not in "0123456789abcdefABCDEF" for d in digits):
                raise NoJson
            _append(units, int(digits, 16))
            at += 6
        elif text[at + 1 : at + 2] in ESCAPES and at + 1 < len(text):
            _append(units, ord(ESCAPES[text[at + 1]]))
            at += 2
        else:
            raise NoJson
    if any(is_half_a_pair(chr(unit)) for unit in units):  # after its escapes are read
        raise NoJson
    return "".join(map(chr, units)), at + 1


def is_half_a_pair(character: str) -> bool:
    """Tell whether a character is a surrogate; a pair of them is one character here."""
    return "\ud800" <= character <= "\udfff"


def _append(units: list[int], unit: int) -> None:
    """Append what an escape says, and make one of the two halves of a pair."""
    if 0xDC00 <= unit <= 0xDFFF and units and 0xD800 <= units[-1] <= 0xDBFF:
        unit = 0x10000 + (units.pop() - 0xD800) * 0x400 + unit - 0xDC00
    units.append(unit)


def _scalar(text: str, start: int) -> tuple[object, int]:
    for word, value in LITERALS.items():
        if text.startswith(word, start):
            return value, start + len(word)
    at = start + 1 if text[start : start + 1] == "-" else start
    at = at + 1 if text[at : at + 1] == "0" else _digits(text, at)
    if text[at : at + 1] == ".":
        at = _digits(text, at + 1)
    if text[at : at + 1] in ("e", "E"):
        at = _digits(text, at + 2 if text[at + 1 : at + 2] in ("+", "-") else at + 1)
    number = float(text[start:at])
    if math.isinf(number):
        raise NoJson
    return number, at


def _digits(text: str, at: int) -> int:
    end = at
    while end < len(text) and text[end] in "0123456789":
        end += 1
    if end == at:
        raise NoJson
    return end
