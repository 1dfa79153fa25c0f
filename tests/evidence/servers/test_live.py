"""Each refusal of a running server has a reason.

The session `servers` asks the servers themselves (`live.py`).
"""

from tests.evidence.servers.answered import read_not_ours, read_servers
from tests.evidence.servers.sent import GENERATED

RECORDED = read_servers()
PROBED = {"vllm": {"system_anywhere"}, "llama-cpp": {"repeated_roles", "assistant_last"}}
"""What the tiny models take and others do not: a late system message is refused by many templates,
an answer that has begun by models that think. llama.cpp refuses two messages of the assistant at
the end, and takes two of the user, which the probe asks.
"""


def test_no_generated_request_is_refused() -> None:
    for server in RECORDED.values():
        assert server["generated"] == GENERATED
        assert not [seed for seed in server["refused"] if seed.isdecimal()]


def test_requests_of_cases_are_refused_for_known_reasons_only() -> None:
    refused = set().union(*(server["refused"] for server in RECORDED.values()))
    assert refused == set().union(*read_not_ours().values())


def test_a_probe_finds_what_the_profiles_say() -> None:
    for profile, server in RECORDED.items():
        assert {line.partition(":")[0] for line in server["probed"]} == PROBED[profile]
