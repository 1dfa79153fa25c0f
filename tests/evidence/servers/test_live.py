"""What running servers said is about the requests of today, and each refusal has a reason.

The session `servers` asks the servers themselves (`live.py`).
"""

from itertools import count, islice

import pytest

from tests import shared
from tests.evidence.servers.answered import read_not_ours, read_servers
from tests.evidence.servers.sent import FIRST, GENERATED, digest, generated, golden

RECORDED = read_servers()
RENEW = "python3 noxfile.py -s servers -- --record"
PROBED = {"system_anywhere"}
"""What the template of the tiny model takes, and those of many models do not."""


def test_no_generated_request_is_refused() -> None:
    for server in RECORDED.values():
        assert server["generated"] == GENERATED
        assert not [seed for seed in server["refused"] if seed.isdecimal()]


def test_requests_of_cases_are_refused_for_known_reasons_only() -> None:
    refused = set().union(*(server["refused"] for server in RECORDED.values()))
    assert refused == set().union(*read_not_ours().values())


def test_a_probe_finds_what_the_profile_of_vllm_says() -> None:
    assert {line.partition(":")[0] for line in RECORDED["vllm"]["probed"]} == PROBED


@pytest.mark.parametrize("profile", RECORDED)
def test_what_was_sent_is_what_would_be_sent(profile: str) -> None:
    recorded = RECORDED[profile]
    made = islice(generated(count(), profile), FIRST)
    assert digest(made) == recorded["first"], f"run {RENEW}"
    now = {each.name: digest([each]) for each in golden(shared.suite().cases, profile)}
    unasked = [case for case, sent in now.items() if recorded["golden"].get(case) != sent]
    # Who adds a case need not have the servers at hand; who adds many asks them.
    assert len(unasked) <= 0.02 * len(now), f"run {RENEW}: {unasked}"
    assert not recorded["golden"].keys() - now.keys(), f"run {RENEW}"
