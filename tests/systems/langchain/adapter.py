"""LangChain: ChatOpenAI without a network, and what its core makes of a call."""

import sys
from typing import Any

from langchain_core.exceptions import OutputParserException
from langchain_core.output_parsers.openai_tools import parse_tool_call
from langchain_openai import ChatOpenAI  # type: ignore[import-not-found, unused-ignore]
from tests.systems import completion
from tests.systems.adapter import serve
from tests.systems.plain import plain


def chat(client: Any) -> Any:
    """Return a chat model that speaks through a client of HTTP."""
    return ChatOpenAI(model="gpt-4o", api_key="none", http_client=client, max_retries=0)


def check(given: dict[str, Any]) -> dict[str, Any]:
    """Say whether the call is among the ``tool_calls`` of the message."""
    message = chat(completion.client(completion.of(given))).invoke("Hi")
    if message.tool_calls:
        call = message.tool_calls[0]
        return {"valid": True, "name": call["name"], "arguments": plain(call["args"])}
    invalid = [call["name"] for call in message.invalid_tool_calls]
    return {"valid": False, "name": invalid[0] if invalid else None, "arguments": None}


def parse(given: dict[str, Any]) -> dict[str, Any]:
    """Say whether ``parse_tool_call`` gives a call."""
    made = completion.of(given)["choices"][0]["message"]
    try:
        call = parse_tool_call(made["tool_calls"][0])
    except OutputParserException:
        call = None
    if call is None:
        return {"valid": False, "arguments": None}
    return {"valid": True, "name": call["name"], "arguments": plain(call["args"])}


CHECKS = {"langchain-core": parse, "langchain-openai": check}

if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[1], {"payload.check_tool_call": CHECKS[sys.argv[1]]})
