"""The commands on what was made to hurt: one line, little memory, soon.

Each command runs with a limit of address space and of time, so that what reads without end shows.
"""

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command import COMMAND
from tests.kit_suite import trim, write_suite

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs pipes, devices and links")

SPACE = 400 * 1024 * 1024
PATIENCE = 120
SUITE = "fixtures/v1/payload/flatten-blocks.json"
UNDER_LIMIT = """
import json, os, resource, signal, sys
from commoncall_tools import main, suite
for line in sys.stdin:
    space, patience, out, errors, *arguments = json.loads(line)
    if not os.fork():
        for number, path in ((1, out), (2, errors)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        resource.setrlimit(resource.RLIMIT_AS, (space, space))
        signal.alarm(patience)
        status = main(arguments)
        sys.stdout.flush()
        os._exit(status)  # to clean up takes longer than most commands
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""
"""Runs each command in a process of its own, for which no interpreter has to start."""

Change = Callable[[Path], object]


@functools.cache
def runner() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", UNDER_LIMIT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )


@pytest.fixture(scope="module", autouse=True)
def limited() -> Iterator[None]:
    """Skip where no limit can be set, so that nothing is said to be bounded there."""
    probe = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({SPACE},) * 2)\n"
    probe += f"try: bytearray({2 * SPACE})\nexcept MemoryError: print('limited')"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=False)
    if done.stdout != b"limited\n":
        pytest.skip("this system does not limit the address space of a process")
    yield
    runner().communicate()
    runner.cache_clear()


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("export") / "commoncall"
    assert commoncall("export", target) == (0, [], [])
    trim(target)
    assert commoncall("verify", target) == (0, [], [])
    return target


@pytest.fixture
def copy(exported: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(exported, tmp_path / "copy"))


def commoncall(*arguments: str | Path) -> tuple[int, list[str], list[str]]:
    """Return the status, the lines that are indented, and those of standard error."""
    with tempfile.TemporaryDirectory() as place:
        out, errors = Path(place, "out"), Path(place, "errors")
        asked = [SPACE, PATIENCE, str(out), str(errors), *map(str, arguments)]
        given, answers = runner().stdin, runner().stdout
        assert given is not None
        assert answers is not None
        given.write(json.dumps(asked) + "\n")
        given.flush()
        status = int(answers.readline())
        lines = [line[2:] for line in out.read_text().splitlines() if line.startswith("  ")]
        return status, lines, errors.read_text().splitlines()


def in_place(path: str, make: Change) -> Change:
    """Return what replaces a file of a copy."""

    def change(copy: Path) -> None:
        (copy / path).unlink(missing_ok=True)
        make(copy / path)

    return change


def link(target: str) -> Change:
    return lambda path: path.symlink_to(target)


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50 * 10**9)


def listed(path: str, sums: str = "fixtures/v1/SHA256SUMS") -> Change:
    """Return what lets the sums of a copy name one file more."""

    def change(copy: Path) -> None:
        with (copy / sums).open("a") as file:
            file.write(f"{'0' * 64}  {path}\n")

    return change


def deep_manifest(copy: Path) -> None:
    (copy / "fixtures/v1/manifest.json").write_text("[" * 3_000_000)


MANIFEST = "fixtures/v1/manifest.json"
HOSTILE: dict[str, tuple[Change, list[str]]] = {
    "pipe": (in_place(SUITE, os.mkfifo), [f"unreadable  {SUITE}"]),
    "pipe of the manifest": (in_place(MANIFEST, os.mkfifo), [f"unreadable  {MANIFEST}"]),
    "endless": (in_place(SUITE, link("/dev/zero")), [f"unreadable  {SUITE}"]),
    "endless sums": (in_place("SHA256SUMS", link("/dev/zero")), ["unreadable  SHA256SUMS"]),
    "sparse": (in_place(SUITE, sparse), [f"unreadable  {SUITE}"]),
    "sparse manifest": (in_place(MANIFEST, sparse), [f"unreadable  {MANIFEST}"]),
    "sparse sums": (in_place("SHA256SUMS", sparse), ["unreadable  SHA256SUMS"]),
    "deep manifest": (deep_manifest, [f"changed     {MANIFEST}"]),
    "nul": (listed("a\0b", "SHA256SUMS"), ["unreadable  SHA256SUMS"]),
    "another file": (in_place(SUITE, link("/etc/passwd")), [f"changed     {SUITE}"]),
    "no file": (in_place(SUITE, link("/no/such")), [f"missing     {SUITE}"]),
    "loop": (in_place(SUITE, link("flatten-blocks.json")), [f"unreadable  {SUITE}"]),
    "folder as a file": (in_place(SUITE, Path.mkdir), [f"unreadable  {SUITE}"]),
    "unlisted pipe": (in_place("fixtures/v1/pipe", os.mkfifo), ["superfluous fixtures/v1/pipe"]),
    "unlisted sparse": (in_place("schemas/v1/big", sparse), ["superfluous schemas/v1/big"]),
    "unlisted loop": (in_place("loop", link("loop")), ["superfluous loop"]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_copy_is_one_line(copy: Path, name: str) -> None:
    change, lines = HOSTILE[name]
    change(copy)
    assert commoncall("verify", copy) == (1, lines, [])


@pytest.mark.parametrize("make", [os.mkfifo, link("/dev/zero"), link("copy"), sparse])
def test_what_is_no_folder_is_no_copy(tmp_path: Path, make: Change) -> None:
    make(tmp_path / "copy")
    status, lines, errors = commoncall("verify", tmp_path / "copy")
    assert (status, lines, len(errors)) == (2, [], 1)


def test_a_suite_of_what_are_no_files_is_one_line(copy: Path) -> None:
    for make, why in ((os.mkfifo, "no plain file"), (sparse, "longer than 67,108,864 bytes")):
        in_place("fixtures/v1/requirements.json", make)(copy)
        done = subprocess.run(
            [*COMMAND, "conformance", "--suite", str(copy), "--", "true"],
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=PATIENCE,
        )
        assert done.returncode == 2
        assert done.stderr == (
            f"commoncall: no suite in {copy}: {why}: {copy}/fixtures/v1/requirements.json\n"
        )


# export


def test_an_export_follows_a_link_to_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert commoncall("export", tmp_path / "link") == (0, [], [])
    assert (tmp_path / "link").is_symlink()
    assert commoncall("verify", tmp_path / "real") == (0, [], [])


def test_an_export_below_a_link_to_a_folder_is_there(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert commoncall("export", tmp_path / "link" / "a" / "b") == (0, [], [])
    assert commoncall("verify", tmp_path / "real" / "a" / "b") == (0, [], [])


def test_a_name_with_line_feeds_is_one_line(tmp_path: Path) -> None:
    status, lines, errors = commoncall("verify", tmp_path / "a\nb\x1b[31m")
    assert (status, lines, len(errors)) == (2, [], 1)
    assert "a\\nb\\x1b[31m" in errors[0]


# what nests


LEVELS = 20_000
"""Far more than any stack of this process holds."""
DEEP = {
    "arrays": "[" * LEVELS + "]" * LEVELS,
    "objects": '{"a":' * LEVELS + "1" + "}" * LEVELS,
    "messages": '{"messages":' + "[" * LEVELS + "]" * LEVELS + "}",
    "open arrays": "[" * LEVELS,
    "open objects": '{"a":' * LEVELS,
    "a closer first": "]" + "[" * 257,
    "names that are none": "{" * 257 + "x",
    "digits": "{" + "1" * 5000 + ":2," + "[" * 257,
    "long names": ('{"' + "a" * 25_000 + '":')
    * 257,  # their places, written out, are more than `SPACE`
}
READERS: dict[str, tuple[list[str], int, str]] = {
    "check": (["check", "FILE"], 1, "no --profile given"),
    "check --fix": (["check", "FILE", "--fix", "--profile", "vllm"], 1, "it nests deeper than 128"),
    "run": (["run", "payload.sanitize_history", "FILE"], 1, "invalid_input: the input nests"),
    "extract": (["extract", "FILE"], 0, "no --tool given"),
    "extract --explain": (["extract", "FILE", "--explain"], 0, "no --tool given"),
    "scan": (["scan", "FILE", "--jobs", "1"], 2, "no line can be judged"),
    "scan --text": (["scan", "FILE", "--jobs", "1", "--text", "/a"], 2, "no line can be judged"),
    "survey": (["survey", "FILE", "--", "true"], 2, "is no description of a system: "),
    "conformance": (["conformance", "--known-failures", "FILE", "--", "true"], 2, "FILE: "),
    "registry check": (["registry", "check", "FILE"], 2, "JSON that nests deeper than 256"),
    "cited": (["cited", "FILE"], 0, ""),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_nests_deep_is_one_line(tmp_path: Path, reader: str) -> None:
    """Standard error says it; the status is that of the command's help."""
    arguments, expected, what = READERS[reader]
    file = tmp_path / "deep"
    for name, text in DEEP.items():
        file.write_text(text + "\n")
        given = [str(file) if each == "FILE" else each for each in arguments]
        status, _, errors = commoncall(*given)
        assert status == expected, name
        assert len(errors) <= 3, name
        assert what.replace("FILE", str(file)) in "".join(errors), name


