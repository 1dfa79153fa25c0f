"""The harness protocol as data: lines of JSON, and the shape of every message.

Both sides use this file. It starts no process and knows no case. The same shapes, for other
languages: ``schemas/v1/formats/harness.schema.json``.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from commoncall import spelled
from commoncall.json_text import equal, finite_decoder, is_shallow

PROTOCOL: Final = 1
MAX_LINE: Final = 16 * 1024 * 1024
"""The longest line, its line feed included, in bytes."""

MAX_DEPTH: Final = 256
"""The deepest nesting of a message. Arguments may nest 128 deep, and stand inside a result."""

ANSWERS: Final = ("result", "error", "skipped", "errored")


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


def declaration(message: object) -> Declaration:
    """Read the answer to ``start``.

    Raises:
        ProtocolError: a member is missing, unknown or of a wrong type.
    """
    members = _closed(message, "the answer to start", ["protocol", *Declaration.__slots__])
    if not equal(members["protocol"], PROTOCOL):
        raise ProtocolError(f"the adapter does not speak protocol {PROTOCOL}")
    return Declaration(
        _strings_by_name(members["implementation"]),
        _names(members["operations"], "operations"),
        _names(members["features"], "features"),
    )


def answer(message: object) -> dict[str, object]:
    """Read the answer to ``run`` and return its one member beside ``seq``.

    Raises:
        ProtocolError: its shape is wrong.
    """
    if not isinstance(message, dict):
        raise ProtocolError("the answer is no object")
    given = [name for name in ANSWERS if name in message]
    if len(given) != 1:
        raise ProtocolError(f"the answer has {len(given)} of {', '.join(ANSWERS)}; it needs one")
    kind = given[0]
    body = _closed(message, "the answer", ["seq", kind])[kind]
    if not isinstance(body, dict):
        raise ProtocolError(f"{kind} is no object")
    if kind == "error" and not isinstance(body.get("code"), str):
        raise ProtocolError("error has no code")
    if kind in ("skipped", "errored"):
        member = "reason" if kind == "skipped" else "message"
        if not isinstance(_closed(body, kind, [member])[member], str):
            raise ProtocolError(f"{member} is no string")
    return {kind: body}


def has_seq(message: object, seq: int) -> bool:
    """Tell whether a message answers this request."""
    return isinstance(message, dict) and equal(message.get("seq"), seq)


def _closed(message: object, what: str, names: Sequence[str]) -> dict[str, object]:
    if not isinstance(message, dict):
        raise ProtocolError(f"{what} is no object")
    for name in names:
        if name not in message:
            raise ProtocolError(f"{what} has no {name}")
    if len(message) > len(names):
        raise ProtocolError(f"{what} has members other than {', '.join(names)}")
    return message


def _strings_by_name(value: object) -> dict[str, str]:
    members = _closed(value, "implementation", ["name", "version", "language"])
    strings = {name: text for name, text in members.items() if isinstance(text, str) and text}
    if len(strings) < len(members):
        raise ProtocolError("implementation holds something else than non-empty strings")
    return strings


def _names(value: object, what: str) -> list[str]:
    if not isinstance(value, list):
        raise ProtocolError(f"{what} is no array")
    names = [name for name in value if isinstance(name, str)]
    if len(set(names)) < len(value):
        raise ProtocolError(f"{what} holds something twice, or something else than strings")
    return names


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("an object has a member twice")
    return members


_DECODER: Final = finite_decoder()
_UNIQUE_DECODER: Final = finite_decoder(_unique)
