"""``commoncall explain``."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commoncall_kit.suite import data, incidents, lookup, vendored_tree
from commoncall_tools import explain
from tests import shared
from tests.command import commoncall, process, refused


@pytest.fixture(scope="module", autouse=True)
def read_once() -> Iterator[None]:
    """Let all look up in the same names; to list them takes longer than to look one up."""
    files, reports, identity = shared.documents(), incidents.read(), vendored_tree.identity()
    known = lookup.known_names(files, explain.demanded())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "documents", lambda: files)
        patch.setattr(incidents, "read", lambda: reports)
        patch.setattr(vendored_tree, "identity", lambda: identity)
        patch.setattr(lookup, "known_names", lambda *_: known)
        yield


def test_a_process_says_the_same() -> None:
    done, here = process("explain", "PAY-004"), commoncall("explain", "PAY-004")
    assert done.stdout
    assert (done.returncode, done.stdout, done.stderr) == (0, here.stdout, here.stderr)
    assert process("explain", "?").stderr == commoncall("explain", "?").stderr


@pytest.fixture(scope="module")
def index(root: Path) -> Any:
    return json.loads((root / "fixtures/v1/requirements.json").read_bytes())


@pytest.fixture(scope="module")
def cases(root: Path) -> dict[str, Any]:
    manifest = json.loads((root / "fixtures/v1/manifest.json").read_bytes())
    paths = [root / "fixtures/v1" / suite["path"] for suite in manifest["suites"]]
    documents = [json.loads(path.read_bytes()) for path in paths]
    return {case["id"]: case for document in documents for case in document["cases"]}


def explained(name: str) -> str:
    """Return what is said of an id, without the last line, which names the suite."""
    done = commoncall("explain", name)
    assert (done.returncode, done.stderr) == (0, b""), name
    text, _, suite = done.stdout.decode().removesuffix("\n").rpartition("\n\n")
    ours = vendored_tree.identity()
    assert suite == f"suite {ours.version} {ours.digest}"
    return f"{text}\n"


def test_a_requirement_with_all_that_is_known_of_it(index: Any, cases: dict[str, Any]) -> None:
    entry = next(each for each in index["requirements"] if each["id"] == "PAY-004")
    text = explained("PAY-004")
    assert text.startswith(f"PAY-004: {entry['title']}\n")
    assert " ".join(entry["text"].split()) in " ".join(text.split())
    facts = dict(line.split("  ", 1) for line in text.splitlines() if "  " in line)
    assert facts["level"].strip() == entry["level"]
    assert facts["since"].strip() == entry["since"]
    assert facts["address"].strip() == entry["address"]
    for names in (entry["adr"], entry["source"]):
        assert f"  {', '.join(names)}\n" in text
    for case in entry["cases"]:
        assert f"  {case}  {cases[case]['title']}\n" in text


def test_a_requirement_that_no_case_shows_says_why() -> None:
    text = explained("EXT-084")
    assert "\nreview     a fixture cannot compare random values" in text
    assert text.endswith("\ncases      0\n")


@pytest.mark.parametrize("name", ["pay-001", "Pay-001", "commoncall:PAY-001", "COMMONCALL:pay-001"])
def test_an_id_is_found_in_any_case_and_with_its_prefix(name: str) -> None:
    assert explained(name) == explained("PAY-001")


def test_a_list_in_a_text_keeps_its_lines() -> None:
    line = "- `none` where `capability.effective_tools` leaves no tool,"
    assert f"\n{line}" in explained("CAP-032")


def test_a_definition(index: Any) -> None:
    entry = next(each for each in index["definitions"] if each["name"] == "JSON text")
    text = explained("json text")
    assert text.startswith("JSON text: a definition\n")
    assert " ".join(entry["text"].split()) in " ".join(text.split())
    assert f"address  {entry['address']}\n" in text


def test_each_row_of_a_definition_with_its_cases(index: Any, cases: dict[str, Any]) -> None:
    numbered = [each for each in index["definitions"] if "id" in each]
    assert numbered
    for entry in numbered:
        assert explained(entry["id"]) == explained(entry["address"])
        for row in entry["shown"]:
            text = explained(row["id"])
            if row["id"] != entry["id"]:
                assert text.startswith(f"{row['id']}: of {entry['name']}\n")
                for case in row["cases"]:
                    assert f"  {case}  {cases[case]['title']}\n" in text


def test_a_text_comes_with_the_definitions_that_it_links(index: Any) -> None:
    names = {each["address"]: each["name"] for each in index["definitions"]}
    entries = [("PAY-001", index["requirements"]), ("result", index["definitions"])]
    for wanted, rows in entries:
        entry = next(each for each in rows if wanted in (each.get("id"), each.get("name")))
        text = explained(wanted)
        assert entry["links"]
        lines = [f"  {names[each]}  {each}" for each in entry["links"]]
        assert text.endswith("\n".join(["\ndefinitions", *lines, ""])), text


@pytest.mark.parametrize("name", ["policy-layer", "Policy layer", "v1/capability/#policy-layer"])
def test_a_definition_is_found_by_name_anchor_and_address(name: str) -> None:
    assert explained(name).startswith("policy layer: a definition\n")


def test_two_definitions_of_one_name_are_both_said() -> None:
    text = explained("entry")
    assert "address  v1/capability/#entry\n" in text
    assert "address  v1/turn/#entry\n" in text


def test_an_operation_with_what_belongs_to_it(cases: dict[str, Any]) -> None:
    text = explained("capability.resolve")
    assert text.startswith("capability.resolve: an operation\n\ncontract ")
    assert "\ndiagnostic members  matched\n" in text
    assert "\nschema              schemas/v1/capability/resolve.schema.json\n" in text
    count = sum(name.startswith("capability.resolve.") for name in cases)
    assert f"\ncases               {count}\n" in text
    assert "\n  CAP-001  Search\n" in text


@pytest.mark.parametrize(
    ("name", "fact", "requirement"),
    [
        ("otel", "operations          event.to_otel", "EVT-081  Spans"),
        ("diagnostics", "operations          payload.check_tool_call, ", "CAP-022  Matched"),
    ],
)
def test_a_feature_with_what_belongs_to_it(name: str, fact: str, requirement: str) -> None:
    text = explained(name)
    assert text.startswith(f"{name}: a feature\n")
    assert f"\n{fact}" in text
    assert f"\nrequirements\n  {requirement}\n" in text


def test_names_of_the_other_tables() -> None:
    text = explained("missing_result")
    said = "missing_result: a fixed text\n\nError: there is no result for this call.\n"
    assert text == f"{said}\nrequirements\n  PAY-074  Missing results\n  PAY-157  Bridges\n"
    assert explained("prefix").startswith("prefix: a reason\n\nthe registry has a prefix of ")


def test_a_code_has_the_requirements_that_demand_it() -> None:
    """Not those that only say that it is reported: `check` names the same."""
    text = explained("tools_empty")
    assert "\nrequirements\n  PAY-032  " in text
    assert "PAY-022" not in text


@pytest.mark.parametrize(
    ("given", "near"),
    [
        ("telling", "telling id"),
        ("layer", "policy layer"),
        ("plan_turn", "capability.plan_turn"),
        ("PAY-3", "PAY-003"),
        ("orphan", "result_orphaned"),
        ("400", "provider-400"),
    ],
)
def test_words_of_a_name_are_enough_to_be_offered_it(given: str, near: str) -> None:
    assert near in refused(commoncall("explain", given)).partition("; near it: ")[2]


@pytest.mark.parametrize(
    ("message", "refusal"),
    [
        ("tools must not be an empty array", "tools_empty"),
        ("Invalid 'messages[7].tool_calls[0].function.name': empty string", "name_blank"),
        # What an endpoint puts in, such as an id, is in no record.
        (
            "messages.1: unexpected tool_use_id found in tool_result blocks: toolu_01",
            "result_orphaned",
        ),
    ],
)
def test_a_message_of_an_endpoint_leads_to_what_it_refuses(message: str, refusal: str) -> None:
    near = refused(commoncall("explain", message)).partition("; near it: ")[2]
    assert refusal in near.strip().split(", ")


@pytest.mark.parametrize("message", ["valid string", "what is the weather in Oslo today"])
def test_few_words_or_others_are_no_message(message: str) -> None:
    assert "arguments_not_string" not in refused(commoncall("explain", message))


def test_a_level_and_a_harm_are_explained() -> None:
    assert explained("basic").startswith("basic: a level\n\noperations  payload.check_tool_call, ")
    assert explained("data-leak").startswith("data-leak: a harm of ")


@pytest.mark.parametrize(
    ("code", "kind", "requirement"),
    [
        ("invalid_input", "an error", "PAY-001  Bad input"),
        ("function_missing", "a finding", "PAY-004  Defects of a call, such as arguments cut off"),
        ("declaration", "a rejection", "EXT-077  Rejected alone"),
        ("trailing_comma", "a repair", "EXT-"),
    ],
)
def test_a_code_with_its_kind_and_the_requirements_that_name_it(
    code: str, kind: str, requirement: str
) -> None:
    text = explained(code).partition(f"{code}: {kind}\n")[2]
    assert "\noperations  " in text
    assert f"\n  {requirement}" in text.partition("\nrequirements")[2]


def test_a_name_with_several_meanings_says_all_of_them() -> None:
    text = explained("declaration")
    assert text.startswith("declaration: a definition\n")
    assert "\n\ndeclaration: a rejection\n" in text
    finding, rejection = explained("name_blank").split("\n\nname_blank: a rejection\n")
    assert "EXT-" not in finding, "each table names the requirements of its own contracts"
    assert "PAY-" not in rejection


def test_a_case_with_its_data_as_json(cases: dict[str, Any]) -> None:
    name = "event.to_otel.ran-ok"
    text = explained(name)
    assert text.startswith(f"{name}: {cases[name]['title']}\n")
    assert "\nrisk       metric-drift\n" in text
    assert "\norigin     derived\n" in text
    assert "\nfeatures   otel\n" in text
    assert "\nrequirements\n  EVT-081  Spans\n" in text
    given, expected = text.split("\n\ninput\n")[1].split("\n\nexpectation\n")
    assert json.loads(given) == cases[name]["input"]
    assert json.loads(expected) == cases[name]["expect"]


def test_a_case_whose_input_is_a_text_shows_the_text(cases: dict[str, Any]) -> None:
    name = "payload.check_tool_call.input-depth-129"
    assert f"\n\ninput\n{cases[name]['input_json']}\n" in explained(name)


def test_what_a_terminal_would_not_show_is_escaped_and_still_json(cases: dict[str, Any]) -> None:
    odd = [
        name
        for name, case in cases.items()
        if "input" in case and not json.dumps(case["input"], ensure_ascii=False).isprintable()
    ]
    assert odd
    for name in odd[:5]:
        text = explained(name)
        assert text.replace("\n", "").isprintable()
        given = text.split("\n\ninput\n")[1].split("\n\nexpectation\n")[0]
        assert json.loads(given.split("\n\nenvironment\n")[0]) == cases[name]["input"]


def test_an_unknown_id_is_one_line_with_those_that_come_near() -> None:
    line = refused(commoncall("explain", "PAY-0007"))
    assert line.startswith("commoncall: nothing has the id 'PAY-0007'; near it: ")
    assert "PAY-007" in line
    line = refused(commoncall("explain", "check_tool_call.json-one-name-twice"))
    assert "payload.check_tool_call.json-one-name-twice" in line
    assert refused(commoncall("explain", "?")) == "commoncall: nothing has the id '?'\n"
    assert "\\n" in refused(commoncall("explain", "a\nb"))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("gemma-4", ["gemma-4: a format: Gemma 4", "control    true"]),
        ("Qwen3-Coder", ["qwen3-coder: a format: Qwen3-Coder, Qwen 3.5 to 3.8"]),
        (
            "tool_call",
            ["tool_call: a dialect: JSON between <tool_call> tags", "default   true"],
        ),
        ("vllm", ['ids               "any"']),
    ],
)
def test_a_format_a_dialect_and_a_profile(name: str, lines: list[str]) -> None:
    assert set(lines) <= set(explained(name).split("\n"))


def test_a_refusal_says_which_endpoints_were_seen_to_refuse_it() -> None:
    said = commoncall("explain", "choice_without_tools").stdout.decode()
    assert said.startswith("choice_without_tools: a refusal, by endpoints\n")
    assert "vLLM 0.32.0 (2026-11-21): When using `tool_choice`, `tools` must be set" in said
    assert "llama-cpp" not in said
    both = commoncall("explain", "tools_empty").stdout.decode()
    assert "tools_empty: a finding\n" in both
    assert "tools_empty: a refusal, by endpoints\n" in both
