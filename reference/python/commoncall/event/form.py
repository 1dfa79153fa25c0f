"""The form of a recorded event: its members, their values, and the places where one is wrong.

What `check_trace` reports and what the bindings take is decided here, for any JSON. The definitions
"members of an event", "fault of an event" and "call of an event" say the same.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, Literal, NotRequired, TypedDict, TypeGuard, cast

from commoncall.event.texts import MESSAGES, ErrorType, is_error_type
from commoncall.json_text import holds_surrogate, is_blank

PLANNED: Final = "ToolCallPlanned"
RESULT: Final = "ToolCallResult"

ITSELF: Final = ""
"""The place of a fault that is the event and none of its members."""

MAX_SEQ: Final = 2**53 - 1
"""The greatest ``seq``: every number up to it has a binary64 of its own."""

MAX_LATENCY: Final = 2**53 - 1
"""The longest latency in milliseconds that counts as measured (EVT-021)."""


class PlannedEvent(TypedDict):
    """A call was seen. Optional members are absent, never null."""

    type: Literal["ToolCallPlanned"]
    request_id: str
    seq: int
    tool: str
    args_preview_hash: str | None
    args_hash_algorithm: NotRequired[Literal["hmac-sha256"]]
    args_hash_key_id: NotRequired[str]
    args_schema_version: NotRequired[str]
    tool_call_id: NotRequired[str]


class ResultEvent(TypedDict):
    """What became of the call. ``error_type`` and ``message`` stand with the status error only."""

    type: Literal["ToolCallResult"]
    request_id: str
    seq: int
    tool: str
    status: Literal["ok", "error"]
    latency_ms: NotRequired[float]
    error_type: NotRequired[ErrorType]
    message: NotRequired[str]
    tool_call_id: NotRequired[str]


Event = PlannedEvent | ResultEvent

_CALL = {"type", "request_id", "seq"}
_KEYED = {"args_hash_algorithm", "args_hash_key_id"}
_PLANNED_MAY = {"args_schema_version", "tool_call_id"}
_RESULT_MAY = {"latency_ms", "tool_call_id"}
_ERROR_NEEDS = {"error_type", "message"}

_DIGEST = re.compile(r"[0-9a-f]{64}")


class EventError(ValueError):
    """Events, or what is said of them, cannot be exported. Names the place, and quotes nothing."""


def faults(element: object) -> list[str]:
    """Return the names of the wrong members, `ITSELF` for the event; empty for a good event."""
    if not isinstance(element, dict) or "type" not in element:
        return [ITSELF]
    if element["type"] not in (PLANNED, RESULT):
        return ["type"]
    found = [] if _has_its_members(element) else [ITSELF]
    found += [
        name for name, right in _RIGHT.items() if name in element and not right(element[name])
    ]
    if "message" in element and not _is_fixed_text(element):
        found.append("message")
    return found


def well_formed(events: Iterable[object]) -> Iterator[Event]:
    """Return the events one by one.

    Raises:
        EventError: the next one has a fault.
    """
    for at, event in enumerate(events):
        if wrong := faults(event):
            member = "" if wrong[0] == ITSELF else f".{wrong[0]}"
            raise EventError(f"events[{at}]{member} is not well-formed")
        yield cast(Event, event)


def call_of(element: object, wrong: Collection[str]) -> tuple[str, int] | None:
    """Return the request and the ``seq`` of an event that has them, whatever else is wrong.

    ``wrong`` are its faults.
    """
    if isinstance(element, dict) and element.keys() - {*wrong} >= _CALL:
        return element["request_id"], int(element["seq"])
    return None


def _has_its_members(event: Mapping[str, object]) -> bool:
    """Tell whether an event has what its class requires, and nothing that no such event has."""
    if event["type"] == PLANNED:
        needed = PlannedEvent.__required_keys__ | (_KEYED if event.keys() & _KEYED else set())
        return needed <= event.keys() <= needed | _PLANNED_MAY
    needed = ResultEvent.__required_keys__ | (
        set() if event.get("status") == "ok" else _ERROR_NEEDS
    )
    return needed <= event.keys() <= needed | _RESULT_MAY


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_seq(value: object) -> bool:
    return is_number_up_to(value, MAX_SEQ) and (isinstance(value, int) or value.is_integer())


def _is_tool(value: object) -> bool:
    return isinstance(value, str) and not is_blank(value) and not holds_surrogate(value)


def _is_hash(value: object) -> bool:
    return value is None or (isinstance(value, str) and _DIGEST.fullmatch(value) is not None)


def is_number_up_to(value: object, greatest: int) -> TypeGuard[int | float]:
    """Tell whether a value is a number from 0 to a greatest one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= greatest


def _is_fixed_text(event: Mapping[str, object]) -> bool:
    error_type = event.get("error_type")
    return is_error_type(error_type) and event["message"] == MESSAGES[error_type]


_RIGHT: Mapping[str, Callable[[object], bool]] = {
    "request_id": _is_text,
    "seq": _is_seq,
    "tool": _is_tool,
    "args_preview_hash": _is_hash,
    "args_hash_algorithm": lambda value: value == "hmac-sha256",
    "args_hash_key_id": _is_text,
    "args_schema_version": _is_text,
    "tool_call_id": _is_text,
    "status": lambda value: value in ("ok", "error"),
    "latency_ms": lambda value: is_number_up_to(value, MAX_LATENCY),
    "error_type": is_error_type,
}
"""By member: whether a value is right. That of ``message`` depends on another member."""
