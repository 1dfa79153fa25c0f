"""The tool-call parsers of SGLang, each as its server calls it for a whole text."""

import os
import re
import sys
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from tests.systems.absent import Record, bare, stand_in
from tests.systems.adapter import NotOffered, call, dialects_of, refuse_reasoning, serve, tools_of
from tests.systems.sections import Section, before_stop

# A call of an unknown tool is dropped by default; the cases want to see it.
os.environ["SGLANG_FORWARD_UNKNOWN_TOOLS"] = "true"

PACKAGE = Path(str(distribution("sglang").locate_file("sglang")))
bare("sglang", PACKAGE)
bare("sglang.srt", PACKAGE / "srt")
stand_in(["transformers", "xgrammar", "sglang.srt.entrypoints", "sglang.srt.debug_utils"])

FunctionCallParser: Any = import_module(
    "sglang.srt.function_call.function_call_parser"
).FunctionCallParser
ReasoningParser: Any = import_module("sglang.srt.parser.reasoning_parser").ReasoningParser

NAME = sys.argv[1]
PARSER = next(
    name
    for name in FunctionCallParser.ToolCallParserEnum
    if f"sglang-{name.replace('_', '-')}" == NAME
)
SECTION = Section(dialects_of(__file__, NAME)[0])
WITHOUT_LINES = re.compile(r"<tool_call>(?!\n)|(?<!\n)</tool_call>")
"""Of the parser for Qwen 2.5, what it takes for no tag."""


def extract(given: dict[str, Any]) -> dict[str, Any]:
    """Return the calls and the text that the parser returns for a whole text."""
    tools = [
        Record(type="function", function=Record(**{"parameters": None, **each["function"]}))
        for each in tools_of(given)
    ]
    text = SECTION.around(given["text"] if PARSER == "gpt-oss" else before_stop(given))
    if PARSER == "gpt-oss":  # its reasoning is a message, and what is left has another form
        _, text = ReasoningParser(PARSER, stream_reasoning=False).parse_non_stream(text)
    else:
        refuse_reasoning(text)
    if PARSER == "qwen25" and WITHOUT_LINES.search(text):
        raise NotOffered("a tag without the line feed that its model writes")
    content, calls = FunctionCallParser(tools, PARSER).parse_non_stream(text)
    return {
        "content": SECTION.out_of(content, given["text"]),
        "tool_calls": [call(each.name, each.parameters) for each in calls],
    }


if __name__ == "__main__":
    serve(NAME, "sglang", {"extraction.extract": extract})
