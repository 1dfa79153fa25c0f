"""The forms of a report for machines and pages: JUnit XML, Markdown, a claim."""

import dataclasses
import json
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from commoncall.printable import printable
from commoncall.protocol import Declaration
from commoncall_kit.drive.ask import Ask, RunError
from commoncall_kit.drive.session import read_declaration
from commoncall_kit.suite.data import Suite, load
from commoncall_kit.verdict import claim, junit, known_failures, markdown, terminal
from commoncall_kit.verdict.claim import ClaimError
from commoncall_kit.verdict.conformance import claimed, run, select
from commoncall_kit.verdict.report import Asked, Report, Selection, build, to_json
from tests import shared
from tests.adapters.broken.good import HELLO, operate
from tests.kit_suite import seal, write_reviews, write_set, write_suite

GOOD = read_declaration(HELLO)
KNOWN = {"case": "spare.flip.on", "reason": "later", "issue": "#7", "expires": "2027-01-01"}


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return load(write_suite(tmp_path))


def ask(operation: str, data: object, env: Mapping[str, object] | None) -> dict[str, Any]:
    return operate(operation, data)


def wrong(operation: str, data: object, env: Mapping[str, object] | None) -> dict[str, Any]:
    hostile = {"result": {"flag": "\x1b<b>\ud800|\n`&"}}
    return hostile if operation == "spare.flip" else operate(operation, data)


def dead(operation: str, data: object, env: Mapping[str, object] | None) -> dict[str, Any]:
    raise RunError("gone & <lost>")


def report(
    suite: Suite,
    ask: Ask = ask,
    declared: Declaration = GOOD,
    selection: Selection = Selection(),  # noqa: B008 - it is frozen
    rows: tuple[Mapping[str, str], ...] = (),
) -> Report:
    contracts = selection.contracts or claimed(suite, declared)
    results, problem = run(select(suite, contracts, selection.cases), declared, ask, 1)
    entries = known_failures.read(json.dumps({"format": 1, "known_failures": rows}).encode(), suite)
    asked = Asked(suite, 1, selection, entries, date(2026, 11, 22))
    return build(asked, declared, results, problem)


# JUnit


def marks(report: Report) -> dict[str, str]:
    cases = ElementTree.fromstring(junit.render(report)).iter("testcase")
    return {case.attrib["name"]: case[0].tag for case in cases if len(case)}


def test_junit_has_a_suite_for_each_contract_that_counts_its_cases(suite: Suite) -> None:
    suites = ElementTree.fromstring(junit.render(report(suite, wrong))).findall("testsuite")
    assert [each.attrib for each in suites] == [
        {"name": "toy", "tests": "6", "errors": "0", "failures": "0", "skipped": "0"},
        {"name": "spare", "tests": "1", "errors": "0", "failures": "1", "skipped": "0"},
    ]


def test_junit_says_what_failed_and_which_requirement(suite: Suite) -> None:
    (case,) = ElementTree.fromstring(junit.render(report(suite, wrong))).findall(
        "testsuite/testcase[failure]"
    )
    assert case.attrib == {"classname": "spare.flip", "name": "spare.flip.on"}
    assert case[0].attrib == {"message": "SPR-001: /result/flag"}
    assert (case[0].text or "").splitlines() == [
        "failed: spare.flip.on",
        "  SPR-001  Title of SPR-001  v1/spare/#spr-001",
        "  /result/flag",
        "    expected false",
        '    got      "\\u001b<b>\\ud800|\\n`&"',
        "  commoncall explain spare.flip.on",
    ]


def test_junit_fails_nobody_for_what_is_known_not_scored_or_does_not_apply(
    suite: Suite, tmp_path: Path
) -> None:
    assert marks(report(suite, wrong, rows=(KNOWN,))) == {"spare.flip.on": "skipped"}
    write_set(tmp_path, "spare.flip.on")
    assert marks(report(load(tmp_path, "0.1"), wrong))["spare.flip.on"] == "skipped"
    bare = dataclasses.replace(GOOD, features=["diagnostics"])
    assert set(marks(report(suite, declared=bare)).values()) == {"skipped"}


