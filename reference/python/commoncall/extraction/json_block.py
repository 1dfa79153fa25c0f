"""Blocks whose payload is JSON, with a code fence around it or not (definition "payload")."""

from __future__ import annotations

import re
from collections.abc import Generator
from functools import partial
from typing import Final

from commoncall.extraction.call_value import read_payload_calls
from commoncall.extraction.payload_scanner import PayloadScanner
from commoncall.extraction.reading import Block, Reading
from commoncall.extraction.scanned_block import behind_payload, is_whole
from commoncall.extraction.source import Parse, Source, Until, Wait
from commoncall.json_text import SPACE_RUN

FENCE_RUN: Final = {"`": re.compile("`*"), "~": re.compile("~*")}
_FENCE_LENGTH = 3


def opening_fence(reading: Reading) -> Generator[Wait, None, str]:
    """Read a fence before a payload; return its run, or nothing (EXT-051)."""
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
            if not (found and found.is_no_value):
                return run
    source.back_to(start)
    return ""


def read_json(reading: Reading, block: Block, *, fence: str = "") -> Parse:
    """Read a payload, of which its JSON says the end, in a fence or not (EXT-040, EXT-042)."""
    source, dialect = reading.source, block.dialect
    start = source.offset
    stops = reading.language.begins_values if dialect.closer else "{["
    scanner = PayloadScanner(stops, in_runs=reading.clean.is_on)
    wait: Wait = "decision"
    if not dialect.closer:
        wait = Until("]" if source.text[source.at] == "[" else "}", "\n")
    while True:
        source.at = scanner.scan(source.text, source.at)
        if scanner.is_over or (scanner.complete and not dialect.closer):
            break
        if scanner.complete and source.at < len(source.text):
            if (yield from _ends_payload(reading)):
                break
            scanner.take_further()
            continue
        # Blank lines behind the payload count once text follows them, so all of it matters.
        if not (yield from source.more(None if scanner.complete else wait)):
            break
    if not (yield from is_whole(reading, block, scanner, start)):
        return
    if fence:
        yield from _closing_fence(source, fence)
    needed: list[str] = [edit.code for edit in scanner.edits]
    needed += ["code_fence"] if fence and not dialect.is_fenced else []
    judge = partial(read_payload_calls, scanner, dialect, block.header)
    yield from behind_payload(reading, block, start, judge, needed)


def _ends_payload(reading: Reading) -> Generator[Wait, None, bool]:
    """Tell whether no further value begins at the cursor."""
    source = reading.source
    if source.text[source.at] not in "{[":
        return True
    found = yield from reading.marker_here("decision")
    return found is not None and found.is_no_value


def _closing_fence(source: Source, fence: str) -> Parse:
    """Read the fence behind a payload, if one stands there."""
    end = source.offset
    yield from source.skip_run(SPACE_RUN)
    start = source.offset
    yield from source.skip_run(FENCE_RUN[fence[0]])
    if not source.since(start).startswith(fence):
        source.back_to(end)
