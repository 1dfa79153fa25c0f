"""The model of the pages: it gives a call that nobody can run, one that leaked, and then words."""

from typing import Any

from tests.evidence.integrations.strict_server import Reply

MODEL = "qwen3-coder"
TOOL = {
    "type": "function",
    "function": {
        "name": "get_tide",
        "parameters": {"type": "object", "properties": {"port": {"type": "string"}}},
    },
}
LEAKED = (
    "<tool_call>\n<function=get_tide>\n<parameter=port>\nBrest\n</parameter>\n"
    "</function>\n</tool_call>"
)


class Script:
    """First a call that nobody can run, then one that leaked, then words."""

    def __init__(self, *, broken: bool = True) -> None:
        self.broken = broken

    def __call__(self, request: dict[str, Any]) -> Reply:
        """Reply to a request."""
        told = request["messages"][-1]
        if told["role"] == "tool" and "high at Brest" in told["content"]:
            return Reply({"role": "assistant", "content": "High at Brest."})
        if self.broken and told["role"] == "user":
            call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{"}}
            return Reply({"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls")
        return Reply({"role": "assistant", "content": LEAKED})
