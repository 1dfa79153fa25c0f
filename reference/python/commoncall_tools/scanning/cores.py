"""Batches of lines on all cores, their counts in order."""

import os
import signal
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

from commoncall_tools.scanning.counts import Counts
from commoncall_tools.scanning.files import Batch
from commoncall_tools.scanning.lines import How, scan_lines


def cores() -> int:
    """Return how many processes can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def scan_batch(batch: Batch, how: How) -> Counts:
    """Judge the lines of a batch."""
    lines = [None] if batch.lines is None else batch.lines
    return scan_lines(lines, how, file=batch.file, first=batch.first)


def scan_batches(batches: Iterator[Batch], how: How, jobs: int) -> Iterator[Counts]:
    """Judge batches, in this process or in so many others; few of them are held at once."""
    first = [one for one in (next(batches, None), next(batches, None)) if one]
    batches = chain(first, batches)
    if jobs == 1 or len(first) < 2:
        yield from (scan_batch(batch, how) for batch in batches)
        return
    from concurrent.futures import Future, ProcessPoolExecutor

    pool = ProcessPoolExecutor(jobs, initializer=_serve)
    waiting: deque[Future[Counts]] = deque()
    try:
        for batch in batches:
            with _signals_held():
                waiting.append(pool.submit(scan_batch, batch, how))
            if len(waiting) > 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold an end back while processes start: halfway, it leaves one that nobody tells to stop."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(
        signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
    )
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve() -> None:
    """Leave interrupts to the process that gives the work, and end when that has ended."""
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):  # as they are held while this process starts
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    parent = parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()
