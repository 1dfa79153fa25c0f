"""The ledger of incidents: a tree that passes, and a fault of each kind that is found."""

import json
import re
import shutil
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from commoncall_kit.suite import incidents
from tests.command import commoncall
from tools.fixtures.authored import Tree, read_tree
from tools.fixtures.incidents import FILE, ledger
from tools.fixtures.made import stale, write
from tools.law.incidents import incident_problems
from tools.site.book import PROSE
from tools.site.systems import SCENARIOS

GOOD = {
    "id": "ollama/ollama#16686",
    "software": "Ollama",
    "harm": "prompt-leak",
    "what": "A tag stayed in the answer.",
    "right": "The tag goes.",
    "rules": ["EXT-203"],
    "cases": ["extraction.extract.closer-without-opener"],
}
CITED = "goes back to it"


@pytest.fixture(scope="module")
def tree(root: Path) -> Tree:
    return read_tree(root)


def problems(folder: Path, tree: Tree, *records: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a ledger of these records, but for reports that it leaves out."""
    (folder / "fixtures/incidents").mkdir(parents=True, exist_ok=True)
    file = folder / "fixtures/incidents/some.yaml"
    file.write_text(json.dumps({"format": 1, "incidents": records}), encoding="utf-8")
    return [each for each in incident_problems(folder, tree) if CITED not in each]


def test_a_record_in_form_is_taken(tmp_path: Path, tree: Tree) -> None:
    assert problems(tmp_path, tree, GOOD) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rules": ["EXT-999"]}, "EXT-999 is no requirement"),
        ({"rules": ["PAY-001"]}, "none of its cases cites PAY-001"),
        ({"cases": ["extraction.extract.none-such"]}, "extraction.extract.none-such is no case"),
        ({"profile": "none-such"}, "there is no profile none-such"),
        ({"profile": "none-such"}, "nothing in spec/v1 has it as evidence"),
        ({"what": "No end"}, "/incidents/0/what"),
        ({"refused": "It is refused, and it is answered."}, "/incidents/0"),
        ({"date": "in May"}, "/incidents/0/date"),
    ],
)
def test_a_fault_is_found(tmp_path: Path, tree: Tree, change: dict[str, Any], said: str) -> None:
    assert any(said in each for each in problems(tmp_path, tree, {**GOOD, **change}))


def test_one_report_has_one_record(tmp_path: Path, tree: Tree) -> None:
    assert any("has two records" in each for each in problems(tmp_path, tree, GOOD, GOOD))


def test_a_case_is_listed_by_the_report_that_it_goes_back_to(tmp_path: Path, tree: Tree) -> None:
    unlisted = f"no record of {GOOD['id']} lists {GOOD['cases'][0]}, which {CITED}"
    problems(tmp_path, tree, GOOD)
    assert not any(unlisted in each for each in incident_problems(tmp_path, tree))
    other = {**GOOD, "cases": ["extraction.extract.closer-without-opener-prose"]}
    problems(tmp_path, tree, other)
    assert any(unlisted in each for each in incident_problems(tmp_path, tree))


def test_evidence_of_a_profile_has_a_record(root: Path, tmp_path: Path, tree: Tree) -> None:
    shutil.copytree(root / "spec/v1/profiles", tmp_path / "spec/v1/profiles")
    found = problems(tmp_path, tree, GOOD)
    assert any("no record of vllm-project/vllm#6862" in each for each in found)
    found = problems(tmp_path, tree, {**GOOD, "id": "vllm-project/vllm#6862"})
    assert any("it is evidence of a profile, and names none" in each for each in found)


def test_the_built_file_is_stale_until_it_is_written(tmp_path: Path, tree: Tree) -> None:
    assert ledger(tmp_path) == {}
    problems(tmp_path, tree, GOOD)
    assert stale(tmp_path, ledger(tmp_path)) == [FILE]
    write(tmp_path, ledger(tmp_path))
    assert stale(tmp_path, ledger(tmp_path)) == []


def test_dates_are_in_the_order_of_numbers() -> None:
    """A month or a year is the begin of a date, so what is compared is what both say."""
    dated = (
        (repository, int(number), one["date"])
        for one in incidents.read()
        if "date" in one
        for repository, number in [one["id"].split("#")]
    )
    for (repository, earlier, begun), (other, later, ended) in pairwise(sorted(dated)):
        said = min(len(begun), len(ended))
        right = repository != other or begun[:said] <= ended[:said]
        assert right, f"{repository}: {earlier} is of {begun}, and {later} of {ended}"


def test_a_requirement_without_a_report_has_a_reason(tree: Tree) -> None:
    reported = {rule for one in incidents.read() for rule in one.get("rules", ())}
    for one in tree.context.spec.requirements.values():
        assert one.id in reported or one.source or one.adr, one.id


def test_each_record_is_explained_by_either_name() -> None:
    one = next(each for each in incidents.read() if "right" in each)
    said = {commoncall("explain", name).stdout for name in incidents.names(one)}
    (text,) = said
    for part in (one["id"], one["rules"][0], one["cases"][0], incidents.address(one["id"])):
        assert part in text.decode()


def test_a_report_that_nobody_knows_is_an_error_with_near_names() -> None:
    done = commoncall("explain", "vllm#2854")
    assert done.returncode == 2
    assert b"near it: vllm#28543" in done.stderr


def test_the_page_of_scenarios_names_cases(tree: Tree) -> None:
    text = (PROSE / SCENARIOS).read_text(encoding="utf-8")
    named = set(re.findall(r"`(extraction\.extract\.[a-z0-9-]+)`", text))
    assert named
    assert named <= {case["id"] for _, case in tree.cases()}
