"""Where long work is: a line that moves on a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

MOVES: Final = 100
"""So often at most the line on a terminal moves."""

SECONDS: Final = 10
"""What is not a terminal gets a line after so many seconds, and none of work that is shorter."""


def progress(unit: str) -> Callable[[int, int], None]:
    """Return what is told how many of how many units are done, and tells people on stderr."""
    return _moving(unit) if sys.stderr.isatty() else _now_and_then(unit)


def _moving(unit: str) -> Callable[[int, int], None]:
    def tell(done: int, total: int) -> None:
        if done == total or done % max(1, total // MOVES) == 0:
            line = f"{done} of {total} {unit}"
            # Work that is done leaves no line behind.
            shown = " " * len(line) + "\r" if done == total else line
            _tell(f"\r{shown}")

    return tell


def _now_and_then(unit: str) -> Callable[[int, int], None]:
    told = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal told
        if done < total and time.monotonic() - told >= SECONDS:
            told = time.monotonic()
            _tell(f"{done} of {total} {unit}\n")

    return tell


def _tell(text: str) -> None:
    with suppress(OSError):  # the work goes on where nobody can be told
        print(text, end="", file=sys.stderr, flush=True)
