"""The rules of conformance, with adapters that are functions."""

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from commoncall.files import write
from commoncall.protocol import Declaration
from commoncall_kit.drive.ask import Ask, CaseError, RunError
from commoncall_kit.drive.session import read_declaration
from commoncall_kit.suite.data import Suite, load
from commoncall_kit.verdict import markdown
from commoncall_kit.verdict.conformance import CaseResult, claimed, run, select
from commoncall_kit.verdict.report import EXIT_STATUS, Asked, Report, Selection, build, to_json
from commoncall_kit.verdict.terminal import render
from tests.adapters.broken.good import HELLO, operate
from tests.kit_suite import write_suite
from tests.measuring import memory_peak

GOOD = read_declaration(HELLO)


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return load(write_suite(tmp_path))


def ask(operation: str, data: object, env: Mapping[str, object] | None) -> dict[str, Any]:
    return operate(operation, data)


def report(
    suite: Suite,
    ask: Ask = ask,
    declared: Declaration = GOOD,
    selection: Selection = Selection(),  # noqa: B008 - it is frozen
) -> Report:
    contracts = selection.contracts or claimed(suite, declared)
    results, problem = run(select(suite, contracts, selection.cases), declared, ask, 1)
    return build(Asked(suite, 1, selection), declared, results, problem)


def outcomes(report: Report) -> dict[str, str]:
    return {case.case: case.outcome for case in report.cases if case.outcome != "passed"}


def test_the_good_adapter_is_conformant(suite: Suite) -> None:
    found = report(suite)
    assert found.verdict == "conformant"
    assert not outcomes(found)
    assert {each.verdict for each in found.requirements} == {"satisfied"}
    assert render(found).startswith("conformant: toy, spare\n")


def test_no_answer_is_kept(suite: Suite) -> None:
    """However much an adapter says of each case, a run takes the memory of an answer or two."""
    size = 200_000

    def large(operation: str, data: object, env: object) -> dict[str, Any]:
        return {"result": {"a": "x" * size}}

    def run_all() -> None:
        assert report(suite, large).verdict == "not_conformant"

    assert len(suite.cases) > 6
    assert memory_peak(run_all) < 5 * size


def test_every_case_runs_twice_and_the_seed_decides_the_order(suite: Suite) -> None:
    def order(seed: int) -> list[str]:
        asked: list[str] = []

        def listen(operation: str, data: object, env: object) -> dict[str, Any]:
            asked.append(f"{operation} {json.dumps(data)}")
            return operate(operation, data)

        run(select(suite, suite.contracts), GOOD, listen, seed)
        return asked

    first = order(1)
    # One more than twice: the law of toy.pick.members.
    assert len(first) == 2 * len(suite.cases) + 1
    assert 'toy.pick {"b": 2, "a": 1}' in first
    assert order(1) == first
    assert order(2) != first
    half = len(suite.cases)
    assert sorted(first[:half]) == sorted(each for each in first if first.count(each) == 2)[::2]


def test_progress_is_told_to_the_end(suite: Suite) -> None:
    told: list[tuple[int, int]] = []
    run(suite.cases, GOOD, ask, 1, lambda done, total: told.append((done, total)))
    assert told == [(n, 14) for n in range(1, 15)]


def test_a_failure_names_case_requirement_address_and_difference(suite: Suite) -> None:
    def wrong(operation: str, data: object, env: object) -> dict[str, Any]:
        answer = operate(operation, data)
        return {"result": {"flag": 0}} if operation == "spare.flip" else answer

    found = report(suite, wrong)
    assert found.verdict == "not_conformant"
    assert outcomes(found) == {"spare.flip.on": "failed"}
    assert [each.requirement for each in found.requirements if each.verdict == "violated"] == [
        "SPR-001"
    ]
    text = render(found, ["--", "adapter", "an argument"])
    assert text.startswith("not conformant: spare (conformant: toy)\n")
    assert (
        "failed: spare.flip.on\n"
        "  SPR-001  Title of SPR-001  v1/spare/#spr-001\n"
        "  /result/flag\n"
        "    expected false\n"
        "    got      0\n"
    ) in text
    again = "commoncall conformance --case spare.flip.on --seed 1 -- adapter 'an argument'"
    assert text.endswith(f"one case again: {again}\n")


