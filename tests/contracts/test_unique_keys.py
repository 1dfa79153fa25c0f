"""The feature ``unique-keys``, which no port of this repository has: can a port with it conform?

The reference is given it here: it refuses a text in which an object has a name twice. So each case
shows that it asks nothing of such a port that the text forbids it, and each of its own cases runs.
"""

import json
from collections.abc import Callable
from typing import TypeVar

import pytest

from commoncall import adapter
from commoncall.event import checks, hashing
from commoncall.json_text import JsonTextError
from commoncall.payload import tool_call
from commoncall.protocol import Declaration
from commoncall_kit.verdict.conformance import run, select
from tests import shared

FEATURE = "unique-keys"
CONTRACTS = ("payload", "event", "turn")
"""Those that read such a text; extraction says for each dialect which member counts."""

PASSED = ("passed", "not_applicable")

Value = TypeVar("Value")


def repeats(text: str) -> bool:
    """Tell whether an object of a JSON text has a name twice."""
    found = False

    def object_of(pairs: list[tuple[str, object]]) -> None:
        nonlocal found
        found = found or len(dict(pairs)) < len(pairs)

    try:
        json.loads(text, object_pairs_hook=object_of)
    except (ValueError, RecursionError):
        return False
    return found


def strict(read: Callable[..., Value], refused: Callable[[], Value]) -> Callable[..., Value]:
    def read_strictly(text: str, *rest: object) -> Value:
        return refused() if repeats(text) else read(text, *rest)

    return read_strictly


def refuse() -> object:
    raise JsonTextError("arguments_invalid_json")


def test_a_port_with_unique_keys_can_conform(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (tool_call, hashing):
        monkeypatch.setattr(module, "decode", strict(module.decode, refuse))
    for name in ("decode_object", "judge_text"):
        monkeypatch.setattr(checks, name, strict(getattr(checks, name), lambda: None))
    suite = shared.suite()
    declared = Declaration(
        {"name": "strict", "version": "1.0.0", "language": "Python"},
        list(adapter.OPERATIONS),
        [*adapter.FEATURES, FEATURE],
    )
    results, problem = run(select(suite, CONTRACTS), declared, adapter.answer, 1)
    assert problem is None
    outcomes = {each.case.id: each.outcome for each in results}
    wrong = {id: outcome for id, outcome in outcomes.items() if outcome not in PASSED}
    assert not wrong
    own = [each for each in suite.cases if FEATURE in each.features]
    assert own
    assert {outcomes[each.id] for each in own} == {"passed"}
    other = {each.id for each in suite.cases if FEATURE in each.without}
    assert {id for id, outcome in outcomes.items() if outcome == "not_applicable"} == other
