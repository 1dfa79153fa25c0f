"""No process is left behind: not by a stop, a crash, a time-out, nor by those who have died."""

import os
import queue
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commoncall_kit.drive.process import PIECE, Ended, Process, _get
from commoncall_kit.runner import drive
from commoncall_kit.suite.data import load
from commoncall_kit.verdict.report import Asked, Report
from tests.command import COMMAND
from tests.kit_suite import adapter, write_suite

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs groups of processes")

NAP = "import time; time.sleep(600)"


def driven(how: str, file: Path, folder: Path, timeout: float) -> Report:
    suite = load(write_suite(folder))
    return drive(Asked(suite, 1), adapter("parent", how, str(file)), timeout)


def all_have_ended(file: Path) -> bool:
    """Tell whether nobody locks the file; a process that was killed may take a moment."""
    import fcntl

    until = time.monotonic() + 10
    with file.open("a") as mine:
        while time.monotonic() < until:
            try:
                fcntl.flock(mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.02)
            else:
                return True
    return False


@pytest.mark.parametrize(
    ("how", "timeout", "verdict", "children"),
    [
        ("stops", 10, "conformant", 1),
        ("crashes", 10, "not_established", 4),
        ("holds", 0.4, "not_established", 4),
        ("hangs", 0.4, "not_established", 4),
        ("fails", 10, "not_established", 1),
    ],
)
def test_what_an_adapter_started_ends_with_it(
    how: str,
    timeout: float,
    verdict: str,
    children: int,
    tmp_path: Path,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(root)
    file = tmp_path / "lives"
    assert driven(how, file, tmp_path, timeout).verdict == verdict
    assert file.read_text() == "born\n" * children, "each start had a child"
    assert all_have_ended(file)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_what_an_adapter_started_ends_with_a_runner_that_is_asked_to_end(
    number: signal.Signals, tmp_path: Path, root: Path
) -> None:
    file = tmp_path / "lives"
    asked = ["conformance", "--suite", str(write_suite(tmp_path)), "--timeout", "600", "--"]
    runner = subprocess.Popen(
        [*COMMAND, *asked, *adapter("parent", "hangs", str(file))],
        cwd=root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        # Whoever runs the tests with nohup, or in the background, has them ignore a signal.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    until = time.monotonic() + 60
    while not file.exists() or file.read_text() != "born\n":
        assert time.monotonic() < until
        time.sleep(0.02)
    runner.send_signal(number)
    said = runner.communicate(timeout=60)[1]
    assert (runner.returncode, said) == (128 + number, b"")
    assert all_have_ended(file)


def test_a_runner_that_was_told_to_ignore_a_signal_ignores_it() -> None:
    script = (
        "import os, signal\n"
        "from commoncall_tools.signals import exits_in_order\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "with exits_in_order():\n"
        "    os.kill(os.getpid(), signal.SIGHUP)\n"
        "assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN\n"
        "assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_group_is_killed_when_its_leader_is_dead_already(tmp_path: Path) -> None:
    file = tmp_path / "lives"
    file.touch()
    lock = (
        "import fcntl, subprocess, sys\n"
        f"file = open({str(file)!r})\n"
        "fcntl.flock(file, fcntl.LOCK_SH)\n"
        f"subprocess.Popen([sys.executable, '-c', {NAP!r}], pass_fds=[file.fileno()],"
        " stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "sys.exit(3)\n"
    )
    process = Process([sys.executable, "-c", lock], 100)
    assert process.receive(30) is Ended.CLOSED
    assert process.status() == 3
    process.kill()
    assert all_have_ended(file)


def test_a_group_is_killed_once_and_while_its_id_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who is reaped gives the id back; to kill a group by it then could end a stranger."""
    killed: list[int] = []
    send = os.killpg

    def killpg(group: int, number: int) -> None:
        assert os.getpgid(group) == group, "the leader, dead or not, still holds the id"
        killed.append(group)
        send(group, number)

    monkeypatch.setattr(os, "killpg", killpg)
    for script, status in (("raise SystemExit(7)", 7), (NAP, None)):
        process = Process([sys.executable, "-c", script], 100)
        assert process.status() == status
        process.close(0.1)
        process.kill()
        process.kill()
    assert len(killed) == 2


def test_the_status_of_what_a_signal_ended_is_negative() -> None:
    script = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    process = Process([sys.executable, "-c", script], 100)
    assert process.receive(30) is Ended.CLOSED
    assert process.status() == -signal.SIGKILL
    process.kill()


def test_an_interrupt_while_it_stops_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    process = Process([sys.executable, "-c", NAP], 100)

    def interrupted(items: object, timeout: float) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("commoncall_kit.drive.process._get", interrupted)
        with pytest.raises(KeyboardInterrupt):
            process.close(600)
    assert process.status() == -signal.SIGKILL


def test_no_wait_is_so_long_that_a_signal_before_it_is_missed() -> None:
    """A signal that comes just before a wait is handled only after it."""

    class Never(queue.SimpleQueue[int]):
        def get(self, block: bool = True, timeout: float | None = None) -> int:
            waits.append(timeout)
            time.sleep(0.01)
            raise queue.Empty

    waits: list[float | None] = []
    with pytest.raises(queue.Empty):
        _get(Never(), PIECE + 0.03)
    assert len(waits) > 1
    assert all(each is not None and each <= PIECE for each in waits)
