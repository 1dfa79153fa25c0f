"""The payload contract: what judging costs over reading or writing the same JSON."""

from __future__ import annotations

import json

from commoncall.payload import check_tool_call
from tools.benches import Case


def cases() -> list[Case]:
    """Return what is measured."""
    return [check_case()]


def check_case() -> Case:
    """Return the check of 5,000 calls."""
    arguments = [json.dumps({"city": "Oslo", "days": n, "tags": ["a", "b"]}) for n in range(5000)]
    calls = [{"id": "c", "function": {"name": "f", "arguments": item}} for item in arguments]

    def floor() -> None:
        for item in arguments:
            json.loads(item)

    def candidate() -> None:
        assert all(check_tool_call(call)["valid"] for call in calls)

    return Case("check_tool_call: 5,000 calls", "json.loads of their arguments", floor, candidate)
