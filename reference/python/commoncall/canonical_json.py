"""JSON in the one form of RFC 8785, with every number as a binary64. Shared ground of contracts.

`rfc8785` writes the text; it refuses integers beyond 2^53, which RFC 8785 wants rounded.
"""

from __future__ import annotations

from typing import Any

import rfc8785


def canonical(value: object) -> str:
    """Return the RFC 8785 text of a JSON value; integers beyond 2^53 are rounded as it demands.

    Raises:
        ValueError, OverflowError: a lone surrogate, or a number beyond binary64. The message can
            quote the value: do not show it.
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
