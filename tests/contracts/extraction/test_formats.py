"""A format is a file: what the tool says of bad ones, and who finds which by what name."""

import json
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from commoncall.adapter import answer
from commoncall.dialect_data import format_ids, formats_named, read_format
from commoncall.extraction import format_for
from commoncall.extraction.dialects import DIALECTS
from commoncall.extraction.formats import load_format
from tests import shared
from tests.command import commoncall, refused
from tests.contracts.extraction.texts import FIXTURES
from tests.each import PARTS, check_each, part_of
from tools.law.formats import format_problems

FOLDER = "spec/v1/formats"
MADE_UP = {
    "format": 1,
    "id": "made-up",
    "title": "a format that exists in this test only",
    "dialects": ["tool_call"],
    "tokens": ["<|stop|>"],
    "models": ["nobody/*"],
    "names": [],
    "evidence": [{"kind": "report", "ref": "a test", "says": "nothing"}],
}


@pytest.mark.parametrize(
    ("model", "format"),
    [
        ("Qwen/Qwen3-8B", "qwen3"),
        ("Qwen/Qwen3-Coder-30B-A3B-Instruct", "qwen3-coder"),
        ("qwen/qwen3-coder-next", "qwen3-coder"),
        ("zai-org/GLM-4.5-Air", "glm-4.5"),
        ("moonshotai/Kimi-K2-Instruct", "kimi-k2"),
        ("mistralai/Magistral-Small-2509", "magistral"),
        ("deepseek-ai/DeepSeek-V3.1", "deepseek-v3.1"),
        ("ibm-granite/granite-4.0-h-small", "granite-4"),
        ("unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF", "qwen3-coder"),
        ("mlx-community/Llama-3.3-70B-Instruct-4bit", "llama-3"),
        ("RedHatAI/gemma-4-26B-A4B-it-FP8-dynamic", "gemma-4"),
        ("bartowski/Qwen_Qwen3-8B-GGUF", "qwen3"),
        ("bartowski/zai-org_GLM-4.7-GGUF", "glm-4.7"),
        ("hf.co/unsloth/GLM-5.2-GGUF:Q4_K_M", "glm-4.7"),
        ("unsloth/DeepSeek-V3.1-GGUF", "deepseek-v3.1"),
        ("unsloth/DeepSeek-V3-GGUF", "deepseek-v3"),
        ("/models/Qwen3-8B-Q4_K_M.gguf", "qwen3"),
        ("qwen3-coder:30b", "qwen3-coder"),
        ("qwen3:30b", "qwen3"),
        ("qwen3.8:27b", "qwen3-coder"),
        ("qwen3", None),
        ("gpt-oss:latest", "gpt-oss"),
        ("llama3.1", "llama-3"),
        ("phi4", None),
        ("phi4:14b", None),
        ("qwen/qwen3-coder-30b", "qwen3-coder"),
        ("someone/my-Qwen3-8B", None),
        ("nobody/knows-this", None),
        ("", None),
        ("*", None),
    ],
)
def test_the_format_of_a_model(model: str, format: str | None) -> None:
    assert format_for(model) == format


def test_each_pattern_finds_its_own_format() -> None:
    for id in format_ids():
        for pattern in read_format(id)["models"]:
            assert format_for(pattern.replace("*", "X")) == id, pattern
            assert format_for(pattern.replace("*", "").upper()) == id, pattern


def test_names_of_servers_find_formats() -> None:
    assert formats_named("hermes") == ["hermes"]
    assert formats_named("kimi_k2") == ["kimi-k2"]
    assert formats_named("Qwen/Qwen3-Coder-30B") == ["qwen3-coder"]
    assert "qwen3-coder" in formats_named("qwen3_coder")
    assert formats_named("qwen9_Coder") == []


def test_a_name_of_a_server_says_in_which_version_it_was_seen() -> None:
    for id in format_ids():
        for name in read_format(id)["names"]:
            server, _, version = name["in"].partition(" ")
            assert server, id
            assert any(character.isdigit() for character in version), (id, name)


def test_there_are_enough_of_them() -> None:
    assert len(format_ids()) >= 40


def dialects_of(given: dict[str, Any]) -> frozenset[str]:
    """Return the dialects that the input of a case names, by a format or one by one."""
    if "dialects" in given:
        return frozenset(given["dialects"])
    return frozenset(load_format(given["format"]).dialects)


@pytest.mark.parametrize("part", range(PARTS))
def test_each_is_shown_by_twelve_cases(part: int) -> None:
    check_each(part_of(((id, id) for id in format_ids()), part), check_twelve_cases)


