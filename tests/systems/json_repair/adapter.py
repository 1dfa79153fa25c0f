"""json-repair behind a search for the tags, the way it is used on leaked calls."""

import re
import sys
from typing import Any

import json_repair  # type: ignore[import-not-found, unused-ignore]
from tests.systems.adapter import call, serve

BLOCK = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)


def extract(given: dict[str, Any]) -> dict[str, Any]:
    """Return what stands between the tags and has a name and arguments once it is repaired."""
    calls = []
    for inner in BLOCK.findall(given["text"]):
        value = json_repair.loads(inner)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict) and "name" in item and "arguments" in item:
                calls.append(call(item["name"], item["arguments"]))
    return {"tool_calls": calls}


if __name__ == "__main__":
    serve(sys.argv[1], "json-repair", {"extraction.extract": extract})