def test_lines_of_a_log_that_nest_deep_are_counted(tmp_path: Path) -> None:
    """The lines between them are judged as ever."""
    good = json.dumps([{"role": "user", "content": "hi"}])
    file = tmp_path / "log"
    file.write_text("".join(f"{text}\n{good}\n" for text in DEEP.values()))
    counts = subprocess.run(
        [*COMMAND, "scan", str(file), "--json", "--jobs", "1"], stdout=subprocess.PIPE, check=True
    )
    found = json.loads(counts.stdout)
    assert (found["histories"], found["lines"]) == (len(DEEP), 2 * len(DEEP))
    assert {why: one["count"] for why, one in found["bad"].items()} == {"too_deep": len(DEEP)}


def test_a_line_that_nests_deep_is_no_request_of_a_runner(tmp_path: Path) -> None:
    for text in DEEP.values():
        done = subprocess.run(
            [*COMMAND, "adapter"], input=text.encode() + b"\n", capture_output=True, check=False
        )
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr == b"commoncall: the runner sent JSON that nests deeper than 256\n"


def test_an_answer_that_nests_deep_errors_its_case(tmp_path: Path) -> None:
    """The adapter declares an operation of a toy suite, and answers with such a line."""
    suite = str(write_suite(tmp_path))
    adapter = tmp_path / "adapter.py"
    declared = {
        "protocol": 1,
        "implementation": {"name": "deep", "version": "1.0.0", "language": "Python"},
        "operations": ["toy.echo"],
        "features": [],
    }
    for text in DEEP.values():
        adapter.write_text(
            f"input()\nprint({json.dumps(declared)!r}, flush=True)\n"
            f"input()\nprint({text!r}, flush=True)\n"
        )
        asked = ["--suite", suite, "--case", "toy.echo.number", "--", sys.executable, str(adapter)]
        done = subprocess.run(
            [*COMMAND, "conformance", *asked], capture_output=True, check=False, encoding="utf-8"
        )
        assert done.returncode == 1, done.stderr
        assert "the answer is JSON that nests deeper than 256" in done.stdout
