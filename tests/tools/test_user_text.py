"""The file from which the commands of users tell codes and requirements."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from commoncall_tools import text
from tools.fixtures.authored import ROOT
from tools.fixtures.user_text import FILE, stale_text, write_text


@pytest.fixture
def built() -> Mapping[str, bytes]:
    names = ("manifest.json", "requirements.json")
    return {name: (ROOT / "fixtures/v1" / name).read_bytes() for name in names}


def test_it_is_up_to_date(built: Mapping[str, bytes]) -> None:
    assert stale_text(ROOT, built) == []


def test_a_changed_code_makes_it_stale(built: Mapping[str, bytes], tmp_path: Path) -> None:
    assert stale_text(tmp_path, built) == [], "a tree without the package"
    (tmp_path / FILE).parent.mkdir(parents=True)
    assert stale_text(tmp_path, built) == [FILE]
    write_text(tmp_path, built)
    assert stale_text(tmp_path, built) == []
    manifest = json.loads(built["manifest.json"])
    manifest["codes"]["errors"][0]["meaning"] = "another"
    changed = {**built, "manifest.json": json.dumps(manifest).encode()}
    assert stale_text(tmp_path, changed) == [FILE]


def test_it_holds_each_code_requirement_and_withdrawn_id(built: Mapping[str, bytes]) -> None:
    manifest, index = (json.loads(each) for each in built.values())
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


def test_where_no_requirement_names_a_code_its_row_in_a_definition_does() -> None:
    assert text.read().codes["payload"]["tools_empty"].requirements == ["PAY-055", "PAY-171"]
