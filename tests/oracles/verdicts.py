"""The recorded verdicts: their form, where they are, and which refusals are expected and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NotRequired, TypedDict

ROOT: Final = Path(__file__).resolve().parent.parent.parent
FILE: Final = Path(__file__).with_name("verdicts.json")


class Verdict(TypedDict):
    """What the judges said of one request: golden (then with its digest) or bad."""

    case: str
    request: NotRequired[str]
    accepted: list[str]
    refused: dict[str, str]
    not_judged: dict[str, str]


class Verdicts(TypedDict):
    """The package and version of each judge, and what each said."""

    judges: dict[str, str]
    golden: list[Verdict]
    bad: list[Verdict]


def read_verdicts() -> Verdicts:
    """Return the recorded verdicts."""
    verdicts: Verdicts = json.loads(FILE.read_text(encoding="ascii"))
    return verdicts


def text_of(verdicts: Verdicts) -> str:
    """Return verdicts as the text of the file: one line for each request."""
    lines = []
    for name, value in verdicts.items():
        if isinstance(value, list):
            rows = ",\n".join(f"    {json.dumps(row, sort_keys=True)}" for row in value)
            lines.append(f"  {json.dumps(name)}: [\n{rows}\n  ]")
        else:
            lines.append(f"  {json.dumps(name)}: {json.dumps(value, indent=4)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


EXPECTED: Final[dict[str, tuple[set[str], str]]] = {
    "payload.sanitize_history.ids-as-they-are": (
        {"converse model"},
        "without a profile an id stays as it is, whichever provider gave it",
    ),
    "payload.sanitize_history.empty-not": (
        {"mistral-common v13", "openai types", "anthropic types", "converse model"},
        "what a system or developer message says is no matter of tools, and stays",
    ),
    "payload.sanitize_request.null-in-unknown": (
        {"openai types"},
        "what stands in `stop` and other members is no matter of tools, and stays",
    ),
    "payload.sanitize_request.legacy-kept": (
        {"openai types"},
        "nothing inside the legacy fields is judged",
    ),
}
"""Golden requests that a judge refuses, which judges, and why that is no fault of the request."""
