"""Every case of extraction, cut in two everywhere and in 1,000 random ways.

`tests/contracts/extraction/test_splits.py` does the same more sparsely; the session `fuzz` runs
this file.
"""

import random

import pytest

from commoncall_kit.verdict.compare import differences
from tests.contracts.extraction.checks import streamed, whole
from tests.contracts.extraction.generator import Given
from tests.contracts.extraction.test_splits import random_places
from tests.contracts.extraction.texts import fixture_inputs

CASES = [pytest.param(given, id=case) for case, given in fixture_inputs()]


@pytest.mark.parametrize("given", CASES)
def test_in_two_parts_everywhere(given: Given) -> None:
    expected = whole(given)
    for place in range(len(given["text"]) + 1):
        assert differences(expected, streamed(given, [place])[0]) == [], place


@pytest.mark.parametrize("given", CASES)
def test_in_a_thousand_random_ways(given: Given) -> None:
    expected = whole(given)
    chance = random.Random(given["text"])
    for _ in range(1_000):
        places = random_places(chance, given["text"])
        assert differences(expected, streamed(given, places)[0]) == [], places
