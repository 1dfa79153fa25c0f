"""Blocks whose payload is JSON, with a code fence around it or not (definitions "payload", "behind
the payload").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from typing import Final

from commoncall.extraction.call_value import Found, read_payload_calls
from commoncall.extraction.failed_block import read_failed, read_unshown
from commoncall.extraction.markers import Marker
from commoncall.extraction.payload_scanner import PayloadScanner, State
from commoncall.extraction.reading import SPACE_RUN, Block, Reading
from commoncall.extraction.source import Parse, Source, Until, Wait

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
        if scanner.complete and not dialect.closer:
            break
        if source.at < len(source.text):
            if (yield from _ends_payload(reading, scanner)):
                break
            scanner.take_further()
            continue
        # Blank lines behind the payload count once text follows them, so all of it matters.
        if not (yield from source.more(None if scanner.complete else wait)):
            break
    if scanner.state is State.FAILED:
        yield from read_failed(reading, block)
    elif not scanner.complete:
        reading.reject(block, "truncated")
    else:
        source.back_to(start + scanner.end)
        if fence:
            yield from _closing_fence(source, fence)
        needed: list[str] = [edit.code for edit in scanner.edits]
        needed += ["code_fence"] if fence and not dialect.is_fenced else []

        def judge() -> Sequence[Found]:
            text, base = source.join_kept()
            return read_payload_calls(text, start - base, scanner, dialect, block.header)

        yield from behind_payload(reading, block, judge, needed)


def _ends_payload(reading: Reading, scanner: PayloadScanner) -> Generator[Wait, None, bool]:
    """Tell whether the scanner stopped for good, and not before a further value."""
    source = reading.source
    if not scanner.complete or source.text[source.at] not in "{[":
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


def behind_payload(
    reading: Reading, block: Block, judge: Callable[[], Sequence[Found]], needed: Sequence[str]
) -> Parse:
    """Decide about a block whose payload is complete, and needed some repairs (EXT-040)."""
    source = reading.source
    end = source.offset
    if block.dialect.closer is None:
        _end_block(reading, block, judge, needed)
        return
    yield from source.skip_run(SPACE_RUN)
    character = yield from source.peek()
    # Behind a blank line what begins here is text as soon as it is no marker (EXT-115).
    found = yield from reading.marker_here(None if "\n" in source.since(end) else "decision")
    if found and found.is_closer(block.dialect.key):
        reading.move_behind(found)
        _end_block(reading, block, judge, needed, closer=found)
    elif character and character in ',}]:"':
        yield from read_failed(reading, block)
    else:
        source.back_to(end)
        if not character and block.dialect.messages:
            _end_block(reading, block, judge, needed)
        elif not character or (found and _replaces_closer(reading, block, found)):
            _end_block(reading, block, judge, [*needed, "missing_closer"])
        elif block.dialect.messages:
            yield from read_unshown(reading, block, "trailing_text")
        else:
            reading.suspend(block, "trailing_text", end)


def _replaces_closer(reading: Reading, block: Block, marker: Marker) -> bool:
    """Tell whether a marker behind a complete payload stands in for its closer."""
    is_header = marker.kind == "drop" or block.dialect.key in marker.dialects
    return marker.is_no_value or is_header or reading.wrappers.closes(marker)


def _end_block(
    reading: Reading,
    block: Block,
    judge: Callable[[], Sequence[Found]],
    needed: Sequence[str],
    closer: Marker | None = None,
) -> None:
    """End a block whose payload is complete (EXT-160)."""
    repairs = block.dialect.repairs
    reading.skip()
    if repairs is not None and not repairs.issuperset(needed):
        reading.reject(block, "invalid_json", closer=closer)
        return
    reading.end_block(block, judge(), needed, closer=closer)
