"""Says true for 1, as a language without booleans might."""

from typing import Any

from tests.adapters.broken.good import operate, say, serve


def confuse(request: dict[str, Any]) -> None:
    answer = operate(request["operation"], request["input"])
    if answer.get("result", {}).get("value") == 1:
        answer["result"]["value"] = True
    say({"seq": request["seq"], **answer})


serve(run=confuse)
