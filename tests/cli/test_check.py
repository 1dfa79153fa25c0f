"""``commoncall check``: a request or a history before it is sent."""

import json
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from commoncall_kit.suite import data
from commoncall_tools.positions import lines_of
from tests import shared
from tests.command import Done, commoncall, process, refused

GOOD = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
POISONED = """{
  "messages": [
    {"role": "user", "content": "hi"},
    {
      "role": "assistant",
      "content": "",
      "tool_calls": [
        {"id": "c00000000", "type": "function",
         "function": {"name": "f", "arguments": "{\\"iban\\": \\"NL91"}}
      ]
    }
  ],
  "tools": [],
  "parallel_tool_calls": 1,
  "tool_choice": null
}
"""
GEMINI = {"contents": [{"parts": [{"text": "hi"}]}]}
ANTHROPIC = {
    "messages": [{"role": "user", "content": "hi"}],
    "tools": [{"name": "f", "input_schema": {"type": "object"}}],
}


@pytest.fixture(autouse=True)
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = shared.documents()
    monkeypatch.setattr(data, "documents", lambda: documents)


@pytest.fixture
def poisoned(tmp_path: Path) -> Path:
    file = tmp_path / "request.json"
    file.write_text(POISONED)
    return file


def check(*arguments: object, given: object = None) -> Done:
    text = given if isinstance(given, str) else json.dumps(given)
    return commoncall("check", *map(str, arguments), given=text)


ELSEWHERE = (
    'not seen there, but dashscope answers: The "function.arguments" parameter of the code model '
    "must be in JSON format. (HKUDS/nanobot#1487, 2026-11-21)"
)
"""What is said of broken arguments where an endpoint was not seen to refuse them."""


def said(done: Done) -> list[str]:
    return done.stdout.decode().splitlines()


def test_what_can_go_out_as_it_is_is_ok() -> None:
    done = check("--profile", "vllm", given=GOOD)
    assert (done.returncode, done.stderr) == (0, b"")
    assert said(done) == ["standard input: ok, against vllm"]


def test_without_a_profile_the_strict_one_counts_and_that_is_said() -> None:
    done = check(given=GOOD)
    assert said(done) == ["standard input: ok, against strict"]
    assert done.stderr.decode() == (
        "commoncall: no --profile given: strict says what any endpoint was seen to refuse\n"
    )


def test_without_a_profile_each_endpoint_that_refuses_it_is_named() -> None:
    """A schema that is `true` is refused by one server, a list of types by another."""
    properties = {"a": True, "b": {"type": ["string", "null"]}}
    tool = {"name": "f", "parameters": {"type": "object", "properties": properties}}
    given = {**GOOD, "tools": [{"type": "function", "function": tool}]}
    done = check(given=given)
    verdict, *others = said(done)
    assert (done.returncode, verdict) == (
        0,
        "standard input: refused by some endpoints, against strict",
    )
    [gemini] = [line for line in others if "gemini-compatible" in line]
    assert "schema_respelled at /tools/0/function/parameters/properties/a, and 1 more" in gemini
    [llama] = [line for line in others if "llama-cpp" in line]
    assert llama.startswith("refused by llama-cpp, llama-cpp-alternating, llama-cpp-llama-3: ")
    assert "Unrecognized schema: true" in llama


