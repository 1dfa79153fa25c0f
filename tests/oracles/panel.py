"""All judges together: who is asked about which request, and what each says."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from tests.oracles import converse, mistral, sdk_types
from tests.oracles.bad_payloads import BAD_PAYLOADS
from tests.oracles.cases import Golden, golden_requests
from tests.oracles.translate import UntranslatableError
from tests.oracles.verdicts import ROOT, Verdict, Verdicts

Judge = Callable[[dict[str, Any]], str | None]

JUDGES: dict[str, tuple[str, Judge]] = {
    "mistral-common v11": (mistral.PACKAGE, mistral.refusal_v11),
    "mistral-common v13": (mistral.PACKAGE, mistral.refusal_v13),
    "openai types": ("openai", sdk_types.refusal_openai),
    "anthropic types": ("anthropic", sdk_types.refusal_anthropic),
    "converse model": (converse.PACKAGE, converse.refusal),
}
"""Name of each judge, the package that it comes from, and the function that asks it."""

STRICT_IDS = "mistral-common v11"
"""Asks for ids of nine letters and digits, which only a profile asks for."""


def current_verdicts() -> Verdicts:
    """Ask every judge about every golden request and every bad payload."""
    return {
        "judges": {name: f"{package} {version(package)}" for name, (package, _) in JUDGES.items()},
        "golden": [_of_golden(golden) for golden in golden_requests(ROOT)],
        "bad": [_verdict(name, request, {}) for name, request in BAD_PAYLOADS.items()],
    }


def _of_golden(golden: Golden) -> Verdict:
    excused = {}
    if golden.open_turn:
        # While calls wait for results nothing is sent, and no judge knows of such a state.
        excused = dict.fromkeys(JUDGES, "the turn is open")
    elif golden.profile is None or golden.profile.get("ids", "alphanumeric_9") != "alphanumeric_9":
        excused = {STRICT_IDS: "ids are not in its form"}
    return {**_verdict(golden.case, golden.request, excused), "request": golden.sha256}


def _verdict(name: str, request: dict[str, Any], excused: dict[str, str]) -> Verdict:
    found: Verdict = {"case": name, "accepted": [], "refused": {}, "not_judged": {**excused}}
    for judge in JUDGES.keys() - excused.keys():
        refusal, reason = ask(judge, request)
        if reason is not None:
            found["not_judged"][judge] = reason
        elif refusal is not None:
            found["refused"][judge] = refusal
        else:
            found["accepted"].append(judge)
    found["accepted"].sort()
    return found


def ask(judge: str, request: dict[str, Any]) -> tuple[str | None, str | None]:
    """Return what a judge says against a request, or why it cannot be asked; or two Nones."""
    try:
        return JUDGES[judge][1](request), None
    except UntranslatableError as error:
        return None, str(error)
