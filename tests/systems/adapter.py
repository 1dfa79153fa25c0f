"""The harness protocol around a system, for adapters in Python.

An adapter is a function for each operation, from an input to a result; what it is not able to hand
on it refuses with `NotOffered`. Whatever else it raises is what the system did.
"""

import json
import os
import platform
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

Operation = Callable[[dict[str, Any]], dict[str, Any]]


REASONING: Final = r"</?think|<\|?channel|\[/?THINK\]"
"""What begins or ends reasoning in the texts of the cases."""


class NotOffered(Exception):
    """The system has no place for what this input asks."""


def serve(name: str, package: str, operations: Mapping[str, Operation]) -> None:
    """Answer requests until ``stop``; ``package`` is the distribution that is surveyed."""
    # Systems print; the line to the runner is kept out of their reach.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    declaration = {
        "protocol": 1,
        "implementation": {
            "name": name,
            "version": version(package),
            "language": f"Python {platform.python_version()}",
        },
        "operations": list(operations),
        "features": [],
    }
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            return
        reply = declaration
        if message["cmd"] == "run":
            reply = {"seq": message["seq"], **_answer(operations, message)}
        answers.write(json.dumps(reply) + "\n")
        answers.flush()


def _answer(operations: Mapping[str, Operation], message: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return {"result": operations[message["operation"]](message["input"])}
    except NotOffered as why:
        return {"skipped": {"reason": str(why)}}
    except RecursionError:
        return {"errored": {"message": "RecursionError"}}
    except Exception as error:
        return {"errored": {"message": f"{type(error).__name__}: {str(error)[:200]}"}}


def refuse_reasoning(text: str) -> None:
    """Refuse a text with reasoning, for a system that gets it after another has taken it out.

    Raises:
        NotOffered: it has a tag of reasoning.
    """
    if re.search(REASONING, text, re.IGNORECASE):
        raise NotOffered("reasoning, which another part of the system takes out")


def dialects_of(adapter: str, name: str) -> list[str]:
    """Return the dialects that a system reads, by the description beside its adapter."""
    text = Path(adapter).with_name(f"{name}.json").read_text("utf-8")
    dialects: list[str] = json.loads(text)["operations"]["extraction.extract"]["dialects"]
    return dialects


def call(name: object, arguments: object) -> dict[str, Any]:
    """Return a call as surveys compare it: arguments that are a text of JSON become its value.

    A text that is no JSON stays a text, which equals no arguments of a case; so does one with NaN,
    or with a number that no double holds.
    """
    if isinstance(arguments, str):
        with suppress(ValueError, RecursionError):
            value = json.loads(arguments)
            json.dumps(value, allow_nan=False)
            arguments = value
    return {"name": name, "arguments": arguments}


def tools_of(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the tools of an input of ``extraction.extract``: those given, and the other names.

    Raises:
        NotOffered: one of them is no tool, or any name is one.
    """
    if given["effective"] == "any":
        raise NotOffered("any name, which is no definition of a tool")
    tools = given.get("tools") or []
    if not all(isinstance(each, dict) and "function" in each for each in tools):
        raise NotOffered("a tool that is none")
    known = {each["function"]["name"] for each in tools}
    others = [name for name in given["effective"] or () if name not in known]
    return tools + [
        {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}
        for name in others
    ]