def test_junit_holds_an_error_where_the_run_proved_nothing(suite: Suite) -> None:
    assert marks(report(suite, dead))["verdict"] == "error"
    stale = report(suite, rows=(KNOWN,))
    assert marks(stale) == {"verdict": "error"}


# Markdown


def test_markdown_has_the_verdict_the_contracts_and_the_failures(suite: Suite) -> None:
    lines = markdown.render(report(suite, wrong)).splitlines()
    assert lines[0] == "## CommonCall: not conformant: spare \\(conformant: toy\\)"
    assert "| toy | conformant | 4/4 | 6 | 0 | 0 | 0 |" in lines
    (row,) = (line for line in lines if line.startswith("| spare.flip.on "))
    assert row == (
        "| spare.flip.on | failed | SPR-001 | ``/result/flag: expected false, got "
        '"\\u001b<b>\\ud800\\x7c\\n`&"`` |'
    )
    assert "suite 0.1.0, sha256:" in lines[-1]


def test_markdown_lists_the_known_failures(suite: Suite) -> None:
    text = markdown.render(report(suite, wrong, rows=(KNOWN,)))
    assert "| spare.flip.on | fails | 2027-01-01 | `#7` | `later` |\n" in text
    assert "| case |" not in text


def test_markdown_of_nothing_says_why(suite: Suite) -> None:
    text = markdown.render(report(suite, dead))
    assert text.startswith("## CommonCall: not established: `gone & <lost>`\n")
    nobody = build(Asked(suite, 1), None, [], "never started")
    text = markdown.render(nobody)
    assert text.startswith("## CommonCall: not established: `never started`\n")
    assert "\nAdapter: none; suite 0.1.0, sha256:" in text


HOSTILE = [
    "see https://example.org/a",
    "WWW.example.org",
    "a@example.org @everyone #1 GH-1",
    "> quote",
    "- list",
    "1. list",
    "# heading",
    "[a](https://example.org)",
    "$x$ :tada: <b>",
    "`",
    "``` a `` b |",
    " a ",
    "\\| c \\",
    "a\n\n> b",
]
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


@pytest.mark.parametrize("words", HOSTILE)
def test_words_of_others_are_code_in_markdown(suite: Suite, words: str) -> None:
    """Nothing in a code span is markup or becomes a link, so all of them stand in one."""

    def broken(operation: str, data: object, env: object) -> dict[str, Any]:
        return {"errored": {"message": words}}

    def refusing(operation: str, data: object, env: object) -> dict[str, Any]:
        raise RunError(words)

    declared = dataclasses.replace(GOOD, implementation={**GOOD.implementation, "name": words})
    known = {**KNOWN, "reason": words, "issue": words}
    shown = printable(words).replace("|", "\\x7c")
    for asked, rows in ((broken, ()), (refusing, ()), (wrong, (known,))):
        text = markdown.render(report(suite, asked, declared, rows=rows))
        spans = [span[2] for line in text.splitlines() for span in SPAN.finditer(line)]
        assert [span for span in spans if shown in span]
        rest = SPAN.sub("CODE", text)
        assert "`" not in rest
        assert "\nAdapter: CODE; suite 0.1.0, " in rest
        lines = [line for line in rest.splitlines() if line]
        assert {line[:2] for line in lines} <= {"##", "| ", "|-", "Ad"}
        tables = {line.count("|") for line in lines if line.startswith("|")}
        assert tables <= {5, 6, 8}, "no table has more columns than its head"
        assert [mark for mark in ("://", "www.", "@", "$", "<", "#1") if mark in rest.lower()] == []


def test_an_address_in_the_suite_is_code_in_markdown(suite: Suite) -> None:
    suite = dataclasses.replace(suite, version="www.example.org")
    assert "; `suite www.example.org, sha256:" in markdown.render(report(suite))


# words of an adapter that are too many


@pytest.mark.parametrize("kind", ["errored", "skipped"])
def test_a_report_keeps_the_begin_of_a_message(suite: Suite, kind: str) -> None:
    member = {"errored": "message", "skipped": "reason"}[kind]

    def said(length: int) -> str:
        def says(operation: str, data: object, env: object) -> dict[str, Any]:
            return {kind: {member: "m" * length}}

        found = report(suite, says)
        assert len(to_json(found)) < 100_000
        (reason,) = {case.reason for case in found.cases}
        assert reason is not None
        return reason.partition(": ")[2]

    assert said(1000) == "m" * 1000
    assert said(1001) == "m" * 1000 + "... (1001 characters in all)"
    assert said(1_000_000) == "m" * 1000 + "... (1000000 characters in all)"


