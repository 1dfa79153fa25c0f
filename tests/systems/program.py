"""A program that build.sh made, which reads a line of JSON and answers with one."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

from tests.systems.adapter import call


@cache
def _started(folder: str) -> subprocess.Popen[str]:
    program = Path(folder, "parse")
    return subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(folder: str, asked: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the calls in the answer of the program in a folder, and the answer.

    Raises:
        RuntimeError: it answers with an error.
    """
    process = _started(folder)
    if process.stdin is None or process.stdout is None:
        raise AssertionError
    print(json.dumps(asked), file=process.stdin, flush=True)
    answer = json.loads(process.stdout.readline())
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return [call(each["name"], each["arguments"]) for each in answer["tool_calls"]], answer
