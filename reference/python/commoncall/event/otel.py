"""Events in OpenTelemetry: spans, log records and measurements (EVT-081, EVT-087, EVT-090).

Names are those of the semantic conventions for generative AI (status: Development); what these have
no name for begins with ``commoncall.``. No SDK is needed here: any takes what is returned.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NotRequired, TypedDict, TypeGuard

from commoncall.event.form import PLANNED, RESULT, Event, ResultEvent, well_formed
from commoncall.event.metrics import BOUNDS
from commoncall.json_text import holds_surrogate

CONVENTIONS: Final = "semantic-conventions-genai 0.1.0"

INFO: Final = 9
WARN: Final = 13

BOUNDARIES: Final = tuple(bound / 1000 for bound in BOUNDS)
"""The upper bounds of the buckets in seconds, each inclusive; one without a bound follows."""

_RAN: Final = {"tool_timeout", "tool_aborted", "tool_error"}

_NAMES: Final[Mapping[str, str]] = {
    "tool": "gen_ai.tool.name",
    "tool_call_id": "gen_ai.tool.call.id",
    "error_type": "error.type",
    "request_id": "commoncall.request_id",
    "seq": "commoncall.seq",
    "args_preview_hash": "commoncall.args_preview_hash",
    "args_hash_algorithm": "commoncall.args_hash_algorithm",
    "args_hash_key_id": "commoncall.args_hash_key_id",
    "args_schema_version": "commoncall.args_schema_version",
}
"""By member of an event: the name of the attribute that has its value."""

_METRIC_ATTRIBUTES = ("gen_ai.tool.name", "error.type")
"""The attributes of measurements. An id among them would make a time series of each call."""

Attributes = dict[str, str | int]


class Span(TypedDict):
    """The execution of a tool; ``duration_s`` is absent where nothing was measured."""

    name: str
    kind: Literal["internal"]
    status: Literal["unset", "error"]
    status_description: NotRequired[str]
    duration_s: NotRequired[float]
    attributes: Attributes


class Log(TypedDict):
    """A log record with the name of an event."""

    event_name: Literal[
        "commoncall.tool_call.planned",
        "commoncall.tool_call.not_run",
        "gen_ai.execute_tool.exception",
    ]
    severity_number: int
    body: NotRequired[str]
    attributes: Attributes


class Measurement(TypedDict):
    """One duration, in seconds."""

    value: float
    attributes: Attributes


class Metric(TypedDict):
    """A histogram, with what is to be recorded in it."""

    name: Literal["gen_ai.execute_tool.duration"]
    instrument: Literal["histogram"]
    unit: Literal["s"]
    boundaries: list[float]
    measurements: list[Measurement]


class Telemetry(TypedDict):
    """What events are in OpenTelemetry, and the conventions that the names are of."""

    conventions: str
    spans: list[Span]
    logs: list[Log]
    metrics: list[Metric]


def to_otel(events: Iterable[object]) -> Telemetry:
    """Return spans for what ran, log records for what failed and for the rest, and measurements.

    Raises:
        EventError: an event is not well-formed (EVT-001).
    """
    spans: list[Span] = []
    logs: list[Log] = []
    measurements: list[Measurement] = []
    for event in well_formed(events):
        if not _ran(event):
            logs.append(_log(event))
            continue
        spans.append(_span(event))
        if event["status"] == "error":
            logs.append(_exception(event))
        if "latency_ms" in event:
            measurements.append(_measurement(event))
    return {
        "conventions": CONVENTIONS,
        "spans": spans,
        "logs": logs,
        "metrics": [_metric(measurements)] if measurements else [],
    }


def _ran(event: Event) -> TypeGuard[ResultEvent]:
    """Tell whether an event is the Result of a call that was handed out (definition "ran")."""
    return event["type"] == RESULT and (event["status"] == "ok" or event["error_type"] in _RAN)


def _span(result: ResultEvent) -> Span:
    span: Span = {
        "name": f"execute_tool {result['tool']}",
        "kind": "internal",
        "status": "unset",
        "attributes": {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.type": "function",
            **_attributes(result),
        },
    }
    if result["status"] == "error":
        span["status"] = "error"
        span["status_description"] = result["message"]
    if "latency_ms" in result:
        span["duration_s"] = _seconds(result)
    return span


def _log(event: Event) -> Log:
    if event["type"] == PLANNED:
        return {
            "event_name": "commoncall.tool_call.planned",
            "severity_number": INFO,
            "attributes": _attributes(event),
        }
    return {
        "event_name": "commoncall.tool_call.not_run",
        "severity_number": WARN,
        "body": event["message"],
        "attributes": _attributes(event),
    }


def _exception(result: ResultEvent) -> Log:
    """Return the log record of a call that ran and failed; the message is a fixed text."""
    return {
        "event_name": "gen_ai.execute_tool.exception",
        "severity_number": WARN,
        "attributes": {**_attributes(result), "exception.message": result["message"]},
    }


def _metric(measurements: list[Measurement]) -> Metric:
    return {
        "name": "gen_ai.execute_tool.duration",
        "instrument": "histogram",
        "unit": "s",
        "boundaries": list(BOUNDARIES),
        "measurements": measurements,
    }


def _measurement(result: ResultEvent) -> Measurement:
    given = _attributes(result)
    attributes = {name: given[name] for name in _METRIC_ATTRIBUTES if name in given}
    return {"value": _seconds(result), "attributes": attributes}


def _seconds(result: ResultEvent) -> float:
    # A division: a product with 0.001 can have another last digit.
    return result["latency_ms"] / 1000


def _attributes(event: Mapping[str, object]) -> Attributes:
    """Return what members say as attributes; null and texts without UTF-8 form are none."""
    found: Attributes = {}
    for member, name in _NAMES.items():
        match event.get(member):
            case str(text) if not holds_surrogate(text):
                found[name] = text
            case int() | float() as seq:
                found[name] = int(seq)
    return found
