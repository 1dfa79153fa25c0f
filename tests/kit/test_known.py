"""Known failures: what an entry excuses, and when the list itself is the fault."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from commoncall_kit.drive.session import read_declaration
from commoncall_kit.suite.data import Suite, load
from commoncall_kit.verdict import known_failures
from commoncall_kit.verdict.conformance import run, select
from commoncall_kit.verdict.report import EXIT_STATUS, Asked, Report, Selection, build, to_json
from commoncall_kit.verdict.terminal import render
from tests import shared
from tests.adapters.broken.good import HELLO, operate
from tests.kit_suite import write_set, write_suite

GOOD = read_declaration(HELLO)
TODAY = date(2026, 11, 22)
ABOUT = {"reason": "flags are not read", "issue": "#7", "expires": "2026-11-22"}
FLIP = {"case": "spare.flip.on", **ABOUT}
TEXT = {"case": "toy.echo.text", **ABOUT}


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return load(write_suite(tmp_path))


def broken(operation: str, data: object, env: Mapping[str, object] | None) -> dict[str, Any]:
    return {"result": {}} if operation == "spare.flip" else operate(operation, data)


def report(
    suite: Suite,
    *rows: Mapping[str, str],
    ask: Any = broken,
    cases: list[str] | None = None,
    today: date | None = TODAY,
) -> Report:
    entries = known_failures.read(content(*rows), suite)
    results, problem = run(select(suite, suite.contracts, cases or ()), GOOD, ask, 1)
    asked = Asked(suite, 1, Selection(cases=cases or []), entries, today)
    return build(asked, GOOD, results, problem)


def content(*rows: object) -> bytes:
    return json.dumps({"format": 1, "known_failures": rows}).encode()


def states(report: Report) -> list[str]:
    return [each.state for each in report.known_failures]


@pytest.mark.parametrize("row", [FLIP, {"requirement": "SPR-001", **ABOUT}])
def test_a_known_failure_is_green_and_no_conformance(suite: Suite, row: dict[str, str]) -> None:
    found = report(suite, row)
    assert found.verdict == "known_failures"
    assert EXIT_STATUS[found.verdict] == 0
    assert [each.verdict for each in found.contracts] == ["conformant", "known_failures"]
    assert [each.requirement for each in found.requirements if each.verdict == "violated"] == [
        "SPR-001"
    ]
    text = render(found)
    assert text.startswith("nothing but known failures, so not conformant: spare\n")
    assert "known failure, fails: " in text
    assert "(#7), until 2026-11-22: flags are not read\n" in text
    assert "failed: spare.flip.on" not in text


def test_it_excuses_nothing_else(suite: Suite) -> None:
    found = report(suite, TEXT)
    assert found.verdict == "not_conformant"
    assert states(found) == ["stale"]
    assert "failed: spare.flip.on" in render(found)


def test_a_listed_case_that_passes_is_stale_and_red(suite: Suite) -> None:
    found = report(suite, FLIP, TEXT)
    assert states(found) == ["fails", "stale"]
    assert (found.verdict, EXIT_STATUS[found.verdict]) == ("outdated", 1)
    text = render(found)
    assert text.startswith("the list of known failures is out of date: 1 of its entries\n")
    assert "known failure, stale: toy.echo.text (#7), it does not fail; remove the entry\n" in text


def test_a_past_date_is_red_and_excuses_nothing(suite: Suite) -> None:
    late = date(2026, 11, 23)
    found = report(suite, FLIP, today=late)
    assert states(found) == ["expired"]
    assert found.verdict == "not_conformant"
    assert "its last day was 2026-11-22" in render(found)
    passing = report(suite, FLIP, ask=lambda o, d, e: operate(o, d), today=late)
    assert (passing.verdict, states(passing)) == ("outdated", ["expired"])
    assert states(report(suite, FLIP, today=None)) == ["fails"]


def test_a_selection_says_nothing_of_the_others(suite: Suite) -> None:
    found = report(suite, FLIP, {"requirement": "TOY-001", **ABOUT}, cases=["toy.echo.text"])
    assert states(found) == ["idle", "idle"]
    assert found.verdict == "selection_passed"


def test_what_does_not_apply_is_stale(suite: Suite) -> None:
    bare = read_declaration({**HELLO, "features": []})
    entries = known_failures.read(content({"case": "toy.extra.null", **ABOUT}), suite)
    results, _ = run(suite.cases, bare, lambda o, d, e: operate(o, d), 1)
    (judged,), _ = known_failures.judge(entries, suite, results, TODAY)
    assert judged.state == "stale"


def test_a_case_that_is_not_scored_can_be_known_too(suite: Suite, tmp_path: Path) -> None:
    write_set(tmp_path, "spare.flip.on")
    found = report(load(tmp_path, "0.1"), FLIP)
    assert states(found) == ["fails"]
    assert found.contracts[0].verdict == "conformant"


def test_the_report_follows_its_schema(suite: Suite, root: Path) -> None:
    for found in (report(suite, FLIP, TEXT), report(suite, FLIP, today=date(2027, 1, 1))):
        value = json.loads(to_json(found))
        assert shared.read_schemas().errors("urn:commoncall:v1:formats:report", value) == []


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([{**FLIP, "case": "spare.flip.off"}], "no case spare.flip.off in this suite"),
        ([{**FLIP, "case": "spare.*"}], "no case spare.* in this suite"),
        ([{"requirement": "SPR-002", **ABOUT}], "no requirement SPR-002 in this suite"),
        ([FLIP, FLIP], "spare.flip.on stands twice"),
    ],
)
def test_what_does_not_exist_is_refused(suite: Suite, rows: list[Any], reason: str) -> None:
    with pytest.raises(known_failures.KnownFailuresError) as caught:
        known_failures.read(content(*rows), suite)
    assert str(caught.value) == reason


BAD_ROWS = [
    (1, " must be an object"),
    (
        ABOUT,
        " has none of its forms: known_failures[0].case is missing, or "
        "known_failures[0].requirement is missing",
    ),
    ({**FLIP, "requirement": "SPR-001"}, " must not have case and requirement at once"),
    ({**FLIP, "reason": " "}, ".reason must be what the schema says: What is wrong, for readers."),
    ({**FLIP, "issue": 7}, ".issue must be a string"),
    ({**FLIP, "case": None}, ".case must be a string"),
    ({**FLIP, "more": ""}, ".more is no known member"),
    (
        {**FLIP, "expires": "20261122"},
        ".expires must be what the schema says: "
        "The last day on which the entry counts, such as 2027-01-31.",
    ),
    ({**FLIP, "expires": "2026-02-30"}, ".expires is a day that never comes"),
]


@pytest.mark.parametrize(("row", "reason"), BAD_ROWS)
def test_an_entry_out_of_form_is_refused(suite: Suite, row: object, reason: str) -> None:
    with pytest.raises(known_failures.KnownFailuresError) as caught:
        known_failures.read(content(row), suite)
    assert str(caught.value) == f"known_failures[0]{reason}"


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[]", b'{"format": 1}', b'{"format": true, "known_failures": []}', b"\xff"]
)
def test_a_file_out_of_form_is_refused(suite: Suite, text: bytes) -> None:
    with pytest.raises(known_failures.KnownFailuresError):
        known_failures.read(text, suite)


def test_the_schema_says_the_same(suite: Suite, root: Path) -> None:
    schemas = shared.read_schemas()
    name = "urn:commoncall:v1:formats:known-failures"
    good = {"format": 1, "known_failures": [FLIP, {"requirement": "SPR-001", **ABOUT}]}
    assert schemas.errors(name, good) == []
    for row, _ in BAD_ROWS[:-1]:  # a schema knows no calendar
        assert schemas.errors(name, {"format": 1, "known_failures": [row]}), row
