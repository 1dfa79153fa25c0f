"""Numbers that are sent as a case writes them, for adapters that keep their digits.

A fraction that was decoded and encoded again has another spelling: `1e-7` becomes `1e-07`.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Final

_PLACE: Final = "\0a number\0"
_FRACTION: Final = re.compile(r"(?:\A|[\s,:[-])[0-9]+[.e]|Infinity|NaN")  # strings may hold it


class SpelledNumber(float):
    """A number that knows its JSON text.

    Attributes:
        text: that text.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


def parse(text: str) -> object:
    """Parse a JSON text, and keep how its fractions and exponents are written."""
    value: object = json.loads(text, parse_float=SpelledNumber)
    return value


def encode(value: object, separators: tuple[str, str] = (",", ":"), ascii: bool = True) -> str:
    """Return the JSON text of a value, with each spelled number as it was written."""
    text = _encoder(separators, ascii).encode(value)
    if not _FRACTION.search(text):
        return text
    numbers: list[str] = []
    taken = _taken(value, numbers)
    text = json.dumps(taken, ensure_ascii=ascii, separators=separators, allow_nan=False)
    for number in numbers:
        text = text.replace(json.dumps(_PLACE), number, 1)
    return text


@cache
def _encoder(separators: tuple[str, str], ascii: bool) -> json.JSONEncoder:
    return json.JSONEncoder(ensure_ascii=ascii, separators=separators)


def _taken(value: object, numbers: list[str]) -> object:
    """Return the value with a place in each place of a spelled number, whose texts are added."""
    if isinstance(value, SpelledNumber):
        numbers.append(value.text)
        return _PLACE
    if isinstance(value, Mapping):
        return {name: _taken(member, numbers) for name, member in value.items()}
    if isinstance(value, list):
        return [_taken(item, numbers) for item in value]
    return value
