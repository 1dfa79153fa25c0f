"""What is read of a recorded call, what is shown, and the first check that it fails.

Holds the definitions "label", "telling id", "failed check" and "read arguments" of
spec/v1/event.md. The checks stand in their order: size, encoding, syntax and depth, shape, name,
availability.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from commoncall.call_object import CallForm, judge_text
from commoncall.event.texts import UNKNOWN_TOOL, ErrorType
from commoncall.json_text import decode_object, holds_surrogate, is_blank, utf8_length

PAYLOAD_BYTES: Final = 8192
"""The longest payload of a pseudo-marker, unless a limit is set (definition "failed check")."""

PAYLOAD: Final = CallForm(
    names=("tool",), arguments=("arguments",), exact=True, object_only=True, verbatim=True
)
"""The form of a payload of a pseudo-marker (definition "failed check")."""

_NO_NAME: Final = ("name_missing", "name_not_string", "name_blank")
"""The codes of `judge_text` that fail the check name; every other fails one before it."""


@dataclass(frozen=True, slots=True)
class ShownNames:
    """The names that may be shown; where these are those of a watcher, no tool is unavailable."""

    names: Collection[str]
    observes: bool = False


@dataclass(frozen=True, slots=True)
class ReadCall:
    """What could be read of a call; arguments and name stay inside the contract.

    ``label`` is a name that may be shown or ``unknown``; ``arguments`` is None where no
    object was read; ``error_type`` is None where the call may run; ``name`` is that of a payload.
    """

    label: str = UNKNOWN_TOOL
    arguments: dict[str, object] | None = None
    error_type: ErrorType | None = None
    name: str | None = None


def read_payload(payload: str, known: ShownNames, limit: int) -> ReadCall:
    """Read the payload of a pseudo-marker, ``{"tool": NAME, "arguments": {...} | null}``."""
    if utf8_length(payload) > limit:
        return ReadCall(error_type="tool_payload_too_large")
    judged = judge_text(payload, PAYLOAD)
    if judged is None:
        return ReadCall(error_type="tool_payload_parse_error")
    if judged.arguments is None or judged.code not in (None, *_NO_NAME):
        reading = ReadCall(_label(judged.name, known), error_type="tool_payload_parse_error")
    else:
        reading = _named(judged.name, judged.arguments[0], known)
    return replace(reading, name=judged.name)


def read_named(
    name: str | None,
    arguments_json: str | None,
    known: ShownNames,
    limit: int | None,
    error_type: ErrorType | None,
) -> ReadCall:
    """Read a call whose name and arguments text are known apart; None is what could not be had.

    ``error_type`` is why somebody else could not read it: the check reading.
    """
    label = _label(name, known)
    if error_type is not None:
        return ReadCall(label, error_type=error_type)
    if limit is not None and arguments_json is not None and utf8_length(arguments_json) > limit:
        return ReadCall(label, error_type="tool_payload_too_large")
    if arguments_json is None or (name is not None and holds_surrogate(name)):
        return ReadCall(label, error_type="tool_payload_parse_error")
    arguments = decode_object(arguments_json)
    if arguments is None:
        return ReadCall(label, error_type="tool_payload_parse_error")
    return _named(name, arguments, known)


def shown_id(identifier: str, name: str | None, label: str) -> str:
    """Return the id of a call, but not one that tells a name that may not be shown."""
    tells = any(part in identifier for part in (".", ":", name) if part)
    return UNKNOWN_TOOL if tells and label != name else identifier


def _named(name: str | None, arguments: dict[str, object], known: ShownNames) -> ReadCall:
    """Judge the name of a call whose arguments were read."""
    if name is None or is_blank(name):
        return ReadCall(arguments=arguments, error_type="tool_payload_parse_error")
    if name not in known.names and not known.observes:
        return ReadCall(arguments=arguments, error_type="tool_not_available")
    return ReadCall(_label(name, known), arguments)


def _label(name: str | None, known: ShownNames) -> str:
    if name is None or name not in known.names or is_blank(name) or holds_surrogate(name):
        return UNKNOWN_TOOL
    return name
