"""The tool that breaks the reference, on a toy reference; and the form of the real lists."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from commoncall_kit.suite.data import documents
from tests.evidence.adequacy import mutants
from tests.evidence.adequacy.mutant_worker import Package
from tests.evidence.adequacy.syntax_edit import locate
from tests.kit_suite import write_suite
from tools.records import MUTANTS as RECORD

TOY = '''
"""A toy contract."""


def echo(data, env):
    if not isinstance(data, dict):
        return {"error": {"code": "invalid_input"}}
    return {"result": {"value": data["value"], "notes": ["echoed"]}}


def pick(data, env):
    if not isinstance(data, dict):
        return {"error": {"code": "invalid_input"}}
    names = []
    while len(names) < len(data):
        names.append(sorted(data)[len(names)])
    return {"result": {"names": names}}


OPERATIONS = {"toy.echo": echo, "toy.pick": pick}
'''
SPARE = '''
"""A toy contract without operations in the suite."""

OPERATIONS = {"spare.flip": lambda data, env: {"result": {"flag": not data["flag"]}}}
'''

ECHO = {
    "requirement": "TOY-001",
    "at": "echo",
    "find": 'data["value"]',
    "replace": 'str(data["value"])',
    "noticed_by": "toy.echo.number",
}
PICK = {
    "requirement": "TOY-002",
    "at": "pick",
    "find": "sorted(data)",
    "replace": "list(data)",
    "noticed_by": "toy.pick.members",
}
NOTES = {
    "requirement": "TOY-004",
    "at": "echo",
    "find": '{"notes": ["echoed"]}',
    "replace": '{"notes": []}',
    "noticed_by": "toy.echo.number",
}
FLIP = {
    "requirement": "SPR-001",
    "at": "extraction:OPERATIONS",
    "find": 'not data["flag"]',
    "replace": 'data["flag"]',
    "noticed_by": "spare.flip.on",
}
ALL = [ECHO, PICK, NOTES, FLIP]


@pytest.fixture
def checkout(root: Path, tmp_path: Path) -> Path:
    """Make a checkout whose reference is a toy behind the real kit."""
    source = tmp_path / "reference" / "python" / "commoncall"
    real = root / "reference" / "python" / "commoncall"
    kit = "commoncall_kit"
    shutil.copytree(real.parent / kit, source.parent / kit)  # with what it compiles to
    source.mkdir()
    names = (
        "__init__",
        "adapter",
        "dialect_data",
        "envelope",
        "files",
        "forms",
        "json_text",
        "near",
        "operation",
        "operations",
        "packaged",
        "places",
        "printable",
        "protocol",
        "spelled",
    )
    for name in [*(f"{name}.py" for name in names), "forms.json", "levels.json"]:
        shutil.copy(real / name, source / name)
    shutil.copytree(root / "spec" / "v1" / "dialects", tmp_path / "spec" / "v1" / "dialects")
    for name in (path.parent.name for path in real.glob("*/operations.py")):
        text = {"payload": TOY, "extraction": SPARE}.get(name, "OPERATIONS = {}\n")
        (source / name).mkdir()
        (source / name / "__init__.py").touch()
        (source / name / "operations.py").write_text(text)
    return write_suite(tmp_path)


def run(checkout: Path, rows: list[dict[str, Any]], *options: str) -> int:
    folder = checkout / "tests" / "evidence" / "mutants"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "toy.json").write_text(json.dumps(rows))
    return mutants.main(["--root", str(checkout), *options])


def report(checkout: Path) -> Any:
    return json.loads((checkout / "build" / "mutants.json").read_text())


def test_killed_mutants_are_reported_with_their_killers(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout, ALL) == 0
    assert capsys.readouterr() == ("4 of 4 mutants of 4 requirements are killed\n", "")
    found = report(checkout)
    assert found["requirements"] == 4
    assert found["mutants"] == [
        {
            "requirement": row["requirement"],
            "at": row["at"],
            "find": row["find"],
            "killed_by": [row["noticed_by"]],
        }
        for row in ALL
    ]


CONSTANT = {**ECHO, "at": "payload:OPERATIONS"}
IDLE: list[tuple[dict[str, str], str]] = [
    ({**ECHO, "replace": "data [ 'value' ]  # the same"}, "changes nothing"),
    ({**ECHO, "find": "'nowhere'"}, "does not apply: `find` stands 0 times in echo"),
    ({**ECHO, "find": ""}, "does not apply: `find` stands 0 times in echo"),
    ({**ECHO, "find": "data"}, "is ambiguous: `find` stands 2 times in echo"),
    ({**ECHO, "find": "data["}, "is no Python in `find`: '[' was never closed, line 1"),
    ({**ECHO, "replace": "data["}, "is no Python in `replace`: '[' was never closed, line 1"),
    ({**ECHO, "replace": "date"}, "does not apply: nothing binds date, which `replace` reads"),
    ({**ECHO, "at": "gone"}, "does not apply: nothing is named gone"),
    ({**ECHO, "at": "extraction:echo"}, "does not apply: nothing is named extraction:echo"),
    ({**PICK, "find": "names = []", "replace": "break"}, "does not compile: 'break' outside loop"),
    ({**CONSTANT, "find": "echo", "replace": "1 / 0"}, "does not import: ZeroDivisionError"),
    ({**ECHO, "find": '"notes"', "replace": '"note" "s" ""'}, "changes nothing"),
    (
        {**ECHO, "find": '{"notes": ["echoed"]}', "replace": '{**{}, "notes": ["echoed"]}'},
        "survives",
    ),
    # It breaks the requirement's operation, but only a case of another requirement sees it.
    ({**PICK, "requirement": "TOY-001"}, "survives 3 cases"),
    ({**ECHO, "requirement": "TOY-099"}, "names no requirement"),
    (
        {**ECHO, "at": "printable", "find": "c.isprintable()", "replace": "True"},
        "breaks a file that no operation imports",
    ),
]


@pytest.mark.parametrize("named", ["", "toy.echo.nowhere", "toy.echo.text"])
def test_write_renews_the_case_that_notices(
    checkout: Path, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    """A row that names none, one that is gone, or one that does not notice, is asked of all."""
    old = {**ECHO, "noticed_by": named} if named else {name: ECHO[name] for name in mutants.MEMBERS}
    rows = [old, PICK, NOTES, FLIP]
    assert run(checkout, rows) == 1
    assert run(checkout, rows, "--write") == 0
    capsys.readouterr()
    written = json.loads((checkout / "tests/evidence/mutants/toy.json").read_text())
    assert written == ALL


def test_what_kills_nothing_is_an_error(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(checkout, [*ALL, *(row for row, _ in IDLE)]) == 1
    lines = capsys.readouterr().err.splitlines()
    starts = [
        f"mutants: tests/evidence/mutants/toy.json row {number} "
        f"({row['requirement']}, {row['at']}) {problem}"
        for number, (row, problem) in enumerate(IDLE, 5)
    ]
    assert len(lines) == len(starts)
    for start in starts:
        assert sum(line.startswith(start) for line in lines) == 1, start
    assert [each["killed_by"] for each in report(checkout)["mutants"][4:]] == [[]] * len(IDLE)


def test_a_fault_in_shared_code_does_not_blind_the_comparison(checkout: Path) -> None:
    source = checkout / "reference" / "python" / "commoncall"
    code = source / "payload" / "operations.py"
    code.write_text("from commoncall.json_text import equal\n" + TOY.replace("data[", "one(data)["))
    code.write_text(
        code.read_text() + "\n\ndef one(data):\n    return data if equal(1, 1) else {}\n"
    )
    blind = {
        "requirement": "TOY-001",
        "at": "equal",
        "find": "return left is right",
        "replace": "return True",
        "noticed_by": "toy.echo.text",
    }
    deaf = {**blind, "find": "nearest(left) == nearest(right)", "replace": "False"}
    seen = {"find": 'one(data)["value"]', "replace": "True", "noticed_by": "toy.echo.text"}
    rows = [{**ECHO, **seen}, PICK, NOTES, FLIP]
    assert run(checkout, [*rows, deaf]) == 0
    killers = [each["killed_by"] for each in report(checkout)["mutants"]]
    assert killers[0] == killers[4] == ["toy.echo.text"]  # the first that fails
    assert run(checkout, [*rows, blind]) == 1


def test_rows_stay_when_the_code_moves(checkout: Path) -> None:
    source = checkout / "reference" / "python" / "commoncall"
    head, echo, rest = TOY.partition("def echo(data, env):\n")
    body, pick, rest = rest.partition("\n\ndef pick")
    moved = f'"""What said it before."""\n\n\n{echo}{body}'.replace("data", "given")
    (source / "payload" / "said.py").write_text(moved)
    code = f"{head}from commoncall.payload.said import echo\n{pick}{rest}".replace(
        "names = [", "names=[  # none yet"
    )
    (source / "payload" / "operations.py").write_text(
        code.replace("]\n    while", "\n    ]\n    while")
    )
    assert run(checkout, ALL) == 0
    assert all(each["killed_by"] for each in report(checkout)["mutants"])


def test_an_endless_loop_is_killed(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "SECONDS", 1)
    loop = {**PICK, "find": "names.append(sorted(data)[len(names)])", "replace": "pass"}
    assert run(checkout, [ECHO, loop, NOTES, FLIP]) == 0
    assert report(checkout)["mutants"][1]["killed_by"] == ["toy.pick.members"]


def test_a_requirement_without_mutants_is_an_error(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(checkout, [ECHO, PICK, FLIP]) == 1
    # TOY-003 needs a feature that this reference does not have; nothing can show it.
    assert capsys.readouterr().err == "mutants: TOY-004 has cases and no mutant\n"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"requirement": "TOY-001"}], "row 1 does not hold requirement, at, find, replace"),
        ([{**ECHO, "find": 1}], "row 1 holds what is not a text"),
        ([{**ECHO, "note": "x"}], "row 1 does not hold"),
        (["x"], "row 1 does not hold"),
    ],
)
def test_rows_out_of_form_are_an_error(
    checkout: Path, capsys: pytest.CaptureFixture[str], rows: list[Any], message: str
) -> None:
    assert run(checkout, rows) == 1
    assert message in capsys.readouterr().err


def test_the_record_beside_the_lists_is_none(checkout: Path) -> None:
    folder = checkout / "tests" / "evidence" / "mutants"
    folder.mkdir(parents=True)
    (folder / "record.json").write_text('{"mutants": []}')
    assert run(checkout, ALL) == 0


def test_no_lists_are_an_error(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert mutants.main(["--root", str(checkout)]) == 1
    assert "holds no list" in capsys.readouterr().err


def test_the_unbroken_reference_has_to_pass(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = checkout / "reference" / "python" / "commoncall" / "extraction" / "operations.py"
    code.write_text(SPARE.replace("not data", "data"))
    assert run(checkout, ALL) == 1
    assert capsys.readouterr().err == "mutants: the unbroken reference fails: spare.flip.on\n"


# The real lists. Whether they apply and are killed takes its time; the session `mutants` says it.


def test_no_row_stands_twice(root: Path) -> None:
    rows = [
        (mutant.requirement, mutant.at, mutant.find, mutant.replace)
        for mutant in mutants.read(root)
    ]
    assert len(set(rows)) == len(rows)


def test_every_row_applies(root: Path) -> None:
    package = Package(root / mutants.SOURCE)
    package.read()
    for mutant in mutants.read(root):
        locate(package.scopes, mutant.at, mutant.find, mutant.replace)


def test_every_row_of_every_port_names_a_requirement(root: Path) -> None:
    known = {each["id"] for each in documents(root).index["requirements"]}
    for file in (root / mutants.LISTS).rglob("*.json"):
        if file != root / RECORD:
            rows = json.loads(file.read_bytes())
            assert {row["requirement"] for row in rows} <= known, file
