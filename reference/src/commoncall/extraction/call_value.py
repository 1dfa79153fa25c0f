"""A JSON value of a payload, read as a call or refused with a code (definition "call value").

Nothing is invented here: the name and the text of the arguments come out of the source.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from commoncall.json_text import BLANKS, JSON_SPACE, JsonTextError, decode, equal, is_blank

_CONTROL_TOKEN = re.compile(r"<\|[^<>|]+\|>")
_SENDABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class FoundCall:
    """A call without its id. ``note`` is ``name_not_sendable`` or nothing."""

    name: str
    arguments: dict[str, object]
    arguments_json: str
    note: str | None


class RefusedError(ValueError):
    """The value is no call."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read_call(source: str) -> FoundCall:
    """Read the source text of one object (EXT-061, EXT-076, EXT-078).

    Raises:
        RefusedError: with a code of the table "Rejections".
    """
    value = _object(source)
    if "name" not in value and isinstance(value.get("function"), dict):
        source = _member_sources(source)["function"]
        value = value["function"]
    return _read(value, source, _own_name(value), ("arguments", "parameters"))


def read_message(source: str) -> FoundCall:
    """Read the payload of a message on the channel ``tool``: ``{tool, arguments}`` (EXT-102).

    Raises:
        RefusedError: with a code of the table "Rejections".
    """
    value = _object(source)
    return _read(value, source, value.get("tool"), ("arguments",))


def _object(source: str) -> dict[str, Any]:
    try:
        value = decode(source)
    except JsonTextError as error:
        raise RefusedError(
            "too_deep" if error.code == "arguments_too_deep" else "invalid_json"
        ) from None
    assert isinstance(value, dict)
    return value


def _read(value: dict[str, Any], source: str, name: object, members: tuple[str, ...]) -> FoundCall:
    if _is_declaration(value):
        raise RefusedError("declaration")
    name = clean_name(name)
    arguments, arguments_json = _arguments(value, source, members)
    return FoundCall(
        name, arguments, arguments_json, None if _SENDABLE.fullmatch(name) else "name_not_sendable"
    )


def clean_name(name: object) -> str:
    """Return the name without the control tokens and blanks at its ends (EXT-062, EXT-063).

    Raises:
        RefusedError: ``name_missing``, ``name_not_string`` or ``name_blank``.
    """
    if name is None:
        raise RefusedError("name_missing")
    if not isinstance(name, str):
        raise RefusedError("name_not_string")
    start, end = 0, len(name)
    while start < end and (
        token := _CONTROL_TOKEN.match(name, start, end) or _blank_at(name, start)
    ):
        start = token if isinstance(token, int) else token.end()
    tokens = {match.end(): match.start() for match in _CONTROL_TOKEN.finditer(name, start)}
    while end > start and (end in tokens or name[end - 1] in BLANKS):
        end = tokens.get(end, end - 1)
    if start >= end:
        raise RefusedError("name_blank")
    return name[start:end]


def _blank_at(name: str, at: int) -> int | None:
    return at + 1 if name[at] in BLANKS else None


def _own_name(value: dict[str, object]) -> object:
    """Return what stands in the place of the name (EXT-060)."""
    if "name" in value:
        return value["name"]
    function = value.get("function")
    return function if isinstance(function, str) else value.get("tool")


def _is_declaration(value: dict[str, object]) -> bool:
    """Tell whether the value declares a tool (EXT-073)."""
    if "arguments" in value:
        return False
    parameters = value.get("parameters")
    if isinstance(parameters, dict):
        return (
            "description" in value
            or parameters.get("type") == "object"
            or isinstance(parameters.get("properties"), dict)
        )
    return "description" in value


def _arguments(
    value: dict[str, Any], source: str, members: tuple[str, ...]
) -> tuple[dict[str, object], str]:
    """Return the arguments and their text (EXT-065 to EXT-068, EXT-071, EXT-072)."""
    given = [key for key in members if key in value]
    if not given:
        raise RefusedError("arguments_missing")
    if len(given) > 1 and not equal(value["arguments"], value["parameters"]):
        raise RefusedError("ambiguous_arguments")
    arguments = value[given[0]]
    if arguments is None:
        return {}, "{}"
    if isinstance(arguments, str):
        return _decoded(arguments)
    if not isinstance(arguments, dict):
        raise RefusedError("arguments_not_object")
    return arguments, _member_sources(source)[given[0]]


def _decoded(text: str) -> tuple[dict[str, object], str]:
    """Return the arguments that a string holds, and the string (EXT-069, EXT-070)."""
    if is_blank(text):
        raise RefusedError("arguments_empty")
    try:
        arguments = decode(text)
    except JsonTextError as error:
        raise RefusedError(error.code) from None
    if not isinstance(arguments, dict):
        raise RefusedError("arguments_not_object")
    return arguments, text


def _member_sources(source: str) -> dict[str, str]:
    """Return the source text of each member's value, of the last one where a name repeats.
    ``source`` is a JSON object.
    """
    members: dict[str, str] = {}
    at = _behind_space(source, 1)
    while source[at] != "}":
        key, at = _DECODER.raw_decode(source, at)
        start = _behind_space(source, _behind_space(source, at) + 1)
        _, end = _DECODER.raw_decode(source, start)
        members[key] = source[start:end]
        at = _behind_space(source, end)
        if source[at] == ",":
            at = _behind_space(source, at + 1)
    return members


def _behind_space(source: str, at: int) -> int:
    while source[at] in JSON_SPACE:
        at += 1
    return at
