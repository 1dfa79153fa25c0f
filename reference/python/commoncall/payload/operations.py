"""The payload contract as operations: JSON in, outcome out.

The envelope is checked here (PAY-001, PAY-030, PAY-060, PAY-090); what stands in the judged
members is judged elsewhere.
"""

from __future__ import annotations

from typing import TypeGuard, cast

from commoncall.envelope import INVALID_INPUT, Env, Operation, Outcome, are_strings, too_deep
from commoncall.payload.flatten import flatten_history
from commoncall.payload.history import sanitize_history
from commoncall.payload.profile import read_profile
from commoncall.payload.request import RequestRefusedError, Strict, sanitize_request
from commoncall.payload.tool_call import EmptyArguments, check_tool_call

_MEMBERS = {"tool_call", "truncated", "empty_arguments", "tool"}
_STRICT = {"provider", "model", "callsite"}


def check_tool_call_operation(value: object, env: Env) -> Outcome:
    """Run `check_tool_call` on ``{tool_call, truncated?, empty_arguments?, tool?}``; uses no id."""
    if too_deep(value) or not isinstance(value, dict):
        return INVALID_INPUT
    if "tool_call" not in value or not value.keys() <= _MEMBERS:
        return INVALID_INPUT
    truncated = value.get("truncated", False)
    empty_arguments = value.get("empty_arguments", "reject")
    if not isinstance(truncated, bool):
        return INVALID_INPUT
    if empty_arguments not in ("reject", "allow_if_none_required"):
        return INVALID_INPUT
    check = check_tool_call(
        value["tool_call"],
        truncated=truncated,
        empty_arguments=cast(EmptyArguments, empty_arguments),
        tool=value.get("tool"),
    )
    return {"result": check}


def sanitize_request_operation(value: object, env: Env) -> Outcome:
    """Run `sanitize_request` on ``{request, capability, strict?, profile?}``; uses no id."""
    if not _has_members(value, {"request", "capability"}, {"strict", "profile"}):
        return INVALID_INPUT
    strict, profile = value.get("strict"), value.get("profile")
    if "strict" in value and not _is_strict(strict):
        return INVALID_INPUT
    if "profile" in value and read_profile(profile) is None:
        return INVALID_INPUT
    try:
        sanitized = sanitize_request(
            value["request"],
            capability=value["capability"],
            strict=cast(Strict | None, strict),
            profile=cast(dict[str, object] | None, profile),
        )
    except RequestRefusedError as refused:
        return {"error": refused.error}
    return {"result": sanitized}


def _is_strict(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == _STRICT
        and all(isinstance(text, str) for text in value.values())
    )


def sanitize_history_operation(value: object, env: Env) -> Outcome:
    """Run `sanitize_history` on ``{messages, disposition, open_turn?, profile?}``; uses no id."""
    if not _has_members(value, {"messages", "disposition"}, {"open_turn", "profile"}):
        return INVALID_INPUT
    messages, disposition = value["messages"], value["disposition"]
    open_turn = value.get("open_turn", False)
    if not isinstance(messages, list) or disposition not in ("skip", "answer"):
        return INVALID_INPUT
    profile = value.get("profile")
    if not isinstance(open_turn, bool) or ("profile" in value and read_profile(profile) is None):
        return INVALID_INPUT
    history = sanitize_history(
        messages,
        disposition=disposition,
        open_turn=open_turn,
        profile=cast(dict[str, object] | None, profile),
    )
    return {"result": history}


def flatten_history_operation(value: object, env: Env) -> Outcome:
    """Run `flatten_history` on ``{messages, form, effective?}``; uses no id."""
    if not _has_members(value, {"messages", "form"}, {"effective"}):
        return INVALID_INPUT
    messages, form = value["messages"], value["form"]
    effective = value.get("effective")
    if not isinstance(messages, list) or form not in ("quoted", "blocks"):
        return INVALID_INPUT
    if "effective" in value and not are_strings(effective):
        return INVALID_INPUT
    return {
        "result": flatten_history(messages, form=form, effective=cast(list[str] | None, effective))
    }


def _has_members(
    value: object, required: set[str], optional: set[str] | None = None
) -> TypeGuard[dict[str, object]]:
    """Tell whether an input is an object of just these members, and nests at most 128 deep."""
    if not isinstance(value, dict) or too_deep(value):
        return False
    return value.keys() - (optional or set()) == required


OPERATIONS: dict[str, Operation] = {
    "payload.check_tool_call": check_tool_call_operation,
    "payload.sanitize_request": sanitize_request_operation,
    "payload.sanitize_history": sanitize_history_operation,
    "payload.flatten_history": flatten_history_operation,
}
