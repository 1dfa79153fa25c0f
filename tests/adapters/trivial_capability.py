"""What the trivial adapters answer to the operations of the capability contract."""

from __future__ import annotations

from typing import Any

Answer = dict[str, Any]

RESOLVE = "capability.resolve"
EFFECTIVE = "capability.effective_tools"
PLAN = "capability.plan_turn"
PROMPT = "capability.filter_prompt"


def null(operation: str, data: Any) -> Answer:
    """Answer with as little as the shape allows."""
    if operation == RESOLVE:
        return _closed("no_target", [])
    if operation == EFFECTIVE:
        return {"result": {"effective": [], "findings": []}}
    if operation == PLAN:
        return _plan([])
    if operation == PROMPT:
        return {"result": {"sections": []}}
    raise NotImplementedError(operation)


def echo(operation: str, data: Any) -> Answer:
    """Answer with what came in: every registered tool, every section."""
    if operation == EFFECTIVE:
        return {"result": {"effective": _names(data), "findings": []}}
    if operation == PLAN:
        return _plan(_names(data))
    if operation == PROMPT:
        given = data.get("sections") if isinstance(data, dict) else None
        return {"result": {"sections": list(filter(_is_section, given or []))}}
    return null(operation, data)


def accept_all(operation: str, data: Any) -> Answer:
    """Find everything supported, effective and of use."""
    if operation == RESOLVE:
        opened = {"tool_calls_supported": True, "tool_choice": None, "parallel_tool_calls": None}
        found = {"reason": "exact", "matched": [{"layer": 0, "key": "model-a"}], "inferred": False}
        return {"result": {**opened, **found}}
    if operation == EFFECTIVE:
        return {"result": {"effective": _names(data) or ["a"], "findings": []}}
    if operation == PLAN:
        return _plan(_names(data) or ["read"])
    return echo(operation, data)


def reject_all(operation: str, data: Any) -> Answer:
    """Find nothing known, and nothing that can be read."""
    if operation == RESOLVE:
        return _closed("unknown_model", [None])
    if operation == EFFECTIVE:
        finding = {"code": "layer_malformed", "path": "/layers/0"}
        return {"result": {"effective": [], "findings": [finding]}}
    if operation == PLAN:
        return _plan([], {"code": "capability_malformed", "path": "/capability"})
    return null(operation, data)


def _closed(reason: str, matched: list[object]) -> Answer:
    closed = {"tool_calls_supported": False, "tool_choice": [], "parallel_tool_calls": False}
    return {"result": {**closed, "reason": reason, "matched": matched, "inferred": False}}


def _plan(names: list[str], *findings: object) -> Answer:
    native = bool(names)
    return {
        "result": {
            "protocol": "native" if native else "none",
            "effective": names,
            "send_tools": native,
            "send_tool_choice": None if native else [],
            "send_parallel_tool_calls": None if native else False,
            "prompt_catalogue": False,
            "prompt_protocol": False,
            "parse_native_calls": native,
            "parse_text_calls": native,
            "strip_reasoning": True,
            "history": "keep",
            "findings": list(findings),
        }
    }


def _names(data: Any) -> list[str]:
    given = data.get("registered") if isinstance(data, dict) else None
    names = given if isinstance(given, list) else []
    return list(dict.fromkeys(name for name in names if isinstance(name, str)))


def _is_section(value: Any) -> bool:
    match value:
        case {"id": str(), "needs": needs, "text": str(), **others} if not others:
            return _is_need(needs)
    return False


def _is_need(needs: Any) -> bool:
    match needs:
        case {"tool": str(), **others}:
            return not others
    return needs in (None, "tools", "catalogue", "protocol")
