"""The operation ``extraction.stream``: the same extraction, chunk by chunk."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TypedDict

from commoncall.envelope import (
    ENV_EXHAUSTED,
    INVALID_INPUT,
    Env,
    EnvExhausted,
    Outcome,
    random_id,
    too_deep,
)
from commoncall.extraction.dialects import Dialect
from commoncall.extraction.events import Event, ReasoningEvent, TextEvent
from commoncall.extraction.extract import (
    OPTIONS,
    OTHERS,
    Fences,
    extractor_for,
    has_valid_options,
    options_of,
)
from commoncall.extraction.record import Extraction


class CallPlace(TypedDict):
    """A call, as an index into ``tool_calls``."""

    call: int


Emitted = TextEvent | ReasoningEvent | CallPlace


class Stream(TypedDict):
    """The result of a stream (schema ``extraction/stream``)."""

    result: Extraction
    emitted: list[list[Emitted]]


def stream(
    chunks: Sequence[str],
    *,
    effective: Sequence[str] | None = None,
    observe: bool = False,
    native_calls: bool = False,
    dialects: Sequence[str | Dialect] | None = None,
    tools: Sequence[object] = (),
    fences: Fences = "opaque",
    starts_in_reasoning: bool = False,
    payload_bytes: int | None = None,
    new_id: Callable[[], str] = random_id,
) -> Stream:
    """Extract from chunks; the other arguments are those of ``extract``.

    Returns:
        ``{result, emitted}``: what ``extract`` gives for the joined chunks, and what was known
        after each chunk and at the end (EXT-110, EXT-111).
    """
    extractor = extractor_for(
        effective=effective,
        observe=observe,
        native_calls=native_calls,
        dialects=dialects,
        tools=tools,
        fences=fences,
        starts_in_reasoning=starts_in_reasoning,
        payload_bytes=payload_bytes,
        new_id=new_id,
    )
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
    if not isinstance(given, dict) or too_deep(given) or not _is_valid(given):
        return INVALID_INPUT
    try:
        result = stream(given["chunks"], new_id=env.next_id, **options_of(given))
    except EnvExhausted:
        return ENV_EXHAUSTED
    return {"result": dict(result)}


def _is_valid(given: dict[str, object]) -> bool:
    chunks = given.get("chunks")
    return (
        given.keys() - OPTIONS - OTHERS == {"chunks"}
        and isinstance(chunks, list)
        and all(isinstance(chunk, str) for chunk in chunks)
        and has_valid_options(given)
    )
