"""JSON as the contracts understand it: strict text, bounded depth, blank characters, equality.

Shared ground of all contracts. It knows JSON and nothing of tool calls.
"""

import json
import math
import re
from collections.abc import Callable, Hashable, Iterator
from json.encoder import encode_basestring
from typing import Any, Literal, NoReturn

import rfc8785

MAX_DEPTH = 128
"""The deepest nesting that any JSON of the contracts may have (definition "nesting depth")."""

BLANKS = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000"
)
"""The characters with the Unicode property White_Space (definition "blank")."""

BLANKS_IN_LINE = BLANKS.replace("\n", "")

JSON_SPACE = " \t\n\r"
"""The white space of RFC 8259, section 2."""

SPACE = f"[{JSON_SPACE}]"
"""The same as a part of a pattern."""

SPACE_RUN = re.compile(rf"{SPACE}*+")

LETTER_OR_DIGIT = re.compile(
    rf"[A-Za-z0-9]|[^\x00-\x7f{re.escape(BLANKS)}\u00ab\u00bb\u200b-\u206f\u2190-\u245f\u2500-\u2775"
    r"\u2794-\u2bff\u3001-\u3003\u3008-\u301f\ud800-\udfff\ufeff\uff01-\uff0f\uff1a-\uff20\U0001f300-\U0001faff]"
)
"""No host's tables of Unicode say what this is (definition "letter or digit")."""

PYTHON_WORDS = {"True": "true", "False": "false", "None": "null"}
"""How JSON writes the words of Python."""

# A string of JSON, closed or cut off; what is left after removing these is structure.
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
_FLOAT = re.compile(r"[0-9][.e]")  # in what Python writes, and in some strings
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
# The escapes of a JSON text from left to right; group 1 is part of a surrogate that is no pair.
_ESCAPE = re.compile(
    r"\\(?:[^u]|u(?![dD][89a-fA-F])|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]|(u))", re.DOTALL
)


