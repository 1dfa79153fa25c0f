"""Answers with a line of more than 16 MiB."""

from typing import Any

from tests.adapters.broken.good import run, say, serve


def swell(request: dict[str, Any]) -> None:
    if request["input"] == {"value": 1}:
        say({"seq": request["seq"], "result": {"value": "x" * (16 * 1024 * 1024)}})
    else:
        run(request)


serve(run=swell)
