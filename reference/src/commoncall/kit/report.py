"""What a run showed: requirements and contracts judged from the outcomes of cases; the JSON report.

This file runs nothing and prints nothing.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from commoncall import __version__
from commoncall.kit.compare import shown, smallest
from commoncall.kit.conformance import CaseOutcome, CaseResult, claimed
from commoncall.kit.data import Requirement, Suite
from commoncall.kit.protocol import Declaration

Verdict = Literal["conformant", "not_conformant", "selection_passed", "not_established"]
RequirementVerdict = Literal["satisfied", "violated", "not_applicable", "not_established"]

SEVERITY: Final[Sequence[Verdict]] = (
    "not_conformant",
    "not_established",
    "selection_passed",
    "conformant",
)
"""The verdict of the whole is the first that some contract has."""

EXIT_STATUS: Final[Mapping[Verdict, int]] = {
    "conformant": 0,
    "selection_passed": 0,
    "not_conformant": 1,
    "not_established": 3,
}


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """Which suite was run."""

    version: str
    digest: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What the caller narrowed the run to; empty lists narrow nothing."""

    contracts: Sequence[str] = ()
    cases: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class DifferenceReport:
    """One difference, both sides as clipped JSON text, or ``absent``."""

    path: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One case: ``difference`` is the smallest of so many ``differences``."""

    case: str
    operation: str
    contract: str
    requirements: Sequence[str]
    outcome: CaseOutcome
    reason: str | None
    difference: DifferenceReport | None
    differences: int


@dataclass(frozen=True, slots=True)
class RequirementReport:
    """One requirement: satisfied if and only if all its cases that apply passed."""

    requirement: str
    title: str
    contract: str
    address: str
    verdict: RequirementVerdict
    cases: Sequence[str]


@dataclass(frozen=True, slots=True)
class ContractReport:
    """One contract; ``total`` leaves out the requirements that do not apply."""

    contract: str
    claimed: bool
    verdict: Verdict | None
    satisfied: int
    total: int
    cases: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run. ``reason`` says why a verdict could not be established."""

    format: int
    verdict: Verdict
    reason: str | None
    kit: str
    suite: SuiteReport
    seed: int
    selection: Selection
    implementation: Mapping[str, str] | None
    operations: Sequence[str]
    features: Sequence[str]
    unknown: Sequence[str]
    contracts: Sequence[ContractReport]
    requirements: Sequence[RequirementReport]
    cases: Sequence[CaseReport]


def build(
    suite: Suite,
    declaration: Declaration | None,
    results: Sequence[CaseResult],
    *,
    seed: int,
    selection: Selection,
    problem: str | None = None,
) -> Report:
    """Judge requirements, contracts and the whole from the outcomes of the cases.

    Args:
        suite: what was run.
        declaration: who answered; None where nobody did.
        results: one for each case that was selected.
        seed: what decided the order.
        selection: what the caller asked for.
        problem: why the run could not be made or finished, or None.
    """
    declared = declaration or Declaration({}, [], [])
    requirements = _requirements(suite, declared, results)
    claims = claimed(suite, declared)
    contracts = []
    for name in suite.contracts:
        chosen = not (selection.contracts or selection.cases) or name in selection.contracts
        counts = Counter(r.outcome for r in results if r.case.operation.contract == name)
        alone = _verdict(counts, selection, problem) if chosen or counts else None
        contracts.append(_contract(name, name in claims, alone, counts, requirements))
    verdicts = {each.verdict for each in contracts}
    verdict: Verdict = next((each for each in SEVERITY if each in verdicts), "not_established")
    if verdict == "not_established" and not problem:
        idle = [each.contract for each in contracts if each.verdict == verdict]
        problem = f"no case of {', '.join(idle)} was executed" if idle else "no case was selected"
    return Report(
        format=1,
        verdict=verdict,
        reason=problem,
        kit=__version__,
        suite=SuiteReport(suite.version, suite.digest),
        seed=seed,
        selection=selection,
        implementation=declaration.implementation if declaration else None,
        operations=declared.operations,
        features=declared.features,
        unknown=[
            *(name for name in declared.operations if name not in suite.operations),
            *(name for name in declared.features if name not in suite.features),
        ],
        contracts=contracts,
        requirements=requirements,
        cases=[_case(result) for result in results],
    )


def to_json(report: Report) -> str:
    """Return the report as JSON text, ASCII only."""
    return json.dumps(dataclasses.asdict(report), indent=2) + "\n"


def write(report: Report, path: Path) -> None:
    """Write the JSON report, whole or not at all.

    Raises:
        OSError: the folder does not take it.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(to_json(report), encoding="ascii")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _requirements(
    suite: Suite, declaration: Declaration, results: Sequence[CaseResult]
) -> list[RequirementReport]:
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
            verdict=_judge(requirement, declaration, citing[requirement.id]),
            cases=[result.case.id for result in citing[requirement.id]],
        )
        for requirement in suite.requirements.values()
        if requirement.id in citing
    ]


def _judge(
    requirement: Requirement, declaration: Declaration, results: Sequence[CaseResult]
) -> RequirementVerdict:
    if requirement.feature not in ("core", *declaration.features):
        return "not_applicable"
    outcomes = {result.outcome for result in results} - {"not_applicable"}
    if not outcomes:
        return "not_applicable"
    if outcomes & {"failed", "errored"}:
        return "violated"
    return "not_established" if "not_run" in outcomes else "satisfied"


def _contract(
    name: str,
    claims: bool,
    verdict: Verdict | None,
    counts: Mapping[CaseOutcome, int],
    requirements: Sequence[RequirementReport],
) -> ContractReport:
    verdicts = Counter(r.verdict for r in requirements if r.contract == name)
    return ContractReport(
        contract=name,
        claimed=claims,
        verdict=verdict if claims else None,
        satisfied=verdicts["satisfied"],
        total=verdicts.total() - verdicts["not_applicable"],
        cases={outcome: counts[outcome] for outcome in get_args(CaseOutcome)},
    )


def _verdict(
    counts: Mapping[CaseOutcome, int], selection: Selection, problem: str | None
) -> Verdict:
    if problem:
        return "not_established"
    if counts["failed"] or counts["errored"]:
        return "not_conformant"
    if not counts["passed"]:
        return "not_established"
    return "selection_passed" if selection.cases else "conformant"


def _case(result: CaseResult) -> CaseReport:
    difference = None
    if result.differences:
        least = smallest(result.differences)
        difference = DifferenceReport(least.path, *shown(least))
    return CaseReport(
        case=result.case.id,
        operation=result.case.operation.name,
        contract=result.case.operation.contract,
        requirements=result.case.requirements,
        outcome=result.outcome,
        reason=result.reason,
        difference=difference,
        differences=len(result.differences),
    )
