"""What tests ask of some texts and cases, asked of all. The session `fuzz` runs it."""

import random
from pathlib import Path

import pytest

from tests.contracts.extraction.checks import is_same, streamed, whole
from tests.contracts.extraction.generator import Given
from tests.contracts.extraction.test_commonmark import counted
from tests.contracts.extraction.test_properties import check_made
from tests.contracts.extraction.test_splits import LONG, few_at_once, random_places
from tests.contracts.extraction.texts import fixture_inputs
from tests.contracts.turn.test_coming_back import come_back
from tests.each import PARTS, check_each, part_of
from tests.scanning.test_scanning import check_leaks, golden

CASES = [pytest.param(given, id=case) for case, given in fixture_inputs()]


@pytest.mark.parametrize("given", CASES)
def test_cases_everywhere_and_in_a_hundred_random_ways(given: Given) -> None:
    expected = whole(given)
    length = len(given["text"])
    # Of shorter texts `test_splits` asks every place.
    everywhere = few_at_once(list(range(length + 1))) if length > LONG else []
    chance = random.Random(given["text"])
    for places in [*everywhere, *(random_places(chance, given["text"]) for _ in range(100))]:
        result = streamed(given, places)[0]
        assert is_same(expected, result), places


@pytest.mark.parametrize("part", range(100))
def test_no_code_of_commonmark_is_run(part: int) -> None:
    print(dict(counted(range(1_000_000 + part * 1000, 1_000_000 + (part + 1) * 1000))))


@pytest.mark.parametrize("part", range(PARTS))
def test_the_filter_and_the_grouping_lose_nothing(part: int) -> None:
    check_each(part_of(golden(), part), check_leaks)


@pytest.mark.parametrize("part", range(PARTS))
def test_what_holds_of_texts_of_many_markers(part: int) -> None:
    check_each(part_of(((f"seed {seed}", seed) for seed in range(2_000)), part), check_made)


def test_messages_of_the_suite_come_back(root: Path) -> None:
    assert come_back(root, thirds=3)[1] > 1000
