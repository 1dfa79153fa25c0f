"""Declares the feature extra, and does not have it."""

from typing import Any

from tests.adapters.broken.good import run, say, serve


def boast(request: dict[str, Any]) -> None:
    if request["operation"] == "toy.extra":
        say({"seq": request["seq"], "error": {"code": "invalid_input"}})
    else:
        run(request)


serve(run=boast)
