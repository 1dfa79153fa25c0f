"""The answers of the trivial adapters to the operations of the event contract; see trivial.py."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

HASH = "event.hash_arguments"
RECORD = "event.record_calls"
OPERATIONS = (HASH, RECORD)

Answer = dict[str, Any]

_UNREAD = "The tool call was not run: its payload could not be read."


def null(operation: str, data: Any) -> Answer:
    """Hash nothing, record nothing."""
    return _hash("{}") if operation == HASH else _record([])


def echo(operation: str, data: Any) -> Answer:
    """Hash what came in; every call is recorded under its name, without a result worth one."""
    if operation == HASH:
        return _hash(json.dumps(data))
    return _record(_pair(seq, call.get("name"), call) for seq, call in _calls(data))


def accept_all(operation: str, data: Any) -> Answer:
    """Find everything in order: every call is one of the first effective tool, and went well."""
    if operation == HASH:
        match data:
            case {"arguments_json": str(text)}:
                return _hash(text)
        return _hash("{}")
    match data:
        case {"effective": [str(tool), *_]}:
            return _record(_pair(seq, tool, call) for seq, call in _calls(data))
    return _record(_pair(seq, "f", call) for seq, call in _calls(data))


def reject_all(operation: str, data: Any) -> Answer:
    """Find nothing in order: no call can be read."""
    if operation == HASH:
        return _hash("")
    failed = {"status": "error", "error_type": "tool_payload_parse_error", "message": _UNREAD}
    return _record(
        (
            {**_event("ToolCallPlanned", seq, "unknown"), "args_preview_hash": None},
            {**_event("ToolCallResult", seq, "unknown"), **failed},
        )
        for seq, _ in _calls(data)
    )


def _calls(data: Any) -> Iterable[tuple[int, dict[str, Any]]]:
    match data:
        case {"calls": list(calls)}:
            return enumerate(call for call in calls if isinstance(call, dict))
    return ()


def _hash(text: str) -> Answer:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return {"result": {"args_preview_hash": digest, "algorithm": "sha256"}}


def _event(kind: str, seq: int, tool: str) -> Answer:
    return {"type": kind, "request_id": "r1", "seq": seq, "tool": tool}


def _pair(seq: int, name: object, call: dict[str, Any]) -> tuple[Answer, Answer]:
    tool = name if isinstance(name, str) else "unknown"
    text = call.get("arguments_json")
    digest = hashlib.sha256((text if isinstance(text, str) else "{}").encode(errors="replace"))
    planned = {**_event("ToolCallPlanned", seq, tool), "args_preview_hash": digest.hexdigest()}
    return planned, {**_event("ToolCallResult", seq, tool), "status": "ok", "latency_ms": 0}


def _record(pairs: Iterable[tuple[Answer, Answer]]) -> Answer:
    events = [event for pair in pairs for event in pair]
    results = events[1::2]
    counts = [{"tool": each["tool"], "status": each["status"], "value": 1} for each in results[-1:]]
    outputs = [
        {
            "seq": each["seq"],
            "channel": "commentary",
            "content": each.get("message", '{"ok":true}'),
        }
        for each in results
    ]
    metrics = {"tool_calls_total": counts, "tool_call_latency_ms": []}
    return {"result": {"events": events, "metrics": metrics, "outputs": outputs}}
