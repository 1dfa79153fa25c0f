"""Answers every request two times."""

from typing import Any

from tests.adapters.broken.good import run, serve


def stutter(request: dict[str, Any]) -> None:
    run(request)
    run(request)


serve(run=stutter)
