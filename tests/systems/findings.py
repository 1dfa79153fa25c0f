"""The hardest findings of the surveys, each asked again: `findings.json`.

A finding has the smallest input that shows it, and what the system answered or raised. The words of
what it raised are not compared. Times are measured by hand (`slow.py`) and not compared either.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
FILE: Final = HERE / "findings.json"
TIMEOUT: Final = 120
OUTCOMES: Final = ("answer", "raised")

Finding = dict[str, Any]


def read() -> list[Finding]:
    """Return all findings."""
    found: list[Finding] = json.loads(FILE.read_text("utf-8"))
    return found


def write(findings: Sequence[Finding]) -> None:
    """Write all findings."""
    FILE.write_text(json.dumps(findings, indent=2, ensure_ascii=False) + "\n", "utf-8")


def adapter(description: Path) -> list[str]:
    """Return the command of the adapter beside a description."""
    script = description.with_name("adapter.mjs")
    if script.exists():
        return ["node", str(script), description.stem]
    module = f"tests.systems.{description.parent.name}.adapter"
    return [sys.executable, "-m", module, description.stem]


def again(description: Path, findings: Sequence[Finding]) -> list[Finding]:
    """Ask a system the inputs of its findings; return them with what it does now.

    Raises:
        subprocess.SubprocessError: the adapter did not end in time, or broke.
        ValueError: it did not answer all of them, or was not able to be asked one.
    """
    asked = [
        {"cmd": "run", "seq": seq, "operation": each["operation"], "input": each["input"]}
        for seq, each in enumerate(findings)
    ]
    lines = [{"cmd": "start", "protocol": 1}, *asked, {"cmd": "stop"}]
    done = subprocess.run(
        adapter(description),
        input="".join(json.dumps(line) + "\n" for line in lines),
        stdout=subprocess.PIPE,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    _, *answers = map(json.loads, done.stdout.splitlines())
    return [
        {name: value for name, value in each.items() if name not in OUTCOMES} | _outcome(answer)
        for each, answer in zip(findings, answers, strict=True)
    ]


def differing(held: Sequence[Finding], found: Sequence[Finding]) -> list[str]:
    """Return the ids of the findings that a system answers otherwise now."""
    pairs = zip(held, found, strict=True)
    return [one["id"] for one, other in pairs if _compared(one) != _compared(other)]


def _outcome(answer: dict[str, Any]) -> dict[str, Any]:
    match answer:
        case {"errored": {"message": message}}:
            return {"raised": message}
        case {"result": result}:
            return {"answer": result}
    raise ValueError(f"not offered: {answer}")


def _compared(finding: Finding) -> tuple[object, str | None]:
    raised: str | None = finding.get("raised")
    return finding.get("answer"), raised and raised.partition(":")[0]
