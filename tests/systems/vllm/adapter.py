"""The tool-call parsers of vLLM, each as its server calls it for a whole text."""

import logging
import sys
from importlib import import_module
from typing import Any

from tests.systems.absent import Record, bare, give, stand_in
from tests.systems.adapter import call, dialects_of, refuse_reasoning, serve, tools_of
from tests.systems.sections import Section, before_stop
from tests.systems.vllm.fetch import SOURCES

sys.path.append(str(SOURCES))
bare("vllm", SOURCES / "vllm")
STUBS = (
    "config entrypoints logger platforms reasoning renderers sampling_params tokenizers utils v1"
)
stand_in(["torch", "transformers", "xgrammar", "cohere_melody"])
stand_in([f"vllm.{name}" for name in STUBS.split()])
give("vllm.logger", init_logger=logging.getLogger)
give("vllm.utils.mistral", is_mistral_tokenizer=lambda tokenizer: False)

NAME = sys.argv[1]
SECTION = Section(dialects_of(__file__, NAME)[0])
PARSERS = import_module("vllm.tool_parsers")._TOOL_PARSERS_TO_REGISTER
MODULE, CLASS = next(
    row for name, row in PARSERS.items() if f"vllm-{name.replace('_', '-')}" == NAME
)
Parser = getattr(import_module(f"vllm.tool_parsers.{MODULE}"), CLASS)
Protocol = import_module("vllm.entrypoints.openai.chat_completion.protocol")


class Vocabulary(dict[str, int]):
    """Has each marker as a token, as the vocabulary of the parser's model has."""

    def get(self, token: str, default: object = None) -> int:
        return self[token]

    def __contains__(self, token: object) -> bool:
        return True

    def __missing__(self, token: str) -> int:
        self[token] = len(self)
        return self[token]


class Tokenizer:
    all_special_tokens: tuple[str, ...] = ()
    all_special_ids: tuple[int, ...] = ()
    vocabulary = Vocabulary()

    def get_vocab(self) -> Vocabulary:
        return self.vocabulary

    def encode(self, text: str, **_: object) -> list[int]:
        return [self.vocabulary[text]]


def extract(given: dict[str, Any]) -> dict[str, Any]:
    """Return the calls and the text that the parser returns for a whole text."""
    refuse_reasoning(given["text"])
    tools = [
        Protocol.ChatCompletionToolsParam(
            type="function", function=Record(**{"parameters": None, **each["function"]})
        )
        for each in tools_of(given)
    ]
    if not tools:  # the server then calls no parser
        return {"content": before_stop(given), "tool_calls": []}
    request = Protocol.ChatCompletionRequest(
        tools=tools, tool_choice="auto", skip_special_tokens=False
    )
    text = SECTION.around(before_stop(given))
    found = Parser(Tokenizer(), tools).extract_tool_calls(text, request)
    return {
        "content": SECTION.out_of(found.content, given["text"]),
        "tool_calls": [
            call(each.function.name, each.function.arguments) for each in found.tool_calls
        ],
    }


if __name__ == "__main__":
    serve(NAME, "vllm", {"extraction.extract": extract})
