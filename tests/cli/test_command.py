"""The command `commoncall`; what depends on a process is run as one."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from commoncall import __version__
from commoncall_kit.suite import data
from tests import shared
from tests.command import COMMAND, commoncall, process, refused

CALL = '{"tool_call": {"id": "a", "function": {"name": "f", "arguments": "{}"}}}'
BROKEN_CALL = '{"tool_call": {"id": "a", "function": {"name": " ", "arguments": "[1]"}}}'
LEAKED = 'One.\n<tool_call>{"name": "f", "arguments": {"city": "Zürich"}}</tool_call>\nTwo.\n'


@pytest.fixture(autouse=True)
def read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all look up in the same suite; reading it takes longer than looking up."""
    load, suite = data.load, shared.suite()
    monkeypatch.setattr(data, "load", lambda *asked: load(*asked) if asked else suite)


def test_the_version() -> None:
    assert process("--version").stdout.decode() == f"commoncall {__version__}{os.linesep}"


@pytest.mark.parametrize("arguments", [["run"], ["conformance", "--timeout", "0", "--", "x"]])
def test_wrong_arguments_are_usage_errors(arguments: list[str]) -> None:
    done = commoncall(*arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.startswith(b"usage: commoncall")


def test_without_arguments_the_commands_are_shown() -> None:
    done = commoncall()
    assert done.returncode == 0
    assert b"\n    scan  " in done.stdout.replace(b"\r", b"")
    assert commoncall("help").stdout == commoncall("--help").stdout == done.stdout
    assert commoncall("version").stdout == commoncall("--version").stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["scann"], "no command 'scann'; near it: scan"),
        (["nonsense"], "no command 'nonsense'; there are run, check, "),
        (["--hlp"], "no option '--hlp'; near it: --help"),
        (["extract", "--tol", "f"], "extract has no argument --tol; near it: --tool"),
        (["extract", "--nonsense"], "extract has no argument --nonsense; -h shows what there is"),
    ],
)
def test_what_is_misspelt_gets_the_names_that_come_near(arguments: list[str], line: str) -> None:
    assert refused(commoncall(*arguments)).startswith(f"commoncall: {line}")


def test_wrong_arguments_steer_no_terminal() -> None:
    for arguments in ("extract --\x1b[31m", "check --fail-on \x1b]0;x\x07", "\x1b[2J"):
        done = commoncall(*arguments.split())
        assert done.returncode == 2
        assert b"\x1b" not in done.stderr


# run


def test_run_takes_standard_input() -> None:
    done = process("run", "payload.check_tool_call", given=CALL)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["valid"] is True


@pytest.mark.parametrize("file", ["call.json", "-"])
def test_run_takes_a_file(tmp_path: Path, file: str) -> None:
    (tmp_path / "call.json").write_text(BROKEN_CALL, encoding="utf-8")
    name = file if file == "-" else str(tmp_path / file)
    done = commoncall("run", "payload.check_tool_call", name, given=BROKEN_CALL)
    assert done.returncode == 0, "a judgement is a result"
    assert json.loads(done.stdout)["valid"] is False


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("{}", "tool_call is missing"),
        ("[]", "the input must be an object"),
        ('{"tool_call": 1, "more": 2}', "more is no known member"),
        ("[" * 300, "the input nests deeper than 128"),
    ],
)
def test_an_error_of_the_contract_is_json_and_status_1(given: str, why: str) -> None:
    done = process("run", "payload.check_tool_call", given=given)
    assert (done.returncode, done.stderr.decode()) == (1, f"invalid_input: {why}{os.linesep}")
    assert json.loads(done.stdout) == {"error": {"code": "invalid_input"}}


