"""OpenTelemetry's instrumentation of the OpenAI Agents SDK: the spans of tools that are run."""

import asyncio
from typing import Any

from agents import (  # type: ignore[import-not-found, unused-ignore]
    Agent,
    OpenAIChatCompletionsModel,
    Runner,
    function_tool,
    set_trace_processors,
)
from openai import AsyncOpenAI
from opentelemetry.instrumentation.openai_agents import (  # type: ignore[import-not-found, unused-ignore]
    OpenAIAgentsInstrumentor,
)
from tests.systems import completion
from tests.systems.adapter import serve
from tests.systems.spans import Ran, Spans, asked, ran

DONE = completion.answer({"role": "assistant", "content": "Done."})


def spans(given: dict[str, Any]) -> dict[str, Any]:
    """Return the spans of the calls of a case."""
    calls = ran(given)
    client = completion.async_client(asked(calls), DONE)
    openai = AsyncOpenAI(api_key="none", http_client=client, max_retries=0)
    model = OpenAIChatCompletionsModel("gpt-4o", openai)
    tools = {call.tool: _tool(call) for call in calls}
    agent = Agent(name="agent", model=model, tools=list(tools.values()))
    found = Spans()
    set_trace_processors([])  # those of the SDK send to a server
    instrumentor = OpenAIAgentsInstrumentor()
    instrumentor.instrument(tracer_provider=found.provider, capture_message_content="no_content")
    try:
        asyncio.run(Runner.run(agent, "Hi"))
    finally:
        instrumentor.uninstrument()
    return {"spans": found.of_tools()}


def _tool(call: Ran) -> Any:
    @function_tool(name_override=call.tool)  # type: ignore[untyped-decorator, unused-ignore]
    def run() -> str:
        if call.failed:
            raise RuntimeError("it failed")
        return "done"

    return run


if __name__ == "__main__":
    name = "opentelemetry-openai-agents"
    serve(name, "opentelemetry-instrumentation-openai-agents-v2", {"event.to_otel": spans})
