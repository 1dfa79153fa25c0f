"""The tool that breaks programs, on a toy of each; and the form of the real lists."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from commoncall.adapter import FEATURES
from commoncall_kit.suite.data import documents, load
from tests.evidence.adequacy import mutants
from tests.evidence.adequacy.programs import CRATE, PROGRAMS, SOURCES, Crate, Program, Reference
from tests.kit_suite import write_suite

REFERENCE = """
OPERATIONS = ("toy.echo", "toy.pick")
FEATURES = ("diagnostics",)

def answer(operation, data, env):
    if not isinstance(data, dict):
        return {"error": {"code": "invalid_input"}}
    if operation == "toy.echo":
        return {"result": {"value": data["value"], "notes": ['echoed']}}
    return {"result": {"names": sorted(data)}}
"""
PORT = """
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
PICK: dict[str, dict[str, str]] = {
    "reference": {
        "requirement": "TOY-002",
        "file": "adapter.py",
        "find": "sorted(data)",
        "replace": "list(data)",
        "noticed_by": "toy.pick.members",
    },
    "node": {
        "requirement": "TOY-002",
        "reading": "The names come in the order of the object.",
        "file": "adapter.mjs",
        "find": ".sort()",
        "replace": "",
        "noticed_by": "toy.pick.members",
    },
}
NOTHING: dict[str, dict[str, str]] = {
    "reference": {**PICK["reference"], "replace": "sorted(set(data))"},
    "node": {**PICK["node"], "replace": ".sort().slice()"},
}
ENDLESS = {
    "reference": {**PICK["reference"], "replace": "[1 for _ in iter(int, 1)]"},
    "node": {**PICK["node"], "replace": ".filter(() => { for (;;); })"},
}


class Checkout:
    """A checkout with a suite and a toy of a program."""

    def __init__(self, root: Path, folder: Path, name: str) -> None:
        self.folder, self.name = write_suite(folder), name
        self.program = PROGRAMS[name](folder)
        self.pick, self.nothing = PICK[name], NOTHING[name]
        self.program.folder.mkdir(parents=True)
        if name == "node":
            self.file, text = self.program.folder / "adapter.mjs", PORT
        else:
            self.file, text = self.program.folder / "adapter.py", REFERENCE
            for each in ("__init__", "json_text", "near", "protocol", "spelled"):
                shutil.copy(root / "reference/python/commoncall" / f"{each}.py", self.file.parent)
        self.file.write_text(text)

    def run(self, rows: list[Any], *options: str) -> int:
        """Run the tool with one list."""
        folder = self.folder / self.program.LISTS
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "toy.json").write_text(json.dumps(rows))
        return mutants.main([self.name, "--root", str(self.folder), *options])

    def written(self) -> Any:
        """Return the list as it is now."""
        return json.loads((self.folder / self.program.LISTS / "toy.json").read_bytes())


@pytest.fixture(params=["reference", "node"])
def checkout(request: pytest.FixtureRequest, root: Path, tmp_path: Path) -> Checkout:
    """Make a checkout with a toy of a program."""
    if request.param == "node" and shutil.which("node") is None:
        pytest.skip("NOT RUN: wrong readings, because there is no `node`")
    return Checkout(root, tmp_path, request.param)


