"""What running servers said of whole requests, as data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, TypedDict

FILE: Final = Path(__file__).with_name("live.json")


class Refusal(TypedDict):
    """A status that is not 200, and the beginning of what was said."""

    status: int
    message: str


class Server(TypedDict):
    """What one server said.

    ``golden`` has the digest of the request of each case; ``generated`` is how many others were
    sent, and ``first`` the digest of the first of them. ``refused`` goes by case or seed.
    """

    server: str
    flags: str
    date: str
    golden: dict[str, str]
    generated: int
    first: str
    refused: dict[str, Refusal]


NOT_OURS: Final[dict[str, set[str]]] = {
    "the model takes no images": {
        "payload.sanitize_history.media-elsewhere",
        "payload.sanitize_history.clean-opaque-members",
        "payload.sanitize_history.foreign-quoted",
        "payload.sanitize_history.unknown-common",
        "payload.sanitize_history.parts-of-others",
        "payload.sanitize_history.joined-parts",
        "payload.sanitize_request.foreign-quoted",
    },
    "words that are no text and no known part stay as they are (PAY-084, PAY-085, PAY-168)": {
        "payload.sanitize_history.others-as-they-are",
        "payload.sanitize_history.foreign-anthropic-other-types",
        "payload.sanitize_history.foreign-content-of-system",
        "payload.sanitize_history.opaque-parts-of-user",
        "payload.sanitize_history.empty-not",
        "payload.sanitize_history.joined-other-contents",
        "payload.sanitize_request.foreign-bedrock-words",
    },
    "members that no requirement names stay as they are (PAY-046)": {
        "payload.sanitize_request.null-in-unknown",
    },
    "what parameters describe is the caller's (PAY-047, PAY-111)": {
        "payload.sanitize_request.parameters-any-value",
        "payload.sanitize_request.safe-null-below-the-root",
        "payload.sanitize_request.completed-other-null",
    },
}
"""The cases that a server refuses, by the reason why no request is mended there."""


def read_servers() -> dict[str, Server]:
    """Return the record of each profile."""
    found: dict[str, Server] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def text_of(servers: dict[str, Server]) -> str:
    """Return the text of the file."""
    return json.dumps(dict(sorted(servers.items())), indent=2, ensure_ascii=False) + "\n"
