"""The harness protocol as data: lines of JSON. The form of each message has its schema,
``schemas/v1/formats/harness.schema.json``.

Both sides use this file. It starts no process and knows no case.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from commoncall import spelled
from commoncall.json_text import finite_decoder, is_shallow

PROTOCOL: Final = 1
MAX_LINE: Final = 16 * 1024 * 1024
"""The longest line, its line feed included, in bytes."""

MAX_DEPTH: Final = 256
"""The deepest nesting of a message. Arguments may nest 128 deep, and stand inside a result."""


class ProtocolError(Exception):
    """A line or a message is out of form. The text says how, in words for people."""


class TooDeepError(ProtocolError):
    """A text nests deeper than any message may."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What an adapter says of itself: whose it is, and what it can do."""

    implementation: Mapping[str, str]
    operations: Sequence[str]
    features: Sequence[str]


def parse(text: str | bytes, *, unique: bool = False) -> object:
    """Parse JSON as messages use it: finite numbers; an escaped lone surrogate is allowed.

    Args:
        text: bytes are UTF-8.
        unique: refuse an object that has a member twice; otherwise the last one wins.

    Raises:
        ProtocolError: the text is something else. The message quotes none of it.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode()
    except UnicodeDecodeError as error:
        raise ProtocolError(f"invalid UTF-8 at byte {error.start}") from None
    if not is_shallow(text, MAX_DEPTH):
        raise TooDeepError(f"JSON that nests deeper than {MAX_DEPTH}")
    try:
        value: object = (_UNIQUE_DECODER if unique else _DECODER).decode(text)
    except json.JSONDecodeError as error:
        where = f"{error.msg} at character {error.pos}" if error.doc.strip() else "it is empty"
        raise ProtocolError(f"not JSON: {where}") from None
    except ValueError as error:
        raise ProtocolError(f"not JSON: {error}") from None
    return value


def encode(message: Mapping[str, object]) -> bytes:
    """Encode a message as one ASCII line."""
    return spelled.encode(message).encode("ascii") + b"\n"


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("an object has a member twice")
    return members


_DECODER: Final = finite_decoder()
_UNIQUE_DECODER: Final = finite_decoder(_unique)
