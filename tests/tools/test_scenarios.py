"""The scenarios as formats write them, and what is wrong with their file."""

from collections import Counter
from pathlib import Path

import pytest

from tests import shared
from tools.fixtures import authored, scenarios
from tools.fixtures.authored import ROOT
from tools.fixtures.written import Piece, written

SUITES = dict(scenarios.suites(ROOT))
TEXTS = {
    case["id"].removeprefix("extraction.extract.as-"): case["input"]["text"]
    for suite in SUITES.values()
    for case in suite["cases"]
}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "hermes-two",
            '<tool_call>{"name": "f", "arguments": {"a": "x"}}</tool_call>\n'
            '<tool_call>{"name": "g", "arguments": {"b": "y"}}</tool_call><|im_start|>assistant',
        ),
        ("mistral-v13-cut", 'Wait. [TOOL_CALLS]f[ARGS]{"a": "xy'),
        ("gemma-4-empty", "<|tool_call>call:f{}<tool_call|>"),
        ("llama-3-pythonic-typed", "[f(n=3, r=1.5, t=True, z=None)]"),
        (
            "qwen3-coder-inline-code",
            "It writes `<tool_call><function=f><parameter=a>x</parameter></function></tool_call>` "
            "there.",
        ),
        (
            "gpt-oss-one",
            "<|start|>assistant<|channel|>final<|message|>Wait.<|end|><|start|>assistant<|channel|>"
            'commentary to=functions.f <|constrain|>json<|message|>{"a": "x"}<|call|>',
        ),
        (
            "minimax-m3-one",
            'Wait. ]<]minimax[>[<tool_call>]<]minimax[>[<invoke name="f">]<]minimax[>[<a>x'
            "]<]minimax[>[</a>]<]minimax[>[</invoke>]<]minimax[>[</tool_call> Done.",
        ),
    ],
)
def test_a_format_writes_a_scenario_so(name: str, text: str) -> None:
    assert TEXTS[name] == text


def test_every_format_has_scenarios() -> None:
    formats = {path.stem for path in ROOT.glob("spec/v1/formats/*.json")}
    asked = Counter(case["input"]["format"] for suite in SUITES.values() for case in suite["cases"])
    assert asked.keys() == formats
    assert min(asked.values()) >= 12


def test_every_scenario_is_one_for_some_format() -> None:
    known = scenarios.read(ROOT)
    for each in known["scenarios"]:
        title = f": {each['title']}"
        assert any(
            case["title"].endswith(title) for suite in SUITES.values() for case in suite["cases"]
        ), title


def test_the_segments_are_the_text() -> None:
    for suite in SUITES.values():
        for case in suite["cases"]:
            segments = case["expect"]["result"]["segments"]
            assert "".join(one["text"] for one in segments) == case["input"]["text"], case["id"]


def test_a_wrapper_stands_around_each_call_or_all() -> None:
    calls = [{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]
    dialect = {
        "id": "inner",
        "opener": {"text": "[", "end": "]", "name": {}},
        "closer": None,
        "payload": {"scanner": "json_arguments"},
    }
    tags = {"id": "outer", "opener": {"tag": "o"}, "closer": {"tag": "o"}}
    around, end = Piece("wrapper", "<o>", "outer"), Piece("wrapper", "</o>", "outer")
    first, second = Piece("call", "[f]{}", "inner", 1), Piece("call", "[g]{}", "inner", 1)
    assert written(calls, dialect, {}, tags) == [around, first, second, end]
    each = written(calls, dialect, {"each": True, "between": " "}, tags)
    assert each == [around, first, end, Piece("text", " "), around, second, end]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("for: {bare: true}", "for: {bear: true}", "nothing of a format is called bear"),
        ("  tool_call: {", "  tool_cal: {", "dialects: there is no tool_cal"),
        ("  hy-4: {", "  hy-5: {", "formats: there is no hy-5"),
        ("risk: lost-call", "risk: none", '/risk: "none" is not one of'),
        ("scenarios:", "scenarios: [", "did not find expected"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, old: str, new: str, reason: str) -> None:
    source = tmp_path / scenarios.SOURCE
    source.parent.mkdir(parents=True)
    text = (ROOT / scenarios.SOURCE).read_text(encoding="utf-8")
    assert old in text
    source.write_text(text.replace(old, new, 1), encoding="utf-8")
    (tmp_path / "spec").symlink_to(ROOT / "spec")
    _, problems = authored.from_scenarios(tmp_path, shared.tree().context)
    assert any(reason in str(problem) for problem in problems), problems[:3]