def test_a_file_may_stand_behind_the_options_and_no_second_one(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("x")
    for arguments in (["--tool", "a", str(file)], [str(file), "--tool", "a"]):
        assert commoncall("extract", *arguments).returncode == 0
    for arguments in ([str(file), "x"], [str(file), "--tool", "a", "x"], ["--nonsense"]):
        done = commoncall("extract", *arguments)
        assert done.returncode == 2
        assert b"commoncall: extract has no argument " in done.stderr


# registry


def test_a_check_prints_a_line_for_each_problem(tmp_path: Path) -> None:
    providers: dict[str, dict[str, object]] = {
        "p": {"models": {"m": {"tool_calls_supported": True}}},
        "q": {"models": {"m": {"tool_calls_supported": False}}, "x\n": 1},
    }
    file = tmp_path / "registry.json"
    document = {"registry_version": "1.0", "revision": "2026-01-01", "providers": providers}
    file.write_text(json.dumps(document))
    done = commoncall("registry", "check", str(file))
    assert done.returncode == 1
    assert done.stdout.decode().splitlines() == [
        "fault: /providers/q/x\\n is no known member",
        f"{file}: 1 to report",
    ]
    del providers["q"]["x\n"]
    file.write_text(json.dumps(document))
    command = ["registry", "check", str(file)]
    lines = commoncall(*command).stdout.decode().splitlines()
    assert [line.partition(":")[0] for line in lines[:-1]] == ["stale", "conflict"]
    done = commoncall(*command, "--allow", "stale", "--allow", "conflict")
    assert done.stdout.decode().splitlines() == [f"{file}: nothing to report"]


@pytest.mark.parametrize(
    ("arguments", "given", "line"),
    [
        ([], "[", "standard input: not JSON"),
        ([], '{"a": 1, "a": 2}', "standard input: not JSON"),
        (["nowhere.json"], "", "cannot read nowhere.json"),
    ],
)
def test_what_is_no_json_is_one_line(arguments: list[str], given: str, line: str) -> None:
    assert line in refused(commoncall("registry", "check", *arguments, given=given))


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["check", "--allow", "fault"],
    ],
)
def test_wrong_arguments_of_registry_are_usage_errors(arguments: list[str]) -> None:
    done = commoncall("registry", *arguments)
    assert done.returncode == 2
    assert done.stdout == b""


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (b"", "standard input: not JSON: it is empty"),
        (b"{", "standard input: not JSON: "),
        (b'{"a": NaN}', "standard input: not JSON: NaN and Infinity are no numbers"),
        (b'{"a": 1e400}', "standard input: not JSON: a number overflows"),
        (b'{"a": "\xe9"}', "standard input: invalid UTF-8 at byte 7"),
        (b"\xef\xbb\xbf{}", "standard input: not JSON: "),
    ],
)
def test_unreadable_json_is_one_line_that_quotes_nothing(given: bytes, line: str) -> None:
    assert line in refused(commoncall("run", "payload.check_tool_call", given=given))


def test_an_unknown_operation_is_one_line_with_those_that_come_near_or_all() -> None:
    line = refused(commoncall("run", "payload.check_tool", given=CALL))
    assert "no operation payload.check_tool; near it: payload.check_tool_call" in line
    line = refused(commoncall("run", "?", given=CALL))
    assert "no operation ?; there are payload.check_tool_call, " in line


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    assert "No such file" in refused(commoncall("extract", str(tmp_path / "none")))
    assert "cannot read" in refused(commoncall("extract", str(tmp_path)))


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_a_closed_standard_input_is_one_line() -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m commoncall extract <&-"],
        capture_output=True,
        check=False,
    )
    assert "standard input is closed" in refused(done)


# extract


def test_extract_finds_the_calls() -> None:
    done = commoncall("extract", "--tool", "f", "--tool", "g", given=LEAKED)
    assert (done.returncode, done.stderr) == (0, b"")
    result = json.loads(done.stdout)
    assert [(call["name"], call["arguments"]) for call in result["tool_calls"]] == [
        ("f", {"city": "Zürich"})
    ]
    assert result["content"] == "One.\n\nTwo.\n"


def test_extract_without_tools_assumes_some_and_says_so() -> None:
    done = commoncall("extract", given=LEAKED)
    assert len(json.loads(done.stdout)["tool_calls"]) == 1
    assert done.stderr.decode().splitlines() == [
        "commoncall: no --tool given: assuming that some tool is effective"
    ]


@pytest.mark.parametrize("text", ["\ufeffHello", "a\r\nb\rc\u2028d\x85", "", "\x00", " \n"])
def test_extract_keeps_every_other_character(text: str) -> None:
    done = commoncall("extract", "--tool", "f", given=text)
    assert json.loads(done.stdout)["content"] == text


def test_extract_names_the_byte_where_utf_8_ends() -> None:
    line = refused(commoncall("extract", "--tool", "f", given=b"abc\xff"))
    assert line == "commoncall: standard input: invalid UTF-8 at byte 3\n"


