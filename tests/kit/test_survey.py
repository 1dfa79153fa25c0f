"""Surveys: which cases a system is asked, what counts as kept, and that there is no verdict."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from commoncall_kit.drive.ask import Ask, CaseError, RunError
from commoncall_kit.suite.data import Suite, load
from commoncall_kit.verdict import survey
from commoncall_kit.verdict.survey import DescriptionError, System, by_requirement
from tests import shared
from tests.adapters.broken.good import operate
from tests.command import process, refused
from tests.kit_suite import adapter, write_suite

ECHO: dict[str, Any] = {"inputs": ["value"], "members": ["value"], "mapping": "as it is"}
ABOUT = {
    "format": 1,
    "name": "toy",
    "title": "Toy",
    "project": "Toys",
    "package": "toy",
    "home": "https://example.org/",
}


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return load(write_suite(tmp_path))


def described(suite: Suite, **operations: Mapping[str, Any]) -> System:
    named = {name.replace("__", "."): offer for name, offer in operations.items()}
    return survey.read(json.dumps({**ABOUT, "operations": named}).encode(), suite)


def surveyed(suite: Suite, system: System, ask: Ask) -> survey.Survey:
    cases, _ = survey.select(suite, system)
    return survey.run(cases, system, ask)


def good(operation: str, data: object, env: Mapping[str, object] | None) -> dict[str, Any]:
    return operate(operation, data)


def test_a_right_system_keeps_all_that_it_is_asked(suite: Suite) -> None:
    system = described(suite, toy__echo=ECHO)
    found = surveyed(suite, system, good)
    assert found["others"] == {}
    assert found["incomplete"] is None
    assert found["kept"]
    assert all(name.startswith("toy.echo.") for name in found["kept"])


def test_only_the_named_members_are_compared(suite: Suite) -> None:
    def ask(operation: str, data: object, env: Mapping[str, object] | None) -> dict[str, Any]:
        return {"result": {**operate(operation, data)["result"], "notes": ["other"], "more": 1}}

    assert surveyed(suite, described(suite, toy__echo=ECHO), ask)["others"] == {}
    noted = described(suite, toy__echo={**ECHO, "members": ["value", "notes/*"]})
    assert surveyed(suite, noted, ask)["kept"] == []


def test_the_error_of_an_operation_is_not_offered() -> None:
    suite = shared.suite()
    offer = {"inputs": ["registered", "layers"], "members": ["effective"], "mapping": "as it is"}
    cases, others = survey.select(suite, described(suite, capability__effective_tools=offer))
    assert others["the error of an operation"] > 0
    assert all("result" in case.expect for case in cases)


def test_an_input_with_more_than_the_adapter_hands_on_is_not_offered(suite: Suite) -> None:
    cases, others = survey.select(suite, described(suite, toy__echo={**ECHO, "inputs": []}))
    assert cases == []
    assert others["an input with value"] > 0


def test_what_the_adapter_skips_is_neither_kept_nor_broken(suite: Suite) -> None:
    def ask(operation: str, data: object, env: Mapping[str, object] | None) -> dict[str, Any]:
        return {"skipped": {"reason": "no numbers here"}}

    system = described(suite, toy__echo=ECHO)
    found = surveyed(suite, system, ask)
    assert (found["kept"], found["others"]) == ([], {})
    assert found["not_offered"] == {"no numbers here": len(survey.select(suite, system)[0])}


def test_each_way_to_give_no_result_has_its_name(suite: Suite) -> None:
    def raises(operation: str, data: object, env: Mapping[str, object] | None) -> dict[str, Any]:
        return {"errored": {"message": "KeyError"}}

    def silent(operation: str, data: object, env: Mapping[str, object] | None) -> dict[str, Any]:
        raise CaseError("no answer within 5 s")

    def gone(operation: str, data: object, env: Mapping[str, object] | None) -> dict[str, Any]:
        raise RunError("the adapter does not start")

    system = described(suite, toy__echo=ECHO)
    ends = {found["outcome"] for found in surveyed(suite, system, raises)["others"].values()}
    assert ends == {"raised"}
    found = surveyed(suite, system, silent)["others"]
    assert {each["outcome"] for each in found.values()} == {"no_answer"}
    assert {each["reason"] for each in found.values()} == {"no answer within 5 s"}
    assert surveyed(suite, system, gone)["incomplete"] == "the adapter does not start"


EXTRACT: dict[str, Any] = {
    "inputs": ["text", "effective"],
    "members": ["tool_calls/*/name", "content"],
    "blank": ["content"],
    "dialects": ["tool_call"],
    "formats": ["hermes"],
    "mapping": "as it is",
}


def test_a_system_is_asked_the_dialects_that_it_reads() -> None:
    suite = shared.suite()
    cases, others = survey.select(suite, described(suite, extraction__extract=EXTRACT))
    asked = {case.id: case for case in cases}
    assert others["a call in another dialect"] > 0
    assert others["no dialect that it reads is active"] > 0
    assert others["another format"] > 0
    for case in asked.values():
        assert isinstance(case.input, dict)
        assert case.input.keys() <= {"text", "effective", "dialects", "format"}
        assert case.input.get("format", "hermes") == "hermes"
        segments = case.expect["result"]["segments"]  # type: ignore[index]
        assert {each.get("dialect", "tool_call") for each in segments} <= {"tool_call"}


def test_what_a_system_leaves_to_its_caller_is_not_offered() -> None:
    suite = shared.suite()
    every, _ = survey.select(suite, described(suite, extraction__extract=EXTRACT))
    leaves = {**EXTRACT, "leaves": ["declaration"]}
    fewer, others = survey.select(suite, described(suite, extraction__extract=leaves))
    gone = {case.id for case in every} - {case.id for case in fewer}
    assert 0 < len(gone) <= others["left to the caller"]
    assert "extraction.extract.tools-declaration" not in {case.id for case in fewer}


def test_a_convention_between_ports_is_not_offered() -> None:
    suite = shared.suite()
    cases, others = survey.select(suite, described(suite, extraction__extract=EXTRACT))
    agreed = {case.id for case in suite.cases if case.origin == "convention"}
    assert "extraction.extract.indented-tab" in agreed
    assert not agreed & {case.id for case in cases}
    assert others["a convention between ports"] > 0


def test_white_space_is_compared_where_nobody_says_otherwise() -> None:
    suite = shared.suite()
    offer = described(suite, extraction__extract=EXTRACT).offers["extraction.extract"]
    strict = described(suite, extraction__extract={**EXTRACT, "blank": []})
    case = next(case for case in suite.cases if case.id == "extraction.extract.pairs-mention")
    near = {"content": "The tag <tool_call>  begins a call. Bye.\n", "tool_calls": []}
    assert survey.is_kept(case, near, offer)
    assert not survey.is_kept(case, near, strict.offers["extraction.extract"])
    assert not survey.is_kept(case, {**near, "content": "Bye."}, offer)
    assert not survey.is_kept(case, {**near, "tool_calls": [{"name": "f"}]}, offer)


def test_paths_name_members_and_the_elements_of_arrays() -> None:
    value = {"calls": [{"name": "f"}, {"name": None}, {}, "x"], "text": "t"}
    assert list(survey.leaves(value, ["calls", "*", "name"])) == ["f", None]
    assert list(survey.leaves(value, ["text"])) == ["t"]
    assert list(survey.leaves(value, ["text", "*"])) == []
    assert list(survey.leaves(value, ["none"])) == []


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        json.dumps({**ABOUT, "operations": {}, "more": 1}).encode(),
        json.dumps({**ABOUT, "format": 2, "operations": {"toy.echo": ECHO}}).encode(),
        json.dumps({**ABOUT, "operations": {"toy.none": ECHO}}).encode(),
        json.dumps({**ABOUT, "operations": {"toy.echo": {"inputs": []}}}).encode(),
        json.dumps({**ABOUT, "operations": {"toy.echo": {**ECHO, "score": 1}}}).encode(),
        json.dumps({**ABOUT, "operations": {"toy.echo": {**ECHO, "inputs": "value"}}}).encode(),
    ],
)
def test_a_description_out_of_form_is_one_line(suite: Suite, content: bytes) -> None:
    with pytest.raises(DescriptionError) as found:
        survey.read(content, suite)
    assert "\n" not in str(found.value)


ROOT = Path(__file__).resolve().parents[2]


def validator(name: str) -> Draft202012Validator:
    folder = ROOT / "schemas" / "v1" / "formats"
    schemas = [json.loads(file.read_bytes()) for file in sorted(folder.glob("*.schema.json"))]
    registry: Registry[Any] = Registry().with_resources(
        (each["$id"], Resource.from_contents(each)) for each in schemas
    )
    (schema,) = (each for each in schemas if each["$id"].endswith(f":{name}"))
    return Draft202012Validator(schema, registry=registry)


def written(folder: Path, **offer: object) -> Path:
    file = folder / "toy.json"
    operations = {"capability.effective_tools": {**ECHO, **offer}}
    file.write_text(json.dumps({**ABOUT, "operations": operations}))
    return file


def test_the_command_writes_a_report_and_judges_nothing(tmp_path: Path) -> None:
    """The adapter knows no such operation, and the exit status is 0 all the same."""
    description = written(tmp_path, inputs=["registered", "layers"], members=["effective/*"])
    report = tmp_path / "report.json"
    done = process("survey", "--report", str(report), str(description), "--", *adapter("good"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Toy, 1.0.0\n0 kept, ")
    cases, _, rules = done.stdout.partition(b"\nrequirements: 0 kept, ")
    assert b"input-both-members: the error invalid_input\n" in cases
    assert re.search(rb"\n    as [^ ]+#\d+: [A-Z].+\.\n", rules), "what a rule stands for"
    found = json.loads(report.read_bytes())
    validator("survey").validate(found)
    assert {each["outcome"] for each in found["others"].values()} == {"raised"}


def test_requirements_and_what_people_reported_of_those_that_are_not_kept() -> None:
    suite = shared.suite()
    kept, lost = "extraction.extract.closers-doubled", "extraction.extract.closer-without-opener"
    found = survey.Survey(
        kept=[kept], others={lost: {"outcome": "broken"}}, not_offered={}, incomplete=None
    )
    records: list[dict[str, Any]] = [
        {"id": "one/reported#1", "rules": ["EXT-203"], "cases": [kept]},
        {"id": "one/reported#2", "rules": ["EXT-203"], "cases": [kept, lost]},
        {"id": "two/refused#3"},
        {"id": "two/reported#4", "rules": ["EXT-205", "EXT-203"], "cases": [lost]},
    ]
    (rule,) = by_requirement(suite, found, records)
    assert (rule.id, rule.title, rule.asked, rule.broken) == (
        "EXT-203",
        "Closers after a block",
        2,
        1,
    )
    assert rule.reports == ["one/reported#2", "two/reported#4"]


def test_what_the_command_refuses(tmp_path: Path) -> None:
    description = tmp_path / "toy.json"
    description.write_text("[]")
    done = process("survey", str(description), "--", *adapter("good"))
    assert "is no description of a system: it must be an object" in refused(done)
    assert "survey needs the adapter's command after --" in refused(process("survey", "x.json"))


def test_an_adapter_that_does_not_start_establishes_nothing(tmp_path: Path) -> None:
    done = process("survey", str(written(tmp_path)), "--", str(tmp_path / "none"))
    assert done.returncode == 3
    assert done.stdout.startswith(b"Toy, which did not start\n")
    assert b"incomplete: the adapter cannot be started" in done.stdout
