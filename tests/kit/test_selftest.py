"""The self-test: what every runner has to pass and to fail, shown with the kit and with a loop.

The loop is that of ``fixtures/v1/README.md``, as it stands there.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from commoncall.json_text import equal
from commoncall_kit.runner import drive
from commoncall_kit.suite import data
from commoncall_kit.verdict.report import EXIT_STATUS, Asked
from tests import shared
from tests.adapters.replay import key, table
from tests.kit_suite import SELFTEST

FILE = SELFTEST / "adapters.json"
ADAPTERS: list[dict[str, Any]] = json.loads(FILE.read_bytes())["adapters"]
README = SELFTEST.parent / "v1" / "README.md"
LOOP = README.read_text(encoding="ascii").split("```python\n")[1].split("```")[0]
NAMES = [each["adapter"] for each in ADAPTERS]


def about(name: str) -> dict[str, Any]:
    return next(each for each in ADAPTERS if each["adapter"] == name)


@pytest.mark.parametrize("name", NAMES)
def test_the_kit_says_of_each_adapter_what_the_data_say(name: str, root: Path) -> None:
    adapter = about(name)
    command = [sys.executable, str(root / "tests/adapters/replay.py"), str(FILE), name]
    report = drive(Asked(data.load(SELFTEST), 1), command, timeout=30)
    assert (report.verdict, EXIT_STATUS[report.verdict]) == (adapter["verdict"], adapter["status"])
    outcomes = {case.case: case.outcome for case in report.cases if case.outcome != "passed"}
    assert outcomes == adapter["outcomes"]


@pytest.mark.parametrize("name", [name for name in NAMES if "loop" in about(name)])
def test_the_loop_of_a_port_is_green_and_red_as_the_data_say(name: str) -> None:
    assert ("green" if loop(name) else "red") == about(name)["loop"]


def test_a_loop_that_asks_what_is_not_declared_is_found_out() -> None:
    assert loop("core-left-out", asks_all=True), "the README says why it has to be red"
    readme = (SELFTEST / "README.md").read_text(encoding="ascii")
    assert "an operation that `start` does not declare is `nothing`" in " ".join(readme.split())


def test_the_loop_stands_once_and_the_other_pages_lead_there(root: Path) -> None:
    pages = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for folder in ("spec", "fixtures")
        for path in (root / folder).rglob("*.md")
    }
    assert [path for path, text in pages.items() if "for entry in manifest" in text] == [
        "fixtures/v1/README.md"
    ]
    for path in ("spec/vendoring.md", "spec/harness.md"):
        assert "](../fixtures/v1/README.md#the-loop)" in pages[path]


def loop(name: str, *, asks_all: bool = False) -> bool:
    """Run the loop of ``fixtures/v1/README.md`` over the toy suite; tell whether it is green."""
    start, answers = table(FILE, name)
    declared = json.loads(start)

    def ask(operation: str, given: Any, env: object) -> dict[str, Any]:
        if not asks_all and operation not in declared["operations"]:
            raise LookupError(operation)
        return run(answers[key(operation, given)][0])

    def require(holds: bool) -> None:
        assert holds

    names = {
        "MY_CONTRACTS": {operation.partition(".")[0] for operation in declared["operations"]},
        "MY_FEATURES": set(declared["features"]),
        "read": lambda path: (SELFTEST / path).read_bytes(),
        "parse": json.loads,
        "run": ask,
        "equal": equal,
        "require": require,
    }
    exec(LOOP, names)
    return not names["failure"]


def run(line: str | None) -> dict[str, Any]:
    """Return what a line answers; raise where that is nothing."""
    if line is None:
        raise EOFError
    answer: dict[str, Any] = json.loads(line.replace("SEQ", "0"))
    answer.pop("seq", None)
    if set(answer) not in ({"result"}, {"error"}):
        raise ValueError(line)
    return answer


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
    schemas = shared.read_schemas()
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
