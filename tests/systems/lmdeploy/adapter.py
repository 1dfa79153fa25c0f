"""The tool-call parsers of LMDeploy in its response parser, as its server asks it."""

import json
import re
import sys
from contextlib import suppress
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from tests.systems.absent import bare, give, stand_in
from tests.systems.adapter import call, dialects_of, serve, tools_of
from tests.systems.lmdeploy.registry import Registry
from tests.systems.sections import Section, before_stop

PACKAGE = Path(str(distribution("lmdeploy").locate_file("lmdeploy")))
for folder in ("", "serve", "serve/openai"):
    bare(".".join(("lmdeploy", *Path(folder).parts)), PACKAGE / folder)
stand_in(["mmengine", "torch", "transformers", "xgrammar"])
give("mmengine", Registry=Registry)

BaseResponseParser: Any = import_module("lmdeploy.serve.parsers.response_parser").BaseResponseParser
PARSERS = import_module("lmdeploy.serve.parsers.tool_parser").ToolParserManager.module_dict
REASONING = import_module("lmdeploy.serve.parsers.reasoning_parser").ReasoningParserManager
ChatCompletionRequest: Any = import_module("lmdeploy.serve.openai.protocol").ChatCompletionRequest

NAME = sys.argv[1]
PARSER = next(name for name in PARSERS if f"lmdeploy-{name.replace('_', '-')}" == NAME)
SECTION = Section(dialects_of(__file__, NAME)[0])
BaseResponseParser.set_parsers(PARSER if PARSER in REASONING.module_dict else "default", PARSER)

NAMES = re.compile(r'"(?:name|function|tool)"\s*:\s*("(?:[^"\\]|\\.)+")')
"""What a text of JSON seems to call."""


def called(given: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tools of an input, and one for each other name that its text seems to call."""
    if not given["effective"]:
        return tools_of(given)
    names = dict.fromkeys(given["effective"])
    for text in NAMES.findall(given["text"]):
        with suppress(ValueError):
            names[json.loads(text)] = None
    return tools_of({**given, "effective": list(names)})


def extract(given: dict[str, Any]) -> dict[str, Any]:
    """Return the calls, the text and the reasoning that the parser returns for a whole text."""
    request = ChatCompletionRequest(
        model="model",
        messages=[],
        tools=called(given) or None,
        chat_template_kwargs={"enable_thinking": given.get("reasoning") == "open"},
    )
    text = SECTION.around(before_stop(given))
    content, calls, reasoning = BaseResponseParser(request).parse_complete(text)
    return {
        "content": SECTION.out_of(content, given["text"]),
        "reasoning": reasoning,
        "tool_calls": [call(each.function.name, each.function.arguments) for each in calls or ()],
    }


if __name__ == "__main__":
    serve(NAME, "lmdeploy", {"extraction.extract": extract})