def test_input_of_more_than_256_mb_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "large"
    with file.open("wb") as stream:
        stream.truncate(256 * 1024 * 1024 + 1)
    assert refused(process("extract", str(file))).endswith("large is longer than 256 MB\n")


# output


@pytest.mark.parametrize(
    "env", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C.UTF-8"}]
)
def test_output_is_utf_8_whatever_the_locale(env: dict[str, str]) -> None:
    done = process("extract", "--tool", "f", given=LEAKED, env=env)
    assert '"city": "Zürich"' in done.stdout.decode("utf-8")


def test_a_lone_surrogate_is_written_as_an_escape() -> None:
    given = '{"text": "a\\ud800b", "effective": []}'
    done = commoncall("run", "extraction.extract", given=given)
    assert b'"content": "a\\ud800b"' in done.stdout
    assert json.loads(done.stdout)["content"] == "a\ud800b"


def test_a_reader_that_goes_away_is_no_matter() -> None:
    done = subprocess.Popen(
        [*COMMAND, "extract", "--tool", "f"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert done.stdout is not None
    done.stdout.close()
    done.stdout = None  # communicate() would read it
    _, errors = done.communicate(b"x" * 1_000_000)
    assert errors == b""
    assert done.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "extract", "--tool", "f"],
            input=b"x",
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"commoncall: cannot write the output: ")
    assert done.stderr.count(b"\n") == 1


LARGE = json.dumps([{"role": "user", "content": "x" * 200_000}])


@pytest.mark.skipif(os.name != "posix", reason="needs a limit of files")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (["check", "--fix"], LARGE),
        (["extract"], LARGE),
        (["run", "payload.sanitize_history"], f'{{"messages":{LARGE},"disposition":"answer"}}'),
    ],
)
def test_a_disk_that_is_full_in_the_middle_is_one_line(
    tmp_path: Path, arguments: list[str], given: str, unbuffered: str
) -> None:
    """A raw file takes what there is room for, and says so by a number alone."""
    limited = f"ulimit -f 64; exec {shlex.join([*COMMAND, *arguments])}"
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run(
            ["sh", "-c", limited],
            input=given.encode(),
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=out,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert 0 < (tmp_path / "out").stat().st_size < 200_000
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == b"commoncall: cannot write the output: File too large"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full and a shell")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("extract 2>/dev/full", 0),
        ("extract 2>&-", 0),
        ("check nowhere.json 2>/dev/full", 2),
        ("check nowhere.json 2>&-", 2),
        ("check 2>&-", 0),
        ("check >&-", 2),
        ("run payload.check_tool_call >&-", 2),
        ("adapter <&-", 2),
    ],
)
def test_a_stream_that_takes_nothing_changes_no_status(
    line: str, status: int, unbuffered: str
) -> None:
    """What is said beside the output never stands in it."""
    done = subprocess.run(
        ["sh", "-c", f"{shlex.join(COMMAND)} {line}"],
        input=b'[{"role": "user", "content": "Hi"}]',
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        capture_output=True,
        check=False,
    )
    assert done.returncode == status
    assert b"commoncall: " not in done.stdout
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_adapter_that_cannot_answer_ends_with_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "adapter"],
            input=b'{"cmd": "start"}\n',
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"commoncall: cannot write the output: No space left on device\n"


# adapter


def test_the_adapter_speaks_the_protocol() -> None:
    extract = {"operation": "extraction.extract", "input": {"text": LEAKED, "effective": ["f"]}}
    requests = [
        {"cmd": "start", "protocol": 1, "suite": {"version": "1", "digest": "sha256:0"}},
        {"cmd": "run", "seq": 5, **extract, "env": {"ids": ["x"]}},
        {"cmd": "run", "seq": 6, **extract, "env": {"ids": []}},
        {"cmd": "run", "seq": 7, "operation": "payload.check_tool_call", "input": None},
        {"cmd": "run", "seq": 8, "operation": "no.such", "input": None},
        {"cmd": "stop"},
        {"cmd": "not read any more"},
    ]
    done = process("adapter", given="".join(json.dumps(each) + "\n" for each in requests))
    assert (done.returncode, done.stderr) == (0, b"")
    declared, *answers = map(json.loads, done.stdout.decode("ascii").splitlines())
    assert declared["implementation"]["name"] == "commoncall"
    assert "extraction.extract" in declared["operations"]
    assert [answer["seq"] for answer in answers] == [5, 6, 7, 8]
    assert answers[0]["result"]["tool_calls"][0]["id"] == "x"
    assert answers[1]["error"] == {"code": "env_exhausted"}
    assert answers[2]["error"] == {"code": "invalid_input"}
    assert answers[3]["skipped"] == {"reason": "no operation no.such"}


