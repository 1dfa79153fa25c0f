"""The validators themselves, asked about requests of cases and generated ones, prepared for all.

Not named `test_...`: pytest reads it where it is told to, so the default tests need no validator.
"""

from hypothesis import given, settings

from tests.evidence.request_judges.clean import Request, clean_requests
from tests.evidence.request_judges.test_prepared_requests import (
    dispositions,
    poisoned,
    protocols,
    run,
)
from tests.evidence.servers.sent import prepare_input
from tests.evidence.validators import mistral, sdk_types
from tests.evidence.validators.cases import framed, golden_requests

JUDGES = {
    "mistral-common v11": mistral.refusal_v11,
    "mistral-common v13": mistral.refusal_v13,
    "openai types": sdk_types.refusal,
}
OTHERS = {
    "payload.sanitize_request.effort-unknown-endpoint",
    "payload.sanitize_history.system-of-others",
}
"""A request with an effort, which the model that mistral-common knows does not take; and a part of
a type that nobody knows, which a runtime may have for an endpoint of its own, and which stays."""


def refusals(request: Request) -> dict[str, str]:
    """Return what each judge says against a request."""
    said = {name: judge(framed(request)) for name, judge in JUDGES.items()}
    return {name: refusal for name, refusal in said.items() if refusal is not None}


def test_the_validators_accept_what_cases_send_for_all() -> None:
    asked = [each for each in golden_requests() if each.profile == {} and not each.open_turn]
    refused = {each.case: said for each in asked if (said := refusals(each.request))}
    assert refused.keys() == OTHERS
    assert len(asked) > len(OTHERS)


@given(clean_requests(strictest=True))
def test_the_validators_accept_what_the_strict_judge_calls_clean(request: Request) -> None:
    assert refusals(request) == {}


@settings(max_examples=300)
@given(poisoned, dispositions, protocols)
def test_the_validators_accept_what_is_prepared_for_all(
    request: Request, disposition: str, protocol: str
) -> None:
    if result := run("turn.prepare", prepare_input(request, {}, disposition, protocol)):
        assert refusals(result["request"]) == {}


@given(poisoned, dispositions, protocols)
def test_the_types_accept_what_is_prepared_for_nobody_in_particular(
    request: Request, disposition: str, protocol: str
) -> None:
    if result := run("turn.prepare", prepare_input(request, None, disposition, protocol)):
        assert sdk_types.refusal(framed(result["request"])) is None
