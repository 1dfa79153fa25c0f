"""Sets: what a release freezes, what may change afterwards, and what a port gets of it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commoncall_kit.suite import vendored_tree
from commoncall_kit.suite.data import load, read_set
from tests import shared
from tests.kit_suite import SELFTEST, write_set, write_suite
from tests.tools.test_fixtures import CODES, MANIFEST, PAGE, SUITE
from tools.fixtures import authored, build, sets
from tools.fixtures.authored import ROOT
from tools.law.text import read_spec
from tools.release import __main__ as release
from tools.site.book import WORDINGS

SET = ROOT / "tests" / "tools" / "format" / "sets" / "0.1.json"
"""A set of the tree below, as its release froze it. It pins how digests are made."""

CHANGELOG = "# Changelog\n\n## [0.2.0] - unreleased\n\n{}\n\n## [0.1.0] - 2026-11-22\n\nPAY-001\n"
CASE = "payload.check_tool_call.first"
GONE = """
withdrawn:
  - id: payload.check_tool_call.first
    since: "{}"
    reason: it showed nothing
    replaced_by: [payload.check_tool_call.second]
"""

OBSTACLES = release.obstacles


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout after its release 0.1.0, with the set that this release froze."""
    for name in ("formats", "payload"):
        shutil.copytree(ROOT / "schemas" / "v1" / name, tmp_path / "schemas" / "v1" / name)
    put(tmp_path, "spec/v1/payload.md", PAGE)
    put(tmp_path, "spec/v1/codes.md", CODES)
    put(tmp_path, "spec/coverage.md", "# Coverage\n")
    put(tmp_path, "fixtures/src/v1/manifest.yaml", MANIFEST)
    put(tmp_path, "fixtures/src/v1/payload/first.yaml", suite("first"))
    put(tmp_path, "CHANGELOG.md", CHANGELOG.format(""))
    put(tmp_path, "fixtures/sets/0.1.json", SET.read_text(encoding="ascii"))
    return tmp_path


def suite(name: str) -> str:
    return SUITE.replace("NAME", name).replace("TITLE", f"the fact {name}")


