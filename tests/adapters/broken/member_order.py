"""Minds the order of members, which says nothing in JSON."""

from typing import Any

from tests.adapters.broken.good import run, say, serve


def mind(request: dict[str, Any]) -> None:
    if request["operation"] == "toy.pick" and isinstance(request["input"], dict):
        say({"seq": request["seq"], "result": {"names": list(request["input"])}})
    else:
        run(request)


serve(run=mind)
