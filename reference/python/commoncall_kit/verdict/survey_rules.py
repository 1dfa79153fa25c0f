"""What a survey says of requirements: which a system keeps, and what people reported of the others.

A case counts for the requirement that it cites first. A report counts where one of its own cases is
not kept.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from commoncall_kit.suite.data import Suite
from commoncall_kit.suite.incidents import Incident
from commoncall_kit.verdict.survey import Survey


class Kept(NamedTuple):
    """A requirement as a system was asked it: how many cases, how many it does not keep, and the
    ids of reports that these stand for.
    """

    id: str
    title: str
    asked: int
    broken: int
    reports: Sequence[str]


def by_requirement(suite: Suite, found: Survey, incidents: Sequence[Incident]) -> list[Kept]:
    """Return each requirement that was asked, in the order of the ids."""
    first = {case.id: case.requirements[0] for case in suite.cases}
    broken = Counter(first[case] for case in found["others"])
    asked = broken + Counter(first[case] for case in found["kept"])
    reported = {rule: _reports(rule, first, found, incidents) for rule in broken}
    return [
        Kept(
            rule, suite.requirements[rule].title, asked[rule], broken[rule], reported.get(rule, [])
        )
        for rule in sorted(asked)
    ]


def _reports(
    rule: str, first: dict[str, str], found: Survey, incidents: Sequence[Incident]
) -> list[str]:
    cases = {case for case in found["others"] if first[case] == rule}
    return [one["id"] for one in incidents if not cases.isdisjoint(one.get("cases", ()))]
