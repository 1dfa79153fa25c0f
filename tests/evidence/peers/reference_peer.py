"""The reference behind the protocol of `answering`."""

from __future__ import annotations

from commoncall.extraction import extract
from tests.evidence.peers.answering import Calls, serve


def calls(text: str) -> Calls:
    """Return the calls of a text."""
    found = extract(text, effective=["any"])["tool_calls"]
    return [{"name": call["name"], "arguments": call["arguments"]} for call in found]


if __name__ == "__main__":
    serve(calls)