def test_a_report_keeps_the_begin_of_a_path(suite: Suite) -> None:
    def wide(operation: str, data: object, env: object) -> dict[str, Any]:
        answer = operate(operation, data)
        if "result" in answer:
            answer["result"]["n" * 1_000_000] = 1
        return answer

    found = report(suite, wide)
    assert len(to_json(found)) < 100_000
    (path,) = {case.difference.path for case in found.cases if case.difference}
    assert path == "/result/" + "n" * 992 + "... (1000008 characters in all)"


# the claim


def made(report: Report) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(claim.render(report))
    return value


def test_a_claim_has_who_what_and_a_verdict_for_each_requirement(suite: Suite, root: Path) -> None:
    value = made(report(suite, wrong))
    assert shared.read_schemas().errors("urn:commoncall:v1:formats:claim", value) == []
    assert value["implementation"] == HELLO["implementation"]
    assert value["suite"] == {"version": "0.1.0", "digest": suite.digest}
    assert value["date"] == "2026-11-22"
    assert value["contracts"] == [
        {"contract": "toy", "conformant": True, "satisfied": 4, "total": 4, "by_review": 0},
        {"contract": "spare", "conformant": False, "satisfied": 0, "total": 1, "by_review": 0},
    ]
    assert {each["requirement"]: each["verdict"] for each in value["requirements"]} == {
        **dict.fromkeys(["TOY-001", "TOY-002", "TOY-003", "TOY-004"], "satisfied"),
        "SPR-001": "violated",
    }


def test_a_claim_of_one_contract_holds_that_alone(suite: Suite) -> None:
    value = made(report(suite, selection=Selection(contracts=["spare"])))
    assert [each["contract"] for each in value["contracts"]] == ["spare"]
    assert [each["requirement"] for each in value["requirements"]] == ["SPR-001"]
    assert value["features"] == [], "no feature belongs to this contract"


def test_a_known_failure_is_claimed_as_what_it_is(suite: Suite) -> None:
    value = made(report(suite, wrong, rows=(KNOWN,)))
    assert not value["contracts"][1]["conformant"]
    assert value["requirements"][-1]["verdict"] == "violated"


def test_a_claim_of_a_set_holds_what_is_scored(suite: Suite, tmp_path: Path) -> None:
    write_set(tmp_path, "toy.extra.null", "TOY-003")
    frozen = load(tmp_path, "0.1")
    value = made(report(frozen))
    assert value["set"] == "0.1"
    assert "TOY-003" not in {each["requirement"] for each in value["requirements"]}


def test_a_case_that_only_cites_others_since_then_is_scored(suite: Suite, tmp_path: Path) -> None:
    file = write_set(tmp_path)
    [first, *_] = load(tmp_path).cases
    path = next(tmp_path.glob(f"fixtures/v1/*/{first.operation.name.partition('.')[2]}.json"))
    document = json.loads(path.read_bytes())
    [case] = [case for case in document["cases"] if case["id"] == first.id]
    case["requirements"] = ["SPR-001"]
    path.write_text(json.dumps(document))
    seal(tmp_path / "fixtures" / "v1")
    cited = [first.id, *first.requirements]
    for told, scored in (("", False), (json.dumps(cited), True), (json.dumps(cited[:1]), False)):
        (file.parent / "0.1-cited.jsonl").write_text(told)
        frozen = load(tmp_path, "0.1")
        [same] = [case for case in frozen.cases if case.id == first.id]
        assert (frozen.scores(same), same.requirements) == (scored, ["SPR-001"])


def test_a_set_does_not_ask_a_law_that_changed_after_it(suite: Suite, tmp_path: Path) -> None:
    """A port that passed 0.1 goes on to pass it; what the set does not score has every law."""
    laws = ["key-order", "idempotent", "chunking", "streamed"]
    cases = [dataclasses.replace(case, laws=laws) for case in suite.cases]
    write_set(tmp_path, cases[0].id)
    frozen = dataclasses.replace(load(tmp_path, "0.1"), cases=cases)
    asked = [case.laws for case in select(frozen, frozen.contracts)]
    assert asked == [laws, *[["key-order", "streamed"]] * (len(cases) - 1)]


