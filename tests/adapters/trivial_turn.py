"""The answers of the trivial adapters to the operations of the turn contract; see trivial.py."""

from __future__ import annotations

from typing import Any

PREPARE = "turn.prepare"
RECEIVE = "turn.receive"
SETTLE = "turn.settle"
OPERATIONS = (PREPARE, RECEIVE, SETTLE)

Answer = dict[str, Any]

_UNREAD = "The tool call was not run: its payload could not be read."


def null(operation: str, data: Any) -> Answer:
    """Send nothing, receive nothing, settle nothing."""
    if operation == PREPARE:
        return _prepared({}, _plan("none", []))
    return _received() if operation == RECEIVE else _settled()


def echo(operation: str, data: Any) -> Answer:
    """Send what came in, show the text, and store it."""
    if operation == PREPARE:
        request = _member(data, "request")
        names = _strings(_member(data, "registered"))
        sends = isinstance(request, dict) and "tools" in request and bool(names)
        plan = _plan("native", names) if sends else _plan("none", [])
        sections = [each for each in _list(data, "sections") if isinstance(each, dict)]
        sections = [each for each in sections if each.keys() == {"id", "needs", "text"}]
        return _prepared(request, plan, sections)
    if operation == RECEIVE:
        text = _member(_member(data, "message"), "text")
        return _received(content=text if isinstance(text, str) else None)
    content = _member(_member(data, "received"), "content")
    text = content if isinstance(content, str) else None
    return _settled(history=[{"role": "assistant", "content": text}])


def accept_all(operation: str, data: Any) -> Answer:
    """Every tool is sent, every native call is run under the first name, and all goes well."""
    if operation != SETTLE:
        if operation == PREPARE:
            return echo(operation, data)
        count = len(_list(_member(data, "message"), "tool_calls"))
        names = _strings(_member(_member(data, "plan"), "effective")) or ["f"]
        calls = [
            {"seq": seq, "id": f"c{seq}", "name": "f", "arguments_json": "{}"}
            for seq in range(count)
        ]
        planned = [
            {**_event("ToolCallPlanned", seq, names[0] or "f"), "args_preview_hash": None}
            for seq in range(count)
        ]
        return _received(calls=calls, dispatch=calls, planned=planned)
    count = len(_list(_member(data, "received"), "planned"))
    events = [{**_event("ToolCallResult", seq, "read"), "status": "ok"} for seq in range(count)]
    return _settled(events=events, outputs=[_output(seq, '{"ok":true}') for seq in range(count)])


def reject_all(operation: str, data: Any) -> Answer:
    """No tool is sent, and no call can be read."""
    if operation == PREPARE:
        request = _member(data, "request")
        if isinstance(request, dict):
            request = {name: value for name, value in request.items() if "tool" not in name}
        return _prepared(request, _plan("none", []))
    if operation == RECEIVE:
        count = len(_list(_member(data, "message"), "tool_calls"))
        error = "tool_payload_parse_error"
        answers = [{"seq": seq, "id": f"c{seq}", "error_type": error} for seq in range(count)]
        planned = [
            {**_event("ToolCallPlanned", seq, "unknown"), "args_preview_hash": None}
            for seq in range(count)
        ]
        return _received(answers=answers, planned=planned)
    count = len(_list(_member(data, "received"), "planned"))
    failed = {"status": "error", "error_type": "tool_payload_parse_error", "message": _UNREAD}
    events = [{**_event("ToolCallResult", seq, "unknown"), **failed} for seq in range(count)]
    return _settled(events=events, outputs=[_output(seq, _UNREAD) for seq in range(count)])


def _member(data: Any, name: str) -> Any:
    return data.get(name) if isinstance(data, dict) else None


def _list(data: Any, name: str) -> list[Any]:
    value = _member(data, name)
    return value if isinstance(value, list) else []


def _strings(value: Any) -> list[str]:
    names = value if isinstance(value, list) else []
    return list(dict.fromkeys(name for name in names if isinstance(name, str)))


def _plan(protocol: str, effective: list[str]) -> Answer:
    native = protocol == "native"
    return {
        "protocol": protocol,
        "effective": effective,
        "send_tools": native,
        "send_tool_choice": None if native else [],
        "send_parallel_tool_calls": None if native else False,
        "prompt_catalogue": False,
        "prompt_protocol": False,
        "parse_native_calls": native,
        "parse_text_calls": native,
        "strip_reasoning": True,
        "history": "keep",
        "findings": [],
    }


def _prepared(request: Any, plan: Answer, sections: list[Any] | None = None) -> Answer:
    found = {"request": request, "sections": sections or [], "plan": plan, "aliases": {}}
    return {"result": {**found, "findings": []}}


def _received(**members: Any) -> Answer:
    empty: Answer = {name: [] for name in ("calls", "dispatch", "answers", "planned", "findings")}
    return {"result": {"content": None, "reasoning": None, **empty, **members}}


def _settled(**members: Any) -> Answer:
    metrics: Answer = {"tool_calls_total": [], "tool_call_latency_ms": []}
    found: Answer = {"events": [], "metrics": metrics, "outputs": [], "history": []}
    return {"result": {**found, **members}}


def _event(kind: str, seq: int, tool: str) -> Answer:
    return {"type": kind, "request_id": "r1", "seq": seq, "tool": tool, "tool_call_id": f"c{seq}"}


def _output(seq: int, content: str) -> Answer:
    return {"seq": seq, "channel": "commentary", "content": content}
