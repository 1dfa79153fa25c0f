"""The forms of inputs, as the schemas have them, and what keeps a value from one.

``forms.json`` is made from ``schemas/v1``, without what is for people. The functions here read the
keywords that stand in it, as JSON Schema says; each trouble is told in words, for `diagnosis`.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeGuard

from commoncall.json_text import equal
from commoncall.near import others_than
from commoncall.packaged import read_json
from commoncall.places import Place, dotted

Form = Any
"""A schema of `forms.json`: an object, or a boolean."""


class Trouble(NamedTuple):
    """A place, and what is wrong with it."""

    place: Place
    what: str


def is_whole(value: object) -> bool:
    """Tell whether a value is a number without a fraction; ``1.0`` is one, ``true`` is none."""
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a number; ``true`` is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: Final[Mapping[str, tuple[str, Callable[[object], bool]]]] = {
    "object": ("an object", lambda value: isinstance(value, Mapping)),
    "array": ("an array", lambda value: isinstance(value, list)),
    "string": ("a string", lambda value: isinstance(value, str)),
    "integer": ("a whole number", is_whole),
    "number": ("a number", is_number),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "null": ("null", lambda value: value is None),
}
_FEW: Final = 10
"""So many known texts are listed; of more only those that come near."""


_FORMS: Final[Mapping[str, Form]] = read_json("forms.json")


def form_of(name: str, *members: str) -> Form:
    """Return the form of the input of an operation, or of a member of it.

    Args:
        name: as ``turn.receive``; ``event.record_calls#key`` is another definition of that schema.
        members: leads to a member, from the input down.
    """
    form = _FORMS[name]
    for member in members:
        form = form["properties"][member]
    return form


def fits(value: object, form: Form) -> bool:
    """Tell whether a value has a form."""
    return next(troubles(value, form), None) is None


def troubles(value: Any, form: Form, place: Place = ()) -> Iterator[Trouble]:
    """Give all that keeps a value from having a form, from the outside inwards."""
    if isinstance(form, bool):
        if not form:
            yield Trouble(place, "is no known member")
        return
    if "$ref" in form:
        yield from troubles(value, form_of(form["$ref"]), place)
    if "type" in form:
        kinds = form["type"] if isinstance(form["type"], list) else [form["type"]]
        if not any(_TYPES[kind][1](value) for kind in kinds):
            yield Trouble(place, f"must be {' or '.join(_TYPES[kind][0] for kind in kinds)}")
            return
    if "enum" in form and not any(equal(value, one) for one in form["enum"]):
        yield Trouble(place, _none_of(value, form["enum"]))
    if "const" in form and not equal(value, form["const"]):
        yield Trouble(place, f"must be {json.dumps(form['const'])}")
    if isinstance(value, Mapping):
        yield from _of_object(value, form, place)
    elif isinstance(value, list):
        yield from _of_array(value, form, place)
    else:
        yield from _of_atom(value, form, place)
    yield from _of_others(value, form, place)


def _none_of(value: object, known: list[Any]) -> str:
    if len(known) <= _FEW:
        return f"must be one of {', '.join(map(json.dumps, known))}"
    near = others_than(value, known)
    return f"is none of the {len(known)} known" + (f"; {near}" if near[:4] == "near" else "")


def _of_object(value: Mapping[str, Any], form: Any, place: Place) -> Iterator[Trouble]:
    for name in form.get("required", ()):
        if name not in value:
            yield Trouble((*place, name), "is missing")
    properties, others = form.get("properties", {}), form.get("additionalProperties", True)
    names = form.get("propertyNames", {})
    wrong = "is no known member" if "enum" in names else "must not stand here"
    for name, item in value.items():
        yield from troubles(item, properties.get(name, others), (*place, name))
        if not fits(name, names):
            yield Trouble((*place, name), wrong)


def _of_array(value: list[Any], form: Any, place: Place) -> Iterator[Trouble]:
    if "items" in form:
        for at, item in enumerate(value):
            yield from troubles(item, form["items"], (*place, at))
    if "contains" in form and not any(fits(item, form["contains"]) for item in value):
        yield Trouble(place, "lacks an element")
    if form.get("uniqueItems") and len({json.dumps(item) for item in value}) < len(value):
        yield Trouble(place, "must not hold a value twice")


def _of_atom(value: Any, form: Any, place: Place) -> Iterator[Trouble]:
    if isinstance(value, str):
        if len(value) < form.get("minLength", 0):
            yield Trouble(place, "must not be empty")
        if "pattern" in form and re.search(form["pattern"], value) is None:
            yield Trouble(place, f"must be what the schema says: {form.get('description')}")
    elif is_number(value) and value < form.get("minimum", value):
        yield Trouble(place, f"must be at least {form['minimum']}")
    elif is_number(value) and value > form.get("maximum", value):
        yield Trouble(place, f"must be at most {form['maximum']}")


def _of_others(value: Any, form: Any, place: Place) -> Iterator[Trouble]:
    """Give what forms of the same value are against: that is what holds them together here."""
    for part in form.get("allOf", ()):
        yield from troubles(value, part, place)
    if "if" in form and fits(value, form["if"]):
        yield from troubles(value, form["then"], place)
    if "not" in form and fits(value, form["not"]):
        yield Trouble(place, _together(value, form["not"]))
    ways = form.get("oneOf") or form.get("anyOf")
    if ways:
        against = [[*troubles(value, way, place)] for way in ways]
        fitting = [way for way, found in zip(ways, against, strict=True) if not found]
        if not fitting:
            yield from _of_nearest(against, place)
        elif "oneOf" in form and len(fitting) > 1:
            yield Trouble(place, _together(value, {"allOf": fitting}))


def _together(value: object, form: Any) -> str:
    """Say what must not be, where a value has a form that it must not have."""
    fitting = [one for one in form.get("anyOf", ()) if fits(value, one)]
    if fitting:
        return _together(value, fitting[0])
    parts = form.get("allOf", [form])
    members = [name for part in parts for name in part.get("required", ())]
    elements = [part["contains"]["const"] for part in parts if "contains" in part]
    if not members and not elements:
        return "must be another one"
    at_once = " at once" if len(members + elements) > 1 else ""
    verb = "have" if members else "list"
    return f"must not {verb} {' and '.join(members or elements)}{at_once}"


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
