"""Where long work is: a line that moves on a terminal, a line now and then elsewhere."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

MOVES: Final = 0.1
"""The line on a terminal moves after so many seconds."""

LINES: Final = 10
"""What is no terminal gets a line after so many, and none of work that is shorter."""


def progress(unit: str) -> Callable[[int, int], None]:
    """Return what is told how many of how many units are done, and tells people on stderr."""
    on_terminal = sys.stderr.isatty()
    wait = MOVES if on_terminal else LINES
    told = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal told
        line = f"{done} of {total} {unit}"
        if done == total:  # work that is done leaves no line behind
            _tell(f"\r{' ' * len(line)}\r" if on_terminal else "")
        elif time.monotonic() - told >= wait:
            told = time.monotonic()
            _tell(f"\r{line}" if on_terminal else f"{line}\n")

    return tell


def _tell(text: str) -> None:
    with suppress(OSError):  # the work goes on where nobody can be told
        print(text, end="", file=sys.stderr, flush=True)
