"""The strict judge is asked about what the fixtures send; ``live.py`` asks the validators."""

from tests.each import check_each
from tests.evidence.request_judges.strict import violations
from tests.evidence.validators.cases import Golden, golden_requests

OPEN: dict[str, set[str]] = {
    "payload.sanitize_history.no-bridge-between": {"H-11"},
    "payload.sanitize_history.no-bridge-behind-results": {"H-11"},
    "turn.prepare.no-bridge": {"H-11"},
    "turn.prepare.flattened-result-and-a-user-joined": {"H-11"},
    "payload.sanitize_history.missing-unknown": {"H-6"},
    "payload.sanitize_history.missing-with-a-place-for-an-id": {"H-6"},
    "turn.prepare.refused-end-and-missing": {"H-6"},
    "payload.sanitize_history.required-mark": {"H-6"},
    "payload.sanitize_request.below-root-keeps-its-form": {"R-4"},
}
"""Golden requests in which the strict judge finds what the text leaves as it is: the caller wants
no bridge or has no signature, and reads in a finding that the endpoint refuses this; or the profile
refuses what each request needs, as no endpoint does: the last two.
"""


def check_golden(golden: Golden) -> None:
    found = violations(golden.request, profile=golden.profile, open_turn=golden.open_turn)
    assert {each.rule for each in found} == OPEN.get(golden.case, set())


def test_the_strict_judge_accepts_what_the_fixtures_send() -> None:
    golden = {each.case: each for each in golden_requests()}
    operations = {case.rpartition(".")[0] for case in golden}
    assert operations == {"payload.sanitize_request", "payload.sanitize_history", "turn.prepare"}
    assert len(golden) > 200
    check_each(golden.items(), check_golden)
