"""The ids of the calls of one history: each usable, each once (PAY-080, PAY-081)."""

from __future__ import annotations

from collections.abc import Sequence

from commoncall.payload.messages import is_usable_id


def unique_ids(given: Sequence[object]) -> list[str]:
    """Return an id for each call: its own where that is usable and comes first, else a fresh one.

    A fresh id is ``c`` and the call's position in eight digits, or the next number that is free.
    """
    kept: dict[str, int] = {}
    for number, identifier in enumerate(given):
        if is_usable_id(identifier):
            kept.setdefault(identifier, number)
    ids = {number: identifier for identifier, number in kept.items()}
    fresh = -1
    for number in range(len(given)):
        if number not in ids:
            # Every number from the position to the last one given is taken, so none is tried twice.
            fresh = max(number, fresh + 1)
            while f"c{fresh:08d}" in kept:
                fresh += 1
            ids[number] = f"c{fresh:08d}"
    return [ids[number] for number in range(len(given))]
