"""``commoncall scan``."""

import bz2
import functools
import gzip
import json
import lzma
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.command import COMMAND, commoncall, process, refused

CALL = '<tool_call>{"name": "f", "arguments": {"city": "Bern"}}</tool_call>'
FUNCTOOLS = 'functools[{"name": "f", "arguments": {}}]'
BROKEN = '<tool_call>{"name": "f", "arguments": {</tool_call>'


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def report(*arguments: str, given: bytes = b"", status: int = 0) -> dict[str, Any]:
    done = commoncall("scan", "--json", "--jobs", "1", *(arguments or ("-",)), given=given)
    assert done.returncode == status, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_what_a_line_can_be() -> None:
    history = [{"role": "user", "content": "hi"}, said("hello")]
    found = report(given=lines(history, {"messages": history}, said("hello"), "hello"))
    assert [found[name] for name in ("lines", "histories", "messages", "texts")] == [4, 2, 6, 4]
    assert found["bad"] == {}
    assert found["leaks"] == {"texts": 0, "calls": 0, "rejected": 0}


def test_a_call_is_counted_once_and_for_each_format_that_reads_it() -> None:
    found = report(given=lines(said(f"Well.\n{CALL}\n{CALL}"), said("No.")), status=1)
    both = {"texts": 1, "calls": 2, "rejected": 0}
    assert found["leaks"] == both
    # Others have the same tag, and read JSON in it.
    others = ("argument-pairs", "param-key-pairs", "tool-call-tag-array")
    assert found["dialects"] == dict.fromkeys(("tool_call", *others), both)
    assert found["formats"]["hermes"] == found["formats"]["default"] == both
    assert found["formats"]["glm-4.5"] == both
    assert "kimi-k2" not in found["formats"]
    assert found["codes"] == {}


def test_what_no_format_reads_is_a_place_that_is_rejected() -> None:
    found = report(given=lines(said(BROKEN)), status=1)
    assert found["leaks"] == {"texts": 1, "calls": 0, "rejected": 1}
    assert found["formats"]["hermes"] == {"texts": 1, "calls": 0, "rejected": 1}
    only = report("--format", "qwen25", "-", given=lines(said(BROKEN)), status=1)
    assert only["codes"] == {"invalid_json": 1}
    assert [*only["formats"]] == ["qwen3"]


def test_with_one_format_only_that_counts() -> None:
    found = report("--format", "glm-4.5", "-", given=lines(said(CALL)), status=1)
    assert found["formats"] == {"glm-4.5": {"texts": 1, "calls": 1, "rejected": 0}}
    assert found["codes"] == {}
    found = report("--format", "mistral-v3", "-", given=lines(said(CALL)), status=1)
    assert found["dialects"] == {"tool_call": {"texts": 1, "calls": 1, "rejected": 0}}
    assert report("--format", "mistral-v3", "-", given=lines(said(FUNCTOOLS)))["dialects"] == {}


def test_only_what_assistants_said_can_leak() -> None:
    history = [{"role": "user", "content": CALL}, said("I will not."), {"role": "user"}]
    assert report(given=lines(history[:2], history[0]))["leaks"]["texts"] == 0
    parts = {"role": "assistant", "content": [{"type": "text", "text": CALL}]}
    assert report(given=lines(parts), status=1)["leaks"]["calls"] == 1