def put(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def edit(root: Path, name: str, old: str, new: str) -> None:
    text = (root / name).read_text(encoding="utf-8")
    assert old in text
    put(root, name, text.replace(old, new))


def problems(root: Path) -> list[str]:
    return sets.problems(root, authored.read_tree(root))


def found(root: Path) -> list[str]:
    return [line.removeprefix("set 0.1: ") for line in problems(root)]


# What a set holds.


def test_the_set_of_a_tree_is_the_one_that_is_on_record(tree: Path) -> None:
    digest = "sha256:" + "0" * 64
    assert sets.frozen(authored.read_tree(tree), "0.1", "0.1.0", digest) == json.loads(
        SET.read_bytes()
    )


def test_the_digests_of_builder_and_kit_are_the_same() -> None:
    frozen: Any = sets.frozen(shared.tree(), "0.1", "0.1.0", "")
    kit = shared.suite()
    assert {row["id"]: row["sha256"] for row in frozen["cases"]} == {
        case.id: case.sha256 for case in kit.cases
    }
    assert {row["id"]: row["sha256"] for row in frozen["requirements"]} == {
        each.id: each.sha256 for each in kit.requirements.values()
    }


def test_every_set_of_the_repository_is_honoured(root: Path) -> None:
    assert sets.problems(root, shared.tree()) == []


# What the linter holds to it.


def test_nothing_changed_is_nothing_to_say(tree: Path) -> None:
    assert found(tree) == []


def test_words_for_readers_are_free(tree: Path) -> None:
    edit(tree, "fixtures/src/v1/payload/first.yaml", "the fact first", "a better title")
    edit(tree, "spec/v1/payload.md", "What may leave.", "What may go.")
    assert found(tree) == []


def test_a_changed_case_names_a_version_and_has_a_line_in_the_changelog(tree: Path) -> None:
    file = "fixtures/src/v1/payload/first.yaml"
    edit(tree, file, "arguments_json: '{}'", "arguments_json: '{ }'")
    line = f"{CASE} has changed, and CHANGELOG.md has no line on it"
    assert found(tree) == [
        f"{CASE} has changed and names no version after 0.1 in its changes",
        line,
    ]
    edit(tree, file, '    since: "0.1"\n', '    since: "0.1"\n    changes: ["0.2"]\n')
    assert found(tree) == [line]
    put(tree, "CHANGELOG.md", CHANGELOG.format(f"- `{CASE}` expects what the text says."))
    assert found(tree) == []


def test_the_changelog_may_name_the_suite_of_a_case_but_not_a_part_of_its_name(tree: Path) -> None:
    file = "fixtures/src/v1/payload/first.yaml"
    edit(tree, file, "arguments_json: '{}'", "arguments_json: '{ }'")
    edit(tree, file, '    since: "0.1"\n', '    since: "0.1"\n    changes: ["0.2"]\n')
    put(tree, "CHANGELOG.md", CHANGELOG.format("- Cases of `payload/first-of-all`."))
    assert len(found(tree)) == 1
    put(tree, "CHANGELOG.md", CHANGELOG.format("- Cases of `payload/first`."))
    assert found(tree) == []


def test_a_changed_requirement_or_definition_does_too(tree: Path) -> None:
    edit(tree, "spec/v1/payload.md", "Absent is what is not there.", "Absent is not there.")
    assert [line.partition(" has ")[0] for line in found(tree)] == ["PAY-001"]
    put(tree, "CHANGELOG.md", CHANGELOG.format("- PAY-001 is said in fewer words."))
    assert found(tree) == []


def test_an_old_line_of_the_changelog_is_none(tree: Path) -> None:
    edit(tree, "spec/v1/payload.md", "an empty object", "the empty object")
    assert found(tree) == ["PAY-001 has changed, and CHANGELOG.md has no line on it"]


def test_an_id_that_vanishes_is_named(tree: Path) -> None:
    (tree / "fixtures/src/v1/payload/first.yaml").unlink()
    put(tree, "fixtures/src/v1/payload/second.yaml", suite("second").replace('"0.1"', '"0.2"'))
    edit(tree, "spec/v1/payload.md", "### PAY-002\n", "### PAY-003\n")
    assert found(tree) == [
        "PAY-002 has gone; an id is withdrawn and stays",
        f"{CASE} has gone; an id is withdrawn and stays",
    ]


def test_what_is_new_says_so(tree: Path) -> None:
    put(tree, "fixtures/src/v1/payload/second.yaml", suite("second"))
    assert found(tree) == ["payload.check_tool_call.second is not in the set, and says since 0.1"]
    edit(tree, "fixtures/src/v1/payload/second.yaml", '"0.1"', '"0.10"')
    assert found(tree) == []


def test_a_withdrawn_case_keeps_its_id_and_names_what_replaced_it(tree: Path) -> None:
    (tree / "fixtures/src/v1/payload/first.yaml").unlink()
    second = suite("second").replace('"0.1"', '"0.2"')
    put(tree, "fixtures/src/v1/payload/second.yaml", second + GONE.format("0.1"))
    assert found(tree) == [f"{CASE} is withdrawn since 0.1, which is not after the set"]
    put(tree, "fixtures/src/v1/payload/second.yaml", second + GONE.format("0.2"))
    assert found(tree) == []


def test_a_withdrawn_case_leads_to_cases_and_is_none(tree: Path) -> None:
    put(tree, "fixtures/src/v1/payload/first.yaml", suite("first") + GONE.format("0.2"))
    assert [problem.reason for problem in authored.read_tree(tree).problems] == [
        "withdrawn, and a case has the id",
        "replaced by payload.check_tool_call.second, which is no case",
    ]


def test_a_set_out_of_form_is_refused(tree: Path) -> None:
    edit(tree, "fixtures/sets/0.1.json", '"set": "0.1"', '"set": "0.2"')
    assert found(tree) == ["fixtures/sets/0.1.json: the file holds the set 0.2"]
    put(tree, "fixtures/sets/0.1.json", "{}")
    assert all("is a required property" in line for line in found(tree)[:-1])


def test_the_newest_set_counts(tree: Path) -> None:
    held = json.loads(SET.read_bytes())
    newer = {**held, "set": "0.10", "version": "0.10.0", "cases": held["cases"]}
    put(tree, "fixtures/sets/0.10.json", json.dumps(newer))
    put(tree, "fixtures/src/v1/payload/second.yaml", suite("second").replace('"0.1"', '"0.9"'))
    assert problems(tree) == [
        "set 0.10: payload.check_tool_call.second is not in the set, and says since 0.9"
    ]


# The release.


@pytest.fixture
def ready(tree: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The checkout on the day of its release."""
    monkeypatch.setattr("tools.law.text.NOW", "0.1")
    (tree / "fixtures/sets/0.1.json").unlink()
    put(tree, "adr/0001-x.md", "")
    put(tree, "spec/sources.md", "# Sources\n\n### reports\n")
    put(
        tree,
        "spec/coverage.md",
        "# Coverage\n\n## reports\n\n| n | statement | where |\n|---|---|---|\n"
        "| S0-1 | Nothing. | out of scope: there is nothing to hold |\n",
    )
    case = SUITE.replace("NAME", "blank").replace("TITLE", "a blank name")
    case = case.partition("cases:\n")[2].replace("name: é,", "name: null,")
    found_blank = (
        "{valid: false, name: null, arguments: {}, arguments_json: '{}', "
        "findings: [{code: name_blank, path: /tool_call/function/name}]}"
    )
    case = case.partition("      result: ")[0] + f"      result: {found_blank}\n"
    more = (
        "  - id: payload.check_tool_call.bad\n    title: nothing\n    requirements: [PAY-001]\n"
        '    since: "0.1"\n    risk: crash\n    origin: {kind: derived}\n    input: null\n'
        "    expect: {error: {code: invalid_input}}\n"
    )
    put(tree, "fixtures/src/v1/payload/first.yaml", suite("first") + case + more)
    for name in ("extraction", "event", "capability", "turn"):
        shutil.rmtree(tree / "schemas/v1" / name, ignore_errors=True)
    for path in (tree / "schemas/v1/payload").iterdir():
        if path.name != "check_tool_call.schema.json":
            path.unlink()
    build.main([], tree)
    return tree


def obstacles(root: Path, version: str = "0.1.0") -> list[str]:
    # The small tree has fewer codes and pages than its schemas name, which are the real ones.
    return [
        line
        for line in OBSTACLES(root, version)
        if "the schema" not in line
        and "codes.md does not list it" not in line
        and "mentioned, but does not" not in line
        and "-: spec/v1/" not in line
        and "does not stand in spec/" not in line
    ]


def test_a_release_that_is_ready_has_no_obstacle(ready: Path) -> None:
    assert obstacles(ready) == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda root: put(root, "CHANGELOG.md", "# Changelog\n"), "no dated heading for 0.1.0"),
        (lambda root: put(root, "fixtures/v1/manifest.json", "{}"), "manifest.json: stale"),
        (lambda root: edit(root, "spec/v1/payload.md", "**MUST**", "must"), "no bold keyword"),
    ],
)
def test_each_obstacle_is_named(ready: Path, change: Callable[[Path], None], reason: str) -> None:
    change(ready)
    assert any(reason in line for line in obstacles(ready)), obstacles(ready)


def test_a_version_that_is_none_and_a_patch_without_its_set_are_refused(ready: Path) -> None:
    assert obstacles(ready, "0.1.0.dev0") == [
        "0.1.0.dev0 is no version of a release, such as 0.1.0"
    ]
    assert "there is no set 0.1, so 0.1.1 cannot be a patch of it" in obstacles(ready, "0.1.1")


def test_the_set_is_written_once_and_is_what_the_kit_reads(
    ready: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(release, "obstacles", obstacles)
    file = ready / "fixtures/sets/0.1.json"
    file.parent.mkdir(exist_ok=True)
    assert release.main([], ready, "0.1.0") == 0
    assert not file.exists()
    assert release.main(["--write"], ready, "0.1.0") == 0
    content = file.read_bytes()
    assert release.main(["--write"], ready, "0.1.0") == 0
    assert file.read_bytes() == content
    assert "was frozen before" in capsys.readouterr().out
    assert problems(ready) == []
    frozen = load(ready, "0.1")
    assert all(frozen.scores(case) for case in frozen.cases)
    cited = read_set(ready, "0.1").cited
    assert cited == {case.id: [*case.requirements] for case in frozen.cases}
    law = read_spec(ready).requirements
    worded = json.loads((ready / WORDINGS / "0.1.json").read_text(encoding="utf-8"))
    assert worded == {name: one.text for name, one in law.items()}


def test_a_checkout_in_development_writes_nothing(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted((root / "fixtures/sets").iterdir())
    assert release.main(["--write"], root, "9.9.0.dev0") == 1
    assert "is no version of a release" in capsys.readouterr().err
    assert sorted((root / "fixtures/sets").iterdir()) == before


# What a port gets.


def toy(root: Path, *gone: str) -> Path:
    """Return a root that can be exported: the toy suite, a set, schemas and the licence."""
    write_suite(root)
    (root / "fixtures/v1/README.md").write_text("read me\n")
    write_set(root, *gone)
    shutil.copytree(SELFTEST, root / "fixtures/selftest")
    shutil.copytree(ROOT / "schemas/v1/formats", root / "schemas/v1/formats")
    shutil.copytree(ROOT / "LICENSES", root / "LICENSES")
    return root


def test_an_export_holds_everything(tmp_path: Path) -> None:
    root = toy(tmp_path / "root", "toy.extra.null")
    vendored_tree.export(tmp_path / "out", root)
    assert load(tmp_path / "out") == load(root)