def check_twelve_cases(id: str) -> None:
    """Those of a format count for another with the same dialects, which reads them alike."""
    own, cases = frozenset(load_format(id).dialects), fixture_cases()
    shown = [case for case in cases if case["input"].get("format") == id]
    for case in cases:
        given, result = case["input"], case["expect"]["result"]
        if given.get("format") == id or dialects_of(given) not in (own, *({one} for one in own)):
            continue
        alike = {name: value for name, value in given.items() if name != "dialects"}
        if outcome({**alike, "format": id}, case) == result:
            shown.append(case)
    assert len(shown) >= 12, len(shown)


def test_each_dialect_is_matched_in_a_case() -> None:
    matched = {id for case in result_cases() for id in case["expect"]["result"]["matched"]}
    off = {id for id, dialect in DIALECTS.items() if not dialect.is_default}
    assert sorted(off - matched) == []


@cache
def fixture_cases() -> list[dict[str, Any]]:
    """Return the cases that name a format or dialects, and have a result."""
    return [one for one in result_cases() if one.get("input", {}).keys() & {"format", "dialects"}]


@cache
def result_cases() -> list[dict[str, Any]]:
    suites = [json.loads(path.read_text("utf-8")) for path in sorted(FIXTURES.glob("*.json"))]
    extract = [each for each in suites if each["operation"] == "extraction.extract"]
    return [case for each in extract for case in each["cases"] if "result" in case["expect"]]


def outcome(given: dict[str, Any], case: dict[str, Any]) -> object:
    return answer("extraction.extract", given, case.get("env")).get("result")


def test_an_unknown_one_is_refused_with_the_known_names() -> None:
    with pytest.raises(ValueError, match=r"there is no format 'jjj'; there are .*hermes"):
        load_format("jjj")
    with pytest.raises(ValueError, match=r"there is no format 'qwen'; near it: qwen3, "):
        load_format("qwen")


@pytest.fixture
def checkout(tmp_path: Path, root: Path) -> Path:
    for folder in (FOLDER, "spec/v1/dialects"):
        shutil.copytree(root / folder, tmp_path / folder)
    return tmp_path


def problems(checkout: Path) -> list[str]:
    return format_problems(checkout, shared.read_schemas())


def test_the_formats_are_in_form(checkout: Path) -> None:
    (checkout / FOLDER / "made-up.json").write_text(json.dumps(MADE_UP))
    assert problems(checkout) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": "other"}, "made-up: the id is other"),
        ({"dialects": ["nothing"]}, "made-up: there is no dialect nothing"),
        ({"dialects": ["tool_call", "argument-pairs"]}, "tool_call excludes argument-pairs"),
        ({"tokens": ["<tool"]}, "made-up: <tool begins <tool_call>"),
        ({"tokens": ["<tool_call>x"]}, "made-up: <tool_call> begins <tool_call>x"),
        ({"tokens": ["<think>"]}, "made-up: <think> begins <think>"),
        ({"tokens": [" "]}, "/tokens/0: "),
        ({"models": ["qwen/qwen3-coder-*"]}, "Qwen/Qwen3-Coder-* stands in made-up too"),
        ({"evidence": []}, "/evidence: "),
        ({"pattern": ".*"}, "made-up"),
    ],
)
def test_what_is_wrong_with_a_format_is_said(
    change: dict[str, Any], problem: str, checkout: Path
) -> None:
    (checkout / FOLDER / "made-up.json").write_text(json.dumps({**MADE_UP, **change}))
    assert any(problem in line for line in problems(checkout)), problems(checkout)


# The command


def test_the_command_lists_them() -> None:
    done = commoncall("formats")
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert [line.split()[0] for line in lines] == list(format_ids())


@pytest.mark.parametrize("name", ["qwen3-coder", "Qwen/Qwen3-Coder-480B"])
def test_the_command_finds_one(name: str) -> None:
    (line,) = commoncall("formats", name).stdout.decode().splitlines()
    assert line.startswith("qwen3-coder  ")
    assert "vllm qwen3_coder" in line
    assert re.search(r", [1-9]\d scenarios$", line)


def test_the_command_refuses_what_it_does_not_know() -> None:
    assert "no format, server or model is called ~; formats: " in refused(
        commoncall("formats", "~")
    )
    assert "is called qwen3_codr; near it: qwen3_coder, " in refused(
        commoncall("formats", "qwen3_codr")
    )
    line = refused(commoncall("formats", "export", "qwen3_coder"))
    assert "qwen3_coder is the name of several formats: granite-4.2, " in line