@pytest.mark.parametrize("named", ["toy.echo.value", "toy.gone", None])
def test_a_row_names_the_case_that_notices_and_write_renews_it(
    checkout: Checkout, named: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    row = {name: text for name, text in checkout.pick.items() if name != "noticed_by"}
    rows = [row if named is None else {**row, "noticed_by": named}]
    assert checkout.run(rows) == 1
    assert "is noticed by toy.pick.members; --write says so" in capsys.readouterr().err
    assert checkout.run(rows, "--write") == 0
    assert capsys.readouterr() == ("1 of 1 mutants are noticed, 0 are equal\n", "")
    assert checkout.written() == [checkout.pick]


def test_one_that_no_case_notices_is_an_error(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checkout.run([checkout.pick, checkout.nothing]) == 1
    said = capsys.readouterr()
    assert said.out == "1 of 2 mutants are noticed, 0 are equal\n"
    assert " row 2 (TOY-002, a" in said.err
    assert " survives" in said.err


def test_a_case_of_another_requirement_notices_a_wrong_reading_alone(checkout: Checkout) -> None:
    row = {**checkout.pick, "requirement": "TOY-001"}
    assert checkout.run([row]) == (0 if checkout.name == "node" else 1)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [("'echoed'", "'heard'", "fails toy.echo.number"), ("", "[][0].x\n", "is no program: ")],
)
def test_nothing_is_judged_by_cases_that_the_unbroken_program_fails(
    checkout: Checkout, old: str, new: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.file.write_text(checkout.file.read_text().replace(old, new, 1))
    assert checkout.run([{**checkout.nothing, "noticed_by": "toy.echo.number"}]) == 1
    said = capsys.readouterr()
    assert said.err.startswith(f"mutants: what nobody broke {problem}")
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_one_that_does_not_end_is_noticed(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mutants, "SECONDS", 1)
    assert checkout.run([ENDLESS[checkout.name], checkout.pick]) == 0
    assert capsys.readouterr().out == "2 of 2 mutants are noticed, 0 are equal\n"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"find": "nowhere"}, "does not apply: `find` stands 0 times in"),
        ({"find": "operation"}, "does not apply: `find` stands"),
        ({"replace": None}, "changes nothing"),
        ({"file": "other"}, "names no file of the program"),
        ({"requirement": "TOY-999"}, "names no requirement"),
        ({"replace": ")"}, "is no program: "),
        ({"why": ""}, "does not hold requirement, "),
        ({"find": 1}, "holds what is not a text"),
    ],
)
def test_what_cannot_be_run_is_one_line(
    checkout: Checkout,
    change: dict[str, Any],
    problem: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    row = {**checkout.pick, **change}
    if row["replace"] is None:
        row["replace"] = row["find"]
    assert checkout.run([row]) == 1
    said = capsys.readouterr()
    assert problem in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_a_name_that_nothing_binds_is_no_mutant(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toy = Checkout(root, tmp_path, "reference")
    assert toy.run([{**toy.pick, "replace": "list(date)"}]) == 1
    assert "reads date, which nothing binds" in capsys.readouterr().err


def test_one_that_is_said_to_be_equal_is_not_run(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = Checkout(root, tmp_path, "node")
    equal = {**PICK["node"], "equal": "No rule looks at it."}
    assert port.run([equal]) == 1
    assert "holds more than one of noticed_by, equal" in capsys.readouterr().err
    if shutil.which("node"):
        del equal["noticed_by"]
        assert port.run([equal], "--write") == 0
        assert capsys.readouterr().out == "0 of 0 mutants are noticed, 1 are equal\n"
        assert port.written() == [equal]


def test_no_lists_are_an_error(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    assert mutants.main([checkout.name, "--root", str(checkout.folder)]) == 1
    assert "holds no list" in capsys.readouterr().err


# The real lists. Whether they are noticed takes its time; the session `mutants` says it.


@pytest.mark.parametrize("kind", PROGRAMS.values())
def test_every_row_applies_and_none_stands_twice(root: Path, kind: type[Program]) -> None:
    program, known = kind(root), load(root).requirements
    rows = mutants.read(root, kind)
    for row in rows:
        if kind is not Crate:  # which is compiled with all of them
            program.broken(row)
        assert row.requirement in known, row
    found = {(row.requirement, row.file, row.find, row.replace) for row in rows}
    assert len(found) == len(rows)


def test_every_row_of_the_crate_is_an_expression(root: Path) -> None:
    for row in mutants.read(root, Crate):
        text = (root / CRATE / SOURCES / row.file).read_text("utf-8")
        assert text.count(row.find) == 1, row
        for text in (row.find, row.replace):
            # Both become expressions of one copy: a row that is none takes all others with it.
            assert not text.endswith((";", "{", " ")), row
            assert text, row


def test_no_requirement_that_cases_show_lacks_a_mutant(root: Path) -> None:
    suite = load(root)
    shown = {id for case in suite.cases if case.applies(FEATURES) for id in case.requirements}
    bound = {
        each["id"] for each in documents(root).index["requirements"] if "MUST" in each["level"]
    }
    assert shown & bound <= {row.requirement for row in mutants.read(root, Reference)}
