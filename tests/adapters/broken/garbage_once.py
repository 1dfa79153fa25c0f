"""Prints to its standard output while it works on one case, as a forgotten debug line does."""

from typing import Any

from tests.adapters.broken.good import run, serve


def chatty(request: dict[str, Any]) -> None:
    if request["input"] == {"value": 1}:
        print("DEBUG value is 1", flush=True)
    run(request)


serve(run=chatty)
