"""The event contract as operations: JSON in, outcome out. `record_calls` replays a `Recorder`.

The envelopes are checked here (EVT-001, EVT-012); calls are judged in `checks`.
"""

from __future__ import annotations

import re
from typing import Any

from commoncall.envelope import (
    ENV_EXHAUSTED,
    INVALID_INPUT,
    Env,
    EnvExhausted,
    Operation,
    Outcome,
    are_limits,
    names_tools,
    too_deep,
)
from commoncall.event import recorded
from commoncall.event.hashing import ArgumentsError, Key, hash_arguments
from commoncall.event.recorder import Recorder

_HASH_MEMBERS = {"arguments", "arguments_json", "full", "key"}
_RECORD_MEMBERS = {"request_id", "calls"}
_RECORD_OPTIONS = {"effective", "observe", "labels", "limits", "key"}
_CALL_MEMBERS = {"error_type", "tool_call_id", "args_schema_version", "outcome"}
_NOT_READ = ("tool_payload_too_large", "tool_payload_parse_error")
_OUTCOME_MEMBERS = {"status", "latency_ms", "error_type", "content"}
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})+\Z")


def hash_arguments_operation(value: object, env: Env) -> Outcome:
    """Run `hash_arguments` on ``{arguments | arguments_json, full?, key?}``; uses no clock."""
    if too_deep(value) or not isinstance(value, dict) or not value.keys() <= _HASH_MEMBERS:
        return INVALID_INPUT
    full = value.get("full", False)
    if ("arguments" in value) == ("arguments_json" in value) or not isinstance(full, bool):
        return INVALID_INPUT
    text = value.get("arguments_json")
    if "arguments_json" in value and not isinstance(text, str):
        return INVALID_INPUT
    if "key" in value and not _is_key(value["key"]):
        return INVALID_INPUT
    try:
        result = hash_arguments(
            value.get("arguments"), arguments_json=text, full=full, key=_key(value)
        )
    except ArgumentsError as error:
        return {"error": {"code": error.code}}
    return {"result": result}


def record_calls_operation(value: object, env: Env) -> Outcome:
    """Run a `Recorder` over ``{request_id, calls, effective | observe + labels, limits?, key?}``.

    The clock is read twice for each call that passes its checks and has no outcome (EVT-026).
    """
    if too_deep(value) or not isinstance(value, dict) or not _is_record_input(value):
        return INVALID_INPUT
    recorder = Recorder(
        value["request_id"],
        effective=value.get("effective"),
        labels=value.get("labels"),
        payload_bytes=value.get("limits", {}).get("payload_bytes"),
        key=_key(value),
    )
    try:
        for entry in value["calls"]:
            texts = {name: item for name, item in entry.items() if name != "outcome"}
            call = recorder.planned(**texts)
            if "outcome" in entry:
                recorder.result(call.seq, **entry["outcome"])
            elif call.error_type is None:
                recorder.result(call.seq, status="ok", latency_ms=_no_op(env))
            else:
                recorder.result(call.seq, status="error")
    except EnvExhausted:
        return ENV_EXHAUSTED
    recorder.close()
    return {
        "result": {
            "events": recorder.events,
            "metrics": recorder.metrics(),
            "outputs": recorder.outputs,
        }
    }


def _no_op(env: Env) -> float:
    """Execute nothing, and return how many milliseconds that took (EVT-026)."""
    before = env.next_ms()
    return max(0.0, env.next_ms() - before)


def _is_record_input(value: dict[str, Any]) -> bool:
    if value.keys() - _RECORD_OPTIONS != _RECORD_MEMBERS or not names_tools(value):
        return False
    calls = value["calls"]
    if not isinstance(value["request_id"], str) or not isinstance(calls, list):
        return False
    if "limits" in value and not are_limits(value["limits"]):
        return False
    if "key" in value and not _is_key(value["key"]):
        return False
    return all(map(_is_call, calls))


def _is_call(entry: object) -> bool:
    if not isinstance(entry, dict):
        return False
    own = entry.keys() - _CALL_MEMBERS
    if own == {"payload"}:
        texts = isinstance(entry["payload"], str)
    else:
        texts = own == {"name", "arguments_json"} and all(
            entry[name] is None or isinstance(entry[name], str) for name in own
        )
    if "error_type" in entry:
        texts = texts and entry["error_type"] in _NOT_READ and _has_no_arguments(entry)
    optional = [entry[name] for name in ("tool_call_id", "args_schema_version") if name in entry]
    return (
        texts
        and all(isinstance(text, str) for text in optional)
        and ("outcome" not in entry or _is_outcome(entry["outcome"]))
    )


def _is_outcome(outcome: object) -> bool:
    return isinstance(outcome, dict) and "status" in outcome and outcome.keys() <= _OUTCOME_MEMBERS


def _has_no_arguments(entry: dict[str, Any]) -> bool:
    return "arguments_json" in entry and entry["arguments_json"] is None


def _is_key(key: object) -> bool:
    return (
        isinstance(key, dict)
        and key.keys() == {"id", "secret_hex"}
        and isinstance(key["id"], str)
        and isinstance(key["secret_hex"], str)
        and _HEX.match(key["secret_hex"]) is not None
    )


def _key(value: dict[str, Any]) -> Key | None:
    """Return the key of an input that was checked."""
    key = value.get("key")
    return None if key is None else Key(key["id"], bytes.fromhex(key["secret_hex"]))


OPERATIONS: dict[str, Operation] = {
    "event.hash_arguments": hash_arguments_operation,
    "event.record_calls": record_calls_operation,
    **recorded.OPERATIONS,
}