def test_what_the_strict_profile_says_is_not_said_again(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    done = check("--report", file, given={**GOOD, "tools": []})
    assert not any(line.startswith("refused by") for line in said(done))
    assert json.loads(file.read_text())["others"] == []


def test_each_finding_is_a_line_with_place_level_code_meaning_and_requirements(
    poisoned: Path,
) -> None:
    done = check(poisoned, "--profile", "vllm")
    assert (done.returncode, done.stderr) == (1, b"")
    assert said(done) == [
        f"{poisoned}: 4 findings (1 refused), 1 loss, 3 notes, against vllm",
        f"{poisoned}:9: loss: arguments_invalid_json at "
        "/messages/1/tool_calls/0/function/arguments: the arguments are no JSON text; "
        f"{ELSEWHERE} (PAY-004, PAY-020)",
        f"{poisoned}:13: refused, note: tools_empty at /tools: the member was removed, since no "
        "tool or function is left; it answers: `tools` must not be an empty array: 400 "
        "(vLLM 0.32.0, 2026-11-21); send what --fix prints (PAY-032, PAY-171)",
        f"{poisoned}:14: note: tools_empty at /parallel_tool_calls: the member was removed, since "
        "no tool or function is left; not seen there, but openai answers: 'parallel_tool_calls' is "
        "only allowed when 'tools' are specified (Upsonic/Upsonic#323, 2026-11-21) (PAY-032)",
        f"{poisoned}:15: note: null_omitted at /tool_choice: the member was null, and was removed; "
        "not seen there, but groq answers: Only allowed string values for 'tool_choice' are none, "
        "auto, and required (brianpetro/obsidian-smart-connections#942, 2026-11-21) (PAY-032)",
    ]


def test_a_list_is_a_history_and_its_places_begin_there() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "[1]"}}
    history = [{"role": "assistant", "content": None, "tool_calls": [call]}]
    lines = said(check("--profile", "openai", given=history))
    assert lines[0] == "standard input: 1 finding, 1 loss, against openai"
    assert lines[1].startswith(
        "standard input:1: loss: arguments_not_object at /0/tool_calls/0/function/arguments: "
    )


@pytest.mark.parametrize(
    ("level", "parallel", "status"),
    [
        ("note", None, 1),
        ("note", True, 1),
        ("repair", None, 0),
        ("repair", True, 0),
        ("loss", None, 0),
    ],
)
def test_the_level_to_fail_on_decides_the_status(level: str, parallel: object, status: int) -> None:
    request = {**GOOD, "parallel_tool_calls": parallel}
    done = check("--profile", "vllm", "--fail-on", level, given=request)
    assert done.returncode == status
    head = "1 finding" if status else "ok"
    assert said(done)[0] == f"standard input: {head}, 1 note, against vllm"


def test_the_readme_shows_what_it_says(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = [line for line in POISONED.splitlines() if "parallel" not in line and "null" not in line]
    text = "\n".join(kept).replace('"tools": [],', '"tools": []')
    (tmp_path / "request.json").write_text(text)
    monkeypatch.chdir(tmp_path)
    readme = (root / "README.md").read_text(encoding="utf-8")
    shown = "\n".join(said(check("request.json", "--profile", "vllm")))
    assert f"```\n{shown}\n```" in readme


TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
CALL = {"id": "c00000000", "type": "function", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize("level", ["note", "repair", "loss"])
@pytest.mark.parametrize(
    ("profile", "request_", "places"),
    [
        ("vllm", {**GOOD, "tools": [], "tool_choice": "auto"}, ["/tool_choice", "/tools"]),
        ("openai", {**GOOD, "tools": [], "tool_choice": "auto"}, ["/tool_choice", "/tools"]),
        ("vllm", {**GOOD, "tool_choice": "required"}, ["/tool_choice"]),
        ("openai", {**GOOD, "parallel_tool_calls": True}, ["/parallel_tool_calls"]),
        ("xai", {**GOOD, "tool_choice": "auto"}, ["/tool_choice"]),
        ("openai", {**GOOD, "tools": [TOOL]}, ["/tools/0/function/parameters"]),
        (
            "openai",
            [*GOOD["messages"], {"role": "assistant", "content": "x", "tool_calls": []}],
            ["/1/tool_calls"],
        ),
        (
            "vllm",
            [
                *GOOD["messages"],
                {"role": "assistant", "content": "", "tool_calls": [{**CALL, "id": "a"}]},
                {"role": "tool", "tool_call_id": "a", "content": "x"},
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [{"id": "b", "function": CALL["function"]}],
                },
                {"role": "tool", "tool_call_id": "b", "content": "x"},
            ],
            ["/3/tool_calls/0/type"],
        ),
        ("deepseek", [{"role": "developer", "content": "x"}, *GOOD["messages"]], ["/0/role"]),
    ],
)
def test_what_the_endpoint_refuses_is_never_ok(
    level: str, profile: str, request_: object, places: list[str]
) -> None:
    done = check("--profile", profile, "--fail-on", level, given=request_)
    assert done.returncode == 1
    number = f"{len(places)} finding{'s' if len(places) > 1 else ''} ({len(places)} refused)"
    assert said(done)[0].startswith(f"standard input: {number}, ")
    assert [line.split(" at ")[1].split(": ")[0] for line in said(done)[1:]] == places
    assert all(line.startswith("standard input:1: refused, note: ") for line in said(done)[1:])


def test_what_the_endpoint_takes_or_nobody_knows_of_is_no_more_than_its_level() -> None:
    empty = {**GOOD, "tools": [], "tool_choice": "auto"}
    done = check("--profile", "llama-cpp", given=empty)
    assert done.returncode == 0
    assert said(done)[0] == "standard input: ok, 2 notes, against llama-cpp"
    none = {**GOOD, "tool_choice": "none"}
    assert check("--profile", "vllm", given=none).returncode == 0
    assert check("--profile", "openai", given=none).returncode == 1


def test_without_a_profile_what_some_endpoint_refuses_is_refused() -> None:
    done = check(given={**GOOD, "tools": [], "tool_choice": "auto"})
    assert done.returncode == 1
    assert said(done)[0] == "standard input: 2 findings (2 refused), 2 notes, against strict"


def test_a_repair_fails_by_default_and_not_where_only_a_loss_does() -> None:
    history = [*GOOD["messages"], {"role": "assistant", "content": ""}]
    assert check("--profile", "vllm", given=history).returncode == 1
    done = check("--profile", "vllm", "--fail-on", "loss", given=history)
    assert done.returncode == 0
    assert said(done)[0] == "standard input: ok, 1 repair, against vllm"


CUT: Any = {
    "model": "m",
    "system": "s",
    "messages": [
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "a", "is_error": True}],
        },
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "b", "name": "r", "input": {}}],
        },
        {"role": "user", "content": "go"},
    ],
}


