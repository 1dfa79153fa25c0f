"""All judges together: who is asked about which request, and what each says."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from tests.evidence.validators import converse, mistral, sdk_types
from tests.evidence.validators.bad_payloads import BAD_PAYLOADS
from tests.evidence.validators.cases import Golden, golden_requests
from tests.evidence.validators.translate import UntranslatableError
from tests.evidence.validators.verdicts import ROOT, Verdict, Verdicts

Judge = Callable[[dict[str, Any]], str | None]

JUDGES: dict[str, tuple[str, Judge]] = {
    "mistral-common v11": (mistral.PACKAGE, mistral.refusal_v11),
    "mistral-common v13": (mistral.PACKAGE, mistral.refusal_v13),
    "openai types": ("openai", sdk_types.refusal_openai),
    "anthropic types": ("anthropic", sdk_types.refusal_anthropic),
    "converse model": (converse.PACKAGE, converse.refusal),
}
"""Name of each judge, the package that it comes from, and the function that asks it."""

ID_FORM = "alphanumeric_9"
STRICT_IDS = "mistral-common v11"
"""Takes ids of nine letters and digits only, so it is asked where a profile asks for those."""


def current_verdicts() -> Verdicts:
    """Ask every judge about every golden request and every bad payload."""
    return {
        "judges": {name: f"{package} {version(package)}" for name, (package, _) in JUDGES.items()},
        # While calls wait for results nothing is sent, and no judge knows of such a state.
        "golden": [_of_golden(each) for each in golden_requests(ROOT) if not each.open_turn],
        "bad": [_verdict(name, request, list(JUDGES)) for name, request in BAD_PAYLOADS.items()],
    }


def _of_golden(golden: Golden) -> Verdict:
    judges = judges_for(golden.profile)
    return {**_verdict(golden.case, golden.request, judges), "request": golden.sha256}


def judges_for(profile: dict[str, Any] | None) -> list[str]:
    """Return the judges that can be asked about a request for a profile, or for none."""
    strict_ids = profile is not None and profile.get("ids", ID_FORM) == ID_FORM
    return [name for name in JUDGES if name != STRICT_IDS or strict_ids]


def _verdict(name: str, request: dict[str, Any], judges: list[str]) -> Verdict:
    found: Verdict = {"case": name, "accepted": [], "refused": {}, "not_judged": {}}
    for judge in judges:
        refusal, reason = ask(judge, request)
        if reason is not None:
            found["not_judged"][judge] = reason
        elif refusal is not None:
            found["refused"][judge] = refusal
        else:
            found["accepted"].append(judge)
    return found


def ask(judge: str, request: dict[str, Any]) -> tuple[str | None, str | None]:
    """Return what a judge says against a request, or why it cannot be asked; or two Nones."""
    try:
        return JUDGES[judge][1](request), None
    except UntranslatableError as error:
        return None, str(error)
