"""The validators themselves, asked about requests of cases and generated ones, prepared for all.

Not named `test_...`: pytest reads it where it is told to, so the default tests need no validator.
"""

from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.evidence.request_judges.clean import Request, clean_requests
from tests.evidence.request_judges.harms import HARMS
from tests.evidence.request_judges.poisoned import poisoned_requests
from tests.evidence.request_judges.test_prepared_requests import (
    dispositions,
    harmed,
    prepare_input,
    protocols,
    run,
)
from tests.evidence.validators import mistral, sdk_types
from tests.evidence.validators.cases import framed, golden_requests

JUDGES = {
    "mistral-common v11": mistral.refusal_v11,
    "mistral-common v13": mistral.refusal_v13,
    "openai types": sdk_types.refusal,
}
OTHERS = {"payload.sanitize_request.effort-unknown-endpoint"}
"""A request with an effort, which the model that mistral-common knows does not take."""

PROVIDERS_DIFFER = frozenset(["content_odd_beside_calls", "content_thinking"])
"""Harms that only a profile undoes: without one, nobody knows what the provider takes there."""


def refusals(request: Request) -> dict[str, str]:
    """Return what each judge says against a request."""
    said = {name: judge(framed(request)) for name, judge in JUDGES.items()}
    return {name: refusal for name, refusal in said.items() if refusal is not None}


def test_the_validators_accept_what_cases_send_for_all(root: Path) -> None:
    asked = [each for each in golden_requests(root) if each.profile == {} and not each.open_turn]
    refused = {each.case: said for each in asked if (said := refusals(each.request))}
    assert refused.keys() == OTHERS
    assert len(asked) > len(OTHERS)


@given(clean_requests(strictest=True))
def test_the_validators_accept_what_the_strict_judge_calls_clean(request: Request) -> None:
    assert refusals(request) == {}


@settings(max_examples=300)
@given(poisoned_requests(), dispositions, protocols)
def test_the_validators_accept_what_is_prepared_for_all(
    request: Request, disposition: str, protocol: str
) -> None:
    if result := run("turn.prepare", prepare_input(request, {}, disposition, protocol)):
        assert refusals(result["request"]) == {}


@given(poisoned_requests(without=PROVIDERS_DIFFER), dispositions, protocols)
def test_the_types_accept_what_is_prepared_for_nobody_in_particular(
    request: Request, disposition: str, protocol: str
) -> None:
    if result := run("turn.prepare", prepare_input(request, None, disposition, protocol)):
        assert sdk_types.refusal(framed(result["request"])) is None


@pytest.mark.parametrize("disposition", ["skip", "answer"])
@pytest.mark.parametrize("name", HARMS)
def test_the_validators_accept_each_harm_undone(name: str, disposition: str) -> None:
    for choice in (0, -1):
        result = run("turn.prepare", prepare_input(harmed(name, choice), {}, disposition))
        assert result is None or refusals(result["request"]) == {}


@pytest.mark.parametrize(
    "name", ["name_empty", "id_of_one_server", "result_lost", "message_between"]
)
def test_the_validators_would_have_refused_the_harm(name: str) -> None:
    assert refusals(harmed(name, 0)) != {}
