"""json-repair behind a search for the tags, the way it is used on leaked calls.

It repairs JSON and knows no tags, so the usual lazy pattern finds the payloads for it.
"""

import re

import json_repair  # type: ignore[import-not-found, unused-ignore]

from tests.evidence.peers.answering import Calls, serve

BLOCK = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)


def calls(text: str) -> Calls:
    """Return what stands between the tags and has a name and arguments once it is repaired."""
    found: Calls = []
    for inner in BLOCK.findall(text):
        value = json_repair.loads(inner)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict) and "name" in item and "arguments" in item:
                found.append({"name": item["name"], "arguments": item["arguments"]})
    return found


if __name__ == "__main__":
    serve(calls)
