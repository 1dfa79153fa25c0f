"""JSON as the contracts understand it: strict text, bounded depth, blank characters, equality.

Shared ground of all contracts. It knows JSON and nothing of tool calls.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Literal, NoReturn

MAX_DEPTH = 128
"""The deepest nesting that any JSON of the contracts may have (definition "nesting depth")."""

BLANKS = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000"
)
"""The characters with the Unicode property White_Space (definition "blank")."""

JSON_SPACE = " \t\n\r"
"""The white space of RFC 8259, section 2."""

JsonTextCode = Literal["arguments_invalid_json", "arguments_too_deep"]

# A string of JSON, closed or cut off; what is left after removing these is structure.
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")

_FINITE_DIGITS = 308
"""An integer of so many digits has a finite nearest binary64, whatever they are."""

_DIGIT = re.compile("[0-9]")


class JsonTextError(ValueError):
    """The text is not strict JSON, or nests too deep. Never carries any of the text."""

    def __init__(self, code: JsonTextCode) -> None:
        super().__init__(code)
        self.code: JsonTextCode = code


def is_blank(text: str) -> bool:
    """Tell whether the text has no character but blanks; true of the empty text."""
    return not text.strip(BLANKS)


def text_depth(text: str) -> int:
    """Return the nesting depth of a JSON text, which need not be well-formed.

    The most ``[`` and ``{`` outside strings that are open at once.
    """
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        # A closer with nothing open closes nothing: the text need not be well-formed.
        depth = depth + 1 if bracket in "[{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


def decode(text: str) -> object:
    """Decode strict JSON (RFC 8259): no NaN, no overflow, no lone surrogate, no BOM, depth at
    most 128.

    Raises:
        JsonTextError: ``arguments_too_deep``, decided first, or ``arguments_invalid_json``.
    """
    # Counting is cheaper than walking; only a text with many brackets can be too deep.
    if text.count("[") + text.count("{") > MAX_DEPTH and text_depth(text) > MAX_DEPTH:
        raise JsonTextError("arguments_too_deep")
    body = text.strip(JSON_SPACE)
    decoder = _LONG_INTEGERS if _may_overflow(body) else _DECODER
    try:
        value: object
        value, end = decoder.raw_decode(body)
        if end < len(body):
            raise ValueError
        if not body.isascii():
            body.encode()
        if "\\" in body and _SURROGATE_ESCAPE.search(body):  # Most texts escape nothing.
            _require_scalar_values(value)
    except ValueError:
        # The decoder's own message quotes the text; it must not travel.
        raise JsonTextError("arguments_invalid_json") from None
    return value


def compact(value: object) -> str:
    """Encode a JSON value without white space, members in their order, other than ASCII
    unescaped.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def equal(left: object, right: object) -> bool:
    """Compare two JSON values as fixtures do: numbers by nearest binary64, a boolean is never a
    number.
    """
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return _nearest(left) == _nearest(right)
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    return type(left) is type(right) and left == right


def _nearest(number: int | float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _may_overflow(text: str) -> bool:
    """Tell whether an integer in the text can have more digits than every finite one has."""
    # More digits than that in a row hold one of the characters at these distances.
    return _DIGIT.search(text[_FINITE_DIGITS :: _FINITE_DIGITS + 1]) is not None


def _finite_int(digits: str) -> int:
    if len(digits) > _FINITE_DIGITS and math.isinf(float(digits)):
        raise ValueError
    return int(digits)


def _finite_float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError
    return number


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _require_scalar_values(value: object) -> None:
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, list):
        for item in value:
            _require_scalar_values(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            key.encode()
            _require_scalar_values(item)


def _decoder(parse_int: Callable[[str], int]) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_int=parse_int, parse_float=_finite_float, parse_constant=_no_constant
    )


# Made once: making one costs as much as reading a short text. The first reads integers without a
# detour through Python, for texts in which none can overflow.
_DECODER = _decoder(int)
_LONG_INTEGERS = _decoder(_finite_int)
