"""The commands on what was made to hurt: one line, little memory, soon.

Each command runs with a limit of address space and of time, so that what reads without end shows.
"""

import functools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command import COMMAND
from tests.kit_suite import trim

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


def listening(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the path of a socket has a hundred characters at most
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
    finally:
        os.chdir(here)


def listed(path: str, sums: str = "fixtures/v1/SHA256SUMS") -> Change:
    """Return what lets the sums of a copy name one file more."""

    def change(copy: Path) -> None:
        with (copy / sums).open("a") as file:
            file.write(f"{'0' * 64}  {path}\n")

    return change


def folder_is(path: str, make: Change) -> Change:
    """Return what replaces a folder of a copy."""

    def change(copy: Path) -> None:
        shutil.rmtree(copy / path)
        make(copy / path)

    return change


def moved_within(copy: Path) -> None:
    """Leave a link in place of a folder that is elsewhere in the copy: nothing leads out."""
    (copy / "schemas/v1/turn").rename(copy / "turn")
    (copy / "schemas/v1/turn").symlink_to("../../turn")


def many_links(copy: Path) -> None:
    """Let many names stand for one large file, so that each is read again."""
    with (copy / "large").open("wb") as file:
        file.truncate(60 * 1024 * 1024)
    for number in range(200):
        (copy / f"fixtures/v1/l{number}").symlink_to("../../large")
        listed(f"l{number}")(copy)


def deep(copy: Path) -> None:
    """Make folders that no path is long enough for."""
    here = Path.cwd()
    os.chdir(copy)
    try:
        for _ in range(100):
            Path("folder" * 10).mkdir()
            os.chdir("folder" * 10)
    finally:
        os.chdir(here)


def deep_manifest(copy: Path) -> None:
    (copy / "fixtures/v1/manifest.json").write_text("[" * 3_000_000)


HOSTILE: dict[str, tuple[Change, list[str]]] = {
    "pipe": (in_place(SUITE, os.mkfifo), [f"irregular   {SUITE}"]),
    "pipe of the manifest": (
        in_place("fixtures/v1/manifest.json", os.mkfifo),
        ["irregular   fixtures/v1/manifest.json"],
    ),
    "socket": (in_place(SUITE, listening), [f"irregular   {SUITE}"]),
    "endless": (in_place(SUITE, link("/dev/zero")), [f"outside     {SUITE}"]),
    "endless manifest": (
        in_place("fixtures/v1/manifest.json", link("/dev/zero")),
        ["outside     fixtures/v1/manifest.json"],
    ),
    "endless schema sums": (
        in_place("schemas/v1/SHA256SUMS", link("/dev/zero")),
        ["outside     schemas/v1/SHA256SUMS"],
    ),
    "endless sums of all": (
        in_place("SHA256SUMS", link("/dev/zero")),
        ["outside     SHA256SUMS"],
    ),
    "sparse": (in_place(SUITE, sparse), [f"oversize    {SUITE}"]),
    "sparse manifest": (
        in_place("fixtures/v1/manifest.json", sparse),
        ["oversize    fixtures/v1/manifest.json"],
    ),
    "sparse sums of all": (in_place("SHA256SUMS", sparse), ["oversize    SHA256SUMS"]),
    "sparse licence": (in_place("LICENSE", sparse), ["oversize    LICENSE"]),
    "deep manifest": (deep_manifest, ["changed     fixtures/v1/manifest.json"]),
    "nul": (
        listed("a\0b"),
        ["unreadable  fixtures/v1/SHA256SUMS"],
    ),
    "nul in the sums of all": (listed("a\0b", "SHA256SUMS"), ["unreadable  SHA256SUMS"]),
    "file out of the copy": (in_place(SUITE, link("/etc/passwd")), [f"outside     {SUITE}"]),
    "same file out of the copy": (
        lambda copy: outside_twin(copy),
        [f"outside     {SUITE}"],
    ),
    "nothing out of the copy": (in_place(SUITE, link("/no/such")), [f"outside     {SUITE}"]),
    "nothing in the copy": (in_place(SUITE, link("no-such")), [f"missing     {SUITE}"]),
    "loop": (in_place(SUITE, link("flatten-blocks.json")), [f"unreadable  {SUITE}"]),
    "folder out of the copy": (
        folder_is("fixtures/v1/payload", link("/etc")),
        ["outside     fixtures/v1/payload"],
    ),
    "schemas out of the copy": (
        folder_is("schemas", link("/etc")),
        ["outside     schemas"],
    ),
    "pipe as a folder": (
        folder_is("fixtures/v1/payload", os.mkfifo),
        ["irregular   fixtures/v1/payload"],
    ),
    "folder as a file": (in_place(SUITE, Path.mkdir), [f"irregular   {SUITE}"]),
    "unlisted link to a folder": (
        in_place("fixtures/v1/etc", link("/etc")),
        ["superfluous fixtures/v1/etc"],
    ),
    "unlisted link at the top": (in_place("etc", link("/etc")), ["superfluous etc"]),
    "unlisted link to itself": (in_place("loop", link("loop")), ["superfluous loop"]),
    "unlisted pipe": (in_place("fixtures/v1/pipe", os.mkfifo), ["superfluous fixtures/v1/pipe"]),
    "unlisted sparse": (in_place("schemas/v1/big", sparse), ["superfluous schemas/v1/big"]),
}


def outside_twin(copy: Path) -> None:
    """Link to a file outside that has the right bytes: it is no part of the copy."""
    twin = copy.parent / "twin"
    (copy / SUITE).rename(twin)
    (copy / SUITE).symlink_to(twin)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_copy_is_one_line(copy: Path, name: str) -> None:
    change, lines = HOSTILE[name]
    change(copy)
    assert commoncall("verify", copy) == (1, lines, [])


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_a_device_is_one_line(copy: Path) -> None:
    (copy / SUITE).unlink()
    try:
        os.mknod(copy / SUITE, 0o020666, os.makedev(1, 5))  # that of /dev/zero
    except PermissionError:
        pytest.skip("this system lets nobody make a device")
    assert commoncall("verify", copy) == (1, [f"irregular   {SUITE}"], [])


def test_all_of_it_at_once_is_a_line_each(copy: Path) -> None:
    """A pipe, a device, an endless file, a NUL, and a link out of the copy."""
    made: dict[str, tuple[Change, str]] = {
        "fixtures/v1/manifest.json": (os.mkfifo, "irregular"),
        SUITE: (sparse, "oversize"),
        "fixtures/v1/requirements.json": (link("/dev/zero"), "outside"),
        "fixtures/v1/README.md": (link("/etc/passwd"), "outside"),
        "fixtures/v1/etc": (link("/etc"), "superfluous"),
        "LICENSE": (link("/dev/stdin"), "outside"),
        "README.md": (lambda path: path.write_text("mine"), "changed"),
    }
    for path, (make, _) in made.items():
        in_place(path, make)(copy)
    listed("a\0b", "schemas/v1/SHA256SUMS")(copy)
    shutil.rmtree(copy / "fixtures/selftest")
    expected = {path: state for path, (_, state) in made.items()}
    expected |= {"fixtures/selftest": "missing", "schemas/v1/SHA256SUMS": "unreadable"}
    lines = [f"{state:11} {path}" for path, state in sorted(expected.items())]
    assert commoncall("verify", copy) == (1, lines, [])


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (in_place("fixtures/v1/SHA256SUMS", os.mkfifo), "irregular fixtures/v1/SHA256SUMS"),
        (in_place("fixtures/v1/SHA256SUMS", link("/dev/zero")), "outside fixtures/v1/SHA256SUMS"),
        (in_place("fixtures/v1/SHA256SUMS", sparse), "oversize fixtures/v1/SHA256SUMS"),
        (in_place("fixtures/v1/SHA256SUMS", Path.mkdir), "irregular fixtures/v1/SHA256SUMS"),
        (in_place("fixtures/v1/SHA256SUMS", link("SHA256SUMS")), "unreadable fixtures/v1/SHA256"),
        (folder_is("fixtures/v1", link("/etc")), "outside fixtures/v1"),
        (folder_is("fixtures", link("/")), "missing SHA256SUMS"),
        (folder_is("fixtures/v1", os.mkfifo), "missing SHA256SUMS"),
    ],
)
def test_without_sums_of_the_fixtures_there_is_no_copy(
    copy: Path, change: Change, line: str
) -> None:
    (copy / "SHA256SUMS").unlink()
    change(copy)
    status, lines, errors = commoncall("verify", copy)
    assert (status, lines, len(errors)) == (2, [], 1)
    assert errors[0].startswith(f"commoncall: no suite in {copy}: {line}")