class CodeError(ValueError):
    """Why a text or a value cannot be used: a code, and never any of what was given."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class JsonTextError(CodeError):
    """The text is not strict JSON, or nests too deep."""

    code: Literal["arguments_invalid_json", "arguments_too_deep"]


def is_blank(text: str) -> bool:
    """Tell whether the text has no character but blanks; true of the empty text."""
    return not text.strip(BLANKS)


def too_deep(value: object, depth: int = MAX_DEPTH) -> bool:
    """Tell whether a JSON value nests deeper than a depth; the value itself counts as one."""
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(depth):
        if not level:
            return False
        level = [
            child
            for container in level
            for child in (container.values() if isinstance(container, dict) else container)
            if isinstance(child, (dict, list))
        ]
    return bool(level)


def text_depth(text: str) -> int:
    """Return the nesting depth of a JSON text, which need not be well-formed.

    The most ``[`` and ``{`` outside strings that are open at once.
    """
    return max(_depths(text), default=0)


def is_shallow(text: str, limit: int = MAX_DEPTH) -> bool:
    """Tell whether a recursive decoder may be given a text: its nesting depth is at most a limit.

    One that is deeper is read up to there alone.
    """
    # Most texts have fewer brackets, and need no look at where they stand.
    return text.count("[") + text.count("{") <= limit or all(at <= limit for at in _depths(text))


def _depths(text: str) -> Iterator[int]:
    """Yield how many brackets are open behind each one."""
    depth = 0
    for bracket in _BRACKET.finditer(_STRING.sub("", text)):
        # A closer with nothing open closes nothing: the text need not be well-formed.
        depth = depth + 1 if bracket[0] in "[{" else max(depth - 1, 0)
        yield depth


def decode(text: str) -> object:
    """Decode strict JSON (RFC 8259): no NaN, overflow, lone surrogate or BOM, depth at most 128.

    Raises:
        JsonTextError: ``arguments_too_deep``, decided first, or ``arguments_invalid_json``.
    """
    if not is_shallow(text):
        raise JsonTextError("arguments_too_deep")
    body = text.strip(JSON_SPACE)
    try:
        value, end = scan_value(body, 0)
    except (ValueError, StopIteration):
        end = -1
    # The decoder's own message quotes the text; it must not travel.
    if end < len(body) or holds_lone_surrogate(body):
        raise JsonTextError("arguments_invalid_json") from None
    return value


def decode_object(text: str) -> dict[str, object] | None:
    """Return the object that a text is; None where it is none, or no strict JSON."""
    try:
        value = decode(text)
    except JsonTextError:
        return None
    return value if isinstance(value, dict) else None


def compact(value: object) -> str:
    """Encode JSON without white space, in its order, unescaped (definition "compact JSON").

    Raises:
        ValueError: a number beyond binary64.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _compact(value) if _FLOAT.search(text) else text


def as_text(content: object) -> str | None:
    """Return a string as it is, and all other JSON as compact JSON; None for null, and for what has
    no JSON text: a number beyond binary64, what nests deeper than 128, what is no JSON.
    """
    if content is None or isinstance(content, str):
        return content
    try:
        return None if too_deep(content) else compact(content)
    except (TypeError, ValueError):
        return None


compact_string: Callable[[str], str] = encode_basestring
"""Encode a string as ``compact`` does, and faster."""


def _compact(value: object) -> str:
    """Encode like ``compact``. The decoder has not kept how a fraction was written, and the form
    that Python gives it is not that of RFC 8785.
    """
    if isinstance(value, float):
        return rfc8785.dumps(value).decode()
    if isinstance(value, dict):
        members = (f"{_compact(name)}:{_compact(member)}" for name, member in value.items())
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_compact, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def equal(left: object, right: object) -> bool:
    """Compare JSON as fixtures do: numbers by nearest binary64, a boolean is never a number."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return nearest(left) == nearest(right)
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    return type(left) is type(right) and left == right


def known_by(value: object) -> Hashable:
    """Return what equal values have in common, and no others: a key to find them by."""
    if isinstance(value, bool):
        return bool, value  # which Python takes for a number
    if isinstance(value, int | float):
        return nearest(value)
    if isinstance(value, dict):
        return frozenset((name, known_by(member)) for name, member in value.items())
    if isinstance(value, list):
        return tuple(map(known_by, value))
    return value


def nearest(number: int | float) -> float:
    """Return the nearest binary64 of a number."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _finite_int(digits: str) -> int:
    _finite_float(digits)  # int() refuses more than 4,300 digits in words for programmers
    return int(digits)


def _finite_float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number overflows")
    return number


def _no_constant(_: str) -> NoReturn:
    raise ValueError("NaN and Infinity are no numbers")


def utf8_length(text: str) -> int:
    """Return the length of a text in bytes of UTF-8; a surrogate outside a pair counts as 3."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def joined_pairs(text: str) -> str:
    """Return a text in which halves of surrogate pairs that meet are one character."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def whole_pairs(text: str) -> tuple[str, str]:
    """Return the same without a first half at the end, and that half or ``""``."""
    text = joined_pairs(text)
    half = text[-1] if "\ud800" <= text[-1:] <= "\udbff" else ""
    return text.removesuffix(half), half


def holds_surrogate(text: str) -> bool:
    """Tell whether a text holds a surrogate code point; in a string it never stands in a pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def encodable(value: object) -> object:
    """Return a JSON value with U+FFFD for each surrogate outside a pair; the given one where there
    is none. Of names that differ in these alone one is left (ADR-0143).
    """
    try:
        json.dumps(value, ensure_ascii=False).encode()
        return value
    except ValueError:
        pass  # or an integer of more digits than Python writes
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [encodable(item) for item in value]
    if isinstance(value, dict):
        return {encodable(name): encodable(member) for name, member in value.items()}
    return value


def holds_lone_surrogate(text: str) -> bool:
    """Tell whether a JSON text holds a surrogate that is no pair, as a character or escaped.

    It looks at the text: a member that a later one of its name replaces is part of it, too.
    """
    if not text.isascii() and holds_surrogate(text):
        return True
    at = text.find("\\")  # Most texts escape nothing, or little.
    if at < 0 or _SURROGATE_ESCAPE.search(text, at) is None:
        return False
    return any(escape[1] for escape in _ESCAPE.finditer(text))


Members = Callable[[list[tuple[str, Any]]], Any]

ReadValue = Callable[[str, int], tuple[Any, int]]
"""Reads the value that begins at a place of a text; returns it and the place behind it."""


def finite_decoder(members: Members | None = None) -> json.JSONDecoder:
    """Return a decoder that takes the numbers of RFC 8259 and no others, if they do not overflow.

    Args:
        members: makes an object of its members, as for `json.JSONDecoder`.
    """
    return json.JSONDecoder(
        parse_int=_finite_int,
        parse_float=_finite_float,
        parse_constant=_no_constant,
        object_pairs_hook=members,
    )


scan_value: ReadValue = finite_decoder().scan_once  # type: ignore[attr-defined]
"""Read a value by RFC 8259 and no more, but for depth and lone surrogates: ask for these beside.

It recurses, and its errors quote the text: let none travel.
"""
