"""The operation ``extraction.stream``: the same extraction, chunk by chunk."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TypedDict, Unpack

from commoncall.envelope import Env, Outcome, are_strings
from commoncall.extraction.events import Event, ReasoningEvent, TextEvent
from commoncall.extraction.extract import Options, extractor_for, run
from commoncall.extraction.record import Extraction


class CallPlace(TypedDict):
    """A call, as an index into ``tool_calls``."""

    call: int


Emitted = TextEvent | ReasoningEvent | CallPlace


class Stream(TypedDict):
    """The result of a stream (schema ``extraction/stream``)."""

    result: Extraction
    emitted: list[list[Emitted]]


def stream(chunks: Sequence[str], **options: Unpack[Options]) -> Stream:
    """Extract from chunks.

    Returns:
        ``{result, emitted}``: what ``extract`` gives for the joined chunks, and what was known
        after each chunk and at the end (EXT-110, EXT-111).
    """
    extractor = extractor_for(**options)
    places = itertools.count()
    emitted = [_emitted(extractor.feed(chunk), places) for chunk in chunks]
    emitted.append(_emitted(extractor.finish(), places))
    return {"result": extractor.result(), "emitted": emitted}


def _emitted(events: list[Event], places: Iterator[int]) -> list[Emitted]:
    """Put the place of each call for the call itself (EXT-114); what could not be read stands in
    the result.
    """
    return [
        {"call": next(places)} if "call" in event else event
        for event in events
        if "unreadable" not in event
    ]


def stream_operation(given: object, env: Env) -> Outcome:
    """Run ``stream`` on JSON input (EXT-110)."""
    return run(stream, "chunks", are_strings, given, env)
