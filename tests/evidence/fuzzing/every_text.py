"""What tests ask of some texts and cases, asked of all of them; the session `fuzz` runs this."""

from pathlib import Path

import pytest

from tests.contracts.extraction.test_properties import check_made
from tests.contracts.turn.test_coming_back import come_back
from tests.each import PARTS, check_each, part_of
from tests.scanning.test_scanning import check_leaks, golden
from tests.tools.test_schemas import SUITES, check_cases


@pytest.mark.parametrize("part", range(PARTS))
def test_the_filter_and_the_grouping_lose_nothing(part: int) -> None:
    check_each(part_of(golden(), part), check_leaks)


@pytest.mark.parametrize("part", range(PARTS))
def test_what_holds_of_texts_of_many_markers(part: int) -> None:
    check_each(part_of(((f"seed {seed}", seed) for seed in range(2_000)), part), check_made)


def test_messages_of_the_suite_come_back(root: Path) -> None:
    assert come_back(root, thirds=3)[1] > 1000


@pytest.mark.parametrize("name", SUITES)
def test_both_schema_validators_agree_on_every_input_and_result(name: str) -> None:
    check_cases(name, every=1)
