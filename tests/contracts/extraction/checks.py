"""What must hold of the reference for one input, as functions that assert it.

Tests, the random fuzzer and the guided one call the same functions. They use the public interface
of the reference and nothing else of it.
"""

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

from commoncall import extraction
from commoncall.envelope import Env, Outcome
from commoncall_kit.suite import chunking
from commoncall_kit.verdict.compare import differences
from tests.contracts.extraction.blocks import BY_ID
from tests.contracts.extraction.generator import ACTIVE, Given, halves, paired
from tests.contracts.extraction.generator_json import Pick
from tests.contracts.extraction.port import IDS, answer_of_port


def identifiers() -> Iterator[str]:
    """Return ids that differ and repeat in every run."""
    return (f"c{number}" for number in itertools.count(1))


def options(given: Given) -> dict[str, Any]:
    """Return an input without its text, as keyword arguments."""
    return {name: value for name, value in given.items() if name != "text"}


def of_python(given: Given) -> dict[str, Any]:
    """Return them as the functions of the reference have them."""
    named = options(given)
    named.pop("parts", None)  # an extractor gives events in their place
    if "limits" in named:
        named["payload_bytes"] = named.pop("limits")["payload_bytes"]
    return named


def whole(given: Given) -> extraction.Extraction:
    """Return what the reference makes of the whole text."""
    new_id = identifiers().__next__
    return extraction.extract(given["text"], new_id=new_id, **of_python(given))


def streamed(
    given: Given, places: Iterable[int]
) -> tuple[extraction.Extraction, list[extraction.Event]]:
    """Return what the reference makes of the text cut at the places, and all events."""
    extractor = extraction.extractor_for(new_id=identifiers().__next__, **of_python(given))
    events = [event for chunk in cut(given["text"], places) for event in extractor.feed(chunk)]
    events += extractor.finish()
    return extractor.result(), events


def cut(text: str, places: Iterable[int]) -> Iterator[str]:
    """Return the pieces of a text that is cut at the places, in any order of these.

    A place can stand between the halves of a surrogate pair (EXT-110).
    """
    units = halves(text)
    ends = [0, *sorted(places), len(units)]
    return (paired(units[start:end]) for start, end in itertools.pairwise(ends))


def is_same(expected: object, got: object) -> bool:
    """Tell whether two values do not differ; those that are written alike are not compared."""
    return repr(expected) == repr(got) or not differences(expected, got)


def check_agreement(given: Given) -> None:
    """The reference gives what the npm port gives, diagnostics included."""
    expected, got = answer_of_port(given), answered(given)
    assert is_same(expected, got), differences(expected, got)


def check_dialect_order(given: Given, pick: Pick) -> None:
    """The order of the dialects says nothing (definition "dialect")."""
    if "format" in given:
        return
    dialects = given.get("dialects", ACTIVE)
    others = [dialects[::-1], sorted(dialects), shuffled(pick, dialects)]
    answer = answered(given)
    for other in others:
        assert differences(answer, answered({**given, "dialects": other})) == [], other


def answered(given: Given) -> Outcome:
    """Return the answer of the operation, be it a result or an error."""
    return extraction.OPERATIONS["extraction.extract"](given, Env(IDS))


def shuffled(pick: Pick, values: list[str]) -> list[str]:
    """Return the values in another order."""
    rest, found = list(values), []
    while rest:
        found.append(rest.pop(pick(len(rest))))
    return found


def check_segments(given: Given) -> None:
    """EXT-092: no character is lost, doubled or moved."""
    segments = whole(given)["segments"]
    assert "".join(segment["text"] for segment in segments) == given["text"]


def check_nothing_invented(given: Given) -> None:
    """EXT-060, EXT-072, EXT-126: names and arguments stand in the text, but for escapes, repairs.

    Without a backslash no string of the text was decoded. Without the two repairs that put
    characters in, what was given is the text with some characters left out. Of parameters each name
    and each string stands in the block.
    """
    result, text = whole(given), given["text"]
    put_in = {"control_chars", "missing_object_close"}
    if "\\" in text or any(repair["code"] in put_in for repair in result["repairs"]):
        return
    segments = [segment for segment in result["segments"] if segment["kind"] == "call"]
    blocks = [segment["text"] for segment in segments]
    of_parameters = [s["text"] for s in segments if s.get("dialect") in OF_PARAMETERS]
    for call in result["tool_calls"]:
        assert any(call["name"] in block for block in blocks)
        assert (
            call["arguments_json"] == "{}"
            or any(is_left_of(call["arguments_json"], block) for block in blocks)
            or any(holds_parameters(block, call["arguments"]) for block in of_parameters)
        )


OF_PARAMETERS = {
    name
    for name, descriptor in BY_ID.items()
    if descriptor["payload"]["scanner"] in ("parameters", "python_calls", "quoted_object")
}


def holds_parameters(block: str, arguments: dict[str, Any]) -> bool:
    """Tell whether the names and strings of arguments stand in a block as they are."""
    strings = [value for value in arguments.values() if isinstance(value, str)]
    return all(text in block for text in [*arguments, *strings])


def is_left_of(shorter: str, text: str) -> bool:
    """Tell whether a text is what is left of another one when characters are deleted in it."""
    rest = iter(text)
    return all(character in rest for character in shorter)


def check_split(
    given: Given, places: Iterable[int], expected: extraction.Extraction | None = None
) -> None:
    """EXT-110, EXT-111, EXT-114: one split gives the whole text's result, and its events."""
    expected = expected or whole(given)
    result, events = streamed(given, places)
    assert is_same(expected, result), differences(expected, result)
    shown = {kind: [e[kind] for e in map(dict, events) if kind in e] for kind in KINDS}
    assert "".join(map(str, shown["text"])) == (expected["content"] or "")
    assert "".join(map(str, shown["reasoning"])) == (expected["reasoning"] or "")
    assert shown["call"] == expected["tool_calls"]


KINDS = ("text", "reasoning", "call")


def check_shown(given: Given, places: Iterable[int]) -> None:
    """EXT-111 to EXT-115: what came with each chunk, as the kit judges it."""
    chunks = list(cut(given["text"], places))
    streamed = {**options(given), "chunks": chunks}
    ids = Env([f"c{number}" for number in range(999)])
    answer = extraction.OPERATIONS["extraction.stream"](streamed, ids)
    assert chunking.broken(streamed, answer) is None


def places_of(pick: Pick, text: str) -> list[int]:
    """Return where to cut a text: at every place, in regular chunks, or anywhere."""
    length = len(halves(text))
    kind = pick(4)
    if kind == 0:
        return list(range(1, length))
    if kind == 1:
        return list(range(0, length, 1 + pick(16)))
    return [pick(length + 1) for _ in range(1 + pick(9))]


def check_everything(given: Given, pick: Pick) -> None:
    """Every invariant, with one split."""
    check_dialect_order(given, pick)
    check_agreement(given)
    if "error" in answered(given):
        return
    check_segments(given)
    check_nothing_invented(given)
    places = places_of(pick, given["text"])
    check_split(given, places)
    check_shown(given, places)
