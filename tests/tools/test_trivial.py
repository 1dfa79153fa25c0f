"""Whoever does nothing satisfies nothing: the cases of each requirement need both outcomes."""

from __future__ import annotations

import pytest

from commoncall.kit.suite.data import Suite
from tests import shared
from tools.adequacy import trivial
from tools.adequacy.trivial import EXEMPT

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
    return shared.suite()


@pytest.fixture(scope="module")
def adapters(suite: Suite) -> dict[str, trivial.Trivial]:
    return trivial.adapters(suite)  # made once: they remember their answers


def test_the_names_are_all(adapters: dict[str, trivial.Trivial]) -> None:
    assert list(adapters) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_trivial_adapter_answers_in_the_right_shape_and_satisfies_nothing(
    name: str, suite: Suite, adapters: dict[str, trivial.Trivial]
) -> None:
    adapter = adapters[name]
    check_shapes(adapter, suite)
    hits: set[str] = set()
    for diagnostics in (True, False):
        report = trivial.drive(suite, adapter, diagnostics=diagnostics)
        passed = sum(case.outcome == "passed" for case in report.cases)
        print(f"{name}: {passed} of {len(report.cases)} cases")
        assert report.verdict == "not_conformant"
        hits |= set(trivial.satisfied(report))
    exempt = {requirement for other, requirement in EXEMPT if other == name}
    assert not hits - exempt, f"{name} satisfies these: cite them in a case that fails it"
    assert not exempt - hits, "an exemption is not needed"


def check_shapes(adapter: trivial.Trivial, suite: Suite) -> None:
    schemas = shared.read_schemas()
    for case in suite.cases:
        answer = adapter(case.operation.name, case.input, case.env or {})
        if "result" in answer:
            contract, _, operation = case.operation.name.partition(".")
            shape = f"urn:commoncall:v1:{contract}:{operation}#/$defs/result"
            assert schemas.errors(shape, answer["result"]) == [], case.id
        else:
            assert list(answer) == ["error"]
            assert answer["error"]["code"] in suite.codes


def test_exemptions_have_a_reason() -> None:
    assert all(EXEMPT.values())
