"""LlamaIndex: its OpenAI model without a network."""

from typing import Any

from llama_index.core.llms import ChatMessage  # type: ignore[import-not-found, unused-ignore]
from llama_index.llms.openai import OpenAI  # type: ignore[import-not-found, unused-ignore]
from tests.systems import completion
from tests.systems.adapter import serve
from tests.systems.plain import plain


def llm(client: Any) -> Any:
    """Return a model that speaks through a client of HTTP."""
    return OpenAI(model="gpt-4o", api_key="none", http_client=client, max_retries=0)


def check(given: dict[str, Any]) -> dict[str, Any]:
    """Say whether the model gives a selection of a tool, as its agents run it."""
    model = llm(completion.client(completion.of(given)))
    answer = model.chat([ChatMessage("Hi")])
    chosen = model.get_tool_calls_from_response(answer, error_on_no_tool_call=False)
    arguments = plain(chosen[0].tool_kwargs) if chosen else None
    return {"valid": bool(chosen), "arguments": arguments}


if __name__ == "__main__":
    serve("llama-index-openai", "llama-index-llms-openai", {"payload.check_tool_call": check})
