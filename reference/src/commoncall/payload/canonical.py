"""JSON in the one form of RFC 8785, with every number as a binary64."""

from __future__ import annotations

from typing import Any

import rfc8785


def canonical(value: object) -> str:
    """Return the RFC 8785 text of a JSON value; integers beyond 2^53 are rounded as it demands.

    The value has no lone surrogate and no number beyond binary64: arguments that were checked.
    """
    return rfc8785.dumps(_with_doubles(value)).decode()


def _with_doubles(value: object) -> Any:
    if isinstance(value, dict):
        return {name: _with_doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_with_doubles(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
