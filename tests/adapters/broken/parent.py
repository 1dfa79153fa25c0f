"""Starts a process that outlives it: ``parent HOW FILE``.

The child locks the file for as long as it lives, and adds a line to it. HOW is how the adapter
itself goes on: it ``stops`` when it is asked to, ``crashes`` or ``hangs`` on every case, ``holds``
its standard output open in the child and crashes, or ``fails`` to start.
"""

import os
import subprocess
import sys
import time
from typing import Any

from tests.adapters.broken.good import run, serve

CHILD = """
import fcntl, sys, time
file = open(sys.argv[1], "a")
fcntl.flock(file, fcntl.LOCK_SH)
print("born", file=file, flush=True)
print("ready", file=sys.stderr, flush=True)
time.sleep(600)
"""

how, file = sys.argv[1:]


def give_birth() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, file],
        stdin=subprocess.DEVNULL,
        stdout=None if how == "holds" else subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert child.stderr is not None
    assert child.stderr.readline() == b"ready\n"


def answer(request: dict[str, Any]) -> None:
    if how in ("crashes", "holds"):
        os._exit(9)
    if how == "hangs":
        time.sleep(600)
    run(request)


give_birth()
if how == "fails":
    os._exit(1)
serve(run=answer)
