"""The recorded verdicts: their form, where they are, and which refusals are expected and why."""

import json
from pathlib import Path
from typing import Final, NotRequired, TypedDict

ROOT: Final = Path(__file__).resolve().parents[3]
FILE: Final = Path(__file__).with_name("verdicts.json")


MISTRAL = "mistral-common v13"
MISTRAL_OF_SHORT_IDS = "mistral-common v11"
OPENAI = "openai types"
ANTHROPIC = "anthropic types"
CONVERSE = "converse model"


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


EXPECTED: Final[dict[str, dict[str, set[str]]]] = {
    "an id stays as it is until a profile asks for another form": {
        "payload.sanitize_history.ids-as-they-are": {CONVERSE},
        "payload.sanitize_history.ids-any": {CONVERSE},
        "payload.sanitize_history.fault-ids-beside": {CONVERSE},
        "payload.sanitize_history.ids-verbatim-blank-inside": {CONVERSE},
        "payload.sanitize_history.pair-white-space": {CONVERSE},
        "payload.sanitize_history.pair-white-space-of-two": {CONVERSE},
        "payload.sanitize_history.base-open-one-flag": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.end-result": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.missing-reasoning": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.missing-in-bridge": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.missing-signature": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.missing-in-parallel": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.missing-behind-skipped": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.missing-when-split": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.missing-unknown": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.no-bridge-behind-results": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.no-bridge-needed": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.positions-bridge": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.positions-media": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.positions-split": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.repaired-refused": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.unmarked-elsewhere": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.unmarked-here": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.unmarked-marked": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.unmarked-marked-here": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.unmarked-not-said": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.unmarked-null": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.blank-texts": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.summary-inside-pair": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.readable-stays": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.readable-of-assistants": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.readable-joined": {MISTRAL_OF_SHORT_IDS},
        "payload.sanitize_history.readable-split": {MISTRAL_OF_SHORT_IDS},
    },
    "the name of a result is that of its call only where a profile says so": {
        "payload.sanitize_history.name-of-result": {MISTRAL},
    },
    "the profile of the case lets system messages stand anywhere, which this provider does not": {
        "payload.sanitize_history.system-anywhere": {MISTRAL},
        "payload.sanitize_history.bridge-before-system": {MISTRAL},
        "payload.sanitize_history.bridge-first-behind-system": {MISTRAL},
        "payload.sanitize_history.bridge-results-by-roles": {MISTRAL},
        "payload.sanitize_history.developer-alone-changes": {MISTRAL},
    },
    "without a profile the parts that only one provider takes stay": {
        "payload.sanitize_history.turn-opaque-unprofiled": {MISTRAL, OPENAI},
    },
    "the profile of the case knows parts that only one provider takes": {
        "payload.sanitize_history.parts-of-others": {MISTRAL, OPENAI},
        "payload.sanitize_history.opaque-parts-here": {MISTRAL, OPENAI},
        "payload.sanitize_history.opaque-parts-among-unknown": {OPENAI},
        "payload.sanitize_history.opaque-parts-beside-calls": {OPENAI},
        "payload.sanitize_history.opaque-parts-of-user": {MISTRAL, OPENAI},
        "payload.sanitize_history.repair-signed-turn": {OPENAI},
        "payload.sanitize_history.failover-second-pass-settled": {OPENAI},
        "payload.sanitize_history.joined-not-opaque-parts": {OPENAI},
        "payload.sanitize_history.turn-parts-back": {OPENAI},
        "payload.sanitize_history.split-not-opaque": {OPENAI},
        "payload.sanitize_history.refusal-part-opaque": {MISTRAL},
        "payload.sanitize_history.refusal-part-taken": {MISTRAL},
    },
    "what a message says that is no tool turn stays, in whatever form": {
        "payload.sanitize_history.blank-no-text": {MISTRAL_OF_SHORT_IDS, MISTRAL, OPENAI},
        "payload.sanitize_history.content-of-skipped-calls": {MISTRAL, OPENAI},
        "payload.sanitize_history.empty-not": {MISTRAL, OPENAI},
        "payload.sanitize_history.fault-parts-any": {MISTRAL, OPENAI},
        "payload.sanitize_history.foreign-anthropic-other-types": {MISTRAL, OPENAI},
        "payload.sanitize_history.foreign-anthropic-words": {OPENAI},
        "payload.sanitize_history.foreign-bedrock-near": {MISTRAL, OPENAI},
        "payload.sanitize_history.foreign-content-of-system": {
            MISTRAL,
            OPENAI,
            ANTHROPIC,
            CONVERSE,
        },
        "payload.sanitize_history.joined-other-contents": {MISTRAL, OPENAI},
        "payload.sanitize_history.media-elsewhere": {MISTRAL, OPENAI},
        "payload.sanitize_history.others-as-they-are": {MISTRAL, OPENAI},
        "payload.sanitize_history.refusal-part-of-nothing": {MISTRAL, OPENAI},
    },
    "the profile of the case takes media in results, which not every provider does": {
        "payload.sanitize_history.media-among-data": {MISTRAL, OPENAI, ANTHROPIC, CONVERSE},
        "payload.sanitize_history.media-of-tools": {MISTRAL, OPENAI, ANTHROPIC, CONVERSE},
        "payload.sanitize_history.media-taken": {MISTRAL, OPENAI, ANTHROPIC, CONVERSE},
        "payload.sanitize_history.media-of-several": {MISTRAL},
        "payload.sanitize_history.media-taken-as-parts": {MISTRAL, OPENAI},
    },
    "what stands in members that are no matter of tools stays": {
        "payload.sanitize_request.null-in-unknown": {OPENAI},
    },
    "a schema is judged at its root only": {
        "payload.sanitize_request.below-required-beside-faults": {MISTRAL_OF_SHORT_IDS, MISTRAL},
        "payload.sanitize_request.safe-below-the-root": {MISTRAL},
        "payload.sanitize_request.safe-null-below-the-root": {MISTRAL},
        "payload.sanitize_request.completed-other-null": {MISTRAL},
        "payload.sanitize_request.below-strict-of-nothing": {MISTRAL_OF_SHORT_IDS, MISTRAL},
        "payload.sanitize_request.below-ref-defined": {MISTRAL_OF_SHORT_IDS, MISTRAL},
        "payload.sanitize_request.below-enum-of-no-list": {MISTRAL_OF_SHORT_IDS, MISTRAL},
    },
    "the model that this judge knows takes no reasoning_effort": {
        "payload.sanitize_request.effort-null": {MISTRAL_OF_SHORT_IDS, MISTRAL},
        "payload.sanitize_request.thinking-disabled": {MISTRAL_OF_SHORT_IDS, MISTRAL},
        "payload.sanitize_request.effort-beside-tools": {MISTRAL_OF_SHORT_IDS, MISTRAL},
        "payload.sanitize_request.effort-absent": {MISTRAL_OF_SHORT_IDS, MISTRAL},
        "payload.sanitize_request.effort-unknown-endpoint": {MISTRAL_OF_SHORT_IDS, MISTRAL},
        "payload.sanitize_request.effort-in-doubt": {MISTRAL_OF_SHORT_IDS, MISTRAL},
        "payload.sanitize_request.effort-none-in-no-doubt": {MISTRAL_OF_SHORT_IDS, MISTRAL},
        "turn.prepare.effort-in-doubt": {MISTRAL_OF_SHORT_IDS, MISTRAL},
        "turn.prepare.schemas-and-choice": {MISTRAL_OF_SHORT_IDS, MISTRAL},
    },
    "nothing inside the legacy fields is judged": {
        "payload.sanitize_request.legacy-kept": {OPENAI},
    },
}
"""Why judges refuse golden requests, with the cases, and which judges do."""
