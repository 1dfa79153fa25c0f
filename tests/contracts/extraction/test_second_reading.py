"""The second reading and the reference: both pass the cases, and agree where no case stands."""

import ast
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commoncall_kit.verdict.compare import differences
from tests.contracts.extraction import generator
from tests.contracts.extraction.checks import check_agreement
from tests.each import PARTS, check_each, part_of
from tests.evidence.second_reading.envelope import outcome

ROOT = Path(__file__).parents[3]
READING = ROOT / "tests" / "evidence" / "second_reading"
FIXTURES = ROOT / "fixtures" / "v1" / "extraction"

SUITES = [json.loads(path.read_text("utf-8")) for path in sorted(FIXTURES.glob("*.json"))]
# The second reading has every dialect: a case without them is not its own.
CASES = [
    (case["id"], case)
    for suite in SUITES
    if suite["operation"] == "extraction.extract"
    for case in suite["cases"]
    if "more-dialects" not in case.get("without", ())
]


def check_case(case: dict[str, Any]) -> None:
    given = case["input"] if "input" in case else json.loads(case["input_json"])
    ids = case.get("env", {}).get("ids", [])
    assert differences(case["expect"], outcome(given, ids)) == []


@pytest.mark.parametrize("part", range(PARTS))
def test_the_second_reading_passes_every_case(part: int) -> None:
    check_each(part_of(CASES, part), check_case)


@pytest.mark.parametrize("path", sorted(READING.glob("*.py")), ids=lambda path: path.name)
def test_the_second_reading_knows_nothing_of_the_package(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [str(node.module)]
        for name in names:
            assert name.split(".")[0] != "commoncall"
            assert name.startswith("tests.evidence.second_reading") or name.split(".")[0] != "tests"


def check_generated(seed: int) -> None:
    made = generator.given(random.Random(seed).randrange, pieces=6)
    try:
        check_agreement(made)
    except Exception as error:
        raise AssertionError(f"{json.dumps(made)}: {error}") from error


@pytest.mark.parametrize("part", range(PARTS))
def test_the_reference_gives_what_the_second_reading_gives(part: int) -> None:
    """Seeds decide what is made; the session `fuzz` looks further and finds the smallest."""
    check_each(part_of(((f"seed {seed}", seed) for seed in range(400)), part), check_generated)


@pytest.mark.parametrize("number", [0, 1])
def test_a_generated_input_ends_where_no_choices_are_left(number: int) -> None:
    """As a fuzzer makes it, whose bytes have ended: it has the first of each choice then."""
    for kind in range(12):
        choices = iter([kind, *[number] * 40])
        picked = itertools.count()

        def pick(count: int, choices: Iterator[int] = choices, picked: Any = picked) -> int:
            assert next(picked) < 10_000
            return min(next(choices, 0), count - 1)

        generator.given(pick)
