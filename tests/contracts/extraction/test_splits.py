"""Every case of extraction, cut at every place and in random ways (EXT-110).

The kit cuts each into pieces of 1, 3 and 7 characters (law "chunking").
"""

import random
import re

import pytest

from commoncall.extraction import Extraction, stream
from commoncall_kit.verdict.compare import differences
from tests.contracts.extraction.checks import check_split, is_same, streamed, whole
from tests.contracts.extraction.generator import Given
from tests.contracts.extraction.texts import fixture_inputs
from tests.each import PARTS, check_each, part_of

CASES = list(fixture_inputs())

LONG = 70
"""Longer texts repeat something: both ends, the first and the last markers, and every 12th part
stand for all of their places here. The session `fuzz` cuts them everywhere."""


def places_to_cut(text: str) -> list[int]:
    length = len(text)
    if length <= LONG:
        return list(range(length + 1))
    marks = [at for found in re.finditer(r"[<>|`]|\n\n", text) for at in found.span()]
    sample = range(0, length, length // 12)
    ends = [*range(6), *range(length - 6, length + 1)]
    return sorted({*ends, *marks[:8], *marks[-8:], *sample})


def random_places(chance: random.Random, text: str) -> list[int]:
    return [chance.randint(0, len(text)) for _ in range(chance.randint(1, 12))]


def few_at_once(places: list[int]) -> list[list[int]]:
    """Return all of them as ways to cut a text, with five far from each other in one."""
    ways = -(-len(places) // 5)
    return [places[at::ways] for at in range(ways)]


def check_each_place(given: Given, expected: Extraction) -> None:
    for way in few_at_once(places_to_cut(given["text"])):
        assert is_same(expected, streamed(given, way)[0]), way


def check_random_ways(given: Given, expected: Extraction) -> None:
    chance = random.Random(given["text"])
    for _ in range(3):
        check_split(given, random_places(chance, given["text"]), expected)


@pytest.mark.parametrize("part", range(PARTS))
def test_at_each_place_and_in_three_random_ways(part: int) -> None:
    """One test for all ways: what is expected, and the language of a case, is made once."""

    def check(given: Given) -> None:
        expected = whole(given)
        check_each_place(given, expected)
        check_random_ways(given, expected)

    check_each(part_of(CASES, part), check)


@pytest.mark.parametrize(
    "text",
    [
        "\U0001f600",
        "a \U0001f600 ",
        "<tools>\U0001f600x</tools>",
        "<tools>\U0001f600 \U0001f600",
        '<tools>{"name": "f", "arguments": {"x": "\U0001f600"}}</tools>\U0001f600',
        '<tools>{"name": bad\n\n\U0001f600</tools>',
        "<think>\U0001f600</think>`\U0001f600`",
        "\ude00\U0001f600\ud83dx\ud83d",
    ],
)
def test_in_halves_of_characters(text: str) -> None:
    """EXT-110: two halves of a surrogate pair that meet are one pair."""
    encoded = text.encode("utf-16-le", "surrogatepass")
    units = [encoded[at : at + 2] for at in range(0, len(encoded), 2)]
    chunks = [unit.decode("utf-16-le", "surrogatepass") for unit in units]
    given: Given = {"text": text, "effective": ["f"]}
    answer = stream(chunks, effective=["f"], new_id=lambda: "c0")
    expected = whole(given)
    for call in expected["tool_calls"]:
        call["id"] = "c0"
    assert differences(expected, answer["result"]) == []


def test_a_header_that_is_cut_off_in_muted_text_is_shown_once() -> None:
    """A fuzzer found its end twice in the content."""
    text = "<|tool_call_begin|>f\n\n<|tool_call_begin|>g"
    given: Given = {"text": text, "effective": ["f"], "format": "kimi-k2"}
    found = whole(given)
    assert found["content"] == "<|tool_call_begin|>g"
    check_split(given, range(1, len(text)), found)
