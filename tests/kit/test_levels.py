"""A single operation has a verdict and a claim; a level is a set of cases to begin with."""

import contextlib
import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from commoncall.adapter import answer
from commoncall.protocol import Declaration
from commoncall_kit.suite.data import load
from commoncall_kit.verdict.conformance import run, select
from tests import shared
from tests.command import Done, commoncall
from tests.kit_suite import adapter, seal, write_suite

FIRST = ["toy.pick.members", "toy.pick.no-object", "toy.echo.text", "toy.echo.number"]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return write_suite(tmp_path / "toy")


def conformance(root: Path, toy: Path, name: str, *options: str) -> Done:
    with contextlib.chdir(root):
        return commoncall("conformance", "--suite", str(toy), *options, "--", *adapter(name))


def form(root: Path, name: str, file: Path) -> Any:
    """Return a file that has its form."""
    schema = json.loads((root / f"schemas/v1/formats/{name}.schema.json").read_bytes())
    value = json.loads(file.read_bytes())
    Draft202012Validator(schema).validate(value)
    return value


def test_an_operation_is_conformant_where_its_contract_is_not(
    root: Path, toy: Path, tmp_path: Path
) -> None:
    files = [tmp_path / "r.json", tmp_path / "c.json"]
    options = ["--report", str(files[0]), "--claim", str(files[1])]
    done = conformance(root, toy, "undeclared", *options)
    assert done.returncode == 1
    shown = done.stdout.decode()
    assert shown.startswith("not conformant: toy\n")
    assert "toy.echo: conformant, 1 requirement, cases 2 passed, 1 not applicable\n" in shown
    assert "toy.pick: " not in shown  # nobody declares it
    rows = form(root, "report", files[0])["operation_verdicts"]
    assert [(row["operation"], row["verdict"]) for row in rows] == [("toy.echo", "conformant")]
    claim = form(root, "claim", files[1])
    assert [row["conformant"] for row in claim["contracts"]] == [False]
    assert [row["conformant"] for row in claim["operations"]] == [True]


def test_an_operation_alone_is_claimed(root: Path, toy: Path, tmp_path: Path) -> None:
    file, report = tmp_path / "c.json", tmp_path / "r.json"
    junit, markdown = tmp_path / "j.xml", tmp_path / "m.md"
    places = {"claim": file, "report": report, "junit": junit, "markdown": markdown}
    options = [word for name, path in places.items() for word in (f"--{name}", str(path))]
    done = conformance(root, toy, "undeclared", "--operation", "toy.echo", *options)
    assert done.returncode == 0
    assert done.stdout.startswith(b"conformant: toy.echo\n")
    assert b"toy.echo: conformant, 1 requirement" in done.stdout
    assert b"toy  " not in done.stdout
    assert form(root, "report", report)["selection"]["operations"] == ["toy.echo"]
    assert junit.read_text().count("<testcase") == 3
    assert "| toy.echo | conformant | 1/1 | 2 | 0 | 0 | 1 |" in markdown.read_text().replace(
        "\\", ""
    )
    claim = form(root, "claim", file)
    assert claim["contracts"] == []
    row = {"operation": "toy.echo", "conformant": True, "satisfied": 1, "total": 1}
    assert claim["operations"] == [row]
    assert [each["requirement"] for each in claim["requirements"]] == ["TOY-001", "TOY-004"]


def test_an_operation_that_is_broken_or_not_there_is_not_conformant(root: Path, toy: Path) -> None:
    for name, operation in (("boolean", "toy.echo"), ("undeclared", "toy.pick")):
        done = conformance(root, toy, name, "--operation", operation)
        assert done.returncode == 1
        assert done.stdout.decode().startswith(f"not conformant: {operation}\n")
    done = conformance(root, toy, "undeclared", "--operation", "spare.flip")
    assert done.returncode == 3
    both = conformance(root, toy, "good", "--operation", "toy.pick", "--contract", "spare")
    assert both.returncode == 3
    assert both.stdout.startswith(b"not established: no case of toy.pick was executed\n")


