"""What the engine reads is what the reference reads, to the byte: a result, and what each chunk
shows.

Not in the test session: the session ``engine`` builds the engine and installs it.
"""

import itertools
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commoncall.envelope import Env
from commoncall.extraction import engine, extractor_for
from commoncall.extraction.operations import text_options
from commoncall.extraction.record import Event
from commoncall.operations import OPERATIONS
from commoncall_kit.suite import chunking
from commoncall_kit.suite.data import Case, load
from tests.contracts.extraction.texts import texts

READS = ("extraction.extract", "extraction.stream", "turn.receive", "turn.stream")
CASES = [one for one in load(Path(__file__).parents[3]).cases if one.operation.name in READS]
TEXTS = [one for one in CASES if one.operation.name == "extraction.extract"]
FORMATS = [None, "hermes", "qwen3-coder", "kimi-k2", "llama-3", "gpt-oss"]
INSTALLED = engine.ENGINE

Read = Callable[[], object]


def both(read: Read, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Return as JSON what is read with the engine, and what without."""
    found = []
    for one in (INSTALLED, None):
        monkeypatch.setattr(engine, "ENGINE", one)
        found.append(json.dumps(read()))
    return found[0], found[1]


def test_the_engine_is_installed() -> None:
    """Else the other tests compare the reference with itself."""
    assert INSTALLED is not None
    assert isinstance(extractor_for(effective=["f"]), engine.Engine)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_case(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each operation that reads a text gives the same outcome."""
    env: Mapping[str, Any] = {"ids": map(str, itertools.count()), **(case.env or {})}
    operation = OPERATIONS[case.operation.name]
    engines, references = both(lambda: operation(case.input, Env(**env)), monkeypatch)
    assert engines == references


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case.id)
def test_its_chunks(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each chunk shows the same."""
    given: Mapping[str, Any] = case.input if isinstance(case.input, dict) else {}
    if "error" in case.expect or not isinstance(given.get("text"), str):
        return
    names = {"effective", "native_calls"} & given.keys()
    options = {name: given[name] for name in names}
    text = given["text"]
    chunks = chunking.cut(text, 3)
    read = _chunks(chunks, {**options, **text_options(given)})
    engines, references = both(read, monkeypatch)
    assert engines == references


@settings(max_examples=2000, deadline=None)
@given(texts, st.lists(st.integers(0, 60), max_size=6), st.sampled_from(FORMATS))
def test_a_made_up_text(text: str, cuts: list[int], format: str | None) -> None:
    """Each chunk of it shows the same, and the result is the same."""
    places = [0, *sorted(cuts), len(text)]
    chunks = [text[one:other] for one, other in itertools.pairwise(places)]
    with pytest.MonkeyPatch.context() as monkeypatch:
        read = _chunks(chunks, {"effective": ["f"], "format": format})
        engines, references = both(read, monkeypatch)
    assert engines == references


def _chunks(chunks: list[str], options: Mapping[str, Any]) -> Read:
    def read() -> object:
        ids = itertools.count()
        extractor = extractor_for(**options, new_id=lambda: str(next(ids)))
        events = [*map(extractor.feed, chunks), extractor.finish()]
        return [_texts(events), _others(events), extractor.marked(), extractor.result()]

    return read


def _texts(events: list[list[Event]]) -> list[str]:
    """Return what is shown in all. By how few characters a text is late is free (EXT-115)."""
    each: list[Mapping[str, Any]] = [*itertools.chain.from_iterable(events)]
    return ["".join(event.get(kind, "") for event in each) for kind in ("text", "reasoning")]


def _others(events: list[list[Event]]) -> list[list[Event]]:
    """Return what else each chunk shows."""
    return [[one for one in shown if not {"text", "reasoning"} & one.keys()] for shown in events]
