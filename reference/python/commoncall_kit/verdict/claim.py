"""A conformance claim: what an implementation says of itself.

A claim is made from a report, and holds what somebody else needs to check it: who, which cases,
which contracts and features, and a verdict for each requirement.
"""

import re
from typing import Final

from commoncall.files import json_file
from commoncall_kit.verdict.report import ContractReport, OperationReport, Report

FORMAT: Final = 1

VERSION: Final = re.compile(
    r"(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*)){2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?"
    r"|[0-9a-f]{40}|[0-9a-f]{64}"
)
"""A semantic version, or a whole commit id: what a name of a branch never is."""


class ClaimError(Exception):
    """There is nothing to claim. The text says why in one line."""


def claim(report: Report) -> dict[str, object]:
    """Return the claim that a report backs, for every contract and operation that was run whole.

    Raises:
        ClaimError: the run established nothing, or the version names no release.
    """
    run, declared = report.run, report.declared
    implementation = declared.implementation
    if implementation is None or report.verdict == "not_established":
        raise ClaimError(f"the run established nothing: {report.reason}")
    if run.selection.level:
        raise ClaimError("a level shows each rule at one or two inputs, which is no conformance")
    if run.selection.cases:
        raise ClaimError("single cases were selected, which says nothing of conformance")
    if not VERSION.fullmatch(implementation["version"]):
        raise ClaimError(
            f"the version {implementation['version']} is neither a semantic version, such as "
            "2.4.1, nor a whole commit id"
        )
    judged = [each for each in report.contracts if each.verdict is not None]
    names = {each.contract for each in judged}
    return {
        "format": FORMAT,
        "implementation": dict(implementation),
        "date": run.date,
        "kit": run.kit,
        "suite": {"version": run.suite.version, "digest": run.suite.digest},
        "set": run.set.name if run.set else None,
        "features": sorted(set(declared.features).difference(declared.unknown, declared.idle)),
        "contracts": [
            {"contract": each.contract, **_verdict(each), "by_review": each.by_review}
            for each in judged
        ],
        "operations": [
            {"operation": each.operation, **_verdict(each)} for each in report.operation_verdicts
        ],
        "requirements": [
            {"requirement": each.requirement, "sha256": each.sha256, "verdict": each.verdict}
            for each in report.requirements
            if (each.contract in names or not names) and each.scored
        ],
    }


def _verdict(judged: ContractReport | OperationReport) -> dict[str, object]:
    is_conformant = judged.verdict == "conformant"
    return {"conformant": is_conformant, "satisfied": judged.satisfied, "total": judged.total}


def render(report: Report) -> str:
    """Return the claim as JSON text.

    Raises:
        ClaimError: as `claim`.
    """
    return json_file(claim(report))
