"""The code fence around a payload (EXT-051)."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Final

from commoncall.extraction.reading import SPACE_RUN, Reading
from commoncall.extraction.source import Parse, Source, Wait

FENCE_RUN: Final = {"`": re.compile("`*"), "~": re.compile("~*")}
_FENCE_LENGTH = 3


def opening_fence(reading: Reading) -> Generator[Wait, None, str]:
    """Read a fence before a payload; return its run, or nothing."""
    source = reading.source
    start = source.offset
    character = yield from source.peek()
    yield from source.skip_run(FENCE_RUN[character])
    run = source.since(start)
    for letter in "json":
        if (yield from source.peek()) != letter:
            break
        source.at += 1
    info = source.since(start)[len(run) :]
    if len(run) >= _FENCE_LENGTH and info in ("", "json"):
        yield from source.skip_run(SPACE_RUN)
        if (yield from source.peek()) in ("{", "["):
            found = yield from reading.marker_here("decision")
            if not (found and found.opens):
                return run
    source.back_to(start)
    return ""


def closing_fence(source: Source, fence: str) -> Parse:
    """Read the fence behind a payload, if one stands there."""
    end = source.offset
    yield from source.skip_run(SPACE_RUN)
    start = source.offset
    yield from source.skip_run(FENCE_RUN[fence[0]])
    if not source.since(start).startswith(fence):
        source.back_to(end)
