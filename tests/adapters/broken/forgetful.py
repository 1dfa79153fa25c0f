"""Gives another answer when it sees a case again."""

from typing import Any

from tests.adapters.broken.good import run, say, serve

seen: list[Any] = []


def change(request: dict[str, Any]) -> None:
    if request["input"] == {"value": 1} and request["input"] in seen:
        say({"seq": request["seq"], "result": {"value": 2, "notes": ["echoed"]}})
    else:
        run(request)
    seen.append(request["input"])


serve(run=change)
