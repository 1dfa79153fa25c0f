"""What running servers said of whole requests, as data."""

import json
from pathlib import Path
from typing import Final, TypedDict

FILE: Final = Path(__file__).with_name("live.json")
NOT_OURS: Final = FILE.with_name("not-ours.json")


class Refusal(TypedDict):
    """A status that is not 200, and the beginning of what was said."""

    status: int
    message: str


class Server(TypedDict):
    """What one server said.

    ``golden`` is how many requests of cases were sent, ``generated`` how many others. ``refused``
    goes by case or seed.
    ``probed`` is where a probe finds otherwise than the profile says.
    """

    server: str
    flags: str
    date: str
    golden: int
    generated: int
    refused: dict[str, Refusal]
    probed: list[str]


def read_not_ours() -> dict[str, list[str]]:
    """Return the cases that a server refuses, by the reason why nothing is mended there."""
    found: dict[str, list[str]] = json.loads(NOT_OURS.read_text(encoding="ascii"))
    return found


def read_servers() -> dict[str, Server]:
    """Return the record of each profile."""
    found: dict[str, Server] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def text_of(servers: dict[str, Server]) -> str:
    """Return the text of the file."""
    return json.dumps(dict(sorted(servers.items())), indent=2, ensure_ascii=False) + "\n"
