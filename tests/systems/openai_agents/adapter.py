"""OpenAI Agents SDK: how its function tools read their arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.exceptions import (  # type: ignore[import-not-found, unused-ignore]
    ModelBehaviorError,
)
from agents.tool import (  # type: ignore[import-not-found, unused-ignore]
    _parse_function_tool_json_input,
)
from tests.systems import completion
from tests.systems.adapter import NotOffered, serve


def check(given: dict[str, Any]) -> dict[str, Any]:
    """Say whether the arguments of a call are read."""
    call = given["tool_call"]
    function = call.get("function") if isinstance(call, Mapping) else None
    text = function.get("arguments") if isinstance(function, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(text, str):
        raise NotOffered("arguments that are no text")
    try:
        arguments = _parse_function_tool_json_input(
            tool_name=str(function.get("name")), input_json=text
        )
    except ModelBehaviorError:
        return {"valid": False, "arguments": None}
    return {"valid": True, "arguments": completion.plain(arguments)}


if __name__ == "__main__":
    serve("openai-agents", "openai-agents", {"payload.check_tool_call": check})
