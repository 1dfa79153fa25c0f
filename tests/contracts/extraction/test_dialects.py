"""A dialect is a file: what the tool says of bad ones, and that one which no code knows is read."""

import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from commoncall.dialect_data import DESCRIPTORS
from commoncall.extraction import extract, stream
from commoncall.extraction.dialects import DIALECTS, Dialect, dialect_of
from commoncall_kit.suite import chunking
from tests import shared
from tools.law.dialects import dialect_problems

FOLDER = "spec/v1/dialects"
BRACKETS = {
    "format": 1,
    "id": "made-up",
    "title": "a dialect that exists in this test only",
    "default": False,
    "opener": {"text": "((call:", "end": "))", "name": {"prefix": "my.", "counter": False}},
    "closer": {"text": "((end))"},
    "payload": {"scanner": "json_arguments"},
}
PERCENT = {
    "format": 1,
    "id": "percent",
    "title": "parameters between signs",
    "default": False,
    "opener": {"tag": "run"},
    "closer": {"tag": "run"},
    "payload": {
        "scanner": "parameters",
        "name_in_first_line": True,
        "name_begin": "%",
        "name_end": "=",
        "value_begin": "",
        "value_end": "%%",
    },
}


def read_from_a_file(descriptor: dict[str, Any], folder: Path) -> Dialect:
    path = folder / f"{descriptor['id']}.json"
    path.write_text(json.dumps(descriptor), encoding="utf-8")
    assert descriptor["id"] not in DIALECTS
    return dialect_of(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("descriptor", "text", "name", "arguments_json"),
    [
        (BRACKETS, 'a ((call:my.f)) {"a": "((end))",} ((end)) b', "f", '{"a": "((end))"}'),
        (PERCENT, "a <run>f\n%a=x\ny%%\n%b=</run>%%</RUN> b", "f", '{"a":"x\\ny","b":"</run>"}'),
    ],
)
def test_a_dialect_of_a_known_kind_needs_a_file_and_no_code(
    descriptor: dict[str, Any], text: str, name: str, arguments_json: str, tmp_path: Path
) -> None:
    """EXT-116."""
    dialect = read_from_a_file(descriptor, tmp_path)
    numbers = itertools.count()
    chosen: dict[str, Any] = {"effective": ["f"], "dialects": ["tool_call", dialect]}
    result = extract(text, new_id=lambda: f"c{next(numbers)}", **chosen)
    assert result["content"] == "a  b"
    assert result["matched"] == [descriptor["id"]]
    (call,) = result["tool_calls"]
    assert (call["name"], call["arguments_json"]) == (name, arguments_json)
    for size in (1, 2, 5):
        chunks = chunking.cut(text, size)
        assert stream(chunks, new_id=lambda: "c0", **chosen)["result"] == result


HALF = "\ud800"


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("function-parameters", f"<function={HALF}></function>"),
        ("function-parameters", f"<function=f><parameter={HALF}>1</parameter></function>"),
        ("function-parameters", f"<function= ><parameter=a>{HALF}</parameter></function>"),
        ("argument-pairs", f"<tool_call>f{HALF}\n</tool_call>"),
        (
            "named-calls",
            f"<|tool_call_begin|>{HALF}<|tool_call_argument_begin|>{{}}<|tool_call_end|>",
        ),
        (
            "named-calls",
            f"<|tool_call_begin|>{HALF}<|tool_call_argument_begin|>[]<|tool_call_end|>",
        ),
    ],
)
def test_half_a_surrogate_pair_is_no_call(dialect: str, text: str) -> None:
    """EXT-077, which no case may show: the segment of the block holds half a pair."""
    result = extract(text, effective=["f"], dialects=[dialect])
    assert result["tool_calls"] == []
    (segment,) = result["segments"]
    assert (segment["kind"], segment["codes"]) == ("rejected", ["invalid_json"])


def test_an_escape_of_half_a_pair_is_text() -> None:
    """EXT-077: nothing in a parameter is an escape."""
    text = r"<function=\ud800><parameter=\ud800>\ud800</parameter></function>"
    (call,) = extract(text, effective=["f"], dialects=["function-parameters"])["tool_calls"]
    assert (call["name"], call["arguments"]) == (r"\ud800", {r"\ud800": r"\ud800"})


