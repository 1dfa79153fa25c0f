"""The tool that makes a port misread the text, on a toy port; and the form of the real lists."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kit_suite import write_suite
from tools import port_mutants

# The tool only starts it: that this toy is no JavaScript does not matter.
TOY = """
import json, sys

ME = {"name": "toy", "version": "1", "language": "Python"}
CAN = {"operations": ["toy.echo", "toy.pick"], "features": ["diagnostics"]}
for line in sys.stdin:
    asked = json.loads(line)
    if asked["cmd"] == "stop":
        break
    if asked["cmd"] == "start":
        answer = {"protocol": 1, "implementation": ME, **CAN}
    else:
        answer = {"seq": asked["seq"]}
        data = asked["input"]
        if not isinstance(data, dict):
            answer["error"] = {"code": "invalid_input"}
        elif asked["operation"] == "toy.echo":
            answer["result"] = {"value": data["value"], "notes": ["echoed"]}
        else:
            answer["result"] = {"names": sorted(data)}
    print(json.dumps(answer), flush=True)
"""

PICK = {
    "requirement": "TOY-002",
    "reading": "The names come in the order of the object.",
    "file": "adapter.mjs",
    "find": "sorted(data",
    "replace": "list(data",
}
NOTHING = {
    "requirement": "TOY-001",
    "reading": "Another message of the version is another version.",
    "file": "adapter.mjs",
    "find": '"version": "1"',
    "replace": '"version": "2"',
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a checkout with a suite and a toy port."""
    write_suite(tmp_path)
    port = tmp_path / port_mutants.PORT
    port.mkdir(parents=True)
    (port / port_mutants.ADAPTER).write_text(TOY)
    return tmp_path


def run(checkout: Path, rows: list[Any]) -> int:
    folder = checkout / port_mutants.LISTS
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "toy.json").write_text(json.dumps(rows))
    return port_mutants.main(["--root", str(checkout), "--node", sys.executable])


def test_a_wrong_reading_that_a_case_notices_is_reported_with_it(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout, [PICK]) == 0
    assert capsys.readouterr() == ("1 of 1 wrong readings are noticed, 0 are equal\n", "")
    (row,) = json.loads((checkout / port_mutants.REPORT).read_text())["mutants"]
    assert row["reading"] == PICK["reading"]
    assert len(row["killed_by"]) == 1


def test_one_that_no_case_notices_is_an_error(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout, [PICK, NOTHING]) == 1
    said = capsys.readouterr()
    assert said.out == "1 of 2 wrong readings are noticed, 0 are equal\n"
    assert f"row 2 (TOY-001, adapter.mjs) survives: {NOTHING['reading']}" in said.err


def test_one_that_is_said_to_be_equal_is_not_run(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout, [{**NOTHING, "equal": "No rule looks at it."}]) == 0
    assert capsys.readouterr().out == "0 of 0 wrong readings are noticed, 1 are equal\n"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({**PICK, "find": "nowhere"}, "does not apply: `find` stands 0 times in the file"),
        ({**PICK, "find": "data"}, "does not apply: `find` stands"),
        ({**PICK, "replace": PICK["find"]}, "changes nothing"),
        ({**PICK, "file": "other.mjs"}, "names no file of the port"),
        ({**PICK, "requirement": "TOY-999"}, "names no requirement"),
        ({**PICK, "replace": ")"}, "is no program"),
        ({**PICK, "why": ""}, "does not hold file, find, reading, replace, requirement"),
        ({**PICK, "reading": 1}, "holds what is not a text"),
        ([], "does not hold"),
    ],
)
def test_what_cannot_be_run_is_one_line(
    checkout: Path, row: object, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout, [row]) == 1
    said = capsys.readouterr()
    assert problem in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


# The real lists. Whether they are noticed takes its time; the session `mutants` says it.


def test_every_row_applies(root: Path) -> None:
    for mutant in port_mutants.read(root):
        port_mutants.mutated(root, mutant)


def test_no_row_stands_twice(root: Path) -> None:
    rows = [(row.file, row.find, row.replace) for row in port_mutants.read(root)]
    assert len(rows) == len(set(rows))
