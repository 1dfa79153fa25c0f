"""Profiles: the files of the repository, their linter, and one list of flags in four places."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from commoncall.payload.profile import UNPROFILED, Profile, profile_of
from tests import shared
from tools.law.profile_flags import PAGE as FLAGS_PAGE
from tools.law.profile_flags import SCHEMA as FLAGS_SCHEMA
from tools.law.profile_flags import renewed
from tools.law.profiles import endpoint_problems

FOLDER = Path("spec/v1/profiles")
INTERFACES = Path("spec/v1/interfaces")
NOT_FLAGS = {"origin", "unmarked"}
Document = dict[str, Any]


@pytest.fixture
def tree(root: Path, tmp_path: Path) -> Path:
    """A repository of one profile."""
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    shutil.copy(root / FOLDER / "mistral.json", folder)
    assert endpoint_problems(tmp_path, shared.read_schemas()) == []
    return tmp_path


def reasons(tree: Path) -> list[str]:
    problems = endpoint_problems(tree, shared.read_schemas())
    return [problem.partition(": ")[2] for problem in problems]


def rewrite(tree: Path, change: Callable[[Document], object]) -> None:
    path = tree / FOLDER / "mistral.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")


def test_a_table_of_an_interface_has_its_form_and_its_name(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root / INTERFACES, tmp_path / INTERFACES)
    assert endpoint_problems(tmp_path, shared.read_schemas()) == []
    table = tmp_path / INTERFACES / "ollama-chat.json"
    table.rename(table.with_name("ollama.json"))
    [problem] = endpoint_problems(tmp_path, shared.read_schemas())
    assert problem.endswith("is called ollama-chat, and its file is not")
    (tmp_path / INTERFACES / "other.json").write_text("{}")
    assert "other.json" in endpoint_problems(tmp_path, shared.read_schemas())[0]


def test_every_file_is_a_profile_that_the_reference_takes(root: Path) -> None:
    files = [*(root / FOLDER).glob("*.json")]
    assert len(files) > 10
    for file in files:
        profile_of(json.loads(file.read_bytes())["flags"])


def test_the_schema_the_text_and_the_reference_have_the_same_flags(root: Path) -> None:
    schema = json.loads((root / "schemas/v1/formats/profile.schema.json").read_text("utf-8"))
    held = {field.name for field in fields(Profile)} - NOT_FLAGS
    assert set(schema["$defs"]["flag"]["enum"]) == held
    assert set(schema["$defs"]["flags"]["properties"]) == held
    payload = (root / "spec/v1/payload.md").read_text(encoding="utf-8")
    section = payload.split("## Profiles")[1].split("\n## ")[0]
    assert set(re.findall(r"^> \| `(\w+)` \|", section, re.MULTILINE)) == held


def test_the_text_has_the_strict_and_the_open_values_of_the_reference(root: Path) -> None:
    payload = (root / "spec/v1/payload.md").read_text(encoding="utf-8")
    rows = re.findall(r"^> \| `(\w+)` \|.*\| ([^|]+) \| ([^|]+) \|[^|]+\|$", payload, re.MULTILINE)
    assert {name for name, _, _ in rows} == {one.name for one in fields(Profile)} - NOT_FLAGS
    for name, strict, loose in rows:
        for written, profile in ((strict, Profile()), (loose, UNPROFILED)):
            empty: dict[str, object] = {"the empty list": frozenset(), "the empty object": {}}
            value = empty[written] if written in empty else json.loads(written.strip("`"))
            assert getattr(profile, name) == value, (name, written)


def test_a_flag_without_evidence(tree: Path) -> None:
    rewrite(tree, lambda document: document["evidence"].pop("ids"))
    assert reasons(tree) == ["the flag ids has no evidence"]


def test_evidence_without_a_flag(tree: Path) -> None:
    rewrite(tree, lambda document: document["flags"].pop("ids"))
    assert reasons(tree) == ["evidence for ids, which is no flag of this profile"]


def test_a_file_of_another_name(tree: Path) -> None:
    (tree / FOLDER / "mistral.json").rename(tree / FOLDER / "other.json")
    assert reasons(tree) == ["the profile is called mistral, and its file is not"]


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["flags"].update(ids="word_41"),
        lambda document: document["flags"].update(origin={"provider": "a", "model": "b"}),
        lambda document: document["flags"].update(unknown=True),
        lambda document: document["evidence"].update(ids=[]),
        lambda document: document["evidence"]["ids"][0].update(kind="guess"),
        lambda document: document["evidence"]["ids"][0].pop("ref"),
        lambda document: document.update(format=2),
        lambda document: document.pop("revision"),
    ],
)
def test_a_file_out_of_form(tree: Path, change: Callable[[Document], object]) -> None:
    rewrite(tree, change)
    assert len(reasons(tree)) >= 1


def test_what_is_no_json(tree: Path) -> None:
    (tree / FOLDER / "notes.txt").write_text("x", encoding="utf-8")
    (tree / FOLDER / "twice.json").write_text('{"format": 1, "format": 1}', encoding="utf-8")
    assert reasons(tree) == [
        "its name does not end in .json",
        "a member stands twice: format",
    ]


# --- the flags: in the text, and from there in the schema -----------------------------------------


@pytest.fixture
def flagged(root: Path, tmp_path: Path) -> Path:
    """A repository of the text with the table of flags, and of the schema."""
    for file in (FLAGS_PAGE, FLAGS_SCHEMA):
        (tmp_path / file).parent.mkdir(parents=True)
        shutil.copy(root / file, tmp_path / file)
    assert renewed(tmp_path) == (tmp_path / FLAGS_SCHEMA).read_text("utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("values", "form"),
    [
        ("a boolean", {"type": "boolean"}),
        ("a limit", {"$ref": "#/$defs/limit"}),
        ("names", {"$ref": "#/$defs/names"}),
        ('`"any"`, `"none"`', {"enum": ["any", "none"]}),
    ],
)
def test_a_new_flag_of_the_text_comes_into_the_schema(
    flagged: Path, values: str, form: object
) -> None:
    page = flagged / FLAGS_PAGE
    row = "> | `unknown_members` |"
    new = f"> | `new_flag` | {values} | `false` | `true` | PAY-136 |\n{row}"
    page.write_text(page.read_text("utf-8").replace(row, new), "utf-8")
    definitions = json.loads(renewed(flagged))["$defs"]
    assert definitions["flag"]["enum"].count("new_flag") == 1
    assert definitions["flags"]["properties"]["new_flag"] == form


BY_HAND = {
    "payload.md",
    "profile.py",
    "roles.py",
    "payload-history.json",
    "profile.mjs",
    "history_order.mjs",
    "profile.rs",
    "history.rs",
    "history_rules.py",
}
"""Where the page of a flag says that `user_after_tool` stands, by file, beside its cases."""

BUILT = {
    "node_modules",
    "bundled",
    "text.json",
    "forms.json",
    "form_data.mjs",
    "profiles",
    "wordings",
}
"""What builds write, and the profiles, of which many state a flag."""

WRITTEN = {"profile.schema.json", "profile_data.mjs"}
MAY_NAME_IT = {
    "flag.md",
    "probes.py",
    "test_probe.py",
    "turn.json",
    "payload.json",
    "test_profiles.py",
}


def test_a_flag_stands_in_eleven_places(root: Path) -> None:
    folders = ("reference", "schemas", "spec", "tests")
    files = [root / ".github/contributing/flag.md"]
    files += [file for folder in folders for file in (root / folder).rglob("*")]
    read = (".json", ".md", ".mjs", ".py", ".rs", ".yaml")
    naming = {
        file.name
        for file in files
        if file.suffix in read
        and not BUILT & {*file.parts}
        and b"user_after_tool" in file.read_bytes()
    }
    assert naming == BY_HAND | WRITTEN | MAY_NAME_IT
    for name in BY_HAND:
        assert f"{name}`" in (root / ".github/contributing/flag.md").read_text(encoding="utf-8")
