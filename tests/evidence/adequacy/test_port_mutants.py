"""The tool that makes a port misread the text, on a toy port; and the form of the real lists."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.evidence.adequacy import port_mutants
from tests.kit_suite import write_suite

needs_node = pytest.mark.skipif(
    shutil.which("node") is None, reason="NOT RUN: wrong readings, because there is no `node`"
)

TOY = """
export const DECLARATION = {
  protocol: 1,
  implementation: {name: 'toy', version: '1', language: 'JavaScript'},
  operations: ['toy.echo', 'toy.pick'],
  features: ['diagnostics'],
};

export function run(operation, input, env) {
  if (typeof input !== 'object' || Array.isArray(input) || input === null) {
    return {error: {code: 'invalid_input'}};
  }
  if (operation === 'toy.echo') return {result: {value: input.value, notes: ['echoed']}};
  return {result: {names: Object.keys(input).sort()}};
}
"""

PICK = {
    "requirement": "TOY-002",
    "reading": "The names come in the order of the object.",
    "file": "adapter.mjs",
    "find": ".sort()",
    "replace": "",
    "noticed_by": "toy.pick.members",
}
NOTHING = {
    "requirement": "TOY-001",
    "reading": "Another message of the version is another version.",
    "file": "adapter.mjs",
    "find": "version: '1'",
    "replace": "version: '2'",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a checkout with a suite and a toy port."""
    write_suite(tmp_path)
    port = tmp_path / port_mutants.PORT
    port.mkdir(parents=True)
    (port / "adapter.mjs").write_text(TOY)
    return tmp_path


def run(checkout: Path, rows: list[Any], *options: str) -> int:
    folder = checkout / port_mutants.LISTS
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "toy.json").write_text(json.dumps(rows))
    return port_mutants.main(["--root", str(checkout), *options])


@needs_node
def test_a_wrong_reading_that_a_case_notices_is_reported_with_it(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout, [PICK]) == 0
    assert capsys.readouterr() == ("1 of 1 wrong readings are noticed, 0 are equal\n", "")
    (row,) = json.loads((checkout / port_mutants.REPORT).read_text())["mutants"]
    assert row["reading"] == PICK["reading"]
    assert row["killed_by"] == [PICK["noticed_by"]]


@needs_node
@pytest.mark.parametrize("named", ["toy.echo.value", "toy.gone", None])
def test_a_row_names_the_case_that_notices_and_write_renews_it(
    checkout: Path, named: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {**PICK, "noticed_by": named}
    if named is None:
        del row["noticed_by"]
    assert run(checkout, [row]) == 1
    assert "is noticed by toy.pick.members; --write says so" in capsys.readouterr().err
    assert run(checkout, [row, {**NOTHING, "equal": "No rule looks at it."}], "--write") == 0
    written = json.loads((checkout / port_mutants.LISTS / "toy.json").read_text())
    assert written == [PICK, {**NOTHING, "equal": "No rule looks at it."}]


@needs_node
def test_one_that_no_case_notices_is_an_error(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout, [PICK, NOTHING]) == 1
    said = capsys.readouterr()
    assert said.out == "1 of 2 wrong readings are noticed, 0 are equal\n"
    assert f"row 2 (TOY-001, adapter.mjs) survives: {NOTHING['reading']}" in said.err


@needs_node
@pytest.mark.parametrize(
    ("find", "replace", "problem"),
    [
        (".sort()", "", "fails toy."),
        ("'echoed'", "'heard'", "fails toy."),
        ("export", ")", "is no program: Unexpected token"),
    ],
)
def test_nothing_is_judged_by_cases_that_the_unbroken_port_fails(
    checkout: Path, find: str, replace: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    port = checkout / port_mutants.PORT / "adapter.mjs"
    port.write_text(port.read_text().replace(find, replace, 1))
    assert run(checkout, [NOTHING]) == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"port_mutants: the unbroken port {problem}")
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert not (checkout / port_mutants.REPORT).exists()


@needs_node
def test_one_that_does_not_end_is_noticed(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(port_mutants, "SECONDS", 1)
    endless = {**PICK, "replace": ".filter(() => { for (;;); })"}
    assert run(checkout, [endless, PICK]) == 0
    assert capsys.readouterr().out == "2 of 2 wrong readings are noticed, 0 are equal\n"


@needs_node
def test_one_that_is_said_to_be_equal_is_not_run(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout, [{**NOTHING, "equal": "No rule looks at it."}]) == 0
    assert capsys.readouterr().out == "0 of 0 wrong readings are noticed, 1 are equal\n"


@needs_node
@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({**PICK, "find": "nowhere"}, "does not apply: `find` stands 0 times in the file"),
        ({**PICK, "find": "input"}, "does not apply: `find` stands"),
        ({**PICK, "replace": PICK["find"]}, "changes nothing"),
        ({**PICK, "file": "other.mjs"}, "names no file of the port"),
        ({**PICK, "requirement": "TOY-999"}, "names no requirement"),
        ({**PICK, "replace": ")"}, "is no program: Unexpected token"),
        ({**PICK, "why": ""}, "does not hold requirement, reading, file, find, replace"),
        ({**PICK, "reading": 1}, "holds what is not a text"),
        ({**PICK, "equal": "It is."}, "holds more than one of noticed_by, equal"),
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
