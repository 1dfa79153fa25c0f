"""An end that is asked for takes along what was started: a signal becomes an exit."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

SIGNALS: Final = ("SIGTERM", "SIGHUP")
"""What supervisors and terminals send; an interrupt is an exception in any case."""


@contextmanager
def exits_in_order() -> Iterator[None]:
    """Exit with 128 and its number at the first of these signals; on the way, all is cleaned up.

    One that somebody handles or ignores stays so. Only the main thread can be told.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    known = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    ours = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, _: FrameType | None) -> None:
        for other in ours:
            signal.signal(other, signal.SIG_IGN)  # a second one would stop the cleaning up
        sys.exit(128 + number)

    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
