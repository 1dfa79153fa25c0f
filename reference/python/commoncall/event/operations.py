"""The event contract as operations: JSON in, outcome out. `record_calls` replays a `Recorder`.

The forms of the inputs are those of the schemas (EVT-001); calls are judged in `checks`.
"""

from collections.abc import Mapping
from typing import Any

from commoncall.envelope import Env, RefusedInput
from commoncall.event.hashing import ArgumentsError, ArgumentsHash, Key, hash_arguments
from commoncall.event.otel import to_otel
from commoncall.event.recorder import Recorder
from commoncall.operation import Operation, by_name


def _hash(given: dict[str, Any], env: Env) -> ArgumentsHash:
    try:
        return hash_arguments(**{**given, "key": key_of(given)})
    except ArgumentsError as error:
        raise RefusedInput({"code": error.code}) from None


def _record(given: dict[str, Any], env: Env) -> dict[str, object]:
    """Run a `Recorder`; the clock is read as the definition "clock" says."""
    # Who has labels watches: the schema wants `observe` beside them.
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
    return {"events": recorder.events, "metrics": recorder.metrics(), "outputs": recorder.outputs}


def _no_op(env: Env) -> float:
    """Execute nothing, and return how many milliseconds that took (EVT-021)."""
    before = env.next_ms()
    return max(0.0, env.next_ms() - before)


def key_of(given: Mapping[str, Any]) -> Key | None:
    """Return the key of an input in form."""
    key = given.get("key")
    return None if key is None else Key(key["id"], bytes.fromhex(key["secret_hex"]))


OPERATIONS: dict[str, Operation] = by_name(
    Operation("event.hash_arguments", _hash),
    Operation("event.record_calls", _record),
    Operation("event.to_otel", lambda given, _: {**to_otel(given["events"])}),
)
