"""The command ``commoncall``: as a process, and in this one where only what it prints is asked."""

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

from commoncall_tools import main

COMMAND = [sys.executable, "-m", "commoncall"]

Done = subprocess.CompletedProcess[bytes]


def process(
    *arguments: str, given: bytes | str = b"", env: Mapping[str, str] | None = None
) -> Done:
    """Run the command as people run it."""
    return subprocess.run(
        [*COMMAND, *arguments],
        input=given.encode() if isinstance(given, str) else given,
        env={**os.environ, **(env or {})},
        capture_output=True,
        check=False,
    )


def commoncall(*arguments: str, given: bytes | str = b"") -> Done:
    """Run the command in this process: the same work, without the start of an interpreter."""
    content = given.encode() if isinstance(given, str) else given
    source = io.TextIOWrapper(io.BufferedReader(io.BytesIO(content)), "utf-8")
    out, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with mock.patch.object(sys, "stdin", source), redirect_stdout(out), redirect_stderr(errors):
        try:
            status: object = main(arguments)
        except SystemExit as stopped:  # argparse: a usage error, or help that was asked for
            status = stopped.code or 0
    printed, said = (stream.detach().getvalue() for stream in (out, errors))
    assert isinstance(status, int)
    return subprocess.CompletedProcess([*COMMAND, *arguments], status, printed, said)


def refused(done: Done) -> str:
    """Assert that a call was refused with one line and nothing else; returns the line."""
    assert done.returncode == 2
    assert done.stdout == b""
    line = done.stderr.decode()
    assert line.startswith("commoncall: ")
    assert line.count("\n") == 1
    return line
