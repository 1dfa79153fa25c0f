"""The self-test: what every runner has to pass and to fail, shown with the kit and with a loop.

The loop is that of ``fixtures/v1/README.md``, in Python.
"""

from __future__ import annotations

import copy
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from commoncall.json_text import equal
from commoncall.kit import data
from commoncall.kit.report import EXIT_STATUS, Selection
from commoncall.kit.runner import drive
from tests.adapters.replay import key, table
from tests.kit_suite import SELFTEST
from tools.schemas import read_schemas

FILE = SELFTEST / "adapters.json"
ADAPTERS: list[dict[str, Any]] = json.loads(FILE.read_bytes())["adapters"]
NAMES = [each["adapter"] for each in ADAPTERS]


def about(name: str) -> dict[str, Any]:
    return next(each for each in ADAPTERS if each["adapter"] == name)


@pytest.mark.parametrize("name", NAMES)
def test_the_kit_says_of_each_adapter_what_the_data_say(name: str, root: Path) -> None:
    adapter = about(name)
    report = drive(
        data.load(SELFTEST),
        [sys.executable, str(root / "tests/adapters/replay.py"), str(FILE), name],
        seed=1,
        timeout=30,
        selection=Selection(),
        progress=lambda done, total: None,
    )
    assert (report.verdict, EXIT_STATUS[report.verdict]) == (adapter["verdict"], adapter["status"])
    outcomes = {case.case: case.outcome for case in report.cases if case.outcome != "passed"}
    assert outcomes == adapter["outcomes"]


@pytest.mark.parametrize("name", [name for name in NAMES if "loop" in about(name)])
def test_the_loop_of_a_port_is_green_and_red_as_the_data_say(name: str) -> None:
    assert ("green" if loop(name) else "red") == about(name)["loop"]


def loop(name: str) -> bool:
    start, answers = table(FILE, name)
    declared = json.loads(start)
    features = declared["features"]
    contracts = {operation.partition(".")[0] for operation in declared["operations"]}
    manifest = json.loads((SELFTEST / "manifest.json").read_bytes())
    operations = {each["operation"]: each for each in manifest["operations"]}
    passed = failed = 0
    for entry in manifest["suites"]:
        operation = operations[entry["operation"]]
        if operation["contract"] not in contracts:
            continue
        for case in json.loads((SELFTEST / entry["path"]).read_bytes())["cases"]:
            needed = [*case.get("features", []), operation["feature"]]
            if not {"core", *features}.issuperset(needed):
                continue
            if not set(features).isdisjoint(case.get("without", [])):
                continue
            given = json.loads(case["input_json"]) if "input_json" in case else case["input"]
            answer = None
            if entry["operation"] in declared["operations"]:
                answer = run(answers[key(entry["operation"], given)][0])
            expected = copy.deepcopy(case["expect"])
            if "diagnostics" not in features:
                for member in operation["diagnostics"]:
                    for side in (expected, answer or {}):
                        side.get("result", {}).pop(member, None)
            passed, failed = (
                (passed + 1, failed) if equal(expected, answer) else (passed, failed + 1)
            )
    return not failed and passed > 0


def run(line: str | None) -> dict[str, Any] | None:
    """Return what a line answers, or nothing."""
    try:
        answer = json.loads((line or "").replace("SEQ", "0"))
    except ValueError:
        return None
    answer.pop("seq", None)
    return answer if set(answer) in ({"result"}, {"error"}) else None


def test_every_kind_of_outcome_is_there() -> None:
    assert {each["verdict"] for each in ADAPTERS} == {
        "conformant",
        "not_conformant",
        "not_established",
    }
    assert {outcome for each in ADAPTERS for outcome in each["outcomes"].values()} == {
        "failed",
        "errored",
        "not_applicable",
    }
    assert len(set(NAMES)) == len(NAMES)


def test_the_right_answers_are_those_of_the_cases() -> None:
    right = {
        key(each["operation"], each["input"]): each["lines"][0]
        for each in json.loads(FILE.read_bytes())["right"]
    }
    cases = data.load(SELFTEST).cases
    assert len(right) == len(cases)
    for case in cases:
        line = right[key(case.operation.name, case.input)]
        assert equal(json.loads(line.replace("SEQ", "0")), {"seq": 0, **case.expect})


def test_the_files_follow_their_schemas(root: Path) -> None:
    schemas = read_schemas(root)
    names = {"manifest.json": "manifest", "requirements.json": "requirements"}
    for path in sorted(SELFTEST.rglob("*.json")):
        name = path.relative_to(SELFTEST).as_posix()
        kind = "selftest" if path == FILE else names.get(name, "suite")
        value = json.loads(path.read_bytes())
        assert schemas.errors(f"urn:commoncall:v1:formats:{kind}", value) == [], name


def test_the_sums_are_those_of_the_files() -> None:
    listed = data.read_sums((SELFTEST / "SHA256SUMS").read_bytes())
    files = {
        path.relative_to(SELFTEST).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in SELFTEST.rglob("*")
        if path.is_file() and path.name != "SHA256SUMS"
    }
    assert listed == files, "tests.kit_suite.seal writes them anew"
