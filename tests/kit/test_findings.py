"""The findings of the surveys: what each says is a difference, and a changed answer is seen."""

import json
from pathlib import Path
from typing import Any

import pytest

from commoncall.adapter import answer
from commoncall_kit.verdict.survey import described, differing
from tests.contracts.extraction import adversarial
from tests.systems import findings
from tests.systems.sections import Section
from tools.law.text import read_spec

FINDINGS = findings.read()
ASKED = [one for one in FINDINGS if "input" in one]
MEASURED = [one for one in FINDINGS if "input" not in one]


def place(finding: dict[str, Any]) -> Path:
    paths = findings.HERE.glob(f"*/{finding['system']}.json")
    return next(path for path in paths if path.parent.name != "reports")


def description(finding: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(place(finding).read_text("utf-8"))
    return found


def test_each_has_a_name_of_its_own_and_a_requirement_that_stands(root: Path) -> None:
    names = [one["id"] for one in FINDINGS]
    assert len(names) == len(set(names))
    assert {one["requirement"] for one in FINDINGS} <= read_spec(root).requirements.keys()
    assert all(one["id"].startswith(f"{one['kind']}.{one['system']}.") for one in FINDINGS)


@pytest.mark.parametrize("finding", ASKED, ids=lambda one: str(one["id"]))
def test_the_reference_does_something_else(finding: dict[str, Any]) -> None:
    about, operation = description(finding), finding["operation"]
    dialects = about["operations"][operation].get("dialects")
    given = finding["input"] | ({"dialects": dialects} if dialects else {})
    outcome = answer(operation, given)
    assert "result" in outcome
    if "answer" in finding:
        offer = described(about).offers[operation]
        assert differing(outcome["result"], finding["answer"], offer)
    else:
        assert finding["kind"] == "raised"
        assert finding["raised"]


def test_an_adapter_hands_a_text_on_as_it_is() -> None:
    """What a system makes of tags that an adapter put there is no finding."""
    for one in ASKED:
        adapter = place(one).with_name("adapter.py")
        if adapter.exists() and "SECTION" in adapter.read_text("utf-8"):
            dialect = description(one)["operations"][one["operation"]]["dialects"][0]
            text = one["input"]["text"]
            assert Section(dialect).around(text) == text, one["id"]


@pytest.mark.parametrize("finding", MEASURED, ids=lambda one: str(one["id"]))
def test_a_measured_one_has_a_time_for_each_size(finding: dict[str, Any]) -> None:
    others = {**adversarial.IN_VALUES, **adversarial.OF_DIALECTS}
    assert finding["kind"] == "slow"
    assert finding["generator"] in {**adversarial.INPUTS, **adversarial.BY_RULE, **others}
    assert len(finding["sizes"]) == len(finding["seconds"]) >= 3


def test_another_answer_is_another_one_and_other_words_of_an_exception_are_none() -> None:
    held: list[dict[str, Any]] = [{"id": "a", "answer": 1}, {"id": "b", "raised": "KeyError: 'x'"}]
    assert findings.differing(held, held) == []
    assert findings.differing(held, [{"answer": 2}, {"raised": "KeyError: 'y'"}]) == ["a"]
    assert findings.differing(held, [{"answer": 1}, {"raised": "ValueError: 'x'"}]) == ["b"]
    assert findings.differing(held, [{"raised": "KeyError"}, {"answer": None}]) == ["a", "b"]


def test_an_adapter_in_javascript_is_run_by_node(tmp_path: Path) -> None:
    (tmp_path / "adapter.mjs").touch()
    script = str(tmp_path / "adapter.mjs")
    assert findings.adapter(tmp_path / "toy.json") == ["node", script, "toy"]
