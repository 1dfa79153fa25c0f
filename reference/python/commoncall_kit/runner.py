"""One conformance run, from the adapter's command to the report."""

from collections.abc import Callable, Sequence

from commoncall.protocol import Declaration
from commoncall_kit.drive.ask import RunError
from commoncall_kit.drive.session import Session
from commoncall_kit.verdict.conformance import CaseResult, claimed, run, select
from commoncall_kit.verdict.report import Asked, Report, build


def drive(
    asked: Asked,
    command: Sequence[str],
    timeout: float,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Run an adapter. Whatever it does ends as a report.

    Args:
        asked: what to run; its selection names what exists in the suite.
        command: the adapter and its arguments.
        timeout: seconds for one case.
        progress: is told how many of how many runs are done.
    """
    suite, selection = asked.suite, asked.selection
    declaration: Declaration | None = None
    results: list[CaseResult] = []
    session = Session(command, suite, timeout)
    try:
        declaration = session.start()
        claims = claimed(suite, declaration)
        problem = _unclaimed(asked, claims)
        if not problem:
            contracts = selection.contracts or claims
            if selection.level:  # what is not there yet is missing of it
                contracts = suite.contracts
            cases = select(suite, contracts, selection.cases, selection.operations)
            results, problem = run(cases, declaration, session.ask, asked.seed, progress)
        session.stop()
    except RunError as error:
        problem = str(error)
    finally:
        session.kill()
    return build(asked, declaration, results, problem)


def _unclaimed(asked: Asked, claims: Sequence[str]) -> str | None:
    suite, selection = asked.suite, asked.selection
    if not claims:
        return "the adapter declares no operation of this suite"
    if selection.level:
        return None
    named = {case.operation.contract for case in suite.cases if case.id in selection.cases}
    named |= {suite.operations[name].contract for name in selection.operations}
    missing = sorted(named.union(selection.contracts).difference(claims))
    return f"the adapter does not claim {', '.join(missing)}" if missing else None
