"""The process around one Python peer: a request a line on stdin, an answer a line on stdout.

A request is `{text}` or `{text, samples}`; an answer is `{calls: [{name, arguments}]}` or
`{raised}`, with `ms`, the least CPU milliseconds of so many samples, where they were asked for.
The process of its own lets the driver end a peer that does not come back.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

Calls = list[dict[str, Any]]


def answer(request: dict[str, Any], extract: Callable[[str], Calls]) -> dict[str, Any]:
    """Run the peer on one request."""
    try:
        result: dict[str, Any] = {"calls": extract(request["text"])}
        samples = [cpu_ms(extract, request["text"]) for _ in range(request.get("samples", 0))]
    except Exception as error:  # whatever a peer raises is its answer
        return {"raised": type(error).__name__}
    return {**result, "ms": min(samples)} if samples else result


def cpu_ms(extract: Callable[[str], Calls], text: str) -> float:
    """Return the CPU milliseconds of one run."""
    start = time.thread_time()
    extract(text)
    return (time.thread_time() - start) * 1000


def serve(extract: Callable[[str], Calls]) -> None:
    """Answer requests until stdin ends."""
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), extract)), flush=True)
