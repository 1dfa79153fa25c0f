"""Which cases an adapter passes: selection, order, two runs of each, laws, and the outcome.

Adapters are functions here, so that the same rules judge a process and a function in this process.
"""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from commoncall.protocol import Declaration
from commoncall_kit.drive.ask import Ask, CaseError, RunError
from commoncall_kit.suite.data import Case, Suite
from commoncall_kit.suite.laws import LAWS, RUNS, STREAMS, laws_of
from commoncall_kit.verdict.compare import (
    Difference,
    Shown,
    clipped,
    most_telling,
    outcomes,
    shown,
)

CaseOutcome = Literal["passed", "failed", "errored", "not_applicable", "not_run"]
BAD: Final = ("failed", "errored")
"""The outcomes of a case that violate what it cites."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How a case ended. ``reason`` is for people; ``difference`` is the most telling of so many
    ``differences``, as it is shown: answers can be large, and none is kept.
    """

    case: Case
    outcome: CaseOutcome
    reason: str | None = None
    difference: Shown | None = None
    differences: int = 0


def claimed(suite: Suite, declaration: Declaration) -> list[str]:
    """Return the contracts that an adapter claims: it declares some operation of each."""
    declared = [
        suite.operations[name] for name in declaration.operations if name in suite.operations
    ]
    contracts = {operation.contract for operation in declared}
    return [contract for contract in suite.contracts if contract in contracts]


def select(
    suite: Suite,
    contracts: Collection[str],
    case_ids: Collection[str] = (),
    operations: Sequence[str] = (),
) -> list[Case]:
    """Return the cases of these contracts, or of them only those with these ids and operations.

    They come in the order of the operations, where some are named, and with the laws of their set.
    """
    chosen = [
        replace(case, laws=laws_of(case, suite))
        for case in suite.cases
        if case.operation.contract in contracts
        and (not case_ids or case.id in case_ids)
        and (not operations or case.operation.name in operations)
    ]
    if operations:
        chosen.sort(key=lambda case: operations.index(case.operation.name))
    return chosen


