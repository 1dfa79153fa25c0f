"""Whoever does nothing satisfies nothing: the cases of each requirement need both outcomes."""

from typing import Any

import pytest

from commoncall_kit.suite.data import Suite
from tests import shared
from tests.evidence.adequacy import trivial
from tests.evidence.adequacy.trivial import EXEMPT

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
def test_a_trivial_adapter_answers_in_the_right_shape(
    name: str, suite: Suite, adapters: dict[str, trivial.Trivial]
) -> None:
    schemas = shared.read_schemas()
    for case in suite.cases:
        answer = adapters[name](case.operation.name, case.input, case.env or {})
        if "result" in answer:
            contract, _, operation = case.operation.name.partition(".")
            shape = f"urn:commoncall:v1:{contract}:{operation}#/$defs/result"
            assert schemas.errors(shape, answer["result"]) == [], case.id
        else:
            assert list(answer) == ["error"]
            assert answer["error"]["code"] in suite.codes


ROW = {"adapter": "echo", "diagnostics": False, "satisfied": ["PAY-009"]}


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ([ROW], []),
        ([ROW, {**ROW, "satisfied": ["PAY-001"]}], ["echo satisfies PAY-001"]),
        ([{**ROW, "satisfied": []}], ["echo does not satisfy PAY-009: no exemption is needed"]),
    ],
)
def test_what_an_adapter_satisfies_is_exempt_or_wrong(
    rows: list[dict[str, Any]], wrong: list[str]
) -> None:
    assert list(trivial.problems(rows)) == wrong


def test_exemptions_have_a_reason() -> None:
    assert all(EXEMPT.values())