def test_what_is_not_declared_does_not_apply(suite: Suite) -> None:
    found = report(suite, declared=dataclasses.replace(GOOD, features=[]))
    assert found.verdict == "conformant"
    assert outcomes(found) == {
        "toy.echo.surrogate": "not_applicable",
        "toy.extra.null": "not_applicable",
    }
    toy = found.contracts[0]
    assert (toy.satisfied, toy.total) == (2, 2)
    assert toy.cases == {"passed": 4, "failed": 0, "errored": 0, "not_applicable": 2, "not_run": 0}
    verdicts = {each.requirement: each.verdict for each in found.requirements}
    assert verdicts["TOY-003"] == verdicts["TOY-004"] == "not_applicable"
    text = render(found)
    assert "not applicable: 1 (needs extra)\n" in text
    assert "not applicable: 1 (needs lone-surrogates)\n" in text
    assert "diagnostic members were not compared" in text


def test_diagnostics_do_not_count_where_they_are_not_declared(suite: Suite) -> None:
    def chatty(operation: str, data: object, env: object) -> dict[str, Any]:
        answer = operate(operation, data)
        if "notes" in answer.get("result", {}):
            answer["result"]["notes"] = ["shouted"]
        return answer

    assert report(suite, chatty).verdict == "not_conformant"
    quiet = dataclasses.replace(GOOD, features=["extra", "lone-surrogates"])
    assert report(suite, chatty, quiet).verdict == "conformant"


def test_a_case_without_a_feature_is_for_those_who_do_not_declare_it(suite: Suite) -> None:
    cases = [
        dataclasses.replace(case, without=frozenset(["extra"]))
        if case.id == "toy.echo.text"
        else case
        for case in suite.cases
    ]
    suite = dataclasses.replace(suite, cases=cases)
    found = report(suite)
    assert outcomes(found) == {"toy.echo.text": "not_applicable"}
    assert "not applicable: 1 (only without extra)\n" in render(found)
    assert found.requirements[0].verdict == "satisfied"
    plain = report(suite, declared=dataclasses.replace(GOOD, features=["diagnostics"]))
    assert "toy.echo.text" not in outcomes(plain)


def test_an_undeclared_core_operation_of_a_claimed_contract_fails(suite: Suite) -> None:
    declared = dataclasses.replace(GOOD, operations=["toy.echo", "spare.flip"])
    found = report(suite, declared=declared)
    assert outcomes(found) == {
        "toy.pick.members": "failed",
        "toy.pick.no-object": "failed",
        "toy.extra.null": "failed",  # its feature is declared
    }


def test_a_contract_without_declared_operations_is_not_claimed(suite: Suite) -> None:
    found = report(suite, declared=dataclasses.replace(GOOD, operations=["spare.flip"]))
    assert found.verdict == "conformant"
    assert [(each.contract, each.claimed, each.verdict) for each in found.contracts] == [
        ("toy", False, None),
        ("spare", True, "conformant"),
    ]
    assert [each.requirement for each in found.requirements] == ["SPR-001"]
    assert "toy    not claimed\n" in render(found)


def test_unknown_declarations_are_named(suite: Suite) -> None:
    declared = Declaration(GOOD.implementation, [*GOOD.operations, "a.b"], [*GOOD.features, "c"])
    found = report(suite, declared=declared)
    assert found.verdict == "conformant"
    assert found.declared.unknown == ["a.b", "c"]
    assert "declared, but not in this suite: a.b, c\n" in render(found)


def test_a_feature_of_no_contract_that_was_run_is_named(suite: Suite) -> None:
    found = report(suite, selection=Selection(contracts=["spare"]))
    assert found.declared.idle == ["diagnostics", "lone-surrogates", "extra"]
    line = "declared, but of nothing run here: diagnostics, lone-surrogates, extra\n"
    assert line in render(found)
    assert report(suite).declared.idle == []
    nothing = build(Asked(suite, 1, Selection(contracts=["other"])), GOOD, [])
    assert nothing.declared.idle == []


def test_failures_of_one_cause_are_told_once(suite: Suite) -> None:
    def lame(operation: str, data: object, env: object) -> dict[str, Any]:
        if operation in ("toy.echo", "spare.flip"):
            return {"errored": {"message": "KeyError"}}
        return {"result": {}}

    found = report(suite, lame)
    text = render(found)
    bad = [each for each in found.cases if each.outcome == "errored"]
    assert len(bad) == 4
    first, *_, last = (each.case for each in bad)
    names = "".join(f"  {each.case}\n" for each in bad[:3])
    assert (
        "\n\nerrored: 4 cases, for one and the same cause\n  the adapter says: KeyError\n"
        f"  requirements: SPR-001, TOY-001, TOY-004\n{names}  and 1 more\n"
    ) in text
    assert last not in text
    assert text.count("\nfailed: toy.") == 3, "other failures stand for themselves"
    assert f"| {first} and 3 more | errored | SPR-001, TOY-001, TOY-004 | `the adapter " in (
        markdown.render(found)
    )


