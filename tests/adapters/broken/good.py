"""A right adapter of the toy suite, in parts that the broken ones replace."""

import json
import sys
from collections.abc import Callable
from typing import Any

HELLO: dict[str, Any] = {
    "protocol": 1,
    "implementation": {"name": "toy", "version": "1.0.0", "language": "Python"},
    "operations": ["toy.echo", "toy.pick", "toy.extra", "spare.flip"],
    "features": ["diagnostics", "lone-surrogates", "extra"],
}


def operate(operation: str, data: Any) -> dict[str, Any]:
    match operation, data:
        case "toy.echo" | "toy.extra", {"value": value}:
            return {"result": {"value": value, "notes": ["echoed"]}}
        case "toy.pick", dict():
            return {"result": {"names": sorted(data)}}
        case "spare.flip", {"flag": bool(flag)}:
            return {"result": {"flag": not flag}}
    return {"error": {"code": "invalid_input"}}


def run(request: dict[str, Any]) -> None:
    say({"seq": request["seq"], **operate(request["operation"], request["input"])})


def say(message: object) -> None:
    print(json.dumps(message), flush=True)


def serve(run: Callable[[dict[str, Any]], None] = run, hello: object = HELLO) -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if request["cmd"] == "start":
            say(hello)
        elif request["cmd"] == "run":
            run(request)
        else:
            return


if __name__ == "__main__":
    serve()
