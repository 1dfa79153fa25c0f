"""The linter of the ledger, ``fixtures/incidents``: each report has a record, and each record is
answered.

A case that goes back to a report is listed in the record of it, and evidence of profiles and
formats that is a report has a record, too.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, Final

from tools.fixtures.authored import REPORT, Tree
from tools.fixtures.incidents import FOLDER, read_incidents
from tools.fixtures.schemas import read_files
from tools.law.text import Spec

SCHEMA: Final = "urn:commoncall:v1:formats:incidents"


def incident_problems(root: Path, tree: Tree) -> list[str]:
    """Return every problem of the ledger, a line each. A tree without the folder has none."""
    if not (root / FOLDER).exists():
        return []
    documents, problems = read_incidents(root)
    problems += tree.context.schemas.misfits(SCHEMA, documents)
    if problems or tree.problems:
        return problems
    rows = [(file, one) for file, each in documents.items() for one in each["incidents"]]
    records = {one["id"]: one for _, one in rows}
    counts = Counter(one["id"] for _, one in rows)
    problems = [f"{FOLDER}: {id} has two records" for id in sorted(counts) if counts[id] > 1]
    evidence, of_profiles = {*_evidence(root)}, {*_evidence(root, "profiles")}
    cases = {case["id"]: case["requirements"] for _, case in tree.cases()}
    for file, one in rows:
        reasons = _unanswered(root, tree.context.spec, cases, evidence, one)
        problems += [f"{file}: {one['id']}: {reason}" for reason in reasons]
        if one["id"] in of_profiles and "profile" not in one:
            problems.append(f"{file}: {one['id']}: it is evidence of a profile, and names none")
    for case, ref in _reported(tree):
        if case not in records.get(ref, {}).get("cases", ()):
            problems.append(f"{FOLDER}: no record of {ref} lists {case}, which goes back to it")
    cited = sorted(evidence - records.keys())
    return problems + [
        f"{FOLDER}: no record of {ref}, which is evidence in spec/v1" for ref in cited
    ]


def _unanswered(
    root: Path,
    spec: Spec,
    cases: Mapping[str, Sequence[str]],
    evidence: Set[str],
    record: Mapping[str, Any],
) -> Iterator[str]:
    """Say which of the rules, cases and the profile of a record are not there, or not together.

    ``cases`` are the requirements of each case, ``evidence`` the reports that something in the law
    rests on: what no evidence says of an endpoint, a record does not say either.
    """
    for name in record.get("cases", ()):
        if name not in cases:
            yield f"{name} is no case"
    cited = {rule for name in record.get("cases", ()) for rule in cases.get(name, ())}
    for rule in record.get("rules", ()):
        if rule not in spec.requirements:
            yield f"{rule} is no requirement"
        elif rule not in cited:
            yield f"none of its cases cites {rule}"
    profile = record.get("profile")
    if profile and not (root / "spec/v1/profiles" / f"{profile}.json").exists():
        yield f"there is no profile {profile}"
    if profile and record["id"] not in evidence:
        yield f"it names the profile {profile}, and nothing in spec/v1 has it as evidence"


def _reported(tree: Tree) -> Iterator[tuple[str, str]]:
    """Yield each case that goes back to a report, with it."""
    for _, case in tree.cases():
        ref = case["origin"].get("ref", "")
        if REPORT.fullmatch(ref):
            yield case["id"], ref


def _evidence(root: Path, folder: str = "*") -> Iterator[str]:
    """Yield the reports that are evidence in a profile or a format, or in those of a folder."""
    documents, _ = read_files(root, f"spec/v1/{folder}/*")
    stack: list[Any] = [each.get("evidence") for each in documents.values()]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            if one.get("kind") == "report" and REPORT.fullmatch(str(one.get("ref"))):
                yield one["ref"]
            stack += one.values()
        elif isinstance(one, list):
            stack += one
