"""The operations on events that were recorded, JSON in and outcome out: EVT-060, EVT-071, EVT-080.

What the functions behind them refuse is bad input here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeGuard

from commoncall.envelope import INVALID_INPUT, Env, Operation, Outcome, too_deep
from commoncall.event.cloudevents import to_cloudevents
from commoncall.event.form import EventError
from commoncall.event.otel import to_otel
from commoncall.event.trace import check_trace

_CLOUD_MEMBERS = {"events": list, "source": str, "type_prefix": str, "times": list}


def check_trace_operation(value: object, env: Env) -> Outcome:
    """Run `check_trace` on ``{events}``."""
    if not _has(value, {"events": list}):
        return INVALID_INPUT
    return {"result": {"findings": check_trace(value["events"])}}


def to_cloudevents_operation(value: object, env: Env) -> Outcome:
    """Run `to_cloudevents` on ``{events, source, type_prefix, times}``."""
    if not _has(value, _CLOUD_MEMBERS):
        return INVALID_INPUT
    try:
        return {"result": {"events": to_cloudevents(**value)}}
    except EventError:
        return INVALID_INPUT


def to_otel_operation(value: object, env: Env) -> Outcome:
    """Run `to_otel` on ``{events}``."""
    if not _has(value, {"events": list}):
        return INVALID_INPUT
    try:
        return {"result": {**to_otel(value["events"])}}
    except EventError:
        return INVALID_INPUT


def _has(value: object, members: Mapping[str, type]) -> TypeGuard[dict[str, Any]]:
    """Tell whether an input has these members, of these types, and no others."""
    if too_deep(value) or not isinstance(value, dict) or value.keys() != members.keys():
        return False
    return all(isinstance(value[name], kind) for name, kind in members.items())


OPERATIONS: Final[Mapping[str, Operation]] = {
    "event.check_trace": check_trace_operation,
    "event.to_cloudevents": to_cloudevents_operation,
    "event.to_otel": to_otel_operation,
}
