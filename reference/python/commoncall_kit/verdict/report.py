"""What a run showed: requirements and contracts judged from the outcomes of cases; the JSON report.

This file runs nothing and prints nothing. The other forms of a report are functions of it, each in
a file of its own: terminal, junit, markdown and claim.
"""

import dataclasses
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, get_args

from commoncall import __version__
from commoncall.files import json_file
from commoncall.protocol import Declaration
from commoncall_kit.suite.data import Requirement, Suite
from commoncall_kit.verdict.compare import Shown
from commoncall_kit.verdict.conformance import BAD, CaseOutcome, CaseResult, claimed
from commoncall_kit.verdict.known_failures import KnownFailure, judge

RequirementVerdict = Literal[
    "satisfied", "violated", "not_applicable", "not_established", "by_review"
]
"""``by_review``: it applies and no case can show it; whoever claims the contract answers for it."""

Verdict = Literal[
    "conformant",
    "not_conformant",
    "known_failures",
    "outdated",
    "selection_passed",
    "not_established",
]
"""``known_failures``: nothing but them fails. ``outdated``: their list has to be mended first."""

SEVERITY: Final[Sequence[Verdict]] = (
    "not_conformant",
    "not_established",
    "outdated",
    "known_failures",
    "selection_passed",
    "conformant",
)
"""The verdict of the whole is the first that some contract has."""

EXIT_STATUS: Final[Mapping[Verdict, int]] = {
    "conformant": 0,
    "selection_passed": 0,
    "known_failures": 0,
    "not_conformant": 1,
    "outdated": 1,
    "not_established": 3,
}


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """Which suite was run."""

    version: str
    digest: str


@dataclass(frozen=True, slots=True)
class SetReport:
    """Which set scored: of so many ``cases`` the suite holds all but those that are ``gone``."""

    name: str
    cases: int
    gone: int


@dataclass(frozen=True, slots=True)
class Selection:
    """What the caller narrowed the run to; empty lists narrow nothing."""

    contracts: Sequence[str] = ()
    operations: Sequence[str] = ()
    cases: Sequence[str] = ()
    level: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of an adapter: a suite, whose set says what is scored, in the order of a seed.

    ``known`` are the failures that the port admits; without a day none of them expires.
    """

    suite: Suite
    seed: int
    selection: Selection = Selection()
    known: Sequence[KnownFailure] = ()
    today: date | None = None


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One case: ``difference`` is the most telling of so many ``differences``.

    ``known`` is the id of the entry that excuses its failure.
    """

    case: str
    operation: str
    contract: str
    requirements: Sequence[str]
    scored: bool
    outcome: CaseOutcome
    known: str | None
    reason: str | None
    difference: Shown | None
    differences: int


@dataclass(frozen=True, slots=True)
class RequirementReport:
    """One requirement: satisfied if and only if all its cases that apply passed.

    Where it is scored, its scored cases; a known failure violates it like any other. One that is
    checked by review has no cases.
    """

    requirement: str
    title: str
    contract: str
    address: str
    sha256: str
    scored: bool
    verdict: RequirementVerdict
    cases: Sequence[str]


@dataclass(frozen=True, slots=True)
class ContractReport:
    """One contract; ``total`` leaves out the requirements that are not scored or do not apply.

    ``by_review`` is how many more apply that no case can show. ``cases`` counts the
    scored cases by outcome, ``unscored`` the others.
    """

    contract: str
    claimed: bool
    verdict: Verdict | None
    satisfied: int
    total: int
    by_review: int
    cases: Mapping[str, int]
    unscored: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class OperationReport:
    """One operation, judged by its own cases alone: what its requirements need elsewhere is not
    held against it. The counts are those of a contract.
    """

    operation: str
    verdict: Verdict
    satisfied: int
    total: int
    cases: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RunReport:
    """What was run; ``date`` is None where nobody says which day it is."""

    kit: str
    date: str | None
    suite: SuiteReport
    set: SetReport | None
    seed: int
    selection: Selection


