"""What the kit derives from a case by each law, and that an adapter is held to it."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from commoncall.protocol import Declaration
from commoncall_kit.suite.data import Case, SuiteOperation
from commoncall_kit.suite.laws import LAWS, SETTLED, reversed_members
from commoncall_kit.verdict.conformance import run
from tests import shared

DECLARED = Declaration({}, ["payload.sanitize_request"], ["diagnostics"])
GIVEN = {"request": {"tools": [], "n": 1}, "capability": {"tool_calls_supported": True}}
RESULT = {
    "request": {"n": 1},
    "aliases": {"a_1": "a"},
    "findings": [{"code": "tools_empty", "path": "/request/tools"}],
}


def case(
    expect: Mapping[str, object], given: object = GIVEN, name: str = "payload.sanitize_request"
) -> Case:
    return Case(
        id=f"{name}.x",
        operation=SuiteOperation(name, name.partition(".")[0], "core", ["findings"]),
        requirements=["PAY-056"],
        features=frozenset(),
        without=frozenset(),
        laws=["idempotent"],
        input=given,
        env=None,
        expect=expect,
    )


def test_key_order_reverses_every_object_and_no_array() -> None:
    turned = reversed_members({"a": [{"b": 1, "c": 2}, 3], "d": {}})
    assert json.dumps(turned) == '{"d": {}, "a": [{"c": 2, "b": 1}, 3]}'


def test_key_order_keeps_the_outcome() -> None:
    expect = {"error": {"code": "invalid_input"}}
    assert LAWS["key-order"](case(expect, [{"b": 1, "a": 2}])) == ([{"a": 2, "b": 1}], expect)


def test_idempotent_puts_the_result_in_the_place_of_what_it_came_from() -> None:
    derived = LAWS["idempotent"](case({"result": RESULT}))
    settled = {"request": {"n": 1}, "aliases": {}, "findings": []}
    assert derived == ({**GIVEN, "request": {"n": 1}}, {"result": settled})


def test_idempotent_marks_a_history_again_where_its_profile_has_an_origin() -> None:
    origin = {"provider": "p", "model": "m"}
    profile = {"ids": "any", "origin": origin}
    given = {"messages": [{"_from": 1}], "profile": profile}
    expect: dict[str, object] = {"result": {"messages": [{}], "findings": [{}]}}
    derived = LAWS["idempotent"](case(expect, given, name="payload.sanitize_history"))
    settled: object = {"result": {"messages": [{}], "findings": []}}
    assert derived == ({"messages": [{"_from": origin}], "profile": profile}, settled)
    assert expect["result"] == {"messages": [{}], "findings": [{}]}
    no_origin = {**given, "profile": {"ids": "any"}}
    derived = LAWS["idempotent"](case(expect, no_origin, name="payload.sanitize_history"))
    assert derived == ({"messages": [{}], "profile": {"ids": "any"}}, settled)
    of_a_request = LAWS["idempotent"](case({"result": RESULT}, {**GIVEN, "profile": profile}))
    assert of_a_request is not None
    assert of_a_request[0] == {**GIVEN, "request": {"n": 1}, "profile": profile}


@pytest.mark.parametrize(
    "none",
    [
        case({"error": {"code": "duplicate_tool"}}),
        case({"result": RESULT}, given=[]),
        case({"result": {"content": ""}}, name="extraction.extract"),
    ],
    ids=["error", "no-object", "operation"],
)
def test_idempotent_derives_nothing_where_nothing_follows(none: Case) -> None:
    assert LAWS["idempotent"](none) is None


def test_dialect_order_reverses_the_dialects() -> None:
    expect = {"error": {"code": "invalid_input"}}
    derived = LAWS["dialect-order"](case(expect, {"text": "", "dialects": ["a", "b", "c"]}))
    assert derived == ({"text": "", "dialects": ["c", "b", "a"]}, expect)


@pytest.mark.parametrize("given", [{"text": ""}, {"dialects": ["a"]}, {"dialects": "ab"}, []])
def test_dialect_order_derives_nothing_without_an_order(given: object) -> None:
    assert LAWS["dialect-order"](case({"result": {}}, given)) is None


def test_an_adapter_that_changes_its_own_result_fails_by_the_law() -> None:
    def ask(operation: str, data: Any, env: object) -> dict[str, Any]:
        if data == GIVEN:
            return {"result": RESULT}
        return {"result": {**RESULT, "request": data["request"], "findings": []}}

    ((found,), _) = run([case({"result": RESULT})], DECLARED, ask, 0)
    assert (found.outcome, found.reason) == ("failed", "under the law idempotent")
    assert found.differences == 1
    assert found.difference
    assert found.difference.path == "/result/aliases/a_1"


def test_every_law_of_the_suite_derives_a_run() -> None:
    for each in shared.suite().cases:
        for law in each.laws:
            assert law not in LAWS or LAWS[law](each) is not None, (each.id, law)


def test_the_members_are_those_of_the_operations() -> None:
    for each in shared.suite().cases:
        if each.operation.name in SETTLED and "idempotent" in each.laws:
            member, rest = SETTLED[each.operation.name]
            result = each.expect["result"]
            assert isinstance(result, dict)
            # What is settled has skipped nothing, and then the member is absent (PAY-067).
            assert {member, *rest} == set(result) - {"skipped"}
