"""The payload contract as operations: JSON in, outcome out.

The envelope is checked here (PAY-001); what stands in `tool_call` and `tool` is judged elsewhere.
"""

from __future__ import annotations

from typing import cast

from commoncall.envelope import INVALID_INPUT, Env, Operation, Outcome, too_deep
from commoncall.payload.tool_call import EmptyArguments, check_tool_call

_MEMBERS = {"tool_call", "truncated", "empty_arguments", "tool"}


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


OPERATIONS: dict[str, Operation] = {"payload.check_tool_call": check_tool_call_operation}
