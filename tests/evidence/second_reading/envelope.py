"""The input of ``extraction.extract`` as a JSON value: what EXT-001 admits, and its outcome."""

from collections.abc import Callable
from typing import Any

from tests.evidence.second_reading.descriptors import can_be_active
from tests.evidence.second_reading.extraction import IdsExhausted, extract
from tests.evidence.second_reading.frames import FORMATS

DEEPEST = 128


def outcome(given: object, ids: list[str]) -> dict[str, Any]:
    """Return ``{"result"}`` or ``{"error"}`` of an input and the ids of its environment."""
    if not isinstance(given, dict) or depth(given) > DEEPEST or not is_input(given):
        return {"error": {"code": "invalid_input"}}
    options = {name: value for name, value in given.items() if name != "text"}
    try:
        return {"result": extract(given["text"], ids=ids, **options)}
    except IdsExhausted:
        return {"error": {"code": "env_exhausted"}}


def is_input(given: dict[str, Any]) -> bool:
    """Tell whether the members are those of the operation, and of the right types."""
    checks: dict[str, Callable[[Any], bool]] = {
        "text": lambda value: isinstance(value, str),
        "effective": is_list_of_texts,
        "observe": lambda value: value is True,
        "labels": is_list_of_texts,
        "native_calls": lambda value: isinstance(value, bool),
        "dialects": lambda value: is_list_of_texts(value) and can_be_active(value),
        "format": lambda value: isinstance(value, str) and value in FORMATS,
        "fences": lambda value: value in ("opaque", "extract"),
        "starts_in_reasoning": lambda value: isinstance(value, bool),
        "tools": lambda value: isinstance(value, list),
        "limits": is_limits,
    }
    who = given.keys() & {"effective", "observe", "labels"}
    return (
        "text" in given
        and not {"dialects", "format"} <= given.keys()  # EXT-176
        and who in ({"effective"}, {"observe", "labels"})
        and all(name in checks and checks[name](value) for name, value in given.items())
    )


def is_limits(value: object) -> bool:
    """Tell whether a value is ``{payload_bytes}``, a whole number of at least 1."""
    if not isinstance(value, dict) or value.keys() != {"payload_bytes"}:
        return False
    number = value["payload_bytes"]
    whole = type(number) is int or (isinstance(number, float) and number.is_integer())
    return whole and number >= 1


def is_list_of_texts(value: object) -> bool:
    """Tell whether a value is an array of strings."""
    return isinstance(value, list) and all(isinstance(element, str) for element in value)


def depth(value: object) -> int:
    """Return how many arrays and objects stand in one another."""
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0