@dataclass(frozen=True, slots=True)
class DeclaredReport:
    """What the adapter said of itself; ``implementation`` is None where nobody answered.

    ``unknown`` is declared and not in the suite, ``idle`` are the declared features that belong to
    no contract of this run: nothing was shown of them.
    """

    implementation: Mapping[str, str] | None
    operations: Sequence[str]
    features: Sequence[str]
    unknown: Sequence[str]
    idle: Sequence[str]

    @property
    def who(self) -> str | None:
        """The implementation in one line, None where nobody answered."""
        return None if self.implementation is None else who(self.implementation)


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run. ``reason`` says why a verdict could not be established."""

    verdict: Verdict
    reason: str | None
    run: RunReport
    declared: DeclaredReport
    known_failures: Sequence[KnownFailure]
    contracts: Sequence[ContractReport]
    operation_verdicts: Sequence[OperationReport]
    requirements: Sequence[RequirementReport]
    cases: Sequence[CaseReport]

    @property
    def judged(self) -> Mapping[str, Verdict]:
        """The verdicts that make that of the whole: of contracts, or of selected operations."""
        return _verdicts(self.run.selection, self.contracts, self.operation_verdicts)

    @property
    def failures(self) -> Sequence[CaseReport]:
        """The cases that failed, without those that are known to."""
        return [case for case in self.cases if case.outcome in BAD and not case.known]


def who(implementation: Mapping[str, str]) -> str:
    """Return name, version and language of an implementation in one line."""
    return "{name} {version} ({language})".format(**implementation)


def build(
    asked: Asked,
    declaration: Declaration | None,
    results: Sequence[CaseResult],
    problem: str | None = None,
) -> Report:
    """Judge requirements, contracts and the whole from the outcomes of the cases.

    Args:
        asked: what was asked.
        declaration: who answered; None where nobody did.
        results: one for each case that was selected.
        problem: why the run could not be made or finished, or None.
    """
    suite, selection = asked.suite, asked.selection
    entries, excused = judge(asked.known, suite, results, asked.today)
    by = _Judging(asked, declaration or Declaration({}, [], []), results, problem, excused)
    # A selection says nothing of a contract, and so nothing of what is left to review.
    narrowed = selection.cases or selection.operations
    whole = set() if narrowed else {each.case.operation.contract for each in results}
    requirements = by.requirements(results, whole)
    contracts = [by.contract(name, requirements) for name in suite.contracts]
    operations = by.operations()
    verdicts = _verdicts(selection, contracts, operations)
    verdict, reason = _whole(verdicts, entries, problem)
    return Report(
        verdict=verdict,
        reason=reason,
        run=RunReport(
            kit=__version__,
            date=None if asked.today is None else asked.today.isoformat(),
            suite=SuiteReport(suite.version, suite.digest),
            set=_set(suite),
            seed=asked.seed,
            selection=selection,
        ),
        declared=_declared(suite, declaration, verdicts, results),
        known_failures=entries,
        contracts=contracts,
        operation_verdicts=operations,
        requirements=requirements,
        cases=[by.case(each) for each in results],
    )


def to_json(report: Report) -> str:
    """Return the report as JSON text, ASCII only; its form is older than the classes here."""
    members = dataclasses.asdict(report)
    judged = {name: members.pop(name) for name in ("verdict", "reason")}
    return json_file(
        {"format": 1, **judged, **members.pop("run"), **members.pop("declared"), **members}
    )


def _verdicts(
    selection: Selection,
    contracts: Sequence[ContractReport],
    operations: Sequence[OperationReport],
) -> dict[str, Verdict]:
    if selection.operations:
        return {each.operation: each.verdict for each in operations}
    return {each.contract: each.verdict for each in contracts if each.verdict}


def _declared(
    suite: Suite,
    declaration: Declaration | None,
    judged: Collection[str],
    results: Sequence[CaseResult],
) -> DeclaredReport:
    if declaration is None:
        return DeclaredReport(None, [], [], [], [])
    operations, features = declaration.operations, declaration.features
    unknown = [name for name in operations if name not in suite.operations]
    unknown += [name for name in features if name not in suite.features]
    used = {feature for name in judged for feature in suite.used.get(name, ())}
    cases = [each.case for each in results if each.case.operation.name in judged]
    used |= {feature for case in cases for feature in case.features}
    used |= {"diagnostics"} if any(case.operation.diagnostics for case in cases) else set()
    idle = [name for name in features if name in suite.features and name not in used]
    implementation = declaration.implementation
    return DeclaredReport(implementation, operations, features, unknown, idle if judged else [])


def _whole(
    judged: Mapping[str, Verdict], known: Sequence[KnownFailure], problem: str | None
) -> tuple[Verdict, str | None]:
    """Return the verdict of the whole, and why it could not be established."""
    verdicts = set(judged.values())
    if not problem and any(each.state in ("stale", "expired") for each in known):
        verdicts.add("outdated")
    verdict: Verdict = next((each for each in SEVERITY if each in verdicts), "not_established")
    if verdict != "not_established" or problem:
        return verdict, problem
    idle = [name for name, each in judged.items() if each == verdict]
    what = f"no case of {', '.join(idle)} was executed" if idle else "no case was selected"
    return verdict, what


def _set(suite: Suite) -> SetReport | None:
    if suite.frozen is None:
        return None
    held = sum(suite.scores(case) for case in suite.cases)
    return SetReport(suite.frozen.name, len(suite.frozen.cases), len(suite.frozen.cases) - held)


def _outcomes(results: Sequence[CaseResult]) -> dict[str, int]:
    """Return how many cases have each outcome."""
    found = Counter(each.outcome for each in results)
    return {outcome: found[outcome] for outcome in get_args(CaseOutcome)}


@dataclass(frozen=True, slots=True)
class _Judging:
    """By what all is judged; ``excused`` are cases with the ids of their entries."""

    asked: Asked
    declared: Declaration
    results: Sequence[CaseResult]
    problem: str | None
    excused: Mapping[str, str]

    def requirements(
        self, results: Sequence[CaseResult], whole: Collection[str] = ()
    ) -> list[RequirementReport]:
        """Judge what some results show, and name what is left to review of whole contracts."""
        suite = self.asked.suite
        citing: dict[str, list[CaseResult]] = {}
        for result in results:
            for cited in result.case.requirements:
                citing.setdefault(cited, []).append(result)
        return [
            RequirementReport(
                requirement=requirement.id,
                title=requirement.title,
                contract=requirement.contract,
                address=requirement.address,
                sha256=requirement.sha256,
                scored=suite.counts(requirement),
                verdict=self._requirement(requirement, citing.get(requirement.id, ())),
                cases=[result.case.id for result in citing.get(requirement.id, ())],
            )
            for requirement in suite.requirements.values()
            if requirement.id in citing or (requirement.review and requirement.contract in whole)
        ]

    def _requirement(
        self, requirement: Requirement, citing: Sequence[CaseResult]
    ) -> RequirementVerdict:
        if not requirement.applies(self.declared.features):
            return "not_applicable"
        if self.asked.suite.counts(requirement):
            citing = self._scored(citing)
        if requirement.review and not citing:
            return "by_review"
        outcomes = {result.outcome for result in citing} - {"not_applicable"}
        if not outcomes:
            return "not_applicable"
        if outcomes.intersection(BAD):
            return "violated"
        return "not_established" if "not_run" in outcomes else "satisfied"

    def contract(self, name: str, requirements: Sequence[RequirementReport]) -> ContractReport:
        """Judge a contract by its requirements, where the run says something of it."""
        suite, selection = self.asked.suite, self.asked.selection
        claims = name in claimed(suite, self.declared)
        own = [result for result in self.results if result.case.operation.contract == name]
        scored = self._scored(own)
        narrowed = selection.contracts or selection.cases
        chosen = own or not narrowed or name in selection.contracts
        # A set does not ask for a contract that came after it.
        is_later = bool(own) and not narrowed and not scored
        is_judged = claims and chosen and not is_later and not selection.operations
        verdicts = Counter(
            each.verdict for each in requirements if each.contract == name and each.scored
        )
        return ContractReport(
            contract=name,
            claimed=claims,
            verdict=self._verdict(own) if is_judged else None,
            satisfied=verdicts["satisfied"],
            total=verdicts.total() - verdicts["not_applicable"] - verdicts["by_review"],
            by_review=verdicts["by_review"],
            cases=_outcomes(scored),
            unscored=_outcomes([each for each in own if not suite.scores(each.case)]),
        )

    def operations(self) -> list[OperationReport]:
        """Judge the operations that were selected, or each that was run and is declared."""
        selected = self.asked.selection.operations
        if self.asked.selection.cases and not selected:
            return []
        found: dict[str, list[CaseResult]] = {name: [] for name in selected}
        for each in self.results:
            name = each.case.operation.name
            if selected or name in self.declared.operations:
                found.setdefault(name, []).append(each)
        return [self._operation(name, own) for name, own in found.items()]

    def _operation(self, name: str, own: Sequence[CaseResult]) -> OperationReport:
        verdicts = Counter(each.verdict for each in self.requirements(own) if each.scored)
        return OperationReport(
            operation=name,
            verdict=self._verdict(own),
            satisfied=verdicts["satisfied"],
            total=verdicts.total() - verdicts["not_applicable"],
            cases=_outcomes(self._scored(own)),
        )

    def _scored(self, results: Sequence[CaseResult]) -> list[CaseResult]:
        return [each for each in results if self.asked.suite.scores(each.case)]

    def _verdict(self, results: Sequence[CaseResult]) -> Verdict:
        # A single case that is asked for is judged, whether or not a release scores it.
        decisive = results if self.asked.selection.cases else self._scored(results)
        failing = [each.case.id for each in decisive if each.outcome in BAD]
        if self.problem:
            return "not_established"
        if any(name not in self.excused for name in failing):
            return "not_conformant"
        if failing:
            return "known_failures"
        if not any(each.outcome == "passed" for each in decisive):
            return "not_established"
        return "selection_passed" if self.asked.selection.cases else "conformant"

    def case(self, result: CaseResult) -> CaseReport:
        """Return a case as reports have it."""
        case = result.case
        return CaseReport(
            case=case.id,
            operation=case.operation.name,
            contract=case.operation.contract,
            requirements=case.requirements,
            scored=self.asked.suite.scores(case),
            outcome=result.outcome,
            known=self.excused.get(case.id),
            reason=result.reason,
            difference=result.difference,
            differences=result.differences,
        )