@pytest.mark.parametrize(
    ("block", "code"),
    [
        ({"type": "text", "text": ""}, "text_blank"),
        ({"type": "advisor_tool_result", "tool_use_id": "gone", "content": {}}, "opaque_removed"),
        ({"type": "thinking", "thinking": "t", "signature": "s"}, "opaque_removed"),
    ],
)
def test_what_anthropic_refuses_of_its_own_blocks_is_refused(block: object, code: str) -> None:
    words = {"type": "text", "text": "Hi"}
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [words, block]},
        {"role": "user", "content": "go on"},
    ]
    given = {"model": "m", "max_tokens": 9, "messages": messages, "system": "s"}
    done = check("--profile", "anthropic-messages", "--fix", given=given)
    assert done.returncode == 1
    [line] = [one for one in done.stderr.decode().splitlines() if f": {code}" in one]
    assert "refused, " in line
    assert json.loads(done.stdout)["messages"][1]["content"] == [words]


def test_a_request_of_anthropic_is_judged_at_its_own_places() -> None:
    done = check(given=CUT)
    assert done.returncode == 1
    first, *found = said(done)
    assert first == (
        "standard input: 4 findings (2 refused), 2 losses, 1 repair, 1 note,"
        " against anthropic-messages"
    )
    places = {line.partition(" at ")[2].partition(":")[0] for line in found}
    assert places == {"/messages/0", "/messages/0/content/0", "/messages/1"}
    fixed = json.loads(check("--fix", given=CUT).stdout)
    roles = [message["role"] for message in fixed["messages"]]
    assert roles == ["user", "assistant", "user", "user"]
    assert fixed["system"] == "s"


def test_the_history_of_responses_is_recognised() -> None:
    items: list[Any] = [
        {"type": "function_call", "call_id": "g" * 70, "name": "r", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "g" * 70, "output": "x"},
    ]
    done = check("--fix", given=items)
    assert done.returncode == 1
    assert [each["call_id"] for each in json.loads(done.stdout)] == ["c00000000", "c00000000"]
    assert b"against openai-responses" in done.stderr


def test_tools_that_are_no_list_are_said_at_their_place() -> None:
    done = check("--profile", "anthropic-messages", given={**ANTHROPIC, "tools": 5})
    assert done.returncode == 1
    assert any(" at /tools" in line for line in said(done)), done.stderr