def test_the_adapter_ends_with_its_input() -> None:
    assert process("adapter").returncode == 0


@pytest.mark.parametrize("given", ["hello\n", "{}\n", '{"cmd": "run", "seq": 1}\n', "[]\n"])
def test_the_adapter_refuses_what_is_no_request(given: str) -> None:
    assert "the runner" in refused(process("adapter", given=given))


# conformance; see tests/kit/test_harness.py for what it does


def test_the_page_of_the_harness_lists_the_options(root: Path) -> None:
    page = r"^\| `(--[a-z-]+)(?: [A-Z0-9]+(?:\.[a-z]+)?)?` \|"
    text = (root / "spec/harness.md").read_text(encoding="utf-8").split("\n## Options\n")[1]
    listed = re.findall(page, text.split("\n## Forms")[0], re.MULTILINE)
    help_text = commoncall("conformance", "--help").stdout.decode()
    known = set(re.findall(r"^  (?:-h, )?(--[a-z-]+)", help_text, re.MULTILINE))
    assert set(listed) == known
    assert len(listed) == len(set(listed))
    assert "A claim is written after 1, too" in " ".join(help_text.split())


def test_conformance_needs_a_command() -> None:
    line = refused(process("conformance"))
    assert "conformance needs the adapter's command after --" in line


def test_behind_the_dashes_of_other_commands_stand_names_of_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that looks like an option is a name there, and one dash is standard input."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-h").write_text(LEAKED)
    for behind in ("-h", "-"):
        done = commoncall("extract", "--tool", "f", "--", behind, given=LEAKED)
        assert [call["name"] for call in json.loads(done.stdout)["tool_calls"]] == ["f"]
    assert "cannot read ./--help: No such file" in refused(commoncall("check", "--", "--help"))


def test_a_command_without_its_dashes_is_told_where_they_go() -> None:
    done = commoncall("conformance", "java", "-cp", "classes", "Adapter")
    assert done.returncode == 2
    line = done.stderr.decode().splitlines()[-1]
    assert " has no argument java" in line
    assert line.endswith("; the adapter's command goes last, behind --: -- COMMAND ...")
    done = commoncall("conformance", "--no-such-option", "--", "java")
    assert refused(done).endswith(" has no argument --no-such-option; -h shows what there is\n")
    done = commoncall("explain", "PAY-001", "PAY-003")
    assert refused(done).endswith("explain has no argument PAY-003; -h shows what there is\n")


def test_names_that_are_parted_by_commas_are_told_so() -> None:
    line = refused(commoncall("conformance", "--contract", "payload,turn", "--", "true"))
    assert "no contract payload,turn; names are parted by spaces" in line


def test_the_reference_is_conformant() -> None:
    """Two contracts; `tests/tools/test_fixtures.py` runs all of them in one process."""
    chosen = ["--contract", "capability", "--contract", "event"]
    done = process("conformance", *chosen, "--", *COMMAND, "adapter")
    assert done.returncode == 0, done.stdout.decode()
    assert done.stdout.decode().splitlines()[0] == "conformant: capability, event"


# profiles


def test_profiles_lists_each_with_its_title() -> None:
    lines = commoncall("profiles").stdout.decode().splitlines()
    assert lines[0].split("  ")[0] == "strict"
    assert any(re.fullmatch(r"vllm +vLLM, .*", line) for line in lines)


def test_profiles_prints_the_flags_of_one(root: Path) -> None:
    file = json.loads((root / "spec/v1/profiles/vllm.json").read_text(encoding="utf-8"))
    assert json.loads(commoncall("profiles", "vllm").stdout) == file["flags"]
    assert refused(commoncall("profiles", "vlm")) == "commoncall: no profile 'vlm'; near it: vllm\n"