def test_a_contract_that_came_after_the_set_is_not_asked(suite: Suite, tmp_path: Path) -> None:
    write_set(tmp_path, *(case.id for case in suite.cases if case.operation.contract == "spare"))
    found = report(load(tmp_path, "0.1"), wrong)
    assert (found.verdict, found.judged) == ("conformant", {"toy": "conformant"})
    assert "spare  not in the set; unscored" in terminal.render(found)


def test_features_decide_what_applies(suite: Suite) -> None:
    bare = dataclasses.replace(GOOD, features=["diagnostics", "unheard-of"])
    value = made(report(suite, declared=bare))
    assert value["features"] == ["diagnostics"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"ask": dead}, "the run established nothing: gone & <lost>"),
        ({"selection": Selection(cases=["toy.echo.text"])}, "single cases were selected"),
        ({"version": "main"}, "the version main is neither a semantic version"),
        ({"version": "1.0"}, "the version 1.0 is neither a semantic version"),
        ({"version": "9f2c1e7"}, "nor a whole commit id"),
    ],
)
def test_what_shows_nothing_backs_no_claim(
    suite: Suite, changes: dict[str, Any], reason: str
) -> None:
    version = changes.pop("version", "1.0.0")
    who = {**GOOD.implementation, "version": version}
    declared = dataclasses.replace(GOOD, implementation=who)
    with pytest.raises(ClaimError) as caught:
        claim.claim(report(suite, declared=declared, **changes))
    assert reason in str(caught.value)


@pytest.mark.parametrize("version", ["0.1.0-dev.0", "2.4.1+build.5", "a" * 40, "0" * 64])
def test_a_release_and_a_commit_are_versions(suite: Suite, version: str, root: Path) -> None:
    who = {**GOOD.implementation, "version": version}
    value = made(report(suite, declared=dataclasses.replace(GOOD, implementation=who)))
    assert shared.read_schemas().errors("urn:commoncall:v1:formats:claim", value) == []


# what no case shows


@pytest.fixture
def reviewed(tmp_path: Path) -> Suite:
    return load(write_reviews(write_suite(tmp_path)))


def test_every_form_names_what_is_checked_by_review(reviewed: Suite, root: Path) -> None:
    found = report(reviewed)
    assert [(each.satisfied, each.total, each.by_review) for each in found.contracts] == [
        (4, 4, 5),
        (1, 1, 0),
    ]
    line = "5 more by review: TOY-010 to TOY-013, TOY-020"
    assert f"\n       {line}\n" in terminal.render(found)
    assert f"\n- toy: {line}\n" in markdown.render(found)
    value = json.loads(to_json(found))
    assert shared.read_schemas().errors("urn:commoncall:v1:formats:report", value) == []
    verdicts = {each["requirement"]: each["verdict"] for each in value["requirements"]}
    assert verdicts["TOY-013"] == "by_review"
    claimed = made(found)
    assert shared.read_schemas().errors("urn:commoncall:v1:formats:claim", claimed) == []
    assert claimed["contracts"][0] == {
        **{"contract": "toy", "conformant": True},
        **{"satisfied": 4, "total": 4, "by_review": 5},
    }


def test_a_review_of_a_feature_applies_to_those_who_declare_it(reviewed: Suite) -> None:
    bare = dataclasses.replace(GOOD, features=["diagnostics"])
    found = report(reviewed, declared=bare)
    assert "4 more by review: TOY-011 to TOY-013, TOY-020\n" in terminal.render(found)
    value = made(found)
    assert {"TOY-010": "not_applicable", "TOY-011": "by_review"}.items() <= {
        each["requirement"]: each["verdict"] for each in value["requirements"]
    }.items()


def test_cases_that_are_selected_say_nothing_of_a_review(reviewed: Suite) -> None:
    found = report(reviewed, selection=Selection(cases=["toy.echo.text"]))
    assert "by review" not in terminal.render(found)
    found = report(reviewed, selection=Selection(contracts=["spare"]))
    assert "by review" not in terminal.render(found)