@pytest.mark.parametrize(
    ("profile", "given", "line"),
    [
        ("openai", [], "history_emptied: it has no message"),
        ("openai", {"messages": []}, "history_emptied at /messages: it has no message"),
        (
            "openai",
            [{"role": "assistant", "content": ""}],
            "history_emptied: no message of it can be sent",
        ),
        ("openai-responses", {"input": []}, "history_emptied at /input: it has no message"),
        ("openai-responses", {"model": "m"}, "invalid_input: input is missing"),
        (
            "openai-responses",
            {"messages": [{"role": "user", "content": "x"}]},
            "invalid_input: input is missing, and messages is there",
        ),
        (
            "openai-responses",
            {"input": 5},
            "invalid_input: input must be a text or an array of items",
        ),
        ("anthropic-messages", {"messages": "x"}, "invalid_input: messages must be an array"),
        ("anthropic-messages", {"messages": []}, "history_emptied at /messages: it has no message"),
    ],
)
def test_without_a_message_nothing_can_be_sent(profile: str, given: Any, line: str) -> None:
    done = check("--profile", profile, "--fix", given=given)
    assert (done.returncode, done.stdout) == (1, b"")
    lines = done.stderr.decode().splitlines()
    assert any(f": refused: {line}" in each for each in lines)
    assert lines[-1] == "commoncall: nothing is written, since nothing of it can be sent"
    assert "--fix prints" not in done.stderr.decode()


@pytest.mark.parametrize("name", ["previous_response_id", "conversation", "prompt"])
def test_a_request_of_responses_need_not_hold_what_the_provider_holds(name: str) -> None:
    for given in ({"model": "m", name: "x"}, {"model": "m", name: "x", "input": []}):
        done = check("--profile", "openai-responses", "--fix", given=given)
        assert (done.returncode, json.loads(done.stdout)) == (0, given)


def test_a_good_request_of_anthropic_is_ok_and_stays(tmp_path: Path) -> None:
    done = check("--fix", "--profile", "anthropic-messages", given=ANTHROPIC)
    assert done.returncode == 0, done.stderr
    sent = json.loads(done.stdout)
    assert sent["messages"] == ANTHROPIC["messages"]
    assert sent["tools"][0]["input_schema"] == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            GEMINI,
            "form_not_chat_completions at /contents: it has the form of gemini-generate-content; "
            "map it to Chat Completions first",
        ),
        (
            [{"role": "user", "content": [{"toolResult": {}}]}],
            "form_not_chat_completions at /0/content/0: it has the form of bedrock-converse; "
            "map it to Chat Completions first",
        ),
        ({"messages": 1}, "invalid_input: messages must be an array"),
        ({"model": "m"}, "invalid_input: messages is missing"),
        (1, "invalid_input: it must be a request, or the list of its messages"),
        ("[" * 300 + "]" * 300, "invalid_input: it nests deeper than 128"),
        ("[" * 200 + "]" * 200, "invalid_input: the input nests deeper than 128"),
        (
            {**GOOD, "functions": [{}], "tools": [{"type": "function", "function": {"name": "f"}}]},
            "legacy_and_tools: `tools` and the legacy `functions` would be sent together; "
            "leave functions out",
        ),
    ],
)
def test_what_cannot_be_sent_at_all_is_refused_by_its_code(given: object, line: str) -> None:
    done = check("--profile", "openai", "--fix", given=given)
    assert (done.returncode, done.stdout) == (1, b"")
    lines = done.stderr.decode().splitlines()
    assert lines[0] == "standard input: 1 finding (1 refused), against openai"
    assert lines[1].startswith(f"standard input:1: refused: {line} (PAY-")
    assert lines[2:] == ["commoncall: nothing is written, since nothing of it can be sent"]


def test_no_report_holds_a_value_of_the_file(poisoned: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = check(poisoned, "--report", report)
    written = [done.stdout, done.stderr, report.read_bytes()]
    assert not [text for text in written if b"iban" in text or b"NL91" in text]


# --fix


def test_fix_prints_what_may_be_sent_and_reports_beside_it(poisoned: Path) -> None:
    done = check(poisoned, "--profile", "vllm", "--fix")
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"{poisoned}: 4 findings (1 refused), ")
    fixed = json.loads(done.stdout)
    assert set(fixed) == {"messages"}
    assert [message["role"] for message in fixed["messages"]] == ["user", "assistant", "tool"]
    assert poisoned.read_text() == POISONED
    again = check("--profile", "vllm", "--fail-on", "note", given=fixed)
    assert said(again) == ["standard input: ok, against vllm"]


