"""The file from which the commands of users tell codes and requirements."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from commoncall_tools import text
from tools.fixtures.authored import ROOT
from tools.fixtures.made import stale, write
from tools.fixtures.user_text import FILE, text_file


@pytest.fixture
def built() -> Mapping[str, bytes]:
    folder = ROOT / "fixtures/v1"
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.json")
    }


def test_it_is_up_to_date(built: Mapping[str, bytes]) -> None:
    assert stale(ROOT, text_file(ROOT, built)) == []


def test_a_changed_code_makes_it_stale(built: Mapping[str, bytes], tmp_path: Path) -> None:
    assert text_file(tmp_path, built) == {}, "a tree without the package"
    (tmp_path / FILE).parent.mkdir(parents=True)
    write(tmp_path, text_file(tmp_path, built))
    assert stale(tmp_path, text_file(tmp_path, built)) == []
    manifest = json.loads(built["manifest.json"])
    manifest["codes"]["errors"][0]["meaning"] = "another"
    changed = {**built, "manifest.json": json.dumps(manifest).encode()}
    assert stale(tmp_path, text_file(tmp_path, changed)) == [FILE]


def test_it_holds_each_code_requirement_and_withdrawn_id(built: Mapping[str, bytes]) -> None:
    manifest, index = (json.loads(built[f"{name}.json"]) for name in ("manifest", "requirements"))
    held = text.read()
    for row in (row for table in manifest["codes"].values() for row in table):
        for operation in row["operations"]:
            assert row["code"] in held.codes[operation.partition(".")[0]]
    assert [*held.requirements] == [each["id"] for each in index["requirements"]]
    assert [*held.withdrawn] == [each["id"] for each in index["withdrawn"]]
    cited = {
        id for codes in held.codes.values() for code in codes.values() for id in code.requirements
    }
    assert cited <= held.requirements.keys()


@pytest.mark.parametrize(
    ("operation", "code", "first"),
    [
        ("payload.sanitize_request", "choice_malformed", "PAY-041"),
        ("payload.sanitize_request", "tools_empty", "PAY-032"),
        ("payload.sanitize_request", "payload_not_object", "PAY-032"),
        ("payload.sanitize_history", "result_orphaned", "PAY-071"),
        ("payload.sanitize_history", "messages_joined", "PAY-155"),
        ("payload.sanitize_history", "calls_split", "PAY-156"),
        ("payload.sanitize_history", "invalid_input", "PAY-001"),
        ("payload.sanitize_request", "invalid_input", "PAY-001"),
        ("turn.prepare", "invalid_input", "TRN-001"),
        ("turn.prepare", "result_orphaned", "PAY-071"),
        ("turn.prepare", "history_flattened", "TRN-009"),
        ("turn.receive", "native_calls_unsolicited", "TRN-024"),
        ("extraction.extract", "code_fence", "EXT-051"),
        ("extraction.extract", "arguments_missing", "EXT-077"),
    ],
)
def test_a_code_leads_first_to_the_rule_of_the_effect(
    operation: str, code: str, first: str
) -> None:
    codes = text.read().codes[operation.partition(".")[0]]
    assert codes[code].demanded(operation)[0] == first
