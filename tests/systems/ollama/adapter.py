"""Ollama's parsers, as its server calls them; build.sh makes the program that is asked.

OLLAMA_PARSE names the folder that build.sh wrote.
"""

import os
import sys
from typing import Any

from tests.systems.adapter import dialects_of, refuse_reasoning, serve, tools_of
from tests.systems.plain import plain
from tests.systems.program import ask
from tests.systems.sections import Section, before_stop


def extract(given: dict[str, Any]) -> dict[str, Any]:
    """Return the calls that are found in a text, and what is shown."""
    refuse_reasoning(given["text"])
    section = Section(dialects_of(__file__, sys.argv[1])[0])
    asked = {
        "parser": sys.argv[1].removeprefix("ollama-"),
        "tools": tools_of(given),
        "text": section.around(before_stop(given)),
    }
    calls, answer = ask(os.environ["OLLAMA_PARSE"], asked)
    return {"tool_calls": plain(calls), "content": section.out_of(answer["content"], given["text"])}


if __name__ == "__main__":
    if "OLLAMA_PARSE" not in os.environ:
        sys.exit("ollama: OLLAMA_PARSE names what build.sh made")
    # build.sh puts what the module says of itself beside the program.
    sys.path.append(os.environ["OLLAMA_PARSE"])
    serve(sys.argv[1], "ollama-server", {"extraction.extract": extract})
