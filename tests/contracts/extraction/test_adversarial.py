"""The adversarial inputs: where short, as the second reading has them; and streamed as whole."""

import pytest

from tests.contracts.extraction.adversarial import IN_VALUES, INPUTS, OF_DIALECTS
from tests.contracts.extraction.checks import (
    check_agreement,
    check_nothing_invented,
    check_segments,
    check_split,
    whole,
)

IN_DIALECTS = IN_VALUES | OF_DIALECTS
NAMES = [*INPUTS, *IN_DIALECTS]


def given(name: str, length: int, fences: str = "opaque") -> dict[str, object]:
    if name in IN_DIALECTS:
        dialect, text = IN_DIALECTS[name]
        return {"text": text(length), "effective": ["f"], "fences": fences, "dialects": [dialect]}
    return {"text": INPUTS[name](length), "effective": ["f"], "fences": fences}


def test_there_are_21_of_them_and_all_differ() -> None:
    assert len({text(200) for text in INPUTS.values()}) == len(INPUTS) == 21
    assert len({text(200) for _, text in OF_DIALECTS.values()}) == len(OF_DIALECTS)


def test_a_text_is_nearly_as_long_as_asked_for() -> None:
    for name in NAMES:
        slack = 150 if name in IN_VALUES else 50
        for length in (100, 200, 5_000):
            made = len(str(given(name, length)["text"]))
            assert length - slack <= made <= length, (name, length)


@pytest.mark.parametrize("name", NAMES)
def test_a_short_one_gives_what_the_npm_port_gives(name: str) -> None:
    for length in (100, 333, 600):
        check_agreement(given(name, length))


@pytest.mark.parametrize("name", NAMES)
def test_a_long_one_loses_and_invents_nothing(name: str) -> None:
    for fences in ("opaque", "extract"):
        check_segments(given(name, 8_000, fences))
        check_nothing_invented(given(name, 8_000, fences))


@pytest.mark.parametrize("name", NAMES)
def test_a_long_one_in_chunks_gives_what_the_whole_gives(name: str) -> None:
    """EXT-110."""
    long = given(name, 8_000)
    expected = whole(long)
    for chunk in (1, 4, 64, 1000):
        check_split(long, range(0, 8_000, chunk), expected)


@pytest.mark.parametrize("length", [1_000, 20_000])
def test_of_nested_quotations_the_outermost_is_called(length: int) -> None:
    text = given("nested quotations", length)
    begin, end = "<function=f><parameter=a>", "</parameter></function>"
    inner = str(text["text"]).removeprefix(begin).removesuffix(end)
    calls = whole(text)["tool_calls"]
    assert [call["arguments"] for call in calls] == [{"a": inner}]
    assert inner.count(begin) == inner.count(end) > 10


@pytest.mark.parametrize("name", ["quoted openers", "blocks that do not end"])
def test_a_value_that_does_not_end_calls_nothing(name: str) -> None:
    assert whole(given(name, 20_000))["tool_calls"] == []


def test_the_calls_among_them_are_found() -> None:
    assert len(whole(given("tiny calls", 600))["tool_calls"]) == 12
    assert len(whole(given("closers in a string", 600))["tool_calls"]) == 1
