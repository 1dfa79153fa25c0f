"""What a piece of work takes, whatever ran before it and wherever the checkout is.

The work runs once before it is measured, so that what it compiles and keeps is there already; and
no garbage is collected meanwhile, because others (Hypothesis does) run code of theirs after it.
"""

import gc
import os
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import commoncall

PACKAGE = str(Path(commoncall.__file__).parent) + os.sep


def lines_run(work: Callable[[], object]) -> int:
    """Return how many lines of the package a piece of work runs."""
    count = 0

    def line(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, event: str, _: object) -> Any:
        return line if frame.f_code.co_filename.startswith(PACKAGE) else None

    work()
    with _alone():
        before = sys.gettrace()
        sys.settrace(call)
        try:
            work()
        finally:
            sys.settrace(before)
    return count


def memory_peak(work: Callable[[], object]) -> int:
    """Return how many bytes a piece of work holds at most, beyond what was there before it."""
    work()
    with _alone():
        tracemalloc.start()
        try:
            work()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


@contextmanager
def _alone() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