@pytest.mark.parametrize("name", ["kimi-k2", "kimi_k2", "moonshotai/Kimi-K2-Instruct"])
def test_extract_reads_a_format(name: str) -> None:
    text = (
        "Hi <|tool_calls_section_begin|><|tool_call_begin|>functions.f:0"
        '<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|><|tool_calls_section_end|><|im_end|>'
    )
    done = commoncall("extract", "--tool", "f", "--format", name, given=text)
    result = json.loads(done.stdout)
    assert [(call["name"], call["arguments"]) for call in result["tool_calls"]] == [("f", {"a": 1})]
    assert result["content"] == "Hi"


def explained(*arguments: str, given: str) -> list[str]:
    done = commoncall("extract", "--explain", "--tool", "f", *arguments, given=given)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().splitlines()


def test_extract_says_what_became_of_each_piece() -> None:
    text = (
        "<think>a</think>Hi `<tools>`\n"
        '<tools>[{"name": "f", "arguments": {},}, 5]</tools>\n'
        "<tools>{}</tools> <tools>5</tools>"
    )
    assert explained(given=text) == [
        "1:1  reasoning",
        "1:17  text: stays in the content",
        "1:20  code: the markers in it are ignored",
        "1:29  text: stays in the content",
        "2:1  call, in tools: f; and no call: not_a_call",
        '  > <tools>[{"name": "f", "arguments": {},}, 5]</tools>',
        "  not_a_call: the element of the array is no object, or the payload is not the one value "
        "that its dialect takes [EXT-077]",
        "2:52  text: stays in the content",
        "3:1  no call, in tools: name_missing",
        "  > <tools>{}</tools>",
        "  name_missing: the value has no name [EXT-077]",
        "3:18  text: stays in the content",
        "3:19  no call, in tools: invalid_json",
        "  > <tools>5</tools>",
        "  invalid_json: the payload is no JSON, not even after the repairs, or needs one that its "
        "dialect does not take [EXT-043, EXT-160, EXT-077]",
        "repaired: trailing_comma: a comma stood before a closing bracket [EXT-051, EXT-160]",
    ]
    assert explained("--format", "hermes", given="a<|im_end|>") == [
        "1:1  text: stays in the content",
        "1:2  token: <|im_end|>",
    ]
    assert explained(given="<think>a") == [
        "1:1  reasoning, which never ends",
        "  unclosed: the reasoning has no end [EXT-207]",
    ]
    twice = explained(given='<tools>{"name": "f", "arguments": {"a": [1,],}}</tools>')
    assert twice[-1].startswith("repaired, 2 times: trailing_comma: ")
    wrapped = explained(given='<tools><tool_call>{"name":"f","arguments":{}}</tool_call></tools>')
    assert wrapped[0] == "1:1  tag around calls, of tools"


def test_extract_says_what_a_text_looks_like() -> None:
    llama = 'Hi\n <|python_tag|>{"name": "f", "parameters": {"a": 1}}'
    assert explained(given=llama)[-1] == f"2:2  looks like llama-3: {llama[4:]}"
    pairs = "<tool_call>f\n<arg_key>a</arg_key><arg_value>x</arg_value></tool_call>"
    assert explained(given=pairs) == [
        "1:1  no call, in tool_call: invalid_json",
        "  > <tool_call>f <arg_key>a</arg_key><arg_value>x</arg_value></tool_call>",
        "  invalid_json: the payload is no JSON, not even after the repairs, or needs one that its "
        "dialect does not take [EXT-043, EXT-160, EXT-077]",
        "1:1  looks like glm-4.5, glm-4.7, hy-4, laguna, ling-3 and 1 more: "
        "<tool_call>f <arg_key>a</arg_key><arg_value>x</arg_value></tool_call>",
    ]
    qwen = "<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>\n</tool_call>"
    for arguments in ((), ("--format", "hermes")):
        text = explained(*arguments, given=qwen)
        assert "2:1  call, in function-parameters: f" in text
        assert not any("looks like" in line for line in text)
    harmony = "<|channel|>commentary to=functions.f<|message|>{}<|call|>"
    assert explained(given=harmony)[-1] == f"1:1  looks like beam, gpt-oss: {harmony}"
    assert not any("looks like" in line for line in explained(given="Please call: me"))
    active = explained("--format", "llama-3", given=llama)
    assert not any("looks like" in line for line in active)
    assert not any("looks like" in line for line in explained(given="`<think>`"))
    mentioned = explained(given="<minimax:tool_call> begins a call of MiniMax.")
    assert not any("looks like" in line for line in mentioned)


def test_extract_refuses_an_unknown_format() -> None:
    line = refused(commoncall("extract", "--tool", "f", "--format", "x", given="a"))
    assert "no format, server or model is called x" in line
