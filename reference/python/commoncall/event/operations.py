"""The event contract as operations: JSON in, outcome out. `record_calls` replays a `Recorder`.

The envelopes are checked here (EVT-001, EVT-012, EVT-060, EVT-071, EVT-080); calls are judged in
`checks`, and events where they are read: what is none there is bad input here.
"""

import re
from collections.abc import Mapping
from types import NoneType
from typing import Any, Final, Literal

from commoncall.envelope import (
    Env,
    Members,
    Operation,
    RefusedInput,
    Test,
    any_of,
    are_limits,
    array_of,
    names_tools,
    says,
)
from commoncall.event.cloudevents import to_cloudevents
from commoncall.event.form import EventError
from commoncall.event.hashing import ArgumentsError, ArgumentsHash, Key, hash_arguments
from commoncall.event.otel import to_otel
from commoncall.event.recorder import Recorder
from commoncall.event.trace import check_trace

_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})+\Z")


@says("be bytes in hexadecimal digits")
def _is_secret(value: object) -> bool:
    return isinstance(value, str) and _HEX.match(value) is not None


is_key: Final = Members({"id": str, "secret_hex": _is_secret})

_HASH_OPTIONS: Final[Mapping[str, Test]] = {"full": bool, "key": is_key}
is_hash_input: Final = any_of(
    Members({"arguments": object}, _HASH_OPTIONS), Members({"arguments_json": str}, _HASH_OPTIONS)
)

_is_outcome: Final = Members(
    {"status": object}, {"latency_ms": object, "error_type": object, "content": object}
)
_CALL_OPTIONS: Final[Mapping[str, Test]] = {
    "tool_call_id": str,
    "args_schema_version": str,
    "outcome": _is_outcome,
}
_NotRead = Literal["tool_payload_too_large", "tool_payload_parse_error", "tool_echoed"]
_is_call: Final = any_of(
    Members({"payload": str}, _CALL_OPTIONS),
    Members({"name": str | None, "arguments_json": str | None}, _CALL_OPTIONS),
    Members(
        {"name": str | None, "arguments_json": NoneType, "error_type": _NotRead}, _CALL_OPTIONS
    ),
)
is_record_input: Final = names_tools(
    {"request_id": str, "calls": array_of(_is_call)}, {"limits": are_limits, "key": is_key}
)

is_trace_input: Final = Members({"events": list})
is_cloud_input: Final = Members({"events": list, "source": str, "type_prefix": str, "times": list})


def _hash(given: dict[str, Any], env: Env) -> ArgumentsHash:
    try:
        return hash_arguments(**{**given, "key": key_of(given)})
    except ArgumentsError as error:
        raise RefusedInput({"code": error.code}) from None


def _record(given: dict[str, Any], env: Env) -> dict[str, object]:
    """Run a `Recorder`; the clock is read twice for a good call without an outcome (EVT-026)."""
    recorder = Recorder(
        given["request_id"],
        effective=given.get("effective"),
        labels=given.get("labels"),
        payload_bytes=given.get("limits", {}).get("payload_bytes"),
        key=key_of(given),
    )
    for entry in given["calls"]:
        texts = {name: item for name, item in entry.items() if name != "outcome"}
        call = recorder.planned(**texts)
        if "outcome" in entry:
            recorder.result(call.seq, **entry["outcome"])
        elif call.error_type is None:
            recorder.result(call.seq, status="ok", latency_ms=_no_op(env))
        else:
            recorder.result(call.seq, status="error")
    recorder.close()
    return {"events": recorder.events, "metrics": recorder.metrics(), "outputs": recorder.outputs}


def _no_op(env: Env) -> float:
    """Execute nothing, and return how many milliseconds that took (EVT-026)."""
    before = env.next_ms()
    return max(0.0, env.next_ms() - before)


def key_of(given: Mapping[str, Any]) -> Key | None:
    """Return the key of an input in form."""
    key = given.get("key")
    return None if key is None else Key(key["id"], bytes.fromhex(key["secret_hex"]))


OPERATIONS: dict[str, Operation] = {
    "event.hash_arguments": Operation(is_hash_input, _hash),
    "event.record_calls": Operation(is_record_input, _record),
    "event.check_trace": Operation(
        is_trace_input, lambda given, _: {"findings": check_trace(given["events"])}
    ),
    "event.to_cloudevents": Operation(
        is_cloud_input, lambda given, _: {"events": to_cloudevents(**given)}, invalid=EventError
    ),
    "event.to_otel": Operation(
        is_trace_input, lambda given, _: {**to_otel(given["events"])}, invalid=EventError
    ),
}
