"""What is wrong with an input that an operation answers with ``invalid_input``, for people.

The contract has the code and no more, so that every port says the same. This looks at the forms
that judged the input, and at nothing else: it cannot name a member that they take. It quotes no
value.
"""

import json
import re
from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, Final, Literal, NamedTuple, get_args, get_origin

from commoncall.envelope import Env, Form, Members, Test, fits
from commoncall.json_text import MAX_DEPTH, too_deep
from commoncall.operations import OPERATIONS
from commoncall.places import Place

_WORDS: Final[Mapping[Test, str]] = {
    str: "a string",
    bool: "true or false",
    list: "an array",
    dict: "an object",
    NoneType: "null",
}
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_LONGEST: Final = 40
"""A name of a member is cut behind so many characters."""


class Trouble(NamedTuple):
    """A place, and what is wrong with it."""

    place: Place
    what: str


def diagnose(operation: str, given: object) -> str | None:
    """Say in one line why an operation refuses an input as ``invalid_input``.

    Args:
        operation: its name, such as ``turn.prepare``.
        given: its input, any JSON.

    Returns:
        The first place that is wrong and what is expected there, as in ``messages[3].role must be a
        string``; None where the form of the input is right. Names of members are quoted, and no
        value.

    Raises:
        KeyError: there is no such operation.
    """
    asked = OPERATIONS[operation]
    if too_deep(asked.shallow(given)):
        return f"the input nests deeper than {MAX_DEPTH}"
    for trouble in _troubles(given, asked.is_input, ()):
        return f"{dotted(trouble.place)} {trouble.what}"
    if asked.invalid:  # it refuses more than the form says, with an error that names it
        try:
            asked.run(given, Env())
        except asked.invalid as error:
            return str(error)
    return None


def dotted(place: Place) -> str:
    """Return a place for people, as in ``messages[3].role``."""
    parts = (f"[{part}]" if isinstance(part, int) else _named(part) for part in place)
    return "".join(parts).removeprefix(".") or "the input"


def _named(name: str) -> str:
    if _PLAIN.match(name) and len(name) <= _LONGEST:
        return f".{name}"
    cut = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
    return f"[{json.dumps(cut)}]"


def _troubles(value: Any, test: Test, place: Place) -> Iterator[Trouble]:
    """Give all that keeps a value from having a form, from the outside inwards."""
    if fits(value, test):
        return
    match test:
        case Members():
            yield from _of_object(value, test, place)
        case Form(how="array_of", of=inner):
            if not isinstance(value, list):
                yield Trouble(place, "must be an array")
                return
            for at, item in enumerate(value):
                yield from _troubles(item, inner, (*place, at))
        case Form(how="any_of", of=tests):
            yield from _of_nearest([[*_troubles(value, one, place)] for one in tests], place)
        case Form(how="all_of", of=tests):
            yield from _troubles(value, next(one for one in tests if not fits(value, one)), place)
        case Form(how="apart", of=(inner, members)):
            yield from _troubles(value, inner, place)
            if fits(value, inner):
                yield Trouble(place, f"must not have {' and '.join(members)} at once")
        case Form(how="seen", of=(view, inner)):
            yield from _troubles(view(value), inner, place)
        case _:
            yield from _of_said(value, test, place)


def _of_object(value: Any, form: Members, place: Place) -> Iterator[Trouble]:
    if not isinstance(value, Mapping):
        yield Trouble(place, "must be an object")
        return
    for name in form.required:
        if name not in value:
            yield Trouble((*place, name), "is missing")
    for name, item in value.items():
        if name in form.tests:
            yield from _troubles(item, form.tests[name], (*place, name))
        elif not form.open:
            yield Trouble((*place, name), "is no known member")


def _of_nearest(ways: list[list[Trouble]], place: Place) -> Iterator[Trouble]:
    """Give what keeps a value from the nearest of the forms that it may have.

    Of forms that are equally near only a place counts that is wrong in each of them.
    """
    least = min(map(len, ways))
    nearest = [way for way in ways if len(way) == least]
    if len(nearest) == 1:
        yield from nearest[0]
        return
    common = [at for at, _ in nearest[0] if all(at in dict(way) for way in nearest[1:])]
    for at in common:
        whats = dict.fromkeys(dict(way)[at] for way in nearest)
        yield Trouble(at, " or ".join(whats))
    if not common:
        firsts = dict.fromkeys(f"{dotted(at)} {what}" for (at, what), *_ in nearest)
        yield Trouble(place, f"has none of its forms: {', or '.join(firsts)}")


def _of_said(value: Any, test: Test, place: Place) -> Iterator[Trouble]:
    """Give what a test says that is no form: a type, words to choose from, or a marked function."""
    origin: Any = get_origin(test)
    if isinstance(test, UnionType):
        kinds = get_args(test)
        yield Trouble(place, f"must be {' or '.join(_WORDS[kind] for kind in kinds)}")
    elif isinstance(test, type):
        yield Trouble(place, f"must be {_WORDS[test]}")
    elif origin is Literal:
        yield Trouble(place, f"must be one of {', '.join(map(json.dumps, get_args(test)))}")
    elif isinstance(said := vars(test)["said"], str):
        yield Trouble(place, f"must {said}")
    else:
        yield from _troubles(value, said, place)
