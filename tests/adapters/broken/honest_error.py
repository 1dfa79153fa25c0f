"""Says of one case that it broke."""

from typing import Any

from tests.adapters.broken.good import run, say, serve


def admit(request: dict[str, Any]) -> None:
    if request["input"] == {"value": 1}:
        say({"seq": request["seq"], "errored": {"message": "ZeroDivisionError"}})
    else:
        run(request)


serve(run=admit)
