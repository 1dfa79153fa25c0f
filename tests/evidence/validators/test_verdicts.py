"""The recorded verdicts of the validators: complete, about the requests of today, and no surprise.

The session `validators` asks the validators themselves (`tests/evidence/validators/live.py`).
"""

from tests.each import check_each
from tests.evidence.request_judges.strict import rules_broken, violations
from tests.evidence.validators.bad_payloads import BAD_PAYLOADS
from tests.evidence.validators.cases import Golden, golden_requests
from tests.evidence.validators.verdicts import EXPECTED, ROOT, read_verdicts, text_of

GOLDEN = {golden.case: golden for golden in golden_requests(ROOT)}
SENT = {case: golden for case, golden in GOLDEN.items() if not golden.open_turn}
RECORDED = read_verdicts()
OPEN: dict[str, set[str]] = {
    "payload.sanitize_history.no-bridge-between": {"H-11"},
    "payload.sanitize_history.no-bridge-behind-results": {"H-11"},
    "turn.prepare.no-bridge": {"H-11"},
    "payload.sanitize_history.missing-unknown": {"H-6"},
    "turn.prepare.refused-end-and-missing": {"H-6"},
}
"""Golden requests in which the strict judge finds what the text leaves as it is: the caller wants
no bridge or has no signature, and reads in a finding that the endpoint refuses this.
"""

RENEW = "python3 noxfile.py -s validators -- --write"


def test_there_is_much_to_judge() -> None:
    operations = {case.rpartition(".")[0] for case in GOLDEN}
    assert operations == {"payload.sanitize_request", "payload.sanitize_history", "turn.prepare"}
    assert len(GOLDEN) > 200


def check_golden(golden: Golden) -> None:
    found = violations(golden.request, profile=golden.profile, open_turn=golden.open_turn)
    assert {each.rule for each in found} == OPEN.get(golden.case, set())


def test_the_strict_judge_accepts_what_the_fixtures_send() -> None:
    check_each(GOLDEN.items(), check_golden)


def test_every_golden_request_has_its_verdict() -> None:
    recorded = {verdict["case"]: verdict["request"] for verdict in RECORDED["golden"]}
    assert recorded == {case: golden.sha256 for case, golden in SENT.items()}, f"run {RENEW}"


def test_the_validators_refuse_golden_requests_for_known_reasons_only() -> None:
    refused = {each["case"]: set(each["refused"]) for each in RECORDED["golden"] if each["refused"]}
    expected = {case: judges for cases in EXPECTED.values() for case, judges in cases.items()}
    assert refused == expected


def test_no_validator_refuses_what_the_strictest_profile_sends() -> None:
    """But for the effort of one request, which the model of one judge does not take."""
    asked = [
        each
        for each in RECORDED["golden"]
        if SENT[each["case"]].profile == {}
        and not each["case"].endswith(".effort-unknown-endpoint")
    ]
    assert [each["refused"] for each in asked] == [{}] * len(asked)
    assert asked


def test_every_validator_accepts_most_and_was_asked_about_nearly_all() -> None:
    for judge in RECORDED["judges"].keys() - {"mistral-common v11"}:
        accepted = [each for each in RECORDED["golden"] if judge in each["accepted"]]
        assert len(accepted) > 0.9 * len(RECORDED["golden"])
    assert any("mistral-common v11" in each["accepted"] for each in RECORDED["golden"])


def test_the_strict_judge_refuses_every_bad_payload() -> None:
    assert [name for name, request in BAD_PAYLOADS.items() if not rules_broken(request)] == []


def test_which_bad_payloads_the_validators_refuse() -> None:
    """Eight of ten; a client's types alone refuse none, or what another wire makes visible."""
    assert [each["case"] for each in RECORDED["bad"]] == list(BAD_PAYLOADS)
    by_judge = {
        judge: [each["case"] for each in RECORDED["bad"] if judge in each["refused"]]
        for judge in RECORDED["judges"]
    }
    pairing = ["name-empty", "result-orphaned", "call-unanswered"]
    arguments = ["arguments-empty", "arguments-array"]
    assert by_judge == {
        "mistral-common v11": pairing,
        "mistral-common v13": pairing,
        "openai types": [],
        "anthropic types": arguments,
        "converse model": ["choice-without-tools", "tools-empty", *arguments, "name-empty"],
    }


def test_the_versions_are_those_that_are_pinned() -> None:
    pins = (
        (ROOT / "tests/evidence/validators/constraints.txt")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    for package in RECORDED["judges"].values():
        assert package.replace(" ", "==") in pins


def test_the_file_is_in_its_form() -> None:
    assert (ROOT / "tests/evidence/validators/verdicts.json").read_text(
        encoding="ascii"
    ) == text_of(RECORDED)
