"""The validators themselves, asked about generated requests; run by the session `validators`.

Not named `test_...`: pytest reads it where it is told to, so the default tests need no validator.
"""

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
from tests.evidence.validators.cases import framed
from tests.evidence.validators.panel import JUDGES, ask

TYPES = ["openai types", "anthropic types"]
"""The judges that can be asked without a profile: the others know one provider."""

PROVIDERS_DIFFER = frozenset(["content_odd_beside_calls", "content_thinking"])
"""Harms that only a profile undoes: without one, nobody knows what the provider takes there."""


def refusals(request: Request, judges: list[str]) -> dict[str, str]:
    """Return what each judge says against a request; what it cannot be asked is left out."""
    said = {judge: ask(judge, framed(request))[0] for judge in judges}
    return {judge: refusal for judge, refusal in said.items() if refusal is not None}


@given(clean_requests(strictest=True))
def test_the_validators_accept_what_the_strict_judge_calls_clean(request: Request) -> None:
    assert refusals(request, [*JUDGES]) == {}


@settings(max_examples=300)
@given(poisoned_requests(), dispositions, protocols)
def test_the_validators_accept_what_is_prepared_for_all(
    request: Request, disposition: str, protocol: str
) -> None:
    if result := run("turn.prepare", prepare_input(request, {}, disposition, protocol)):
        assert refusals(result["request"], [*JUDGES]) == {}


@given(poisoned_requests(without=PROVIDERS_DIFFER), dispositions, protocols)
def test_the_types_accept_what_is_prepared_for_nobody_in_particular(
    request: Request, disposition: str, protocol: str
) -> None:
    if result := run("turn.prepare", prepare_input(request, None, disposition, protocol)):
        assert refusals(result["request"], TYPES) == {}


@pytest.mark.parametrize("disposition", ["skip", "answer"])
@pytest.mark.parametrize("name", HARMS)
def test_the_validators_accept_each_harm_undone(name: str, disposition: str) -> None:
    for choice in (0, -1):
        result = run("turn.prepare", prepare_input(harmed(name, choice), {}, disposition))
        assert result is None or refusals(result["request"], [*JUDGES]) == {}


@pytest.mark.parametrize(
    "name", ["tools_empty", "name_empty", "id_of_one_server", "result_lost", "message_between"]
)
def test_the_validators_would_have_refused_the_harm(name: str) -> None:
    assert refusals(harmed(name, 0), [*JUDGES]) != {}
