"""What the adapters of the reference and of Node do with requests out of form, as harness.md says.

A line that is no request ends them with one line that quotes nothing; an environment out of form
is answered, and they go on.
"""

import base64
import functools
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from commoncall import adapter
from commoncall.protocol import MAX_DEPTH, MAX_LINE
from tests.command import COMMAND, Done, commoncall

Converse = Callable[[bytes], Done]
Sent = Callable[[bytes], tuple[int, list[Any], bytes]]

NODE = shutil.which("node")
ADAPTERS = {
    "reference": [*COMMAND, "adapter"],
    "node": [str(NODE), "reference/javascript/adapter.mjs"],
}
SECRET = "5ecret"

RUN: dict[str, Any] = {"cmd": "run", "seq": 1, "operation": "payload.check_tool_call", "input": 0}
GOOD = json.dumps(RUN).encode() + b"\n"
RECORD: dict[str, Any] = {
    **{"cmd": "run", "operation": "event.record_calls"},
    "input": {
        "request_id": "r",
        "calls": [{"payload": '{"tool":"a","arguments":{}}'}],
        "effective": ["a"],
    },
}
TIMES: list[Any] = [["5", "7"], [5, "x"], [True, 7], [None], "57", 5, {}, None]
IDS: list[Any] = [[1], [None], ["a", []], "ab", {"0": "a"}, True, None]


@pytest.fixture(params=ADAPTERS)
def command(request: pytest.FixtureRequest) -> list[str]:
    if request.param == "node" and NODE is None:
        pytest.skip("needs node")
    return ADAPTERS[request.param]


CONVERSATIONS = """
import {Readable} from 'node:stream';
import {createInterface} from 'node:readline';
import {DECLARATION, run} from './reference/javascript/adapter.mjs';
import {converse} from './reference/javascript/harness.mjs';

const {stdin, stdout} = process;
const say = stdout.write.bind(stdout);
for await (const line of createInterface({input: stdin})) {
  const given = Buffer.from(line, 'base64');
  const chunks = [];
  for (let at = 0; at < given.length; at += 65536) chunks.push(given.subarray(at, at + 65536));
  Object.defineProperty(process, 'stdin', {value: Readable.from(chunks), configurable: true});
  const [out, errors] = [[], []];
  process.stdout.write = (text) => out.push(text);
  process.stderr.write = (text) => errors.push(text);
  process.exitCode = 0;
  await converse(DECLARATION, run);
  say(`${JSON.stringify([process.exitCode, out.join(''), errors.join('')])}\\n`);
}
process.exitCode = 0;
"""
"""Has conversations with the adapter of Node one after the other; it takes long to start."""


@pytest.fixture(scope="module")
def in_node(root: Path) -> Iterator[Converse]:
    """Return what has a conversation in the one process of Node, which a first one starts."""

    @functools.cache
    def node() -> subprocess.Popen[bytes]:
        command = [str(NODE), "--input-type=module", "-e", CONVERSATIONS]
        return subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def converse(given: bytes) -> Done:
        to, back = node().stdin, node().stdout
        assert to is not None
        assert back is not None
        to.write(base64.b64encode(given) + b"\n")
        to.flush()
        status, out, errors = json.loads(back.readline())
        return subprocess.CompletedProcess([], status, out.encode(), errors.encode())

    yield converse
    if node.cache_info().currsize:
        node().communicate()


@pytest.fixture
def sent(command: list[str], in_node: Converse) -> Sent:
    """Return what sends lines, and gives the status, the answers and standard error."""

    def send(given: bytes) -> tuple[int, list[Any], bytes]:
        is_ours = command == ADAPTERS["reference"]
        done = commoncall("adapter", given=given) if is_ours else in_node(given)
        return done.returncode, [json.loads(each) for each in done.stdout.splitlines()], done.stderr

    return send


def nested(levels: int) -> bytes:
    """Return a request that nests so deep, itself included."""
    inner = b"[" * (levels - 1) + b"]" * (levels - 1)
    return json.dumps({**RUN, "input": SECRET}).encode().replace(b'"%s"' % SECRET.encode(), inner)


