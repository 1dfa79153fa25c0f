"""The kit: what judging a run costs over the operation that it judges, and over plain JSON.

The goal in words is 300 microseconds a run beyond the operation's own time. As a ratio it holds on
every machine: the operations of the suite take about 100 microseconds in the mean.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from commoncall.kit.drive import adapter, protocol
from commoncall.kit.drive.protocol import Declaration
from commoncall.kit.suite import data
from commoncall.kit.verdict import conformance
from tools.bench import Case

SEED = 1


def cases() -> list[Case]:
    """Return what is measured."""
    suite = data.load()
    asked: list[Any] = []
    run(suite, asked)
    return [whole_case(suite, asked), protocol_case(asked), load_case()]


def run(suite: data.Suite, asked: list[Any] | None = None) -> None:
    """Run the suite against the reference in this process; note what is asked."""
    declared = Declaration({}, list(adapter.OPERATIONS), list(adapter.FEATURES))

    def ask(*question: Any) -> Mapping[str, object]:
        if asked is not None:
            asked.append(question)
        return adapter.answer(*question)

    results, problem = conformance.run(suite.cases, declared, ask, SEED)
    assert problem is None
    assert all(each.outcome in ("passed", "not_applicable") for each in results)


def whole_case(suite: data.Suite, asked: list[Any]) -> Case:
    """Return the whole suite: order, two runs, laws, comparison."""

    def floor() -> None:
        for question in asked:
            adapter.answer(*question)

    return Case(
        f"kit: {len(asked):,} runs in one process",
        "the operations alone, as often",
        floor,
        lambda: run(suite),
        2.0,
    )


def protocol_case(asked: list[Any]) -> Case:
    """Return the messages of a run: encoded here, and their answers parsed."""
    requests = [{"cmd": "run", "input": value} for _, value, _ in asked]
    answers = [json.dumps(adapter.answer(*question)) for question in asked]

    def floor() -> None:
        for request in requests:
            json.dumps(request)
        for text in answers:
            json.loads(text)

    def candidate() -> None:
        for request in requests:
            protocol.encode(request)
        for text in answers:
            protocol.parse(text, unique=True)

    return Case(
        f"kit: lines of {len(asked):,} runs", "json.dumps and json.loads", floor, candidate, 3.0
    )


def load_case() -> Case:
    """Return the reading of the suite: sums, JSON, digests of cases."""
    tree = data.tree_of(data.find_root())
    texts = [path.read_bytes() for path in sorted(tree.rglob("*.json"))]

    def floor() -> None:
        for text in texts:
            json.loads(text)

    return Case("kit: load the suite", "json.loads of its files", floor, data.load, 8.0)
