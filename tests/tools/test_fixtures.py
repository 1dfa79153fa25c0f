"""The evidence pipeline: what it refuses across files, what it builds, and that it never half does.

Rules about one suite are shown in ``test_format.py``; here are small trees of their own.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from commoncall import __version__, adapter
from commoncall.json_text import too_deep
from commoncall.protocol import Declaration
from commoncall_kit.suite.laws import questions
from commoncall_kit.verdict.conformance import run
from tests import shared
from tools.fixtures import authored, build, strict_yaml
from tools.fixtures.authored import ROOT
from tools.law.text import NOW

PAGE = """# Payload

What may leave.

### PAY-001

> **Nothing.** Arguments that are [absent](#absent) **MUST** become an empty object.

core

### PAY-002

> **Size.** The check **SHOULD** be small.

core · source reports · review: nobody can measure it

### absent

> **Definition.** Absent is what is not there.
"""

CODES = """# Codes

## Errors

| code | operations | meaning |
|---|---|---|
| `invalid_input` | all | a member is missing |

## Findings

| code | operations | meaning | level |
|---|---|---|---|
| `name_blank` | `payload.check_tool_call` | the name is blank | loss |
"""

MANIFEST = """
operations:
  - operation: payload.check_tool_call
    contract: payload
    feature: core
    diagnostics: [findings]
features:
  - feature: diagnostics
    meaning: diagnostic members are compared
"""

SUITE = """
format: 1
suite: payload/NAME
operation: payload.check_tool_call
cases:
  - id: payload.check_tool_call.NAME
    title: TITLE
    requirements: [PAY-001]
    since: "0.1"
    risk: lost-call
    origin: {kind: derived}
    input: {tool_call: {function: {name: "\\u00e9"}}}
    expect:
      result: {valid: true, name: é, arguments: {}, arguments_json: '{}', findings: []}
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small checkout with one suite."""
    for name in ("formats", "payload"):
        shutil.copytree(ROOT / "schemas" / "v1" / name, tmp_path / "schemas" / "v1" / name)
    put(tmp_path, "spec/v1/payload.md", PAGE)
    put(tmp_path, "spec/v1/codes.md", CODES)
    put(tmp_path, "fixtures/src/v1/manifest.yaml", MANIFEST)
    put(tmp_path, "fixtures/v1/README.md", "# Fixtures\n")
    put_suite(tmp_path, "first", "the first fact")
    return tmp_path


def put(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def put_suite(root: Path, name: str, title: str, edit: Callable[[str], str] = str) -> None:
    text = edit(SUITE.replace("NAME", name).replace("TITLE", title))
    put(root, f"fixtures/src/v1/payload/{name}.yaml", text)


def problems(root: Path) -> list[str]:
    return [str(problem) for problem in authored.read_tree(root).problems]


def content(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def built(root: Path, name: str) -> Any:
    return json.loads((root / "fixtures" / "v1" / name).read_bytes())


# What is refused.


def test_a_sound_tree_has_no_problem(tree: Path) -> None:
    assert problems(tree) == []


def test_ids_and_titles_clash_across_suites(tree: Path) -> None:
    put_suite(
        tree, "second", "the second fact", lambda text: text.replace("call.second", "call.first")
    )
    put_suite(tree, "third", "the first fact")
    assert problems(tree) == [
        "fixtures/src/v1/payload/second.yaml:payload.check_tool_call.first: "
        "the id stands in fixtures/src/v1/payload/first.yaml already",
        "fixtures/src/v1/payload/third.yaml:payload.check_tool_call.third: "
        "payload.check_tool_call.first has the same title",
    ]


def test_all_problems_are_collected_with_file_and_case(tree: Path) -> None:
    put_suite(tree, "second", "it must work", lambda text: text.replace("PAY-001", "PAY-009"))
    put_suite(tree, "third", "a fact", lambda text: text.replace('"0.1"', "0.1"))
    put_suite(tree, "fourth", "a fact", lambda text: text.replace("risk: lost-call", "risk:"))
    put(tree, "fixtures/src/v1/payload/notes.txt", "no suite")
    put(tree, "fixtures/src/v1/payload/.hidden", "an editor's")
    where = "fixtures/src/v1/payload"
    assert problems(tree) == [
        f"{where}/fourth.yaml:10: an empty value; write null or ''",
        f"{where}/notes.txt: the file of a suite is named .yaml",
        f"{where}/second.yaml:payload.check_tool_call.second: the title states no fact: must",
        f"{where}/second.yaml:payload.check_tool_call.second: there is no requirement PAY-009",
        f'{where}/third.yaml:payload.check_tool_call.third: /since: 0.1 is not of type "string"',
    ]


def test_codes_of_results_stand_in_the_list(tree: Path) -> None:
    result = "{valid: true, name: é, arguments: {}, arguments_json: '{}', findings: []}"
    finding = "[{code: name_missing, path: /tool_call/function/name}]"
    bad = result.replace("true", "false").replace("é", "null").replace("[]", finding)
    put_suite(tree, "second", "a fact", lambda text: text.replace(result, bad))
    assert problems(tree) == [
        "fixtures/src/v1/payload/second.yaml:payload.check_tool_call.second: "
        "codes.md has no name_missing among the findings"
    ]


def test_codes_of_a_result_out_of_form_are_not_looked_for(tree: Path) -> None:
    put_suite(tree, "second", "a fact", lambda text: text.replace("findings: []", "findings: [{}]"))
    assert all("result/findings" in problem for problem in problems(tree))
    assert problems(tree) != []


def test_a_tree_without_a_suite_is_refused(tree: Path) -> None:
    (tree / "fixtures/src/v1/payload/first.yaml").unlink()
    assert problems(tree) == ["fixtures/src/v1: there is no suite"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "contract: payload",
            "contract: capability",
            "the contract is not the part before the dot",
        ),
        ("feature: core", "feature: streaming", "there is no feature streaming"),
        ("diagnostics: [findings]", "diagnostics: [Findings]", "does not match"),
        ("    contract: payload\n", "", '"contract" is a required property'),
        ("features:\n", "version: 1\nfeatures:\n", "'version' was unexpected"),
        (
            "features:\n",
            "levels: [{level: basic, origin: incident, operations: [payload.none]}]\nfeatures:\n",
            "level basic: there is no operation payload.none",
        ),
        ("feature: diagnostics", "feature: core", "is not allowed for"),
        ("check_tool_call", "check_tool_calls", "there is no schema urn:commoncall:v1:payload:"),
        ("core\n", "core\n    feature: core\n", 'line 6: the key "feature" again'),
    ],
)
def test_the_manifest_is_judged(tree: Path, old: str, new: str, reason: str) -> None:
    put(tree, "fixtures/src/v1/manifest.yaml", MANIFEST.replace(old, new, 1))
    first = problems(tree)[0]
    assert first.startswith("fixtures/src/v1/manifest.yaml: ")
    assert reason in first


def test_names_in_the_manifest_are_unique(tree: Path) -> None:
    head, features = MANIFEST.split("features:\n")
    operation = head.split("operations:\n")[1]
    put(tree, "fixtures/src/v1/manifest.yaml", f"{head}{operation}features:\n{features * 2}")
    assert problems(tree) == [
        "fixtures/src/v1/manifest.yaml: the feature diagnostics stands twice",
        "fixtures/src/v1/manifest.yaml: the operation payload.check_tool_call stands twice",
    ]


def test_a_missing_manifest_is_one_problem(tree: Path) -> None:
    (tree / "fixtures/src/v1/manifest.yaml").unlink()
    assert problems(tree) == ["fixtures/src/v1/manifest.yaml: there is no such file"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "Expecting property name"),
        ("[]", "no object"),
        ('{"title": "a", "title": "b"}', "a member stands twice: title"),
        ("{}", "$schema is not https://json-schema.org/draft/2020-12/schema"),
        ('{"$schema": "S", "$id": "urn:commoncall:v1:payload:y"}', "$id is not urn:commoncall:v1:"),
        ('{"$schema": "S", "$id": "ID", "type": "objekt"}', '/type: "objekt" is not one of'),
    ],
)
def test_schemas_are_judged(tree: Path, text: str, reason: str) -> None:
    text = text.replace('"S"', '"https://json-schema.org/draft/2020-12/schema"')
    put(tree, "schemas/v1/payload/x.schema.json", text.replace("ID", "urn:commoncall:v1:payload:x"))
    (problem,) = problems(tree)
    assert problem.startswith("schemas/v1/payload/x.schema.json: ")
    assert reason in problem


def test_an_operation_without_schema_is_the_manifests_problem_alone(tree: Path) -> None:
    (tree / "schemas/v1/payload/check_tool_call.schema.json").unlink()
    where = "fixtures/src/v1/manifest.yaml: payload.check_tool_call: there is no schema"
    assert problems(tree) == [
        f"{where} urn:commoncall:v1:payload:check_tool_call#/$defs/{part}"
        for part in ("input", "result")
    ]


def test_without_the_schema_of_suites_nothing_is_judged(tree: Path) -> None:
    (tree / "schemas/v1/formats/suite.schema.json").unlink()
    assert problems(tree) == ["schemas: no schema has the $id urn:commoncall:v1:formats:suite"]


# What is built.


def test_the_build_writes_what_was_authored(tree: Path) -> None:
    assert build.main(["--write"], tree) == 0
    source = tree / "fixtures/src/v1/payload/first.yaml"
    text = (tree / "fixtures/v1/payload/first.json").read_bytes()
    assert text.isascii()
    assert text.endswith(b"}\n")
    authored = strict_yaml.load_file(source, "")
    assert json.dumps(json.loads(text)) == json.dumps(authored), "same data in the same order"
    assert text.startswith(b'{\n  "format": 1,\n  "suite": "payload/first",\n')


def test_the_manifest_lists_everything(tree: Path) -> None:
    put_suite(tree, "another", "another fact")
    assert build.main([], tree) == 0
    manifest = built(tree, "manifest.json")
    assert manifest["version"] == __version__
    assert manifest["operations"] == [
        {
            "operation": "payload.check_tool_call",
            "contract": "payload",
            "feature": "core",
            "diagnostics": ["findings"],
            "schema": "schemas/v1/payload/check_tool_call.schema.json",
        }
    ]
    assert [row["code"] for row in manifest["codes"]["errors"]] == ["invalid_input"]
    assert manifest["codes"]["findings"] == [
        {
            "code": "name_blank",
            "operations": ["payload.check_tool_call"],
            "meaning": "the name is blank",
            "level": "loss",
        }
    ]
    assert manifest["codes"]["repairs"] == []
    data = (tree / "fixtures/v1/payload/another.json").read_bytes()
    assert manifest["suites"][0] == {
        "suite": "payload/another",
        "path": "payload/another.json",
        "operation": "payload.check_tool_call",
        "cases": 1,
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def test_requirements_name_their_cases(tree: Path) -> None:
    put_suite(tree, "another", "another fact")
    assert build.main([], tree) == 0
    document = built(tree, "requirements.json")
    first, second = document["requirements"]
    (definition,) = document["definitions"]
    assert first.pop("sha256") != second.pop("sha256") != definition.pop("sha256")
    assert first == {
        "id": "PAY-001",
        "title": "Nothing",
        "level": "MUST",
        "text": "Arguments that are absent MUST become an empty object.",
        "contract": "payload",
        "feature": "core",
        "since": NOW,
        "changes": [],
        "adr": [],
        "source": [],
        "cases": ["payload.check_tool_call.another", "payload.check_tool_call.first"],
        "links": ["v1/payload/#absent"],
        "address": "v1/payload/#pay-001",
    }
    assert (second["level"], second["source"]) == ("SHOULD", ["reports"])
    assert (second["cases"], second["review"]) == ([], "nobody can measure it")
    assert definition == {
        "name": "absent",
        "text": "Absent is what is not there.",
        "links": [],
        "address": "v1/payload/#absent",
    }


def test_the_sums_cover_every_other_file(tree: Path) -> None:
    assert build.main([], tree) == 0
    target = tree / "fixtures/v1"
    lines = (target / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    names = [line[66:] for line in lines]
    assert names == ["README.md", "manifest.json", "payload/first.json", "requirements.json"]
    for line in lines:
        digest = hashlib.sha256((target / line[66:]).read_bytes()).hexdigest()
        assert line == f"{digest}  {line[66:]}"


def test_a_second_build_changes_nothing(tree: Path) -> None:
    assert build.main([], tree) == 0
    before = content(tree)
    assert build.main([], tree) == 0
    assert build.main(["--check"], tree) == 0
    assert content(tree) == before


def test_the_check_names_every_stale_file_and_writes_nothing(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_suite(tree, "second", "the second fact")
    assert build.main([], tree) == 0
    put_suite(tree, "first", "another fact")
    put(tree, "fixtures/v1/payload/gone.json", "{}\n")
    put(tree, "fixtures/v1/notes.txt", "somebody's\n")
    put(tree, "spec/v1/payload.md", PAGE)
    (tree / "fixtures/v1/payload/second.json").unlink()
    before = content(tree)
    capsys.readouterr()
    assert build.main(["--check"], tree) == 1
    assert capsys.readouterr().err.splitlines()[:-1] == [
        "fixtures/v1/SHA256SUMS: stale",
        "fixtures/v1/manifest.json: stale",
        "fixtures/v1/payload/first.json: stale",
        "fixtures/v1/payload/second.json: missing",
        "fixtures/v1/notes.txt: has no source, remove it",
        "fixtures/v1/payload/gone.json: has no source, remove it",
    ]
    assert content(tree) == before


def test_a_build_removes_what_has_no_source(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tree, "fixtures/v1/payload/gone.json", "{}\n")
    put(tree, "fixtures/v1/event/gone.json", "{}\n")
    assert build.main([], tree) == 0
    assert not (tree / "fixtures/v1/payload/gone.json").exists()
    assert not (tree / "fixtures/v1/event").exists()
    put(tree, "fixtures/v1/notes.txt", "somebody's\n")
    capsys.readouterr()
    assert build.main([], tree) == 1
    assert "fixtures/v1/notes.txt: has no source, remove it" in capsys.readouterr().err
    assert (tree / "fixtures/v1/notes.txt").exists(), "no build deletes what no build made"


def test_a_change_of_the_page_for_ports_changes_the_sums(tree: Path) -> None:
    assert build.main([], tree) == 0
    put(tree, "fixtures/v1/README.md", "# Other fixtures\n")
    assert build.main(["--check"], tree) == 1
    assert build.main([], tree) == 0
    assert build.main(["--check"], tree) == 0


@pytest.mark.parametrize(
    ("name", "old", "new", "reason"),
    [
        ("fixtures/src/v1/payload/first.yaml", "PAY-001", "PAY-009", "no requirement PAY-009"),
        ("fixtures/src/v1/manifest.yaml", "core", "cores", "there is no feature cores"),
        ("schemas/v1/formats/suite.schema.json", '"$id"', '"$ids"', "$id is not urn:commoncall:"),
        ("spec/v1/payload.md", "### PAY-002", "### PAY-2", "nearly an id"),
    ],
)
def test_nothing_is_written_while_anything_is_wrong(
    tree: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    old: str,
    new: str,
    reason: str,
) -> None:
    put_suite(tree, "second", "the second fact")
    path = tree / name
    put(tree, name, path.read_text(encoding="utf-8").replace(old, new, 1))
    before = content(tree)
    assert build.main([], tree) == 1
    output = capsys.readouterr()
    assert reason in output.err
    assert output.err.splitlines()[-1].endswith("; nothing is written")
    assert content(tree) == before


def test_what_is_built_is_held_to_its_own_schema(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "__version__", "dev")
    before = content(tree)
    assert build.main([], tree) == 1
    assert 'fixtures/v1/manifest.json:/version: "dev" does not match' in capsys.readouterr().err
    assert content(tree) == before


# This checkout; the session `fixtures` shows that what is built of it is up to date.


def test_the_sources_of_this_tree_are_sound() -> None:
    tree = shared.tree()
    assert [str(problem) for problem in tree.problems] == []
    covered = {suite["operation"] for suite in tree.suites.values()}
    assert covered == {entry["operation"] for entry in tree.context.manifest["operations"]}


def test_built_data_nest_no_deeper_than_the_page_for_ports_says() -> None:
    readme = (ROOT / "fixtures/v1/README.md").read_text(encoding="ascii")
    match = re.search(r"nest deeper than (\d+)", readme)
    assert match is not None
    paths = list((ROOT / "fixtures/v1").rglob("*.json"))
    assert not any(too_deep(json.loads(path.read_bytes()), int(match[1])) for path in paths)


def test_the_page_for_ports_names_what_the_manifest_has() -> None:
    readme = (ROOT / "fixtures/v1/README.md").read_text(encoding="ascii")
    manifest = built(ROOT, "manifest.json")
    operations = {entry["operation"]: entry["diagnostics"] for entry in manifest["operations"]}
    contracts = "|".join({entry["contract"] for entry in manifest["operations"]})
    rows = re.findall(rf"^\| `((?:{contracts})\.\w+)` \| (.*) \|$", readme, re.MULTILINE)
    assert {name: re.findall(r"`(\w+)`", members) for name, members in rows} == operations
    features = readme.partition("| feature |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `([\w-]+)` \|", features, re.MULTILINE)) == {
        entry["feature"] for entry in manifest["features"]
    }


def test_the_page_for_ports_names_every_member_of_a_case() -> None:
    readme = (ROOT / "fixtures/v1/README.md").read_text(encoding="ascii")
    schema = json.loads((ROOT / "schemas/v1/formats/suite.schema.json").read_bytes())
    table = readme.partition("## A case")[2].partition("## ")[0]
    rows = re.findall(r"^\| (`.*?) \| ", table, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named == set(schema["$defs"]["case"]["properties"])


def test_the_loop_of_the_page_for_ports_has_at_most_30_lines() -> None:
    readme = (ROOT / "fixtures/v1/README.md").read_text(encoding="ascii")
    loop = readme.partition("## The loop\n")[2].partition("```python\n")[2].partition("```")[0]
    assert 10 < len(loop.splitlines()) <= 30


def test_the_manifest_says_of_each_contract_what_a_port_can_claim() -> None:
    manifest = built(ROOT, "manifest.json")
    suite = shared.suite()
    contracts = {each["contract"]: each for each in manifest["contracts"]}
    assert list(contracts) == suite.contracts
    named = [name for each in contracts.values() for name in each["operations"]]
    assert named == list(suite.operations)
    assert {name for each in contracts.values() for name in each["features"]} <= set(suite.features)
    assert set(manifest["laws"]) == {law for case in suite.cases for law in case.laws}
    for name, each in contracts.items():
        cases = [case for case in suite.cases if case.operation.contract == name]
        requirements = [one for one in suite.requirements.values() if one.contract == name]
        assert (each["cases"], each["requirements"]) == (len(cases), len(requirements))
        needed = {feature for case in cases for feature in (*case.features, *case.without)}
        needed |= {one.feature for one in requirements} - {"core"}
        assert needed <= set(each["features"]), name


def test_the_runs_of_the_manifest_are_those_of_the_kit() -> None:
    """Some of the cases are run; the session `reference` runs them all."""
    asked = 0

    def ask(operation: str, value: object, env: Mapping[str, object] | None) -> Any:
        nonlocal asked
        asked += 1
        return adapter.answer(operation, value, env)

    suite = shared.suite()
    applying = [
        case
        for case in suite.cases[::21]
        if case.features.issubset(adapter.FEATURES) and case.without.isdisjoint(adapter.FEATURES)
    ]
    declared = Declaration({}, list(adapter.OPERATIONS), list(adapter.FEATURES))
    results, problem = run(applying, declared, ask, 1)
    assert problem is None
    assert {result.outcome for result in results} == {"passed"}
    assert asked == sum(questions(case.laws) for case in applying)
    contracts = built(ROOT, "manifest.json")["contracts"]
    total = sum(questions(case.laws) for case in suite.cases)
    assert sum(each["runs"] for each in contracts) == total