def test_a_skip_is_a_failure_and_an_admitted_error_an_error(suite: Suite) -> None:
    def lame(operation: str, data: object, env: object) -> dict[str, Any]:
        if operation == "toy.pick":
            return {"skipped": {"reason": "later"}}
        return (
            {"errored": {"message": "oops"}} if data == {"value": 1} else operate(operation, data)
        )

    found = report(suite, lame)
    assert outcomes(found) == {
        "toy.echo.number": "errored",
        "toy.pick.members": "failed",
        "toy.pick.no-object": "failed",
    }


def test_an_error_is_never_an_expected_rejection(suite: Suite) -> None:
    def break_down(operation: str, data: object, env: object) -> dict[str, Any]:
        raise CaseError("it fell over")

    found = report(suite, break_down, selection=Selection(cases=["toy.pick.no-object"]))
    assert outcomes(found) == {"toy.pick.no-object": "errored"}
    assert found.verdict == "not_conformant"


def test_a_selection_that_passes_is_not_conformance(suite: Suite) -> None:
    found = report(suite, selection=Selection(cases=["toy.echo.text"]))
    assert found.verdict == "selection_passed"
    assert EXIT_STATUS[found.verdict] == 0
    assert [each.verdict for each in found.contracts] == ["selection_passed", None]
    assert "says nothing of conformance" in render(found)


def test_a_selected_contract_can_be_conformant(suite: Suite) -> None:
    found = report(suite, selection=Selection(contracts=["spare"]))
    assert found.verdict == "conformant"
    assert [each.verdict for each in found.contracts] == [None, "conformant"]


def test_nothing_executed_establishes_nothing(suite: Suite) -> None:
    bare = dataclasses.replace(GOOD, features=[])
    found = report(suite, declared=bare, selection=Selection(cases=["toy.extra.null"]))
    assert found.verdict == "not_established"
    assert found.reason == "no case of toy was executed"
    assert EXIT_STATUS[found.verdict] == 3
    nothing = build(Asked(suite, 1, Selection(cases=["toy.extra.null"])), bare, [])
    assert (nothing.verdict, nothing.reason) == ("not_established", "no case was selected")


def test_a_claimed_contract_without_cases_is_not_established(suite: Suite) -> None:
    poor = dataclasses.replace(
        suite, cases=[case for case in suite.cases if case.operation.contract == "toy"]
    )
    found = report(poor)
    assert found.verdict == "not_established"
    assert found.reason == "no case of spare was executed"


def test_an_incomplete_run_establishes_nothing(suite: Suite) -> None:
    asked = 0

    def give_up(operation: str, data: object, env: object) -> dict[str, Any]:
        nonlocal asked
        asked += 1
        if asked == 10:
            raise RunError("gone")
        return operate(operation, data)

    found = report(suite, give_up)
    assert (found.verdict, found.reason) == ("not_established", "gone")
    assert "not_run" in outcomes(found).values()
    assert {each.verdict for each in found.contracts} == {"not_established"}


@pytest.mark.parametrize("features", [HELLO["features"], []])
def test_the_report_follows_its_schema(
    suite: Suite, root: Path, tmp_path: Path, features: list[str]
) -> None:
    schema = json.loads((root / "schemas/v1/formats/report.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)

    def wrong(operation: str, data: object, env: object) -> dict[str, Any]:
        return {"result": {"value": "\ud800"}}

    declared = dataclasses.replace(GOOD, features=features)
    for found in (
        report(suite, wrong, declared),
        report(suite, declared=declared),
        build(Asked(suite, 1), None, [], "never started"),
    ):
        validator.validate(json.loads(to_json(found)))
        file = tmp_path / "report.json"
        write(file, to_json(found))
        assert json.loads(file.read_text(encoding="ascii")) == json.loads(to_json(found))
        assert {path.name for path in tmp_path.iterdir()} == {"fixtures", "report.json"}


def test_texts_of_an_adapter_cannot_steer_the_terminal(suite: Suite) -> None:
    name = {**GOOD.implementation, "name": "\x1b[2J\u202etoy"}
    found = report(suite, declared=dataclasses.replace(GOOD, implementation=name))
    assert "\\x1b[2J\\u202etoy 1.0.0 (Python)" in render(found)


def test_results_keep_the_order_of_the_cases(suite: Suite) -> None:
    results, _ = run(suite.cases, GOOD, ask, 99)
    assert [each.case for each in results] == list(suite.cases)
    assert all(isinstance(each, CaseResult) for each in results)
