"""The name of a tool as it goes on the wire (definition "sent name"). Nothing else."""

from __future__ import annotations

import hashlib
import re

_SENDABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_OTHER = re.compile(r"[^A-Za-z0-9_-]")
_HEAD = 55
_DIGITS = 8


def sent_name(name: str) -> str:
    """Return the form of a tool's name that every provider takes; a form that fits is kept.

    Two names of one sent form need the same head and the same 32 bits of SHA-256.
    """
    if _SENDABLE.fullmatch(name):
        return name
    # A lone surrogate has no UTF-8; it counts as its three bytes, so that every name has a form.
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{_OTHER.sub('_', name[:_HEAD])}_{digest[:_DIGITS]}"
