"""The hash of arguments: canonical text, preview, digest (EVT-007)."""

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NotRequired, TypedDict

import rfc8785

from commoncall.json_text import CodeError, JsonTextError, decode, too_deep

PREVIEW: Final = 200
"""How many code points of the canonical text the preview has."""


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a keyed hash: its id, which is shown, and its bytes, which never are."""

    id: str
    secret: bytes = field(repr=False)


class ArgumentsHash(TypedDict):
    """What may be known of arguments: digests, and how they were made."""

    args_preview_hash: str
    algorithm: Literal["sha256", "hmac-sha256"]
    key_id: NotRequired[str]


class ArgumentsError(CodeError):
    """The arguments have no hash: ``arguments_not_json`` or ``arguments_not_object``."""


def hash_arguments(
    arguments: object = None,
    *,
    arguments_json: str | None = None,
    key: Key | None = None,
) -> ArgumentsHash:
    """Hash the arguments of one call.

    Args:
        arguments: an object; None counts as an empty one (EVT-007). Not read beside a text.
        arguments_json: the JSON text of an object.
        key: makes the hashes HMAC-SHA-256 (EVT-007).

    Raises:
        ArgumentsError: EVT-003, EVT-004.
    """
    value = {} if arguments is None else arguments
    if arguments_json is not None:
        try:
            value = decode(arguments_json)
        except JsonTextError:
            raise ArgumentsError("arguments_not_json") from None
    if not isinstance(value, dict):
        raise ArgumentsError("arguments_not_object")
    text = canonical_text(value)
    result: ArgumentsHash = {
        "args_preview_hash": preview_hash(text, key),
        "algorithm": "sha256" if key is None else "hmac-sha256",
    }
    if key is not None:
        result["key_id"] = key.id
    return result


def canonical_text(value: dict[str, object]) -> str:
    """Return the canonical text of an object: RFC 8785, with each number as its nearest binary64.

    Raises:
        ArgumentsError: ``arguments_not_json``: a lone surrogate, no binary64, or deeper than 128.
    """
    if too_deep(value):
        raise ArgumentsError("arguments_not_json")
    try:
        return canonical(value)
    except (ValueError, OverflowError):  # of which some quote what they could not write
        raise ArgumentsError("arguments_not_json") from None


def canonical(value: object) -> str:
    """Return the RFC 8785 text of a JSON value; integers beyond 2^53 are rounded as it demands.

    Raises:
        ValueError, OverflowError: a lone surrogate, or no binary64. Their texts can quote it.
    """
    json_value: Any = value
    try:
        return rfc8785.dumps(json_value).decode()
    except rfc8785.IntegerDomainError:  # Rare: only such a value pays for a copy.
        return rfc8785.dumps(_with_doubles(value)).decode()


def _with_doubles(value: object) -> Any:
    if isinstance(value, dict):
        return {name: _with_doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_with_doubles(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def preview_hash(text: str, key: Key | None) -> str:
    """Return the digest of the first 200 code points of a canonical text (EVT-007)."""
    return _digest(text[:PREVIEW], key)


def _digest(text: str, key: Key | None) -> str:
    if key is None:
        return hashlib.sha256(text.encode()).hexdigest()
    return hmac.new(key.secret, text.encode(), hashlib.sha256).hexdigest()