def test_fix_of_a_history_is_a_history() -> None:
    done = check("--profile", "vllm", "--fix", given=GOOD["messages"])
    assert json.loads(done.stdout) == GOOD["messages"]


def test_fix_prints_nothing_where_nothing_can_be_sent() -> None:
    assert check("--fix", given=GEMINI).stdout == b""


@pytest.mark.skipif(os.name != "posix", reason="needs modes of files")
def test_a_private_report_stays_private(poisoned: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    report.write_text("old")
    report.chmod(0o600)
    check(poisoned, "--profile", "vllm", "--report", report)
    assert (report.stat().st_mode & 0o777, report.read_text()[0]) == (0o600, "{")


# reports


def test_the_report_says_all_of_it_as_json(poisoned: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    check(poisoned, "--profile", "vllm", "--report", file)
    report = json.loads(file.read_text())
    first = report["findings"].pop(0)
    assert first == {
        "path": "/messages/1/tool_calls/0/function/arguments",
        "line": 9,
        "level": "loss",
        "code": "arguments_invalid_json",
        "meaning": "the arguments are no JSON text",
        "requirements": ["PAY-004", "PAY-020"],
        "why": "",
        "refused": False,
        "answer": ELSEWHERE,
        "to_do": "",
    }
    assert [each["refused"] for each in report["findings"]] == [True, False, False]
    assert len(report.pop("findings")) == 3
    assert report == {
        "file": str(poisoned),
        "profile": "vllm",
        "verdict": f"{poisoned}: 4 findings (1 refused), 1 loss, 3 notes, against vllm",
        "failed": True,
        "others": [],
    }


# usage


@pytest.mark.parametrize(
    ("arguments", "given", "line"),
    [
        ([], "{", "standard input: not JSON: "),
        ([], "{}\n{}\n", "Extra data at character 3; scan reads lines of JSON"),
        ([], '{"messages": [], "messages": []}', "an object has a member twice"),
        (["--profile", "nothing"], "{}", "no profile 'nothing'; there are strict, "),
        (["--profile", "mine.json"], "{}", "cannot read mine.json: No such file"),
        (["nowhere.json"], "", "cannot read nowhere.json: No such file"),
        (["--report", "nowhere/x"], "{}", "no folder nowhere for x"),
        (["--report", "."], "{}", ". is no plain file"),
    ],
)
def test_what_the_caller_got_wrong_is_one_line(
    arguments: list[str], given: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert line in refused(check(*arguments, given=given))
    assert not list(tmp_path.iterdir())


def test_a_wrong_argument_is_a_usage_error() -> None:
    assert check("--fail-on", "refused", given=GOOD).returncode == 2


def test_a_report_never_replaces_the_input(poisoned: Path) -> None:
    assert "a report would replace the input" in refused(check(poisoned, "--report", poisoned))
    assert poisoned.read_text() == POISONED


def test_what_one_model_reads_is_that_of_the_request() -> None:
    done = check("--profile", "deepseek", given=GOOD)
    assert said(done) == ["standard input: ok, against deepseek"]


def test_a_profile_can_stand_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    flags = {"base": "open", "refuses": ["tools_empty"]}
    evidence = {"refuses": {"tools_empty": [{"ref": "my server", "says": "no tools: 422"}]}}
    file.write_text(json.dumps({"profile": "mine", "flags": flags, "evidence": evidence}))
    done = check(
        "--profile", file, given={"messages": [{"role": "user", "content": "q"}], "tools": []}
    )
    assert "it answers: no tools: 422 (my server)" in said(done)[1]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"flags": {"base": "vllm"}}', "mine.json: profile: base must be one of"),
        ("[]", "mine.json is no profile: it has no flags"),
        ("{", "mine.json: not JSON"),
    ],
)
def test_a_file_that_is_no_profile_is_refused(text: str, line: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(text)
    assert line in refused(check("--profile", file, given=GOOD))


@pytest.mark.parametrize(
    ("member", "place"),
    [
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "/tools/0/function"),
        ({"messages": [{"role": "assistant", "tool_calls": []}]}, "/messages/0/tool_calls"),
        ({"messages": [{"role": "tool", "tool_call_id": "a", "content": "x"}]}, "/messages/0/role"),
    ],
)
def test_a_request_of_chat_completions_is_none_of_another_interface(
    member: dict[str, object], place: str
) -> None:
    given = {"model": "m", "messages": [{"role": "user", "content": "q"}], **member}
    done = check("--profile", "anthropic-messages", given=given)
    said_of = f"invalid_input at {place}: it has the form of Chat Completions"
    assert done.returncode == 1
    assert said_of in said(done)[1]


