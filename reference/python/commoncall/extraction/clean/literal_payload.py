"""Clean payloads in another spelling than that of JSON: they become JSON at once, which the host's
decoder reads.

What stands between the strings is short and repeats, so how JSON writes it is remembered.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from commoncall.extraction.call_value import Call, Refused, with_note
from commoncall.extraction.clean.json_payload import Read, clean_call
from commoncall.extraction.dialects import Dialect, Kind
from commoncall.extraction.parameters import Parameter, read_parameters
from commoncall.extraction.python_strings import STRING_RUN
from commoncall.extraction.python_strings import written as as_json
from commoncall.json_object import Members, read_payload, scanner_of
from commoncall.json_text import (
    JSON_SPACE,
    PYTHON_WORDS,
    JsonTextError,
    compact_string,
    holds_lone_surrogate,
    is_shallow,
)

if TYPE_CHECKING:
    from commoncall.extraction.reading import Reading

_NAME = r"[A-Za-z_][A-Za-z0-9_]{0,63}"
# White space between two words parts them.
_SPACE = r"(?<![A-Za-z0-9_.+-])[ \t\n\r]+|[ \t\n\r]+(?![A-Za-z0-9_.+-])"
_CALLS = re.compile(rf"({_NAME})\(|(\))|({_NAME})[ \t\n\r]*=|\b(True|False|None)\b|{_SPACE}")
_SAME_LINE = re.compile(rf"\)[ \t\r]*{_NAME}")
_OBJECT = re.compile(rf"({_NAME})[ \t\n\r]*:|\b(True|False|None)\b|{_SPACE}")
_STRING = re.compile(r"""('(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+")""", re.DOTALL)
_HEAD = re.compile(rf'\["({_NAME})",(?=\{{)')
_NAMED = re.compile(r"[ \t\n\r]*([A-Za-z0-9_-]{1,64})(?=\{)")


@lru_cache(256)
def _calls_between(text: str) -> tuple[str, int, int]:
    """Return a piece of calls as JSON, and how many calls and arguments begin in it."""
    calls = arguments = 0

    def written(match: re.Match[str]) -> str:
        nonlocal calls, arguments
        call, end, argument, word = match.groups()
        if call:
            calls += 1
            return f'["{call}",{{'
        if argument:
            arguments += 1
            return f'"{argument}":'
        return "}]" if end else PYTHON_WORDS[word] if word else ""

    if '"' in text or _SAME_LINE.search(text):
        return "?", 0, 0  # no JSON
    return _CALLS.sub(written, text), calls, arguments


@lru_cache(256)
def _members_between(text: str, is_python: bool) -> str:
    """Return a piece of an object as JSON."""

    def written(match: re.Match[str]) -> str:
        key, word = match.groups()
        if key:
            return f'"{key}":'
        return (PYTHON_WORDS[word] if is_python else word) if word else ""

    # A string before a colon is a key, which may hold anything.
    is_strange = '"' in text or text.lstrip(JSON_SPACE).startswith(":")
    return "?" if is_strange else _OBJECT.sub(written, text)


def _json_string(string: str) -> str:
    """Return a string as JSON; nothing that JSON could be where it is none."""
    if "\\" not in string and '"' not in (inner := string[1:-1]):
        return f'"{inner}"'
    is_string = STRING_RUN[string[0]].fullmatch(string, 1, len(string) - 1)
    return as_json(string) if is_string else "?"


def read_python_block(
    dialect: Dialect, text: str, begin: int, stop: int, _name: str, reading: Reading
) -> Read | None:
    """Read calls in the spelling of Python, with strings between single quotes."""
    payload = text[begin:stop]
    if not dialect.is_list and (payload[:1] != "\n" or reading.has_marker(text, begin + 1)):
        return None
    pieces = _STRING.split(payload)
    calls = arguments = 0
    for place in range(0, len(pieces), 2):
        pieces[place], begun, named = _calls_between(pieces[place])
        calls += begun
        arguments += named
    pieces[1::2] = map(_json_string, pieces[1::2])
    written = "".join(pieces)
    if dialect.is_list:
        if written[:1] != "[" or written[-1:] != "]":
            return None
        written = written[1:-1]
    if not is_shallow(written) or holds_lone_surrogate(written):
        return None
    found = _read_calls(written, "," if dialect.is_list else "")
    if not found or (len(found), sum(len(each["arguments"]) for each in found)) != (
        calls,
        arguments,
    ):
        return None
    return [item for each in found for item in with_note(each)], stop


def _read_calls(text: str, separator: str) -> list[Call] | None:
    """Read calls that are written as JSON, with what stands between them."""
    scan, calls, at = scanner_of(text), list[Call](), 0
    while head := _HEAD.match(text, at):
        start = head.end()
        try:
            arguments, end = scan(text, start)
        except (ValueError, StopIteration):
            return None
        if text[end : end + 1] != "]":
            return None
        calls.append(clean_call(head[1], arguments, text[start:end]))
        at = end + 1
        if at == len(text):
            return calls
        if not text.startswith(separator, at):
            return None
        at += len(separator)
    return None


def read_quoted_block(
    dialect: Dialect, text: str, begin: int, stop: int, _name: str, reading: Reading
) -> Read | None:
    """Read a name and an object with strings between quotes of its own."""
    if not text.startswith(dialect.name_begin, begin):
        return None
    name = _NAMED.match(text, begin + len(dialect.name_begin), stop)
    if name is None:
        return None
    pieces = text[name.end() : stop].split(dialect.quote)
    if not len(pieces) % 2:
        return None
    for place in range(0, len(pieces), 2):
        pieces[place] = _members_between(pieces[place], dialect.python)
    pieces[1::2] = map(compact_string, pieces[1::2])
    written = "".join(pieces)
    try:
        (members,) = read_payload(written)
    except JsonTextError:
        return None
    assert members is not None
    if not _is_whole(members, written):
        return None
    if dialect.typed or dialect.trim != "none":
        kind: Kind = "typed" if dialect.typed else "string"
        parameters = [
            _member_parameter(key, *member, written, kind) for key, member in members.items()
        ]
        call = read_parameters(name[1], parameters, dialect, reading.caller.declared)
        return None if isinstance(call, Refused) else (with_note(call), stop)
    arguments: dict[str, object] = {key: member.value for key, member in members.items()}
    return [clean_call(name[1], arguments, written)], stop


def _is_whole(members: Members, text: str) -> bool:
    """Tell whether no name of the object that a text is repeats."""
    lengths = sum(len(key) + 4 + end - start for key, (_, start, end) in members.items())
    return lengths + 1 + (not members) == len(text)


def _member_parameter(
    key: str, value: object, start: int, end: int, text: str, kind: Kind
) -> Parameter:
    if isinstance(value, str):
        return Parameter(key, value, kind)
    return Parameter(key, text[start:end], "json")