def long(length: int) -> bytes:
    """Return a request whose line is so many bytes long."""
    empty = json.dumps({**RUN, "input": ""}).encode()
    return json.dumps({**RUN, "input": "x" * (length - 1 - len(empty))}).encode() + b"\n"


def request(**members: object) -> bytes:
    return json.dumps({**RUN, "input": SECRET, **members}).encode() + b"\n"


@pytest.mark.parametrize(
    "line",
    [
        SECRET.encode() + b"\n",
        b"\n",
        b'{"cmd": "run", "%s": ' % SECRET.encode() + b"\n",
        b'{"cmd": "run", "input": "%s \xff"}\n' % SECRET.encode(),
        b'{"cmd": "start", "%s": "\xed\xa0\x80"}\n' % SECRET.encode(),
        b"\xef\xbb\xbf" + GOOD,
        b'["%s"]\n' % SECRET.encode(),
        b'"%s"\n' % SECRET.encode(),
        b"null\n",
        b'{"%s": 1}\n' % SECRET.encode(),
        request(cmd=SECRET),
        request(cmd=None),
        request(seq="1"),
        request(seq=True),
        request(seq=None),
        request(operation=1),
        b'{"cmd": "run", "seq": 1, "operation": "%s"}\n' % SECRET.encode(),
        b'{"cmd": "run", "operation": "%s", "input": 1}\n' % SECRET.encode(),
        request(input=float("inf")),
        request(input=0).replace(b'"input": 0', b'"input": [1e999]'),
        nested(MAX_DEPTH + 1) + b"\n",
        GOOD[:-1],
        b'{"cmd": "stop"}',
        long(MAX_LINE + 1),
        b'{"cmd": "stop"}' + b" " * MAX_LINE + b"\n",
        b"x" * (MAX_LINE + 1),
    ],
    ids=range(26),
)
def test_a_line_that_is_no_request_ends_it(sent: Sent, line: bytes) -> None:
    behind = GOOD if line.endswith(b"\n") else b""
    status, answers, errors = sent(GOOD + line + behind)
    assert [answer["seq"] for answer in answers] == [1], "what came before is answered, no more is"
    assert status == 2
    assert errors.count(b"\n") == 1
    assert b"the runner sent " in errors
    assert SECRET.encode() not in errors
    assert len(errors) < 200


def test_a_process_says_the_same(command: list[str], sent: Sent, root: Path) -> None:
    for given in (GOOD, GOOD + SECRET.encode() + b"\n" + GOOD):
        done = subprocess.run(command, cwd=root, input=given, capture_output=True, check=False)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert (done.returncode, answers, done.stderr) == sent(given)
        assert answers


def test_the_longest_and_the_deepest_request_are_answered(sent: Sent) -> None:
    status, answers, errors = sent(long(MAX_LINE) + nested(MAX_DEPTH) + b"\n" + GOOD)
    assert (status, errors) == (0, b"")
    assert [answer["error"]["code"] for answer in answers] == ["invalid_input"] * 3


def test_an_environment_out_of_form_is_answered(sent: Sent) -> None:
    broken: list[object] = [
        *({"clock_ms": each} for each in TIMES),
        *({"ids": each} for each in IDS),
        *([], None, "env", 0),
    ]
    sound = {"clock_ms": [5, 7.5], "ids": ["a"]}
    lines = [
        {**RECORD, "seq": seq, "env": env}
        for seq, env in enumerate(each for env in broken for each in (env, sound))
    ]
    given = "".join(json.dumps(line) + "\n" for line in lines).encode()
    status, answers, errors = sent(given)
    assert (status, errors) == (0, b"")
    assert len(answers) == 2 * len(broken)
    for seq, env in enumerate(broken):
        wrong, good = answers[2 * seq : 2 * seq + 2]
        assert wrong == {"seq": 2 * seq, "errored": {"message": "env is out of form"}}, env
        assert good["result"]["events"][1]["latency_ms"] == 2.5, env


@pytest.mark.parametrize("env", [{"clock_ms": ["x"]}, {"clock_ms": [True]}, {"ids": [1]}])
def test_the_reference_says_so_in_this_process_too(env: dict[str, object]) -> None:
    found = adapter.answer("event.record_calls", RECORD["input"], env)
    assert found == {"errored": {"message": "env is out of form"}}
