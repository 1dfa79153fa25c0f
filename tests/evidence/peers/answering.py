"""The process around one Python peer: a request a line on stdin, an answer a line on stdout.

A request is `{text}`, with `samples` and with `more`, what else the peer takes; an answer is
`{calls: [{name, arguments}]}` or
`{raised}`, with `ms`, the least CPU milliseconds of so many samples, where they were asked for.
The process of its own lets the driver end a peer that does not come back.
"""

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

Calls = list[dict[str, Any]]


def answer(request: dict[str, Any], extract: Callable[..., Calls]) -> dict[str, Any]:
    """Run the peer on one request."""
    run = partial(extract, request["text"], **request.get("more", {}))
    try:
        result: dict[str, Any] = {"calls": run()}
        samples = [cpu_ms(run) for _ in range(request.get("samples", 0))]
    except Exception as error:  # whatever a peer raises is its answer
        return {"raised": type(error).__name__}
    return {**result, "ms": min(samples)} if samples else result


def cpu_ms(run: Callable[[], Calls]) -> float:
    """Return the CPU milliseconds of one run."""
    gc.collect()
    start = time.thread_time()
    run()
    return (time.thread_time() - start) * 1000


def serve(extract: Callable[..., Calls]) -> None:
    """Answer requests until stdin ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # systems print
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), extract)), file=answers, flush=True)