@pytest.mark.parametrize(
    ("payload", "codes"),
    [
        ('[{"name": "f", "arguments": {}}]', []),
        ('[{"name": "f", "arguments": {}}][]', []),
        ('[][{"name": "f", "arguments": {}}]', []),
        ('[]{"name": "f", "arguments": {}}', ["not_a_call"]),
        ('{"name": "f", "arguments": {}}', ["not_a_call"]),
        ('{"name": "f", "arguments": {}} {"name": "f", "arguments": {}}', ["not_a_call"]),
        ("[]", ["empty"]),
    ],
)
def test_a_dialect_of_arrays_may_have_a_closer(payload: str, codes: list[str]) -> None:
    """EXT-077."""
    json_array = {"scanner": "json_array", "names": ["name"], "arguments": ["arguments"]}
    dialect = dialect_of(
        {**BRACKETS, "opener": {"text": "((call"}, "payload": {**json_array, "nested": None}}
    )
    result = extract(f"((call {payload} ((end))", effective=["f"], dialects=[dialect])
    assert len(result["tool_calls"]) == (not codes)
    assert result["segments"][0].get("codes", []) == codes


@pytest.mark.parametrize(("words", "code"), [("four", "not_json"), ("words", "payload_too_large")])
def test_a_block_that_is_too_large_is_unreadable(words: str, code: str) -> None:
    """EXT-D29.3, which no case can show: messages alone have a limit, and each of them is meant."""
    values = {"scanner": "json_values", "names": ["name"], "arguments": ["arguments"]}
    payload = {**values, "nested": None}
    descriptor = {**BRACKETS, "opener": {"text": "((call"}, "payload": payload, "limit_bytes": 6}
    text = f"((call {words} ((end))"
    result = extract(text, effective=["f"], dialects=[dialect_of(descriptor)])
    assert len(result["unreadable"]) == 1
    assert result["segments"][0]["codes"] == [code]


@pytest.fixture
def checkout(tmp_path: Path, root: Path) -> Path:
    shutil.copytree(root / FOLDER, tmp_path / FOLDER)
    return tmp_path


def problems(checkout: Path) -> list[str]:
    return dialect_problems(checkout, shared.read_schemas())


def test_the_descriptors_are_in_form(checkout: Path) -> None:
    assert problems(checkout) == []


def test_the_reference_reads_the_files(root: Path) -> None:
    files = [json.loads(path.read_bytes()) for path in (root / FOLDER).iterdir()]
    assert {one["id"] for one in DESCRIPTORS} == {one["id"] for one in files}
    assert all(one in files for one in DESCRIPTORS)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": "other"}, "the id is other"),
        ({"opener": {"text": "f", "end": ">", "name": {}}}, "made-up.json: /opener"),
        ({"closer": {"text": "((call:my"}}, "begins another marker of its own"),
        ({"opener": {"tag": "tool_call"}}, "has the opener of tool_call"),
        ({"opener": {"text": '[{"call":'}}, '[{"call": is the begin of a payload'),
        ({"opener": {"text": "[TOOL_CALLS]["}}, "[TOOL_CALLS] begins [TOOL_CALLS]["),
        ({"closer": {"text": "[["}}, "[[ is the begin of a payload"),
        ({"opener": {"text": "<think"}}, "is the reasoning tag"),
        (
            {"opener": {"text": "(" * 172, "end": ">", "name": {"prefix": "", "counter": False}}},
            "the opener can be longer than the 300",
        ),
        ({"excludes": ["nothing"]}, "there is no dialect nothing to exclude"),
        ({"excludes": ["tools"]}, "excludes tools, whose opener is another"),
        ({"pattern": ".*"}, "made-up"),
        ({"payload": {"scanner": "regex"}}, "made-up.json: /payload"),
    ],
)
def test_what_is_wrong_with_a_descriptor_is_said(
    change: dict[str, Any], problem: str, checkout: Path
) -> None:
    descriptor = {**BRACKETS, **change}
    if "closer" in change:
        descriptor["opener"] = {"text": "((call:my.f"}
    (checkout / FOLDER / "made-up.json").write_text(json.dumps(descriptor))
    assert any(problem in line for line in problems(checkout))
