"""A conformance claim: what an implementation says of itself, and whether it fits the fixtures.

A claim is made from a report, and holds what somebody else needs to check it: who, which cases,
which contracts and features, and a verdict for each requirement. That it is true shows a run; that
it is whole, and about these fixtures, shows `verify`.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, get_args

from commoncall.files import json_file, parsed
from commoncall.json_text import equal
from commoncall_kit.suite.data import Suite
from commoncall_kit.verdict.report import Report
from commoncall_kit.verdict.tally import RequirementVerdict, tally

FORMAT: Final = 1

VERSION: Final = re.compile(
    r"(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*)){2}(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?"
    r"|[0-9a-f]{40}|[0-9a-f]{64}"
)
"""A semantic version, or a whole commit id: what a name of a branch never is."""


class ClaimError(Exception):
    """There is nothing to claim, or a file is no claim. The text says why in one line."""


def claim(report: Report) -> dict[str, object]:
    """Return the claim that a report backs, for every contract that was run whole.

    Raises:
        ClaimError: the run established nothing, or the version names no release.
    """
    run, declared = report.run, report.declared
    implementation = declared.implementation
    if implementation is None or report.verdict == "not_established":
        raise ClaimError(f"the run established nothing: {report.reason}")
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
            {
                "contract": each.contract,
                "conformant": each.verdict == "conformant",
                "satisfied": each.satisfied,
                "total": each.total,
                "by_review": each.by_review,
            }
            for each in judged
        ],
        "requirements": [
            {"requirement": each.requirement, "sha256": each.sha256, "verdict": each.verdict}
            for each in report.requirements
            if each.contract in names and each.scored
        ],
    }


def render(report: Report) -> str:
    """Return the claim as JSON text.

    Raises:
        ClaimError: as `claim`.
    """
    return json_file(claim(report))


def parse(content: bytes) -> dict[str, Any]:
    """Read a claim; its form is that of ``schemas/v1/formats/claim.schema.json``.

    Raises:
        ClaimError: it is none.
    """
    value: dict[str, Any] = parsed(content, ClaimError)
    match value:
        case {
            "format": number,
            "implementation": {"name": str(), "version": str(), "language": str()},
            "date": None | str(),
            "kit": str(),
            "suite": {"version": str(), "digest": str()},
            "set": None | str(),
            "features": list(features),
            "contracts": list(contracts),
            "requirements": list(requirements),
            **rest,
        } if not rest and equal(number, FORMAT):
            pass
        case _:
            raise ClaimError("a member is missing, unknown or of a wrong type")
    rows = all(map(_is_contract, contracts)) and all(map(_is_requirement, requirements))
    if not (rows and all(isinstance(each, str) for each in features)):
        raise ClaimError("features, contracts or requirements hold an entry out of form")
    return value


def verify(claimed: Mapping[str, Any], suite: Suite) -> list[str]:
    """Hold a claim to the fixtures at hand; return what is wrong with it, a line each.

    Args:
        claimed: what `parse` returned; its suite and set are those of ``suite``.
        suite: with the set of the claim.
    """
    return list(_faults(claimed, suite))


def differences(claimed: Mapping[str, Any], report: Report) -> list[str]:
    """Hold a claim to a run of the implementation; return what the run shows otherwise.

    Raises:
        ClaimError: the run backs no claim at all.
    """
    shown = claim(report)
    found = [
        f"{name}: the claim says {json.dumps(claimed[name])}, the run {json.dumps(shown[name])}"
        for name in ("implementation", "features", "contracts")
        if claimed[name] != shown[name]
    ]
    said = {each["requirement"]: each["verdict"] for each in claimed["requirements"]}
    return found + [
        f"{each.requirement}: the claim says {said.get(each.requirement)}, the run {each.verdict}"
        for each in report.requirements
        if each.scored and each.requirement in said and said[each.requirement] != each.verdict
    ]


def _faults(claimed: Mapping[str, Any], suite: Suite) -> Iterator[str]:
    version = claimed["implementation"]["version"]
    if not VERSION.fullmatch(version):
        yield f"the version {version} is neither a semantic version nor a whole commit id"
    contracts = {each["contract"]: each for each in claimed["contracts"]}
    if not contracts:
        yield "no contract is claimed"
    if len(contracts) < len(claimed["contracts"]):
        yield "a contract stands twice"
    yield from _name_faults(list(contracts), claimed["features"], suite)
    rows = {each["requirement"]: each for each in claimed["requirements"]}
    if len(rows) < len(claimed["requirements"]):
        yield "a requirement stands twice"
    due = _due(suite, list(contracts), claimed["features"])
    yield from (f"{name} is not in the claim" for name in due if name not in rows)
    for row in rows.values():
        yield from _row_faults(row, due, suite)
    for entry in contracts.values():
        yield from _count_faults(entry, rows.values(), suite)


def _name_faults(contracts: list[str], features: list[str], suite: Suite) -> Iterator[str]:
    for kind, names, known in (
        ("contract", contracts, suite.contracts),
        ("feature", features, suite.features),
    ):
        yield from (f"the suite has no {kind} {name}" for name in names if name not in known)
    used = {feature for name in contracts for feature in suite.used.get(name, ())}
    for name in features:
        if name in suite.features and name not in used:
            yield f"the feature {name} belongs to no contract of the claim"


def _row_faults(row: Mapping[str, Any], due: Mapping[str, str], suite: Suite) -> Iterator[str]:
    """Yield the first thing that is wrong with the verdict on one requirement."""
    name, verdict = row["requirement"], row["verdict"]
    if name not in due:
        yield f"{name} is no requirement that these contracts and this suite ask for"
    elif row["sha256"] != suite.requirements[name].sha256:
        yield f"{name} has another text in this suite"
    elif (due[name] == "not_applicable") != (verdict == "not_applicable"):
        applies = "does not apply" if due[name] == "not_applicable" else "applies"
        yield f"{name} {applies} with these features"
    elif (due[name] == "by_review") != (verdict == "by_review"):
        yield f"{name} is shown by {'no case' if due[name] == 'by_review' else 'cases'}"


def _count_faults(
    entry: Mapping[str, Any], rows: Iterable[Mapping[str, Any]], suite: Suite
) -> Iterator[str]:
    """Yield what is wrong with the numbers of one contract, and with its verdict."""
    name = entry["contract"]
    count = tally(
        row["verdict"]
        for row in rows
        if (of := suite.requirements.get(row["requirement"])) and of.contract == name
    )
    if entry["by_review"] != count.by_review:
        yield f"{name}: {count.by_review} requirements are listed as checked by review"
    if (entry["satisfied"], entry["total"]) != (count.satisfied, count.total):
        yield f"{name}: {count.satisfied} of {count.total} requirements are listed as satisfied"
    if entry["conformant"] and count.satisfied < count.total:
        yield f"{name} is not conformant: a requirement is not satisfied"


def _due(suite: Suite, contracts: list[str], features: list[str]) -> dict[str, str]:
    """Return the requirements that a claim has to name.

    Each with what decides it: ``cases``, ``by_review``, or nothing: ``not_applicable``.
    """
    due: dict[str, str] = {}
    for case in suite.cases:
        if case.operation.contract not in contracts or not suite.scores(case):
            continue
        for name in case.requirements:
            requirement = suite.requirements[name]
            if requirement.contract in contracts and suite.counts(requirement):
                if case.applies(features) and requirement.applies(features):
                    due[name] = "cases"
                due.setdefault(name, "not_applicable")
    for name, requirement in suite.requirements.items():
        if requirement.review and requirement.contract in contracts and suite.counts(requirement):
            applies = requirement.applies(features)
            due.setdefault(name, "by_review" if applies else "not_applicable")
    return due


def _is_contract(row: object) -> bool:
    match row:
        case {"contract": str(), "conformant": bool(), **rest}:
            numbers = ("satisfied", "total", "by_review")
            return rest.keys() == set(numbers) and all(
                isinstance(rest[name], int) for name in numbers
            )
    return False


def _is_requirement(row: object) -> bool:
    match row:
        case {"requirement": str(), "sha256": str(), "verdict": str(verdict), **rest}:
            return not rest and verdict in get_args(RequirementVerdict)
    return False
