"""What is read of a recorded call, and the first check that it fails: EVT-016, EVT-030 to EVT-040.

The checks stand in their order: size, encoding, syntax and depth, shape, name, availability.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from commoncall.event.texts import UNKNOWN_TOOL, ErrorType
from commoncall.json_text import JsonTextError, decode, is_blank

PAYLOAD_BYTES: Final = 8192
"""The longest payload of a pseudo-marker, unless a limit is set (EVT-030)."""

_MEMBERS = {"tool", "arguments"}


@dataclass(frozen=True, slots=True)
class Reading:
    """What could be read of a call; the arguments stay inside the contract.

    ``label`` is an effective name or ``unknown``; ``arguments`` is None where no object was read;
    ``error_type`` is None where the call may run.
    """

    label: str = UNKNOWN_TOOL
    arguments: dict[str, object] | None = None
    error_type: ErrorType | None = None


def read_payload(payload: str, effective: Collection[str], limit: int) -> Reading:
    """Read the payload of a pseudo-marker, ``{"tool": NAME, "arguments"?: {...} | null}``."""
    if _utf8_length(payload) > limit:
        return Reading(error_type="tool_payload_too_large")
    value = _decoded(payload)
    if not isinstance(value, dict):
        return Reading(error_type="tool_payload_parse_error")
    name = value.get("tool")
    arguments = value.get("arguments")
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict) or not value.keys() <= _MEMBERS:
        return Reading(_label(name, effective), error_type="tool_payload_parse_error")
    return _named(name, arguments, effective)


def read_named(
    name: str | None, arguments_json: str | None, effective: Collection[str], limit: int | None
) -> Reading:
    """Read a call whose name and arguments text are known apart; None is what could not be had."""
    label = _label(name, effective)
    if limit is not None and arguments_json is not None and _utf8_length(arguments_json) > limit:
        return Reading(label, error_type="tool_payload_too_large")
    if arguments_json is None or (name is not None and not _is_unicode(name)):
        return Reading(label, error_type="tool_payload_parse_error")
    arguments = _decoded(arguments_json)
    if not isinstance(arguments, dict):
        return Reading(label, error_type="tool_payload_parse_error")
    return _named(name, arguments, effective)


def _named(name: object, arguments: dict[str, object], effective: Collection[str]) -> Reading:
    """Judge the name of a call whose arguments were read."""
    if not isinstance(name, str) or is_blank(name):
        return Reading(arguments=arguments, error_type="tool_payload_parse_error")
    if name not in effective:
        return Reading(arguments=arguments, error_type="tool_not_available")
    return Reading(name, arguments)


def _label(name: object, effective: Collection[str]) -> str:
    usable = isinstance(name, str) and _is_unicode(name) and not is_blank(name)
    return str(name) if usable and name in effective else UNKNOWN_TOOL


def _decoded(text: str) -> object:
    """Return the value of a JSON text, or None, which is no object either."""
    try:
        return decode(text)
    except JsonTextError:
        return None


def _utf8_length(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _is_unicode(text: str) -> bool:
    """Tell whether the text holds no surrogate outside a pair, so that it has a UTF-8 form."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
