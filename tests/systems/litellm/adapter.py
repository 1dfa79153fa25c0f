"""LiteLLM: the requests that it sends, its repair of a history, and what it knows of a model."""

import os
from typing import Any

# Before its import: it would download a table.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
from litellm.litellm_core_utils.prompt_templates.factory import (
    sanitize_messages_for_tool_calling,
)
from openai import OpenAI
from tests.systems import completion
from tests.systems.adapter import NotOffered, serve

litellm.modify_params = True
litellm.drop_params = True

PROVIDER = "openai"


def request(given: dict[str, Any]) -> dict[str, Any]:
    """Return the request that leaves for a provider of the OpenAI form."""
    body = given["request"]
    if not isinstance(body, dict) or given["capability"] != {"tool_calls_supported": True}:
        raise NotOffered("a request that is none, or a model that lacks something")
    sent: list[dict[str, Any]] = []
    done = completion.answer({"role": "assistant", "content": "Done."})
    client = OpenAI(
        api_key="none",
        max_retries=0,
        http_client=completion.client(done, sent=sent.append),
    )
    whole = {"messages": [{"role": "user", "content": "Hi"}], **body, "model": "openai/gpt-4o"}
    litellm.completion(**whole, client=client)
    return {"request": sent[0]}


def history(given: dict[str, Any]) -> dict[str, Any]:
    """Return the messages that its clean-up leaves."""
    return {"messages": sanitize_messages_for_tool_calling(completion.history(given))}


def resolve(given: dict[str, Any]) -> dict[str, Any]:
    """Say whether a model of a table takes tool calls."""
    match given:
        case {
            "registries": [
                {"registry_version": "1.0", "revision": str(), "providers": dict(providers), **top}
            ],
            "targets": [{"provider": str(provider), "model": str(model)}],
        } if not top and provider and providers.keys() == {provider}:
            models = _models(providers[provider])
        case _:
            raise NotOffered("more than a table of the models of one provider")
    litellm.model_cost = {
        name: {
            "litellm_provider": PROVIDER,
            "mode": "chat",
            "supports_function_calling": entry.get("tool_calls_supported"),
        }
        for name, entry in models.items()
    }
    return {"tool_calls_supported": litellm.supports_function_calling(model, PROVIDER)}


def _models(provider: object) -> dict[str, Any]:
    match provider:
        case {"models": dict(models), **rest} if not rest:
            if all(isinstance(each, dict) and len(each) == 1 for each in models.values()):
                return models
    raise NotOffered("more than a table of the models of one provider")


if __name__ == "__main__":
    operations = {
        "payload.sanitize_request": request,
        "payload.sanitize_history": history,
        "capability.resolve": resolve,
    }
    serve("litellm", "litellm", operations)
