"""The ids of the calls of one history: each in form, and each once.

Holds PAY-077 of spec/v1/payload.md.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from commoncall.call_object import SENDABLE
from commoncall.payload.messages import is_visible
from commoncall.payload.profile import Ids

_FORMS: Final[Mapping[Ids, re.Pattern[str]]] = {
    "word_64": re.compile(SENDABLE),
    "word_40": re.compile("[A-Za-z0-9_-]{1,40}"),
    "alphanumeric_9": re.compile("[A-Za-z0-9]{9}"),
}


def sent_ids(given: Iterable[Iterable[object]], ids: Ids) -> list[str]:
    """Return the id of each call: its own where that may stay, else a fresh one.

    ``given`` are the ids of the calls of each message. A fresh id is ``c`` and the call's position
    among all calls in eight digits, or the next number that is free; it has every form.
    """
    own, taken = _own_ids(given, ids)
    fresh = -1
    sent = []
    for number, identifier in enumerate(own):
        if identifier is None:
            # Every number from the position to the last one given is taken: none is tried twice.
            fresh = max(number, fresh + 1)
            while f"c{fresh:08d}" in taken:
                fresh += 1
            identifier = f"c{fresh:08d}"
        sent.append(identifier)
    return sent


def has_form(identifier: str, ids: Ids) -> bool:
    """Tell whether an id with a visible character has the form that a flag wants."""
    form = _FORMS.get(ids)
    return form is None or form.fullmatch(identifier) is not None


def _own_ids(given: Iterable[Iterable[object]], ids: Ids) -> tuple[list[str | None], set[str]]:
    """Return for each call its own id, if that may stay, and all ids that stay."""
    taken: set[str] = set()
    own: list[str | None] = []
    for of_message in given:
        # Verbatim, an id may come again, but not within one message (PAY-077).
        before = set() if ids == "verbatim" else taken
        for identifier in of_message:
            if is_visible(identifier) and has_form(identifier, ids) and identifier not in before:
                before.add(identifier)
                taken.add(identifier)
                own.append(identifier)
            else:
                own.append(None)
    return own, taken
