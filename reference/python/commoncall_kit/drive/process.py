"""One child process: a line of bytes out, a line of bytes in, within a time limit.

Three threads keep its pipes moving, so that no full pipe can stop both sides, on every operating
system; a fourth waits for its end. This file knows nothing of JSON, of messages or of cases.
"""

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from enum import Enum
from typing import IO, Final, TypeVar

TAIL: Final = 4096
"""How many bytes of standard error are kept, the newest."""

LINES_AHEAD: Final = 4
"""A process that is so many lines ahead of its reader waits for its pipe."""

SETTLE: Final = 1.0
"""Seconds to wait for what follows at once when a process ends: its status, its last words."""

PIECE: Final = 0.5
"""Seconds of one wait; see `_get`."""

Item = TypeVar("Item")


class Ended(Enum):
    """Why no further line comes."""

    CLOSED = "closed its output"
    CUT = "closed its output within a line"
    OVERSIZE = "wrote a line that is too long"


class LineTimeoutError(Exception):
    """No line came within the time limit."""


class _Lines:
    """The lines of a pipe, a few of them ahead of their reader."""

    def __init__(self, max_line: int) -> None:
        self._max_line = max_line
        self._ready: queue.SimpleQueue[bytes | Ended] = queue.SimpleQueue()
        self._ended: Ended | None = None
        self._abandoned = False
        self._room: queue.SimpleQueue[None] = queue.SimpleQueue()
        for _ in range(LINES_AHEAD):
            self._room.put(None)

    def __bool__(self) -> bool:
        return self._ready.qsize() > (self._ended is not None)

    def take(self, timeout: float) -> bytes | Ended:
        """Return the next line; see `Process.receive`."""
        try:
            found = _get(self._ready, timeout)
        except queue.Empty:
            raise LineTimeoutError from None
        if isinstance(found, Ended):
            self._ready.put(found)  # it is the answer to whoever asks again
        else:
            self._room.put(None)
        return found

    def collect(self, pipe: IO[bytes]) -> None:
        """Read the pipe to its end, in a thread."""
        with pipe:
            while self._collect_line(pipe.readline(self._max_line + 1)):
                pass

    def abandon(self) -> None:
        """Collect what still comes, though nobody takes a line any more."""
        self._abandoned = True
        self._room.put(None)

    def _collect_line(self, line: bytes) -> bool:
        if len(line) > self._max_line:
            self._ended = Ended.OVERSIZE
        elif not line.endswith(b"\n"):
            self._ended = Ended.CUT if line else Ended.CLOSED
        else:
            if not self._abandoned:
                self._room.get()
            self._ready.put(line[:-1])
            return True
        self._ready.put(self._ended)
        return False


class Process:
    """A running command. Whoever makes one closes or kills it.

    Raises:
        OSError: the command cannot be started.
    """

    def __init__(self, command: Sequence[str], max_line: int) -> None:
        self._requests: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lines = _Lines(max_line)
        self._tail = b""
        self._over: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._reaped = False
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # A group of its own, so that what the command starts ends with it.
            start_new_session=os.name == "posix",
        )
        stdin, stdout, stderr = self._child.stdin, self._child.stdout, self._child.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        _thread(self._feed, stdin)
        self._collector = _thread(self._lines.collect, stdout)
        self._drainer = _thread(self._drain, stderr)
        self._watcher = _thread(self._watch)

    def send(self, line: bytes) -> None:
        """Queue a line. A process that has ended shows by giving no answer."""
        self._requests.put(line)

    def receive(self, timeout: float) -> bytes | Ended:
        """Return the next line without its line feed, or why there is none.

        Raises:
            LineTimeoutError: nothing came within so many seconds.
        """
        return self._lines.take(timeout)

    def has_line(self) -> bool:
        """Tell whether a line stands unread."""
        return bool(self._lines)

    def status(self) -> int | None:
        """Return the exit status of a process that is about to end; None if it runs on."""
        try:
            status = _get(self._over, SETTLE)
        except queue.Empty:
            return None
        self._over.put(status)
        return status

    def stderr_tail(self) -> str:
        """Return the newest text of standard error."""
        if not self._over.empty():
            self._drainer.join(SETTLE)
        return self._tail.decode(errors="replace")

    def close(self, grace: float) -> None:
        """Close the input, wait so many seconds for the end, then kill what is left."""
        self._requests.put(None)
        try:
            _get(self._over, grace)
            # What it wrote until its end is read; a grandchild may hold the pipe for longer.
            self._collector.join(SETTLE)
        except queue.Empty:
            pass
        finally:
            self.kill()

    def kill(self) -> None:
        """End the process and what it started, at once.

        What it started may live on when it is dead itself. Out of reach is what left its group of
        processes, and on Windows all that it started.
        """
        self._lines.abandon()
        self._requests.put(None)
        if self._reaped:
            return  # its id may be that of another process by now
        with contextlib.suppress(OSError):  # nobody is left
            if os.name == "posix":
                os.killpg(self._child.pid, signal.SIGKILL)
            else:
                self._child.kill()
        self._watcher.join()
        self._reaped = True
        self._child.wait()

    def _watch(self) -> None:
        """Wait for the end of the process, and leave it a zombie where that can be asked for.

        A zombie keeps its id, so that the group that is killed is still the one that it led.
        Elsewhere the id is taken for as long as the group has a member.
        """
        status = None
        try:
            if hasattr(os, "waitid"):
                found = os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOWAIT)
                assert found is not None
                exited = found.si_code == os.CLD_EXITED
                status = found.si_status if exited else -found.si_status
            else:
                status = self._child.wait()
        except ChildProcessError:
            pass  # who started us ignores the end of children, so there is no status to be had
        finally:
            self._over.put(status)

    def _feed(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError), pipe:
            while (line := self._requests.get()) is not None:
                pipe.write(line)
                pipe.flush()

    def _drain(self, pipe: IO[bytes]) -> None:
        with pipe:
            while chunk := os.read(pipe.fileno(), 1 << 16):
                self._tail = (self._tail + chunk)[-TAIL:]


def _get(items: "queue.SimpleQueue[Item]", timeout: float) -> Item:
    """Take what comes within so many seconds.

    A signal can come just before a wait begins, and would be handled only after it; so no wait is
    long. Its handler raises: a `Condition`, which is written in Python, could be left without its
    lock, a `SimpleQueue` cannot.

    Raises:
        queue.Empty: nothing came.
    """
    until = time.monotonic() + timeout
    while True:
        left = max(0.0, until - time.monotonic())
        try:
            return items.get(timeout=min(left, PIECE))
        except queue.Empty:
            if left <= PIECE:
                raise


def _thread(work: Callable[..., None], *arguments: IO[bytes]) -> threading.Thread:
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread
