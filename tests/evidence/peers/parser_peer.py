"""A parser of a server, behind the protocol of `answering`; `parser_peer vllm vllm-hermes`.

The adapters in `tests/systems` know how the server calls it; what is timed is that call, and the
decoder of the arguments: a server hands them on as text, and no tool can be called with that.
"""

import json
import sys
from importlib import import_module
from typing import Any

from tests.evidence.peers.answering import Calls, serve

PROJECT = sys.argv.pop(1)
ADAPTER: Any = import_module(f"tests.systems.{PROJECT}.adapter")


def vllm(text: str, tools: list[Any]) -> Calls:
    """Return the calls of a text."""
    declared = [
        ADAPTER.Protocol.ChatCompletionToolsParam(
            type="function", function=ADAPTER.Record(**each["function"])
        )
        for each in tools
    ]
    request = ADAPTER.Protocol.ChatCompletionRequest(
        tools=declared, tool_choice="auto", skip_special_tokens=False
    )
    found = ADAPTER.Parser(ADAPTER.Tokenizer(), declared).extract_tool_calls(text, request)
    return [
        {"name": each.function.name, "arguments": json.loads(each.function.arguments)}
        for each in found.tool_calls
    ]


def sglang(text: str, tools: list[Any]) -> Calls:
    """Return the calls of a text."""
    declared = [
        ADAPTER.Record(type="function", function=ADAPTER.Record(**each["function"]))
        for each in tools
    ]
    _, calls = ADAPTER.FunctionCallParser(declared, ADAPTER.PARSER).parse_non_stream(text)
    return [{"name": each.name, "arguments": json.loads(each.parameters)} for each in calls]


if __name__ == "__main__":
    serve({"vllm": vllm, "sglang": sglang}[PROJECT])