def run(
    cases: Sequence[Case],
    declaration: Declaration,
    ask: Ask,
    seed: int,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[list[CaseResult], str | None]:
    """Run cases, each twice, in an order that the seed decides.

    Args:
        cases: of contracts that the adapter claims.
        declaration: what the adapter can do.
        ask: the adapter.
        seed: the same seed gives the same orders.
        progress: is told how many of how many runs are done.

    Returns:
        A result for each case, in the order given, and why the run is incomplete, or None.
    """
    adapter = _Adapter(declaration, ask)
    excluded = {case.id: adapter.excluded(case) for case in cases}
    results = {id: result for id, result in excluded.items() if result}
    due = [case for case in cases if case.id not in results]
    total, done, incomplete = len(due) * RUNS, 0, None
    firsts: dict[str, CaseResult | None] = {}
    dice = random.Random(seed)
    try:
        for _ in range(RUNS):
            for case in dice.sample(due, len(due)):
                done += 1
                progress(done, total)
                if case.id in results:
                    continue  # it broke the adapter once; that is enough
                try:
                    fault = adapter.fault(case)
                    if case.id not in firsts:
                        firsts[case.id] = fault
                    else:
                        results[case.id] = adapter.judged(case, firsts.pop(case.id), fault)
                except CaseError as error:
                    results[case.id] = CaseResult(case, "errored", str(error))
    except RunError as error:
        incomplete = str(error)
    return [results.get(case.id) or CaseResult(case, "not_run") for case in cases], incomplete


@dataclass(frozen=True, slots=True)
class _Adapter:
    """An adapter, by which its answers are judged."""

    declared: Declaration
    ask: Ask

    def excluded(self, case: Case) -> CaseResult | None:
        """Return the end of a case that is not asked, None where it is."""
        if missing := sorted(case.features.difference(self.declared.features)):
            return CaseResult(case, "not_applicable", f"needs {', '.join(missing)}")
        if present := sorted(case.without.intersection(self.declared.features)):
            return CaseResult(case, "not_applicable", f"only without {', '.join(present)}")
        if case.operation.name not in self.declared.operations:
            return CaseResult(case, "failed", f"{case.operation.name} is not declared")
        return None

    def fault(self, case: Case) -> CaseResult | None:
        """Ask a case, and return what is wrong with the answer by itself, None where nothing is."""
        answer = self.ask(case.operation.name, case.input, case.env)
        if refused := _refused(case, answer):
            return refused
        if other := _other_outcome(case.expect, answer):
            return _failed(case, other, [Difference("", case.expect, answer)])
        found = self._differences(case, case.expect, answer)
        return _failed(case, None, found) if found else None

    def judged(self, case: Case, first: CaseResult | None, second: CaseResult | None) -> CaseResult:
        """Judge a case by what was wrong with its two answers, and ask what its laws derive."""
        if first:
            return first
        if second and second.difference:  # as expected at first, and then not
            return replace(second, reason="the second run gave another answer")
        if second:
            return second
        # Those that ask another operation come first.
        for law in sorted(case.laws, key=lambda law: law not in STREAMS):
            if broken := self._in_chunks(case, law) if law in STREAMS else self._derived(case, law):
                return broken
        return CaseResult(case, "passed")

    def _derived(self, case: Case, law: str) -> CaseResult | None:
        """Judge a law by the further run that it asks for; None where it holds."""
        derived = LAWS[law](case) if law in LAWS else None
        if derived is None:
            return None
        value, outcome = derived
        answer = self.ask(case.operation.name, value, case.env)
        if refused := _refused(case, answer):
            return refused
        found = self._differences(case, outcome, answer)
        return _failed(case, f"under the law {law}", found) if found else None

    def _in_chunks(self, case: Case, law: str) -> CaseResult | None:
        """Judge a law that sends a case in pieces; None where it holds."""
        stream = STREAMS[law]
        has_it = stream.OPERATION in self.declared.operations
        if not has_it or stream.FEATURE not in self.declared.features:
            return None  # a port that has no such operation can still claim this one
        for given in stream.inputs(case.input) if isinstance(case.input, Mapping) else ():
            answer = self.ask(stream.OPERATION, given, case.env)
            if refused := _refused(case, answer):
                return refused
            found = self._differences(case, case.expect, stream.inner(answer))
            if problem := f"under the law {law}" if found else stream.broken(given, answer):
                return _failed(case, problem, found)
        return None

    def _differences(
        self, case: Case, expected: Mapping[str, object], answer: Mapping[str, object]
    ) -> list[Difference]:
        return outcomes(expected, answer, self.declared.features, case.operation.diagnostics)


def _failed(case: Case, reason: str | None, found: Sequence[Difference]) -> CaseResult:
    difference = shown(most_telling(found)) if found else None
    return CaseResult(case, "failed", reason, difference, len(found))


def _other_outcome(expected: Mapping[str, object], answer: Mapping[str, object]) -> str | None:
    """Say that a result was expected and an error came, or the other way round; None where not."""
    match expected, answer:
        case {"error": {"code": code}}, {"result": _}:
            return f"expected the error {code}, got a result"
        case {"result": _}, {"error": {"code": "env_exhausted"}}:
            return "it wanted more ids than the case has: more calls than expected"
        case {"result": _}, {"error": {"code": str(code)}}:
            return f"expected a result, got the error {clipped(code)}"
    return None


def _refused(case: Case, answer: Mapping[str, object]) -> CaseResult | None:
    match answer:
        case {"errored": {"message": message}}:
            return CaseResult(case, "errored", f"the adapter says: {clipped(message)}")
        case {"skipped": {"reason": reason}}:
            # It declared the operation and every feature that the case needs.
            return CaseResult(case, "failed", f"skipped: {clipped(reason)}")
    return None