def test_a_history_is_poisoned_by_more_than_a_note() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{"}}
    waits = {**call, "function": {"name": "f", "arguments": "{}"}}
    start = {"role": "user", "content": "hi"}
    broken = [start, {"role": "assistant", "tool_calls": [call]}]
    noted = [start, {"role": "assistant", "content": "x", "name": None}]
    open_turn = [start, {"role": "assistant", "tool_calls": [waits]}]
    found = report(given=lines(broken, noted, open_turn), status=1)
    assert (found["histories"], found["poisoned"]) == (3, 1)
    assert found["findings"] == {"arguments_invalid_json": 1, "null_omitted": 1}
    [example] = found["examples"]
    assert example == {
        "file": "standard input",
        "line": 1,
        "message": 1,
        "kind": "poisoned",
        "codes": ["arguments_invalid_json"],
        "path": "/messages/1/tool_calls/0/function/arguments",
    }
    assert report(given=lines(noted))["findings"] == {"null_omitted": 1}


def test_a_history_is_poisoned_by_what_some_endpoint_refuses() -> None:
    empty = [{"role": "user", "content": "hi"}, {**said("x"), "tool_calls": []}]
    found = report(given=lines(empty), status=1)
    assert (found["poisoned"], found["findings"]) == (1, {"tool_calls_empty": 1})
    [example] = found["examples"]
    assert example["codes"] == ["tool_calls_empty"]


def test_a_text_stands_where_the_pointer_says() -> None:
    line = {"choices": [{"message": said(CALL)}], "via": {"a/b": "m"}}
    options = ("--text", "/choices/0/message/content", "--model", "/via/a~1b", "-")
    found = report(*options, given=lines(line, {"choices": []}, {**line, "via": 1}), status=1)
    assert found["leaks"]["calls"] == 2
    assert {name: one["leaks"]["calls"] for name, one in found["models"].items()} == {"m": 1, "": 1}
    assert found["bad"] == {
        "text_missing": {"count": 1, "first": [{"file": "standard input", "line": 2}]}
    }


def test_lines_are_counted_by_the_model_that_they_name() -> None:
    given = lines({**said(CALL), "model": "a"}, {**said("x"), "model": "a"}, said("x"))
    models = report(given=given, status=1)["models"]
    assert {name: (one["texts"], one["leaks"]["texts"]) for name, one in models.items()} == {
        "a": (2, 1),
        "": (1, 0),
    }


def test_bad_lines_are_counted_by_kind_with_their_first_numbers() -> None:
    good, deep = lines("x"), b"[" * 200 + b"]" * 200 + b"\n"
    foreign = lines([{"role": "assistant", "content": [{"type": "tool_use"}]}])
    given = good + b"\xff\n" * 7 + deep + b"nope\n\n" + lines({"a": 1}, 5, [5]) + foreign + b"{"
    found = report(given=given)
    assert {kind: one["count"] for kind, one in found["bad"].items()} == {
        "not_utf8": 7,
        "too_deep": 1,
        "not_json": 2,
        "unknown_form": 3,
        "form_not_chat_completions": 1,
    }
    numbers = {kind: [at["line"] for at in one["first"]] for kind, one in found["bad"].items()}
    assert numbers["not_utf8"] == [2, 3, 4, 5, 6]
    assert numbers["not_json"] == [10, 16]  # the last has no line feed, and line 11 is blank
    assert found["lines"] == 15


def test_calls_wait_only_where_no_user_has_spoken_since() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    waiting = [{"role": "user", "content": "hi"}, {**said(""), "tool_calls": [call]}]
    left = [*waiting, {"role": "user", "content": "never mind"}]
    assert report(given=lines(waiting))["poisoned"] == 0
    assert report(given=lines(left, {"messages": left}), status=1)["poisoned"] == 2


def test_an_array_without_a_role_is_no_history() -> None:
    assert report(given=lines([{"conversation": []}], []))["bad"].keys() == {"unknown_form"}


def test_where_no_line_can_be_judged_the_caller_is_told() -> None:
    elsewhere = commoncall("scan", "--text", "/nope", "-", given=b'{"text": "x"}\n')
    assert b"where --text leads no line has a text" in elsewhere.stderr
    done = commoncall("scan", "-", given=b'{"text": "x"}\n')
    assert done.returncode == 2
    assert b"no line can be judged; --text says where" in done.stderr
    nothing = commoncall("scan", "-")
    assert nothing.returncode == 2
    assert b"there is no line to judge" in nothing.stderr


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b'{\n  "messages": []\n}\n', b"is one JSON document, not lines of JSON; jq -c"),
        (b"Plain words.\n", b"what was given is no lines of JSON"),
        (b"PK\x03\x04\xff\xfe\n", b"what was given is no lines of JSON"),
    ],
)
def test_what_is_no_log_is_named(content: bytes, line: bytes, tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(content)
    done = commoncall("scan", str(file))
    assert done.returncode == 2
    assert line in done.stderr


REPLY = {"choices": [{"index": 0, "message": {"content": f"Well.\n{CALL}"}}]}
REQUEST = {"model": "m", "messages": [{"role": "user", "content": "q"}]}


@pytest.mark.parametrize(
    ("line", "histories", "messages"),
    [
        (REPLY, 0, 1),
        ({"response": REPLY}, 0, 1),
        ({"response": {"status_code": 200, "body": REPLY}}, 0, 1),
        ({"request": REQUEST, "response": REPLY}, 1, 2),
        ({**REQUEST, **REPLY}, 1, 2),
    ],
)
def test_replies_are_read(line: dict[str, Any], histories: int, messages: int) -> None:
    found = report(given=lines(line), status=1)
    assert found["bad"] == {}
    assert (found["histories"], found["messages"]) == (histories, messages)
    assert found["leaks"]["calls"] == 1
    assert list(found["models"]) == ["m" if histories else ""]


def test_arguments_are_hidden_unless_they_are_asked_for() -> None:
    given = lines(said(f"Well.\n{CALL}"))
    hidden, shown = (
        commoncall("scan", "-", *option, given=given) for option in ([], ["--show-text"])
    )
    assert b"Bern" not in hidden.stdout
    assert (
        b"standard input:1  1 call, in argument-pairs, param-key-pairs, tool-call-tag-array, "
        b"tool_call" in hidden.stdout
    )
    assert CALL.encode() in shown.stdout
    escaped = commoncall("scan", "--show-text", "-", given=lines(said(f"\x1b[2J{CALL}\x1b")))
    assert b"\x1b" not in escaped.stdout


def test_examples_are_of_many_kinds_and_of_what_is_lost_first() -> None:
    given = lines(*[said(CALL)] * 9, said(BROKEN), [said("x"), {"role": "tool"}])
    found = report("--examples", "4", "--format", "qwen3", "-", given=given, status=1)
    assert [(one["kind"], one["line"]) for one in found["examples"]] == [
        ("rejected", 10),
        ("poisoned", 11),
        ("call", 1),
        ("call", 2),
    ]
    assert report("--examples", "0", "-", given=given, status=1)["examples"] == []


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_a_file_is_read_by_its_first_bytes(compress: Any, tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(compress(b"\xef\xbb\xbf" + lines(said(CALL), "x")[:-1]))
    found = report(str(file), status=1)
    assert (found["lines"], found["leaks"]["calls"], found["bad"]) == (2, 1, {})
    assert found == report(str(file), status=1)
    given = report(given=file.read_bytes(), status=1)
    assert given["leaks"] == found["leaks"]


def test_of_a_broken_file_counts_what_was_read(tmp_path: Path) -> None:
    broken, whole = tmp_path / "broken.gz", tmp_path / "whole"
    packed = gzip.compress(b"".join(lines(os.urandom(40).hex()) for _ in range(20000)))
    broken.write_bytes(packed[: len(packed) // 2])
    whole.write_bytes(lines("x"))
    done = commoncall("scan", "--json", str(broken), str(whole))
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"commoncall: cannot read {broken} to its end: ")
    assert done.stderr.count(b"\n") == 1
    found = json.loads(done.stdout)
    assert 5000 < found["lines"] < 15000
    assert found["bad"] == {}  # the line that is cut off is none
    assert len(found["errors"]) == 1


def test_what_is_no_file_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(lines("x"))
    assert "Is a directory" in refused(commoncall("scan", str(file), str(tmp_path)))
    assert "No such file" in refused(commoncall("scan", str(file), str(tmp_path / "no")))
    assert "can be read once only" in refused(commoncall("scan", "-", "-"))
    file.write_bytes(b"\x28\xb5\x2f\xfd....")
    done = commoncall("scan", str(file))
    assert done.returncode == 1
    assert b"zstd -dc" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--text", "a"], "no JSON Pointer"),
        (["--text", "/~2"], "no JSON Pointer"),
        (["--examples", "-1"], "at most 9999"),
        (["--jobs", "x"], "at most 9999"),
        (["--format", "x"], "no format, server or model is called x"),
    ],
)
def test_options_that_are_out_of_form(arguments: list[str], why: str) -> None:
    done = commoncall("scan", "-", *arguments)
    assert done.returncode == 2
    assert why.encode() in done.stderr


def test_many_processes_count_as_one_does(tmp_path: Path) -> None:
    file = tmp_path / "log"
    values = [said(CALL if at % 7 == 0 else "x" * 400) for at in range(30000)]
    file.write_bytes(lines(*values) + b"{\n" * 9)
    one, two = (process("scan", "--json", "--jobs", jobs, str(file)) for jobs in "12")
    assert one.stdout == two.stdout
    assert (one.returncode, two.returncode) == (1, 1)
    assert json.loads(one.stdout)["leaks"]["calls"] == 4286


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_an_interrupt_ends_all_processes(tmp_path: Path) -> None:
    fifo = tmp_path / "log"
    os.mkfifo(fifo)
    with session("scan", "--jobs", "2", str(fifo)) as running, fifo.open("wb") as log:
        log.write(lines("x" * 1000) * 20000)
        log.flush()
        time.sleep(0.5)
        os.killpg(running.pid, signal.SIGINT)
        assert running.wait(30) == 130
        assert all_gone(running.pid)


STOPPED_HALFWAY = """
import os, signal, sys
from concurrent.futures import ProcessPoolExecutor as Pool
from commoncall_tools import main

spawn = Pool._spawn_process

def spawn_and_end(pool):
    spawn(pool)
    os.kill(os.getpid(), signal.{number})

Pool._spawn_process = spawn_and_end
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize(("number", "status"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_an_end_while_processes_start_leaves_none(tmp_path: Path, number: str, status: int) -> None:
    log = tmp_path / "log"
    log.write_bytes(lines("x" * 1000) * 20000)
    code = STOPPED_HALFWAY.format(number=number)
    command = [sys.executable, "-c", code]
    with session("scan", "--jobs", "2", str(log), command=command) as running:
        assert running.wait(30) == status
        assert all_gone(running.pid)


@contextmanager
def session(*arguments: str, command: Sequence[str] = COMMAND) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command in a session of its own, of which nothing is left behind."""
    made = subprocess.Popen(
        [*command, *arguments],
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        # Tests that run in the background of a shell ignore interrupts, and so would the command.
        preexec_fn=functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    with made as running:
        try:
            yield running
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


def all_gone(group: int) -> bool:
    """Wait until no process of a group is left."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_the_command_is_quiet_where_there_is_no_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "commoncall", "scan", "-"], input=lines("x"), capture_output=True
    )
    assert done.stderr == b""
