"""The tool parsers of mlx-lm behind its machine that finds markers, as its server has them."""

import sys
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from tests.systems.absent import Record, bare, stand_in
from tests.systems.adapter import call, dialects_of, serve, tools_of
from tests.systems.sections import Section, before_stop

bare("mlx_lm", Path(str(distribution("mlx-lm").locate_file("mlx_lm"))))
stand_in(["mlx", "transformers", "huggingface_hub"])
stand_in(["mlx_lm.convert", "mlx_lm.models", "mlx_lm.utils"])

Generate: Any = import_module("mlx_lm.generate")
Server: Any = import_module("mlx_lm.server")

NAME = sys.argv[1]
PARSER: Any = import_module(f"mlx_lm.tool_parsers.{NAME.removeprefix('mlx-lm-').replace('-', '_')}")
GEMMA = NAME == "mlx-lm-gemma4"
SECTION = Section(dialects_of(__file__, NAME)[0])
MACHINE = Generate.make_text_state_machine(
    Record(
        has_thinking=True,
        think_start="<|channel>thought" if GEMMA else "<think>",
        think_end="<channel|>" if GEMMA else "</think>",
        has_tool_calling=True,
        tool_call_start=PARSER.tool_call_start,
        tool_call_end=PARSER.tool_call_end,
        response_transitions={},
    )
)


def extract(given: dict[str, Any]) -> dict[str, Any]:
    """Return the calls, the text and the reasoning that the server makes of a whole text."""
    tools = tools_of(given)
    first = "reasoning" if given.get("reasoning") == "open" else "normal"
    state, segments = Generate.TextStateMachine.split(
        MACHINE.make_state(first), SECTION.around(before_stop(given))
    )
    # What follows is the loop of the server's handler, for one piece of text and a stop.
    texts = {"normal": "", "reasoning": "", "tool": ""}
    blocks: list[str] = []
    before = first
    for now, text in [*segments, (Generate.TextStateMachine.discard(state)[1], "")]:
        if now == "normal" and before == "tool":
            blocks.append(texts["tool"])
            texts["tool"] = ""
        texts[now] += text
        before = now
    if before == "tool" and texts["tool"]:
        blocks.append(texts["tool"])
    calls = [
        each["function"] for each in Server.ToolCallFormatter(PARSER.parse_tool_call, tools)(blocks)
    ]
    return {
        "content": SECTION.out_of(texts["normal"], given["text"]),
        "reasoning": texts["reasoning"],
        "tool_calls": [call(each["name"], each["arguments"]) for each in calls],
    }


if __name__ == "__main__":
    serve(NAME, "mlx-lm", {"extraction.extract": extract})
