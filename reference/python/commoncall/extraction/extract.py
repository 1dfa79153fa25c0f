"""The functions of the contract: which calls are hidden in the text that the model wrote?"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, Required, TypedDict, Unpack, cast

from commoncall.envelope import random_id
from commoncall.extraction.code import CodeTracker
from commoncall.extraction.decided import Decided
from commoncall.extraction.dialects import GUIDED_ARGUMENTS, GUIDED_CALLS, Dialect
from commoncall.extraction.engine import Engine, engine_for
from commoncall.extraction.extractor import Extractor
from commoncall.extraction.language import language_for
from commoncall.extraction.reading import Caller, Reading
from commoncall.extraction.record import Emitted, Event, Extraction, Part, Record, Stream
from commoncall.names import FormatName

Fences = Literal["opaque", "extract"]
Begin = Literal["open", "closed", "none"]


class Named(TypedDict):
    """The tool of which the model could write nothing but the arguments."""

    named: str


Guided = Literal["required"] | Named


class TextOptions(TypedDict, total=False):
    """How to read a text in which calls are looked for.

    Attributes:
        dialects: ids of the dialects to look for, or dialects of your own; by default those whose
            descriptors say so. They stand beside those of ``format``, and in the place of those
            that exclude them.
        format: the id of the format of the model.
        tools: the declarations of the tools, which type the parameters of some dialects.
        fences: whether a marker in a code fence counts.
        reasoning: where the text begins: in reasoning that the prompt opened, or outside; or that
            there is none in this turn, so that its tags are text.
        guided: what the server let the model write, where it guided the output: a list of calls, or
            the arguments of one tool.
        payload_bytes: the longest text between the markers of a dialect that has a limit, in bytes
            of UTF-8; by default that limit.
    """

    dialects: Sequence[str | Dialect] | None
    format: FormatName | str | None
    tools: Sequence[object]
    fences: Fences
    reasoning: Begin | None
    guided: Guided | None
    payload_bytes: int | None


class Options(TextOptions, total=False):
    """How to read a text, and whether calls are looked for.

    Attributes:
        effective: the names of the tools that are effective in this turn; an empty list: nothing is
            parsed; ``"any"``: there is no list of them.
        native_calls: the provider delivered calls in their own field. True: calls in the text are
            taken out of it, and none is given.
        new_id: gives the id of each call, in order of the calls.
    """

    effective: Required[Sequence[str] | Literal["any"]]
    native_calls: bool
    new_id: Callable[[], str]


def extract(text: str, *, parts: bool = False, **options: Unpack[Options]) -> Extraction:
    """Take the calls and the reasoning out of a text; ``parts`` are these in its order.

    Returns:
        ``{content, reasoning, tool_calls, unreadable?, removed?, matched, repairs, segments,
        parts?}``, for every text (EXT-002).

    Raises:
        TypeError: ``effective`` is missing, or another text than ``any``.
        ValueError: there is no such format or dialect, one dialect excludes another, ``fences`` is
            neither, or the text starts in reasoning and the format has none.
    """
    extractor = extractor_for(**options, record=True, events=parts)
    events = [*extractor.feed(text), *extractor.finish()]
    result = extractor.result()
    return {**result, "parts": _parts(events)} if parts else result


def stream(chunks: Sequence[str], *, parts: bool = False, **options: Unpack[Options]) -> Stream:
    """Extract from chunks.

    Returns:
        ``{result, emitted}``: what ``extract`` gives for the joined chunks, and what was known
        after each chunk and at the end (EXT-110, EXT-111).
    """
    extractor = extractor_for(**options)
    events = [extractor.feed(chunk) for chunk in chunks]
    events.append(extractor.finish())
    places = itertools.count()
    emitted = [_emitted(each, places) for each in events]
    result = extractor.result()
    if parts:
        result["parts"] = _parts([*itertools.chain.from_iterable(events)])
    return {"result": result, "emitted": emitted}


def _parts(events: list[Event]) -> list[Part]:
    """Return all that a stream shows, as one list (EXT-224)."""
    parts: list[Part] = []
    has_reasoned = False
    for event in _emitted(events, itertools.count()):
        if "call" in event:
            parts.append({"type": "tool_call", "index": event["call"]})
        elif "text" in event:
            parts.append({"type": "text", "text": event["text"]})
        elif "reasoning" in event:
            text = event["reasoning"][has_reasoned:]  # a line feed joins it to the one before
            has_reasoned = True
            parts += [{"type": "reasoning", "text": text}] if text else []
    return parts


def _emitted(events: list[Event], places: Iterator[int]) -> list[Emitted]:
    """Return what is emitted: in place of each call its place (EXT-114), and as one event what
    follows what is of the same kind (EXT-111). What could not be read stands in the result.
    """
    emitted: list[Emitted] = []
    read = (event for event in events if "unreadable" not in event)
    for kind, alike in itertools.groupby(read, key=lambda event: next(iter(event))):
        if kind in ("text", "reasoning"):
            text = "".join(cast(Mapping[str, str], event)[kind] for event in alike)
            emitted.append(cast(Emitted, {kind: text}))
        else:
            emitted += ({"call": next(places)} for _ in alike)
    return emitted


def extractor_for(
    *,
    effective: Sequence[str] | Literal["any"],
    native_calls: bool = False,
    dialects: Sequence[str | Dialect] | None = None,
    format: FormatName | str | None = None,
    tools: Sequence[object] = (),
    fences: Fences = "opaque",
    reasoning: Begin | None = None,
    guided: Guided | None = None,
    payload_bytes: int | None = None,
    new_id: Callable[[], str] = random_id,
    record: bool = True,
    events: bool = True,
) -> Extractor:
    """Return an extractor for a text that arrives in chunks (see ``Options``).

    Without ``record`` nothing is held but an open block, and there is no ``result``. Without
    ``events`` the lists that ``feed`` and ``finish`` return are empty.

    Raises:
        TypeError, ValueError: as ``extract`` does.
    """
    any_name = effective == "any"
    if isinstance(effective, str) and not any_name:
        raise TypeError("effective is neither a list of names nor 'any'")
    guided_name = guided["named"] if isinstance(guided, Mapping) else ""
    of_output = guided and (GUIDED_ARGUMENTS if guided_name else GUIDED_CALLS)
    opaque = fences == "opaque"
    further = None if dialects is None else tuple(dialects)
    language = language_for(
        further,
        format,
        of_output or None,
        opaque=opaque,
        parses=bool(effective),  # EXT-D1.1; where any is, all names are extracted (EXT-005)
        reasons=reasoning != "none",
    )
    is_open = reasoning == "open"
    if is_open and not language.closers:
        raise ValueError(f"format {format!r} has no reasoning in which a text could start")
    names = None if any_name else frozenset(effective)

    def of_reference(new_id: Callable[[], str]) -> Extractor:
        kept = Record() if record else None
        code = CodeTracker(kept.code if kept else None, opaque_fences=opaque)
        decided = Decided(kept, new_id, language.taken, shows_events=events, native=native_calls)
        caller = Caller(tools, payload_bytes, names, opaque, guided_name)
        tags = language.tags_of(names or ())
        reading = Reading(code, decided, language, caller, tags)
        return Extractor(reading, starts_in_reasoning=is_open)

    how = {
        "effective": effective,
        "native_calls": native_calls,
        "dialects": dialects,
        "format": format,
        # They cost more than the text does, and the engine is told only what it can ask for.
        "tools": tools if language.asks_types else None,
        "fences": fences,
        "reasoning": reasoning,
        "guided": guided,
        "limits": payload_bytes and {"payload_bytes": payload_bytes},
    }
    engine = engine_for(how)
    return Engine(engine, new_id, of_reference, events=events) if engine else of_reference(new_id)