def test_without_a_profile_an_endpoint_is_named_that_refuses_just_this() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    history = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "x"},
    ]
    of_id = next(line for line in said(check(given=history)) if "id_replaced" in line)
    assert "mistral answers: Tool call id must be a-z, A-Z, 0-9, with a length of 9" in of_id


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_is_one_line(poisoned: Path) -> None:
    poisoned.chmod(0)
    assert f"cannot read {poisoned}: Permission denied" in refused(check(poisoned))


def test_it_runs_as_a_process(poisoned: Path) -> None:
    done = process("check", str(poisoned), "--profile", "vllm")
    assert done.returncode == 1
    assert len(said(done)) == 5


# lines


def test_lines_are_those_where_values_begin() -> None:
    text = '{"a": [1,\n {"b/c~d": "}]\\"\\n,",\n\n"": {}, "e": []}],\n "f":\n 2}'
    places = ["", "/a", "/a/0", "/a/1", "/a/1/b~1c~0d", "/a/1/", "/a/1/e", "/f", "/f/x/y", "/a/7"]
    assert lines_of(text, places) == {
        "": 1,
        "/a": 1,
        "/a/0": 1,
        "/a/1": 2,
        "/a/1/b~1c~0d": 2,
        "/a/1/": 4,
        "/a/1/e": 4,
        "/f": 6,
        "/f/x/y": 6,
        "/a/7": 1,
    }
    assert lines_of(" \n7", [""]) == {"": 2}


def test_lines_take_the_memory_of_the_places_that_are_asked_for() -> None:
    """Names of all levels together would be as long as the text, times its depth."""
    text = ('{"' + "a" * 10_000 + '":') * 250 + "1" + "}" * 250
    tracemalloc.start()
    try:
        found = lines_of(text, ["/b"])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == {"/b": 1}
    assert peak < 2 * len(text)


def test_the_line_of_the_whole_is_found_in_any_text() -> None:
    assert lines_of("\n \n]" + "[" * 1000, [""]) == {"": 3}
    assert lines_of("", [""]) == {"": 1}


def test_an_end_that_is_refused_is_nothing_to_fix() -> None:
    history = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    done = check("--profile", "mistral", given={"model": "m", "messages": history})
    assert done.returncode == 1
    assert "assistant_last at /messages/1" in said(done)[1]
    assert "; let a message of the user or a result stand behind it (PAY-" in said(done)[1]


def test_a_request_of_ollama_is_recognised_and_mended() -> None:
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "High?"}]},
        {"role": "assistant", "tool_calls": [{"function": {"name": "r", "arguments": {}}}]},
        {"role": "tool", "tool_name": "r", "content": "noon"},
        {"role": "assistant", "tool_calls": [{"function": {"name": "r", "arguments": "{}"}}]},
    ]
    tools = [{"type": "function", "function": {"name": "r", "parameters": {"type": "object"}}}]
    given = {"model": "m", "messages": messages, "tools": tools}
    first, *found = said(check(given=given))
    done = check("--fix", given=given)
    assert done.returncode == 1
    assert first.endswith("against ollama-chat")
    places = {line.partition(" at ")[2].partition(":")[0] for line in found if "_coerced" in line}
    assert places == {"/messages/0", "/messages/3"}
    fixed = json.loads(done.stdout)["messages"]
    assert fixed[0]["content"] == "High?"
    assert [one["role"] for one in fixed] == ["user", "assistant", "tool", "assistant", "tool"]
    assert fixed[3]["tool_calls"] == [{"function": {"name": "r", "arguments": {}}}]
    assert (fixed[4]["tool_name"], "tool_call_id" in fixed[4]) == ("r", False)
