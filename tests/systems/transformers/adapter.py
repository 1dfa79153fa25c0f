"""The parser of responses of transformers, with the templates that its server falls back to."""

import sys
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from tests.systems.adapter import call, dialects_of, serve, tools_of
from tests.systems.sections import Section

Serving: Any = import_module("transformers.cli.serving.utils")
parse_response: Any = import_module("transformers.utils.chat_parsing").parse_response

MODELS = {"tool_call": "qwen3", "function-parameters": "qwen3_5", "gemma-call": "gemma4"}
"""The type of a model whose template reads a dialect."""

NAME = sys.argv[1]
DIALECT = dialects_of(__file__, NAME)[0]
SECTION = Section(DIALECT)


class Tokenizer:
    """Hands the text on, as one that is given text and no tokens."""

    def parse_response(self, text: str, template: object, *, prefix: str, tools: object) -> Any:
        return parse_response(text, template, prefix=prefix, tools=tools)

    def decode(self, text: str) -> str:
        return text


def extract(given: dict[str, Any]) -> dict[str, Any]:
    """Return the calls, the text and the reasoning that the server makes of a whole text."""
    model = SimpleNamespace(config=SimpleNamespace(model_type=MODELS[DIALECT]))
    prompt = "<|im_start|>assistant\n<think>\n" if given.get("reasoning") == "open" else ""
    text = SECTION.around(given["text"])
    content, reasoning, calls = Serving.parse_assistant_message(
        Tokenizer(), model, text, prompt, text, tools_of(given)
    )
    return {
        "content": SECTION.out_of(content, given["text"]),
        "reasoning": reasoning,
        "tool_calls": [call(each.name, each.arguments) for each in calls or ()],
    }


if __name__ == "__main__":
    serve(NAME, "transformers", {"extraction.extract": extract})
