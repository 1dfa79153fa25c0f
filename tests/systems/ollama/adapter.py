"""Ollama's parsers, as its server calls them; build.sh makes the program that is asked.

OLLAMA_PARSE names the folder that build.sh wrote.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from tests.systems.adapter import call, dialects_of, refuse_reasoning, serve, tools_of
from tests.systems.plain import plain
from tests.systems.sections import Section, before_stop


@cache
def parser() -> subprocess.Popen[str]:
    """Start the program that build.sh made."""
    program = Path(os.environ["OLLAMA_PARSE"], "parse")
    return subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def extract(given: dict[str, Any]) -> dict[str, Any]:
    """Return the calls that are found in a text, and what is shown."""
    refuse_reasoning(given["text"])
    section = Section(dialects_of(__file__, sys.argv[1])[0])
    asked = {
        "parser": sys.argv[1].removeprefix("ollama-"),
        "tools": tools_of(given),
        "text": section.around(before_stop(given)),
    }
    process = parser()
    if process.stdin is None or process.stdout is None:
        raise AssertionError
    print(json.dumps(asked), file=process.stdin, flush=True)
    answer = json.loads(process.stdout.readline())
    if "error" in answer:
        raise RuntimeError(answer["error"])
    calls = [call(each["name"], each["arguments"]) for each in answer["tool_calls"]]
    return {"tool_calls": plain(calls), "content": section.out_of(answer["content"], given["text"])}


if __name__ == "__main__":
    if "OLLAMA_PARSE" not in os.environ:
        sys.exit("ollama: OLLAMA_PARSE names what build.sh made")
    # build.sh puts what the module says of itself beside the program.
    sys.path.append(os.environ["OLLAMA_PARSE"])
    serve(sys.argv[1], "ollama-server", {"extraction.extract": extract})
