"""Generated requests, as each profile lets them out, before the strict judge: none is refused."""

import pytest

from commoncall.dialect_data import profile_ids, read_profile
from tests.evidence.request_judges.strict import violations
from tests.evidence.servers.sent import GENERATED, generated

EACH = GENERATED // len(profile_ids())


@pytest.mark.parametrize("number", range(len(profile_ids())), ids=profile_ids())
def test_no_generated_request_breaks_a_rule(number: int) -> None:
    profile = profile_ids()[number]
    flags = read_profile(profile)["flags"]
    seeds = range(number * EACH, (number + 1) * EACH)
    for seed, request in generated(seeds, profile):
        assert violations(request, profile=flags) == [], seed
