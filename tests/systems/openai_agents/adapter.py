"""OpenAI Agents SDK: how its function tools read their arguments."""

from typing import Any

from agents.exceptions import (  # type: ignore[import-not-found, unused-ignore]
    ModelBehaviorError,
)
from agents.tool import (  # type: ignore[import-not-found, unused-ignore]
    _parse_function_tool_json_input,
)
from tests.systems import completion
from tests.systems.adapter import serve
from tests.systems.plain import plain


def check(given: dict[str, Any]) -> dict[str, Any]:
    """Say whether the arguments of a call are read."""
    call = completion.of(given)["choices"][0]["message"]["tool_calls"][0]["function"]
    try:
        arguments = _parse_function_tool_json_input(
            tool_name=str(call.get("name")), input_json=call["arguments"]
        )
    except ModelBehaviorError:
        return {"valid": False, "arguments": None}
    return {"valid": True, "arguments": plain(arguments)}


if __name__ == "__main__":
    serve("openai-agents", "openai-agents", {"payload.check_tool_call": check})
