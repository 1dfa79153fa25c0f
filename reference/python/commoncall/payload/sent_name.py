"""The name of a tool as it goes on the wire (definition "sent name"). Nothing else."""

import hashlib
import re
from string import ascii_letters

from commoncall.call_object import is_sendable
from commoncall.payload.profile import NameStart

_OTHER = re.compile(r"[^A-Za-z0-9_-]")
_HEAD = 55
_DIGITS = 8
_PREFIX = "t_"


def sent_name(name: str, start: NameStart = "any") -> str:
    """Return the form of a tool's name that goes on the wire; a form that fits is kept.

    ``start`` is the flag `name_start`. Two names of one form share head and 32 bits of SHA-256.
    """
    sent = name if is_sendable(name) else _aliased(name)
    if start == "any" or sent[0] in ascii_letters:
        return sent
    # Made of the sendable form, so that a name that was stored in it meets its tool again.
    return f"{_PREFIX}{sent[: _HEAD - len(_PREFIX)]}_{_digits(sent)}"


def _aliased(name: str) -> str:
    return f"{_OTHER.sub('_', name[:_HEAD])}_{_digits(name)}"


def _digits(name: str) -> str:
    # A lone surrogate has no UTF-8; it counts as its three bytes, so that every name has a form.
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
