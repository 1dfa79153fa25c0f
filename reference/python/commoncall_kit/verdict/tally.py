"""How many requirements of a contract are satisfied: one count, for a report and for a claim."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

RequirementVerdict = Literal[
    "satisfied", "violated", "not_applicable", "not_established", "by_review"
]
"""``by_review``: it applies and no case can show it; whoever claims the contract answers for it."""


class Tally(NamedTuple):
    """``satisfied`` of ``total`` requirements, and how many more are left to review."""

    satisfied: int
    total: int
    by_review: int


def tally(verdicts: Iterable[RequirementVerdict]) -> Tally:
    """Count the scored requirements of one contract; what does not apply is in no number."""
    counts = Counter(verdicts)
    total = counts.total() - counts["not_applicable"] - counts["by_review"]
    return Tally(counts["satisfied"], total, counts["by_review"])
