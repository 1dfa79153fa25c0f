"""llama.cpp's parsers over templates that come with it; build.sh makes what is asked.

LLAMA_CPP names the folder that build.sh wrote, and LLAMA_CPP_SOURCES the sources.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any

from tests.systems.adapter import NotOffered, serve, tools_of
from tests.systems.plain import plain
from tests.systems.program import ask

TEMPLATES = {
    "llama-cpp-gemma-4": "google-gemma-4-31B-it",
    "llama-cpp-gpt-oss": "openai-gpt-oss-120b",
    "llama-cpp-hermes": "NousResearch-Hermes-3-Llama-3.1-8B-tool_use",
    "llama-cpp-llama-3": "meta-llama-Llama-3.1-8B-Instruct",
}

NAMES = re.compile(r'"(?:name|function|tool)"\s*:\s*"([^"]+)"|call:([\w.-]+)\{|functions\.([\w-]+)')
"""What a text seems to call."""


def extract(given: dict[str, Any]) -> dict[str, Any]:
    """Return the calls that are found in a text."""
    if not all(isinstance(each, dict) for each in given.get("tools") or ()):
        raise NotOffered("a tool that is none")
    tools_of(given)  # raises where any name is a tool
    mentioned = {name for found in NAMES.findall(given["text"]) for name in found if name}
    effective = [*given["effective"], *sorted(mentioned.difference(given["effective"]))]
    tools = tools_of({**given, "effective": effective if given["effective"] else []})
    template = f"models/templates/{TEMPLATES[sys.argv[1]]}.jinja"
    asked = {
        "template": str(Path(os.environ["LLAMA_CPP_SOURCES"], template)),
        "tools": tools,
        "text": given["text"],
    }
    calls, _ = ask(os.environ["LLAMA_CPP"], asked)
    return {"tool_calls": plain(calls)}


if __name__ == "__main__":
    if not {"LLAMA_CPP", "LLAMA_CPP_SOURCES"} <= os.environ.keys():
        sys.exit("llama_cpp: LLAMA_CPP and LLAMA_CPP_SOURCES name what build.sh made, and of what")
    # build.sh puts what the sdist says of itself beside the program.
    sys.path.append(os.environ["LLAMA_CPP"])
    serve(sys.argv[1], "llama-cpp-python", {"extraction.extract": extract})