def test_a_law_asks_no_operation_that_is_not_declared() -> None:
    """`streamed` and the like send a case to another operation, where there is one."""
    suite, asked = shared.suite(), set[str]()

    def ask(name: str, value: Any, env: Mapping[str, object] | None) -> Any:
        asked.add(name)
        return answer(name, value, env)

    cases = select(suite, ["extraction"], operations=["extraction.extract"])
    cases = [case for case in cases if "chunking" in case.laws and not case.features][:5]
    assert cases
    for more in ([], ["extraction.stream"]):
        operations = ["extraction.extract", *more]
        declared = Declaration({}, operations, ["streaming"])
        results, _ = run(cases, declared, ask, 1)
        assert {each.outcome for each in results} == {"passed"}
        assert asked == set(operations)


def test_a_level_runs_its_core_cases_in_the_order_of_its_operations(
    root: Path, toy: Path, tmp_path: Path
) -> None:
    file = tmp_path / "r.json"
    done = conformance(root, toy, "good", "--level", "first", "--report", str(file))
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "first: satisfied"
    assert lines[3:] == [
        "toy.pick: satisfied, 1 requirement, cases 2 passed",
        "toy.echo: satisfied, 2 requirements, cases 2 passed",
    ]
    report = form(root, "report", file)
    assert report["selection"]["level"] == "first"
    assert [case["case"] for case in report["cases"]] == FIRST


def test_a_level_has_the_cases_of_its_origin(root: Path, toy: Path, tmp_path: Path) -> None:
    tree = shutil.copytree(toy, tmp_path / "other")
    file = tree / "fixtures/v1/toy/echo.json"
    value = json.loads(file.read_bytes())
    value["cases"][0]["origin"]["kind"] = "convention"
    file.write_text(json.dumps(value))
    seal(tree / "fixtures/v1")
    done = conformance(root, tree, "good", "--level", "first")
    assert b"toy.echo: satisfied, 2 requirements, cases 1 passed\n" in done.stdout


def test_a_level_names_what_is_missing_in_its_order(root: Path, toy: Path, tmp_path: Path) -> None:
    done = conformance(root, toy, "undeclared", "--level", "first")
    assert done.returncode == 1
    shown = done.stdout.decode()
    assert shown.startswith("first: not satisfied, failing or missing toy.pick\n")
    assert "toy.pick: not satisfied, 0 of 1 requirement, cases 0 passed, 2 failed\n" in shown
    assert "toy.pick is not declared\n" in shown
    done = conformance(root, toy, "nothing", "--level", "first")
    assert done.returncode != 0
    place = tmp_path / "c.json"
    done = conformance(root, toy, "good", "--level", "first", "--claim", str(place))
    assert b"no claim is written: a level shows" in done.stderr
    assert not place.exists()


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--level", "frist"], b"no level frist; near it: first"),
        (["--level", "first", "--contract", "toy"], b"a level is a selection of its own"),
        (["--level", "first", "--set", "0.1"], b"a level is a selection of its own"),
    ],
)
def test_a_level_that_is_not_there_or_not_alone_is_wrong_usage(
    root: Path, toy: Path, options: list[str], line: bytes
) -> None:
    done = conformance(root, toy, "good", *options)
    assert done.returncode == 2
    assert line in done.stderr


def test_basic_has_cases_of_incidents_alone_in_each_of_its_operations() -> None:
    suite = shared.suite()
    basic = suite.levels["basic"]
    held = [case for case in suite.cases if basic.holds(case)]
    assert {case.operation.name for case in held} == set(basic.operations)
    assert {case.origin for case in held} == {"incident"}
    assert not any(case.features for case in held)


@pytest.mark.parametrize("port", ["python", "node"])
def test_both_ports_satisfy_basic(root: Path, port: str) -> None:
    command = [sys.executable, "-m", "commoncall", "adapter"]
    if port == "node":
        if (node := shutil.which("node")) is None:
            pytest.skip("there is no command `node`")
        command = [node, "reference/javascript/adapter.mjs"]
    with contextlib.chdir(root):
        done = commoncall("conformance", "--level", "basic", "--", *command)
    assert done.returncode == 0
    assert done.stdout.startswith(b"basic: satisfied\n")


def test_a_suite_without_levels_has_none(toy: Path) -> None:
    file = toy / "fixtures/v1/manifest.json"
    manifest = json.loads(file.read_bytes())
    del manifest["levels"]
    file.write_text(json.dumps(manifest))
    seal(toy / "fixtures/v1")
    assert load(toy).levels == {}
