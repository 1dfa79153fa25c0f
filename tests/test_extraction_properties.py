"""What holds of every text: totality, no loss, nothing invented, any split, linear work."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commoncall import extraction
from commoncall.envelope import Env
from commoncall.extraction import call_value, code, engine, payload_scanner, source
from commoncall.extraction.dialects import DIALECTS
from tests import extraction_texts
from tests.extraction_texts import ADVERSARIAL, adversarial, fixture_inputs, texts

options = st.fixed_dictionaries(
    {"effective": st.sampled_from([["f"], ["f", "g"], []])},
    optional={
        "fences": st.sampled_from(["opaque", "extract"]),
        "native_calls": st.booleans(),
        "starts_in_reasoning": st.booleans(),
        "dialects": st.lists(st.sampled_from(DIALECTS), unique=True),
    },
)


def numbered() -> Callable[[], str]:
    counter = itertools.count(1)
    return lambda: f"c{next(counter)}"


def whole(text: str, chosen: dict[str, Any]) -> extraction.Extraction:
    return extraction.extract(text, new_id=numbered(), **chosen)


def in_chunks(
    chunks: Iterable[str], chosen: dict[str, Any]
) -> tuple[extraction.Extraction, list[extraction.Event]]:
    extractor = extraction.extractor_for(new_id=numbered(), **chosen)
    events = [event for chunk in chunks for event in extractor.feed(chunk)]
    events += extractor.finish()
    return extractor.result(), events


def cut(text: str, places: Iterable[int]) -> Iterator[str]:
    ends = [0, *sorted(places), len(text)]
    return (text[start:end] for start, end in itertools.pairwise(ends))


def shown(events: list[extraction.Event], kind: str) -> str:
    return "".join(str(event[kind]) for event in events if kind in event)  # type: ignore[literal-required]


def chosen_of(given: dict[str, Any]) -> dict[str, Any]:
    return {member: value for member, value in given.items() if member not in ("text", "tools")}


@settings(max_examples=1000, deadline=None)
@given(texts, options)
def test_no_character_is_lost(text: str, chosen: dict[str, Any]) -> None:
    """EXT-002, EXT-092."""
    result = whole(text, chosen)
    assert "".join(segment["text"] for segment in result["segments"]) == text
    assert all(segment["text"] for segment in result["segments"])
    kinds = [segment["kind"] for segment in result["segments"]]
    assert not any(a == b == "text" for a, b in itertools.pairwise(kinds))


@settings(max_examples=1000, deadline=None)
@given(texts, options)
def test_content_is_what_stands_outside_the_removed_segments(
    text: str, chosen: dict[str, Any]
) -> None:
    """EXT-086, EXT-087, but for the trimmed ends."""
    result = whole(text, chosen)
    kept = "".join(s["text"] for s in result["segments"] if s["kind"] in ("text", "code"))
    removed = any(s["kind"] not in ("text", "code") for s in result["segments"])
    if result["content"] is None:
        assert removed
        assert not kept.strip(extraction_texts.BLANKS)
    else:
        assert result["content"].strip(extraction_texts.BLANKS) == kept.strip(
            extraction_texts.BLANKS
        )
        assert removed or result["content"] == text


@settings(max_examples=1000, deadline=None)
@given(texts, options)
def test_nothing_is_invented(text: str, chosen: dict[str, Any]) -> None:
    """EXT-089: without escapes and repairs every name and argument text stands in the input."""
    result = whole(text, chosen)
    if "\\" in text or result["repairs"]:
        return
    for call in result["tool_calls"]:
        assert call["name"] in text
        assert call["arguments_json"] in text or (call["arguments_json"] == "{}" and "null" in text)


@settings(max_examples=1000, deadline=None)
@given(texts, options, st.data())
def test_any_split_gives_the_same_result(
    text: str, chosen: dict[str, Any], data: st.DataObject
) -> None:
    """EXT-094."""
    places = data.draw(st.lists(st.integers(0, len(text)), max_size=8))
    expected = whole(text, chosen)
    result, events = in_chunks(cut(text, places), chosen)
    assert result == expected
    assert shown(events, "text") == (result["content"] or "")
    assert shown(events, "reasoning") == (result["reasoning"] or "")
    places_of_calls = [event.get("call") for event in events if "call" in event]
    assert places_of_calls == list(range(len(result["tool_calls"])))


@pytest.mark.parametrize(("case", "given"), list(fixture_inputs()))
def test_every_case_in_every_two_parts_and_in_twenty_random_ways(
    case: str, given: dict[str, Any]
) -> None:
    """EXT-094."""
    text, chosen = given["text"], chosen_of(given)
    expected = whole(text, chosen)
    random_places = random.Random(case)
    step = max(1, len(text) // 400)
    splits = [[place] for place in range(0, len(text) + 1, step)]
    splits += [random_places.choices(range(len(text) + 1), k=9) for _ in range(20)]
    splits.append(list(range(len(text))))
    for places in splits:
        assert in_chunks(cut(text, places), chosen)[0] == expected, places


@pytest.mark.parametrize("name", ADVERSARIAL)
@pytest.mark.parametrize("chunk", [1, 7, 10**9])
def test_work_is_linear(name: str, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """EXT-095: characters that any part of the engine looks at, per character of the input."""
    work: Counter[str] = Counter()
    count_work(monkeypatch, work)
    per_character = []
    for length in (2_000, 16_000):
        work.clear()
        text = adversarial(name, length)
        chunks = (text[at : at + chunk] for at in range(0, len(text), chunk))
        in_chunks(chunks, {"effective": ["f"]})
        per_character.append(sum(work.values()) / len(text))
    assert per_character[1] < per_character[0] * 1.1 + 1, work
    assert per_character[1] < 20, work


def count_work(monkeypatch: pytest.MonkeyPatch, work: Counter[str]) -> None:
    """Count the characters that each part of the engine is given."""

    def counted(owner: Any, name: str, size: Callable[..., int]) -> None:
        original = getattr(owner, name)

        def wrapper(*arguments: Any) -> Any:
            work[name] += size(*arguments)
            return original(*arguments)

        monkeypatch.setattr(owner, name, wrapper)

    counted(source.Source, "take", lambda _, count: count)
    counted(code.CodeTracker, "feed", lambda _, text: len(text))
    counted(code.CodeTracker, "skip", lambda _, text: len(text))
    counted(call_value, "decode", len)
    counted(call_value, "_member_sources", len)
    counted(engine, "repaired", lambda _, start, end, __: end - start)
    counted(payload_scanner.PayloadScanner, "_structure", lambda *_: 1)
    original = payload_scanner.PayloadScanner.scan

    def scan(self: payload_scanner.PayloadScanner, text: str, at: int) -> int:
        end = original(self, text, at)
        work["scan"] += end - at
        return end

    monkeypatch.setattr(payload_scanner.PayloadScanner, "scan", scan)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
near_inputs = st.dictionaries(
    st.sampled_from(
        ["text", "effective", "tools", "native_calls", "dialects", "fences", "starts_in_reasoning"]
    ),
    json_values | st.just(["f"]) | st.just("<tools>{}</tools>"),
)


@settings(max_examples=500, deadline=None)
@given(json_values | near_inputs)
def test_every_json_input_gives_an_outcome(given: object) -> None:
    """EXT-001, EXT-002."""
    outcome = extraction.OPERATIONS["extraction.extract"](given, Env([]))
    assert len(outcome) == 1


def test_ids_are_random_uuids_without_a_generator() -> None:
    """EXT-084."""
    block = '<tool_call>{"name":"f","arguments":{}}</tool_call>'
    ids = [call["id"] for call in extraction.extract(block * 2, effective=["f"])["tool_calls"]]
    assert ids[0] != ids[1]
    for identifier in ids:
        assert [len(part) for part in identifier.split("-")] == [8, 4, 4, 4, 12]
        assert identifier[14] == "4"
        assert identifier[19] in "89ab"
