"""The reference behind the protocol of `answering`."""

from typing import Any

from commoncall.extraction import extract
from tests.evidence.peers.answering import Calls, serve


def calls(text: str, **more: Any) -> Calls:
    """Return the calls of a text."""
    found = extract(text, effective=["any"], **more)["tool_calls"]
    return [{"name": call["name"], "arguments": call["arguments"]} for call in found]


if __name__ == "__main__":
    serve(calls)
