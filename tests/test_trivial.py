"""Whoever does nothing satisfies nothing: the cases of each requirement need both outcomes."""

from __future__ import annotations

from pathlib import Path

import pytest

from commoncall.kit.data import Suite, load
from tests.adapters import trivial
from tests.adapters.trivial import EXEMPT
from tools.schemas import read_schemas

NAMES = [
    "null",
    "echo",
    "accept-all",
    "reject-all",
    "strip-everything",
    "refuse-all",
    "constant",
]


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load()


def test_the_names_are_all(suite: Suite) -> None:
    assert list(trivial.adapters(suite)) == NAMES


@pytest.mark.parametrize("diagnostics", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_a_trivial_adapter_satisfies_nothing(name: str, diagnostics: bool, suite: Suite) -> None:
    report = trivial.drive(suite, trivial.adapters(suite)[name], diagnostics=diagnostics)
    passed = sum(case.outcome == "passed" for case in report.cases)
    print(f"{name}: {passed} of {len(report.cases)} cases")
    assert report.verdict == "not_conformant"
    hits = [hit for hit in trivial.satisfied(report) if (name, hit) not in EXEMPT]
    assert not hits, f"{name} satisfies {', '.join(hits)}: cite these in a case that fails it"


@pytest.mark.parametrize("name", NAMES)
def test_a_trivial_adapter_answers_in_the_right_shape(name: str, suite: Suite, root: Path) -> None:
    schemas = read_schemas(root)
    adapter = trivial.adapters(suite)[name]
    for case in suite.cases:
        answer = adapter(case.operation.name, case.input, case.env or {})
        if "result" in answer:
            contract, _, operation = case.operation.name.partition(".")
            shape = f"urn:commoncall:v1:{contract}:{operation}#/$defs/result"
            assert schemas.errors(shape, answer["result"]) == [], case.id
        else:
            assert list(answer) == ["error"]
            assert answer["error"]["code"] in suite.codes


def test_exemptions_are_needed(suite: Suite) -> None:
    for (name, requirement), reason in EXEMPT.items():
        assert reason
        reports = [
            trivial.drive(suite, trivial.adapters(suite)[name], diagnostics=diagnostics)
            for diagnostics in (True, False)
        ]
        assert any(requirement in trivial.satisfied(report) for report in reports)
