"""What is true of every operation, whatever its contract: total, pure, closed.

``spec/conformance.md`` says it once for all; so does this file. Inputs are any JSON, any JSON under
the members that the operation takes, and inputs of its cases in which one place holds something
else.
"""

import copy
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commoncall.adapter import OPERATIONS, answer
from tests import examples, shared
from tools.fixtures.schemas import Schemas

ENV: Mapping[str, object] = {"ids": [f"id{n}" for n in range(40)], "clock_ms": list(range(40))}

LONGEST = 4000
"""Longer inputs of cases show limits, and take their time."""

NUMBERS = st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)

json_values = examples.shared(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**60), 2**60) | NUMBERS | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)


@pytest.fixture(scope="module")
def codes() -> set[str]:
    tables = shared.documents().manifest["codes"].values()
    return {row["code"] for table in tables for row in table}


@pytest.fixture(scope="module")
def schemas() -> Schemas:
    return shared.read_schemas()


def inputs_of(operation: str) -> Sequence[Any]:
    cases = [case.input for case in shared.suite().cases if case.operation.name == operation]
    return [value for value in cases if len(json.dumps(value)) <= LONGEST]


INPUTS = {operation: inputs_of(operation) for operation in OPERATIONS}


def members(operation: str) -> list[str]:
    """Return the names that inputs of the cases have."""
    found = {name for value in INPUTS[operation] if isinstance(value, dict) for name in value}
    return sorted(found)


@st.composite
def inputs(draw: st.DrawFn, operation: str) -> Any:
    kind = draw(st.integers(0, 3))
    if kind == 0:
        return draw(json_values)
    if kind == 1:
        return draw(st.dictionaries(st.sampled_from(members(operation)), json_values))
    value = copy.deepcopy(draw(st.sampled_from(INPUTS[operation])))
    places = list(containers(value))
    if kind == 2 or not places:
        return value
    place = draw(st.sampled_from(places))
    keys = sorted(place) if isinstance(place, dict) else range(len(place))
    key = draw(st.sampled_from(keys))
    place[key] = draw(json_values)
    return value


def containers(value: Any) -> list[Any]:
    """Return every object and array in a value that holds something."""
    nodes = [value]
    for node in nodes:  # it grows
        nodes += node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return [node for node in nodes if isinstance(node, (dict, list)) and node]


@pytest.mark.parametrize("operation", OPERATIONS)
@settings(max_examples=60)
@given(data=st.data())
def test_any_json_has_one_outcome_and_stays_as_it_was(
    operation: str, codes: set[str], schemas: Schemas, data: st.DataObject
) -> None:
    value = data.draw(inputs(operation))
    before = repr(value)  # Not ==, for which 0, 0.0 and False are one.
    outcome = answer(operation, value, ENV)
    shown = repr(outcome)
    assert repr(value) == before
    assert repr(answer(operation, copy.deepcopy(value), ENV)) == shown
    match outcome:
        case {"result": result, **rest}:
            contract, _, name = operation.partition(".")
            shape = f"urn:commoncall:v1:{contract}:{name}#/$defs/result"
            assert schemas.errors(shape, result) == []
            json.dumps(result, allow_nan=False)
        case {"error": {"code": code}, **rest}:
            assert code in codes
        case _:
            raise AssertionError(shown)
    assert not rest
