"""Pydantic AI: an agent with one tool without a network, its repair of a history, its spans."""

import asyncio
from contextlib import suppress
from typing import Any

from openai import AsyncOpenAI
from pydantic_ai import (  # type: ignore[import-not-found, unused-ignore]
    Agent,
    Tool,
    UnexpectedModelBehavior,
)
from pydantic_ai.capabilities import (  # type: ignore[import-not-found, unused-ignore]
    Instrumentation,
)
from pydantic_ai.messages import (  # type: ignore[import-not-found, unused-ignore]
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    repair_messages,
)
from pydantic_ai.models import (  # type: ignore[import-not-found, unused-ignore]
    ModelRequestParameters,
)
from pydantic_ai.models.instrumented import (  # type: ignore[import-not-found, unused-ignore]
    InstrumentationSettings,
)
from pydantic_ai.models.openai import (  # type: ignore[import-not-found, unused-ignore]
    OpenAIChatModel,
)
from pydantic_ai.providers.openai import (  # type: ignore[import-not-found, unused-ignore]
    OpenAIProvider,
)
from tests.systems import completion
from tests.systems.adapter import NotOffered, serve
from tests.systems.plain import plain
from tests.systems.spans import Ran, Spans, asked, ran

DONE = completion.answer({"role": "assistant", "content": "Done."})


def model(client: Any) -> OpenAIChatModel:
    """Return a model that speaks through a client of HTTP."""
    openai = AsyncOpenAI(api_key="none", http_client=client, max_retries=0)
    return OpenAIChatModel("gpt-4o", provider=OpenAIProvider(openai_client=openai))


def check(given: dict[str, Any]) -> dict[str, Any]:
    """Say whether the agent runs the tool, and with which arguments."""
    runs: list[dict[str, Any]] = []

    def run(**arguments: Any) -> str:
        runs.append(arguments)
        return "done"

    made = completion.of(given)
    name = given["tool_call"]["function"].get("name")
    tool = Tool(run, name=name, description="A tool.")
    agent = Agent(model(completion.async_client(made, DONE)), tools=[tool])
    try:
        asyncio.run(agent.run("Hi"))
    except UnexpectedModelBehavior:
        return {"valid": False, "arguments": None}
    return {"valid": bool(runs), "arguments": plain(runs[0]) if runs else None}


def history(given: dict[str, Any]) -> dict[str, Any]:
    """Return what the model sends of a history that was repaired."""
    sent: list[dict[str, Any]] = []
    names: dict[str, str] = {}
    messages = [_message(each, names) for each in completion.history(given)]
    mended = repair_messages(messages, repair_last_response=not given.get("open_turn"))
    request = model(completion.async_client(DONE, sent=sent.append)).request(
        mended, None, ModelRequestParameters()
    )
    asyncio.run(request)
    return {"messages": sent[0]["messages"]}


def _message(message: Any, names: dict[str, str]) -> ModelMessage:
    match message:
        case {"role": "system", "content": str(text)}:
            return ModelRequest([SystemPromptPart(text)])
        case {"role": "user", "content": str(text)}:
            return ModelRequest([UserPromptPart(text)])
        case {"role": "tool", "content": str(text), "tool_call_id": str(call)}:
            return ModelRequest([ToolReturnPart(names.get(call, "unknown"), text, call)])
        case {"role": "assistant"}:
            parts = [TextPart(message["content"])] if message.get("content") else []
            calls = [_call(each, names) for each in message.get("tool_calls") or ()]
            return ModelResponse([*parts, *calls], model_name="gpt-4o")
    raise NotOffered("a message that its types do not have")


def _call(call: Any, names: dict[str, str]) -> ToolCallPart:
    match call:
        case {"id": str(own), "function": {"name": str(name), "arguments": str(text)}}:
            names[own] = name
            return ToolCallPart(name, text, own)
    raise NotOffered("a call that its types do not have")


def spans(given: dict[str, Any]) -> dict[str, Any]:
    """Return the spans of the calls of a case."""
    calls = ran(given)
    found = Spans()
    settings = InstrumentationSettings(tracer_provider=found.provider, include_content=False)
    agent = Agent(
        model(completion.async_client(asked(calls), DONE)),
        tools=list({call.tool: _tool(call) for call in calls}.values()),
        capabilities=[Instrumentation(settings)],
    )
    with suppress(ToolError):  # it ends the run
        asyncio.run(agent.run("Hi"))
    return {"spans": found.of_tools()}


class ToolError(Exception):
    """A tool failed."""


def _tool(call: Ran) -> Tool:
    def run() -> str:
        if call.failed:
            raise ToolError
        return "done"

    return Tool(run, name=call.tool, description="A tool.")


if __name__ == "__main__":
    operations = {
        "payload.check_tool_call": check,
        "payload.sanitize_history": history,
        "event.to_otel": spans,
    }
    serve("pydantic-ai", "pydantic-ai-slim", operations)
