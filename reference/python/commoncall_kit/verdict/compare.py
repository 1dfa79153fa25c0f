"""Equality of expected and given data, and the places where they differ.

Objects are closed, absent is not null, member order says nothing, arrays are ordered; single values
compare as ``json_text.equal`` says. This file decides no outcome and prints nothing.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from commoncall.json_text import equal
from commoncall.places import pointer

VALUE_CHARACTERS: Final = 160
"""How many characters of a value a report shows."""

KEPT_CHARACTERS: Final = 1000
"""So many characters of a message, a reason or a path of an adapter are kept for each case."""


@dataclass(frozen=True, slots=True)
class Missing:
    """The place holds nothing, which no JSON value says; ``said`` is how a report shows it."""

    said: str


ABSENT: Final = Missing("absent")


@dataclass(frozen=True, slots=True)
class Difference:
    """One place, a JSON Pointer into the answer, where expected and given data part."""

    path: str
    expected: object
    got: object


@dataclass(frozen=True, slots=True)
class Shown:
    """One difference, both sides as a line of ASCII."""

    path: str
    expected: str
    got: str


def outcomes(
    expected: Mapping[str, object],
    answer: Mapping[str, object],
    features: Collection[str],
    diagnostics: Collection[str],
) -> list[Difference]:
    """Compare an answer with what is expected, each ``{result}`` or ``{error}``.

    Args:
        expected: the outcome of a case, or of what a law derives from it.
        answer: what an adapter says.
        features: what the adapter declares.
        diagnostics: the diagnostic members of the operation's result. They count only for an
            adapter that declares the feature ``diagnostics``; otherwise neither side has them.
    """
    hidden = () if "diagnostics" in features else diagnostics
    return differences(without(expected, hidden), without(answer, hidden))


def without(outcome: object, hidden: Collection[str]) -> object:
    """Return an outcome whose result lacks some members."""
    match outcome:
        case {"result": dict(result), **rest}:
            kept = {name: value for name, value in result.items() if name not in hidden}
            return {**rest, "result": kept}
    return outcome


def differences(expected: object, got: object, path: str = "") -> list[Difference]:
    """List every place where two JSON values differ, each as deep as it can be had."""
    found: list[Difference] = []
    if equal(expected, got):  # as nearly all are: no place has to be written
        return found
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        for name in [*expected, *(name for name in got if name not in expected)]:
            sides = expected.get(name, ABSENT), got.get(name, ABSENT)
            found += differences(*sides, path + pointer((name,)))
    elif isinstance(expected, list) and isinstance(got, list):
        for index in range(max(len(expected), len(got))):
            found += differences(_at(expected, index), _at(got, index), f"{path}/{index}")
    else:
        found.append(Difference(path, expected, got))
    return found


def most_telling(found: Sequence[Difference]) -> Difference:
    """Choose the difference to show: the first where both sides hold a value, or else the first.

    Members stand in the order of the contract, what counts before what explains. What one side
    lacks often follows from a value before or behind it.
    """
    both = (each for each in found if Missing not in (type(each.expected), type(each.got)))
    return next(both, found[0])


def shown(difference: Difference) -> Shown:
    """Return a difference as reports show it, clipped so that the place of parting is seen.

    A string is shown as JSON, so that look-alikes, blanks and lone surrogates can be told apart.
    """
    expected, got = _text(difference.expected), _text(difference.got)
    start = 0
    if max(len(expected), len(got)) > VALUE_CHARACTERS:
        pairs = zip(expected, got, strict=False)
        shared = next((at for at, (a, b) in enumerate(pairs) if a != b), 0)
        start = max(0, shared - VALUE_CHARACTERS // 4)
    return Shown(clipped(difference.path), _clip(expected, start), _clip(got, start))


def _at(values: list[object], index: int) -> object:
    length = len(values)
    return values[index] if index < length else Missing(f"no element (the array has {length})")


def _text(value: object) -> str:
    return value.said if isinstance(value, Missing) else json.dumps(value)


def clipped(text: str) -> str:
    """Return a text, or its begin and how long it was."""
    if len(text) <= KEPT_CHARACTERS:
        return text
    return f"{text[:KEPT_CHARACTERS]}... ({len(text)} characters in all)"


def _clip(text: str, start: int) -> str:
    end = start + VALUE_CHARACTERS
    return ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")
