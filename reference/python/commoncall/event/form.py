"""What a recorded event is: its members, and whether any JSON is one."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NotRequired, TypedDict, cast

from commoncall.event.texts import ErrorType
from commoncall.forms import fits, form_of

PLANNED: Final = "ToolCallPlanned"
RESULT: Final = "ToolCallResult"


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


class EventError(ValueError):
    """Events cannot be exported. Names the place, and quotes nothing."""


def well_formed(events: Iterable[object]) -> Iterator[Event]:
    """Return the events one by one.

    Raises:
        EventError: the next one is none.
    """
    form = form_of("event.to_otel#event")
    for at, event in enumerate(events):
        if not fits(event, form):
            raise EventError(f"events[{at}] is not well-formed")
        yield cast(Event, event)