@pytest.mark.parametrize("make", [os.mkfifo, link("/dev/zero"), link("copy"), sparse])
def test_what_is_no_folder_is_no_copy(tmp_path: Path, make: Change) -> None:
    make(tmp_path / "copy")
    status, lines, errors = commoncall("verify", tmp_path / "copy")
    assert (status, lines, len(errors)) == (2, [], 1)


def test_a_link_within_the_copy_is_followed_and_superfluous_itself(copy: Path) -> None:
    moved_within(copy)
    status, lines, errors = commoncall("verify", copy)
    assert (status, errors) == (1, [])
    assert "superfluous schemas/v1/turn" in lines
    assert {line.split()[0] for line in lines} == {"superfluous"}


def test_a_large_file_with_many_names_is_read_a_few_times(copy: Path) -> None:
    many_links(copy)
    status, lines, errors = commoncall("verify", copy)
    assert (status, errors) == (1, [])
    states = [line.split()[0] for line in lines]
    assert 0 < states.count("changed") < 10, "so many fit into the limit, and the sums"
    assert states.count("oversize") > 190


def test_folders_without_end_are_a_line(copy: Path) -> None:
    deep(copy)
    status, lines, errors = commoncall("verify", copy)
    assert (status, errors) == (1, [])
    (line,) = lines
    assert line.startswith(f"unreadable  {'folder' * 10}/folder")


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


