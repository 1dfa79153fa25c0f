"""Reading a strict JSON object with the places of its members, at the speed of the host's decoder.

The text of the arguments is part of a call, and a decoder gives values only. So the members of the
object are walked here, and their values are left to the decoder.
"""

import re
from typing import NamedTuple

from commoncall.json_text import (
    SPACE,
    SPACE_RUN,
    JsonTextError,
    holds_lone_surrogate,
    is_shallow,
    scan_value,
)

_COLON = re.compile(rf"{SPACE}*:{SPACE}*")
_NEXT = re.compile(rf'{SPACE}*(?:,{SPACE}*(?=")|(}}))')


class Member(NamedTuple):
    """A value and where it stands in the text."""

    value: object
    start: int
    end: int


Members = dict[str, Member]
"""The members of an object; of a name that repeats, the last one."""


def read_payload(text: str) -> list[Members | None]:
    """Read a text that is one object, or one array that is not empty, with white space behind it.

    Returns:
        the members of the object, or of each element of the array; None for an element that is no
        object.

    Raises:
        JsonTextError: the text is something else.
    """
    if not is_shallow(text):
        raise JsonTextError("arguments_too_deep")
    try:
        values, end = _read_begin(text)
    except (ValueError, StopIteration):
        raise JsonTextError("arguments_invalid_json") from None
    if SPACE_RUN.fullmatch(text, end) is None or holds_lone_surrogate(text):
        raise JsonTextError("arguments_invalid_json")
    return values


def every_member(text: str) -> list[tuple[str, Member]]:
    """Return the members of an object without white space, also those of a name that repeats."""
    members: list[tuple[str, Member]] = []
    at = len("{")
    while text.startswith('"', at):
        name, end = scan_value(text, at)
        assert isinstance(name, str)
        start = end + len(":")
        value, end = scan_value(text, start)
        members.append((name, Member(value, start, end)))
        at = end + len(",")
    return members


def _read_begin(text: str) -> tuple[list[Members | None], int]:
    """Return the objects with which a text begins, and the place behind them."""
    if text[0] == "[":
        return _elements(text)
    if text[0] != "{":
        raise ValueError("neither an object nor an array")
    members, at = _members(text, 0)
    return [members], at


def _elements(text: str) -> tuple[list[Members | None], int]:
    values: list[Members | None] = []
    following = "["
    at = 0
    while following != "]":
        at = SPACE_RUN.match(text, at + 1).end()  # type: ignore[union-attr]
        if text.startswith("{", at):
            members, at = _members(text, at)
            values.append(members)
        else:
            _, at = scan_value(text, at)
            values.append(None)
        at = SPACE_RUN.match(text, at).end()  # type: ignore[union-attr]
        following = text[at : at + 1]
        if following not in (",", "]"):
            raise ValueError
    return values, at + 1


def _members(text: str, start: int) -> tuple[Members, int]:
    """Return the members of the object that begins at ``start``, and the place behind it."""
    members: Members = {}
    at = SPACE_RUN.match(text, start + 1).end()  # type: ignore[union-attr]
    if text.startswith("}", at):
        return members, at + 1
    while text.startswith('"', at):
        name, at = scan_value(text, at)
        assert isinstance(name, str)
        colon = _COLON.match(text, at)
        if colon is None:
            break
        start = colon.end()
        value, at = scan_value(text, start)
        members[name] = Member(value, start, at)
        following = _NEXT.match(text, at)
        if following is None:
            break
        at = following.end()
        if following[1]:
            return members, at
    raise ValueError
