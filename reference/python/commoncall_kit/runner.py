"""One conformance run, from the adapter's command to the report."""

from collections.abc import Callable, Sequence
from datetime import date

from commoncall.protocol import Declaration
from commoncall_kit.drive.ask import RunError
from commoncall_kit.drive.session import Session
from commoncall_kit.suite.data import Suite
from commoncall_kit.verdict.conformance import CaseResult, claimed, run, select
from commoncall_kit.verdict.known_failures import KnownFailure
from commoncall_kit.verdict.report import Report, Selection, build


def drive(
    suite: Suite,
    command: Sequence[str],
    *,
    seed: int,
    timeout: float,
    selection: Selection,
    progress: Callable[[int, int], None],
    digest: str | None = None,
    known: Sequence[KnownFailure] = (),
    today: date | None = None,
) -> Report:
    """Run an adapter against a suite. Whatever the adapter does ends as a report.

    Args:
        suite: what to run.
        command: the adapter and its arguments.
        seed: decides the order of the cases.
        timeout: seconds for one case.
        selection: contracts, operations and cases that exist in the suite.
        progress: is told how many of how many runs are done.
        digest: what the suite has to have; None takes any.
        known: the failures that the port admits.
        today: the day by which these expire.
    """

    def report(problem: str | None) -> Report:
        return build(
            suite,
            declaration,
            results,
            seed=seed,
            selection=selection,
            problem=problem,
            known=known,
            today=today,
        )

    declaration: Declaration | None = None
    results: list[CaseResult] = []
    if digest not in (None, suite.digest):
        return report(f"the suite is {suite.digest}, and {digest} is asked for")
    session = Session(command, suite, timeout)
    try:
        declaration = session.start()
        claims = claimed(suite, declaration)
        problem = _unclaimed(suite, claims, selection)
        if not problem:
            contracts = selection.contracts or claims
            if selection.level:  # what is not there yet is missing of it
                contracts = suite.contracts
            cases = select(suite, contracts, selection.cases, selection.operations)
            results, problem = run(cases, declaration, session.ask, seed, progress)
        session.stop()
    except RunError as error:
        problem = str(error)
    finally:
        session.kill()
    return report(problem)


def _unclaimed(suite: Suite, claims: Sequence[str], selection: Selection) -> str | None:
    if not claims:
        return "the adapter declares no operation of this suite"
    if selection.level:
        return None
    named = {case.operation.contract for case in suite.cases if case.id in selection.cases}
    named |= {suite.operations[name].contract for name in selection.operations}
    missing = sorted(named.union(selection.contracts).difference(claims))
    return f"the adapter does not claim {', '.join(missing)}" if missing else None