@pytest.mark.parametrize("below", ["", "new", "new/../other", "a/b"])
@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("link", "Too many levels of symbolic links"),
        ("other", "Too many levels of symbolic links"),
        ("nowhere", "is a link to nothing"),
        ("../away/new", "is a link to nothing"),
    ],
)
def test_no_export_follows_a_link_that_leads_nowhere(
    tmp_path: Path, target: str, why: str, below: str
) -> None:
    (tmp_path / "away").mkdir()
    links = tmp_path / "links"
    links.mkdir()
    (links / "link").symlink_to(target)
    (links / "other").symlink_to("link")
    before = sorted(tmp_path.rglob("*"))
    status, lines, errors = commoncall("export", links / "link" / below)
    assert (status, lines, len(errors)) == (2, [], 1)
    assert errors[0].startswith(f"commoncall: cannot write {links / 'link' / below}: ")
    assert errors[0].endswith(why)
    assert sorted(tmp_path.rglob("*")) == before


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


LEVELS = 100_000
DEEP = {
    "arrays": "[" * LEVELS + "]" * LEVELS,
    "objects": '{"a":' * LEVELS + "1" + "}" * LEVELS,
    "messages": '{"messages":' + "[" * LEVELS + "]" * LEVELS + "}",
    "open arrays": "[" * LEVELS,
    "open objects": '{"a":' * LEVELS,
    "a closer first": "]" + "[" * 257,
    "names that are none": "{" * 257 + "x",
    "digits": "{" + "1" * 5000 + ":2," + "[" * 257,
    "long names": ('{"' + "a" * 50_000 + '":') * 257,
}
READERS: dict[str, tuple[list[str], int, str]] = {
    "check": (["check", "FILE"], 1, "no --profile given"),
    "check --fix": (["check", "FILE", "--fix", "--profile", "vllm"], 1, "it nests deeper than 128"),
    "run": (["run", "payload.sanitize_history", "FILE"], 1, "invalid_input: the input nests"),
    "extract": (["extract", "FILE"], 0, "no --tool given"),
    "extract --stream": (["extract", "FILE", "--stream"], 0, "no --tool given"),
    "extract --explain": (["extract", "FILE", "--explain"], 0, "no --tool given"),
    "scan": (["scan", "FILE", "--jobs", "1"], 2, "no line can be judged"),
    "scan --text": (["scan", "FILE", "--jobs", "1", "--text", "/a"], 2, "no line can be judged"),
    "claim verify": (["claim", "verify", "FILE"], 2, "is no claim: "),
    "survey": (["survey", "FILE", "--", "true"], 2, "is no description of a system: "),
    "conformance": (["conformance", "--known-failures", "FILE", "--", "true"], 2, "FILE: "),
    "registry check": (["registry", "check", "FILE"], 2, "JSON that nests deeper than 256"),
    "registry import": (
        ["registry", "import", "FILE", "--from", "litellm", "--revision", "2026-11-28"],
        2,
        "JSON that nests deeper than 256",
    ),
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
    """The adapter declares an operation, and answers every request with the same line."""
    adapter = tmp_path / "adapter.py"
    declared = {
        "protocol": 1,
        "implementation": {"name": "deep", "version": "1.0.0", "language": "Python"},
        "operations": ["payload.check_tool_call"],
        "features": [],
    }
    for text in DEEP.values():
        adapter.write_text(
            f"input()\nprint({json.dumps(declared)!r}, flush=True)\n"
            f"input()\nprint({text!r}, flush=True)\n"
        )
        asked = ["--case", "payload.check_tool_call.json-nan", "--", sys.executable, str(adapter)]
        done = subprocess.run(
            [*COMMAND, "conformance", *asked], capture_output=True, check=False, encoding="utf-8"
        )
        assert done.returncode == 1, done.stderr
        assert "the answer is JSON that nests deeper than 256" in done.stdout
