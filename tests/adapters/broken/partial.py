"""Declares all of the contract `toy`, and skips one of its operations."""

from typing import Any

from tests.adapters.broken.good import run, say, serve


def skip(request: dict[str, Any]) -> None:
    if request["operation"] == "toy.pick":
        say({"seq": request["seq"], "skipped": {"reason": "not written yet"}})
    else:
        run(request)


serve(run=skip)
