"""The border of the package: what its functions take of a Python program.

The functions of the contracts judge JSON. A program holds more: the pydantic models of an SDK, and
by mistake messages of another framework, generators, a whole response. What is JSON, or says that
it can be, is copied, so that a result shares nothing with what was given; anything else is refused
with its place and its class: what is dropped in silence is a message that no model reads.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from functools import cache, wraps
from typing import Any, Final, Literal, TypeVar, Unpack, cast, get_args, get_origin, get_type_hints

from commoncall.json_text import MAX_DEPTH

Function = TypeVar("Function", bound=Callable[..., Any])

Reader = Callable[[Any, str], Any]
"""Returns what a function is given for an argument and its place, or raises a `TypeError`."""

ROLES: Final = ("system", "developer", "user", "assistant", "tool")
"""Those of the messages that every contract knows."""

_RESPONSES: Final = {
    "choices": "pass response.choices[0].message",
    "finish_reason": "pass choice.message",
}
"""A member that no message has, and what was meant to be passed."""

_KEPT_APART: Final = "additional_kwargs"
"""Where messages of LangChain hold their calls, whatever role they say that they have."""


def public(**readers: Reader) -> Callable[[Function], Function]:
    """Put the border before a function: named arguments are read, literals by name are checked.

    Raises, where the function is called:
        TypeError: an argument, or something in it, is nothing that JSON has.
        ValueError: an argument is none of the texts that are known for it.
    """

    def behind(function: Function) -> Function:
        code = function.__code__
        names = code.co_varnames[: code.co_argcount]
        places = [(at, name, readers[name]) for at, name in enumerate(names) if name in readers]

        @wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            for name, known in literals(function).items() if kwargs else ():
                if name in kwargs and kwargs[name] not in known:
                    raise ValueError(f"{name} is {kwargs[name]!r}; known are {', '.join(known)}")
            read: list[Any] = [*args]
            for at, name, reader in places:
                if at < len(read):
                    read[at] = reader(read[at], name)
            if not kwargs:
                return function(*read)
            for name, value in kwargs.items():
                if name in readers:
                    kwargs[name] = readers[name](value, name)
            # What is given twice, or stands behind the last place, this says is wrong.
            return function(*read, **kwargs)

        return cast(Function, called)

    return behind


@cache
def literals(function: Callable[..., object]) -> dict[str, tuple[str, ...]]:
    """Return the texts that are known for each argument, or option, that is one of some."""
    found = {}
    for name, hint in get_type_hints(function).items():
        if get_origin(hint) is Unpack:
            found.update(literals(get_args(hint)[0]))
        elif get_origin(hint) is Literal:
            found[name] = get_args(hint)
    return found


def plain(value: Any, place: str) -> Any:
    """Return JSON with the same meaning, which shares nothing with what is given.

    Args:
        value: dicts, lists, tuples, texts, numbers, booleans and None, and pydantic models (v2).
        place: what a message calls it.

    Raises:
        TypeError: something in it is nothing of these, a number is not finite, or it nests deeper
            than 128, as what holds itself does.
    """
    return _copy(value, (place,), 0)


def sent(value: Any, place: str) -> Any:
    """Return what a server sent as `plain` does, but whatever numbers it holds, and with null for
    what nests so deep that the arguments around it, from the eighth level on, are too deep.
    """
    return _copy(value, (place,), 0, MAX_DEPTH + 16)


_Place = tuple[Any, ...]
"""A place in a place, as ``(outer, key)``: made for each container, and written for one value."""

_ATOMS: Final = frozenset((str, int, bool, type(None)))
"""The types of what a copy shares, and most values are of: none of them costs a call."""


def _copy(value: Any, place: _Place, depth: int, deepest: int = MAX_DEPTH) -> Any:
    kind = type(value)
    if kind is dict and depth <= deepest:
        copied = value.copy()  # which is faster than to make it member by member
        for name, one in value.items():
            if type(name) is not str:
                named = {_name(each, place): value[each] for each in value}
                return _copy(named, place, depth, deepest)
            if type(one) not in _ATOMS:
                copied[name] = _copy(one, (place, name), depth + 1, deepest)
        return copied
    if kind is list and depth <= deepest:
        copied = value.copy()
        for at, one in enumerate(value):
            if type(one) not in _ATOMS:
                copied[at] = _copy(one, (place, at), depth + 1, deepest)
        return copied
    return value if kind in _ATOMS else _other(value, place, depth, deepest)


def _other(value: Any, place: _Place, depth: int, deepest: int) -> Any:
    """Return JSON for what is of no type of its own there."""
    if isinstance(value, str):
        return str.__str__(value)  # the text of a member of an enumeration, too
    if isinstance(value, int):
        return int(value)
    is_sent = deepest > MAX_DEPTH
    if isinstance(value, float) and (is_sent or math.isfinite(value)):
        return float(value)
    if depth > deepest:
        if is_sent:
            return None
        raise TypeError(f"{_dotted(place)} nests deeper than {MAX_DEPTH}, or holds itself")
    if isinstance(value, dict):
        return _copy({**value}, place, depth, deepest)
    if isinstance(value, list | tuple):
        return _copy([*value], place, depth, deepest)
    # Asked of the class: a mock has whatever it is asked for.
    if callable(getattr(type(value), "model_dump", None)):
        if is_sent:
            with suppress(TypeError):  # What is no number is null where JSON is asked for.
                return _copy(_dumped(value, place, "python"), place, depth, deepest)
        return _copy(_dumped(value, place, "json"), place, depth, deepest)
    raise TypeError(f"{_dotted(place)} is {what(value)}, which is no JSON")


def _dumped(value: Any, place: _Place, mode: str) -> Any:
    """Return what a model holds, without what is null because nobody set it: a `content` that is
    null is told from one that is missing, and a default that is not null stays.
    """
    try:
        dumped = value.model_dump(mode=mode, warnings=False)
    except Exception as error:
        try:
            dumped = dict(value)  # a level of a model of pydantic, which dumps not all depths
        except Exception:
            said = f"{_dotted(place)} is {what(value)}, which cannot be dumped"
            raise TypeError(said) from error
    given = getattr(value, "model_fields_set", ())
    if not isinstance(dumped, dict):
        return dumped
    return {name: one for name, one in dumped.items() if one is not None or name in given}


Refuse = Callable[[list[Any]], None]
"""Raises what is more to the point than a `TypeError` about messages, if it can."""


def names(value: Any, place: str) -> list[str]:
    """Return texts of a list.

    Raises:
        TypeError: it is no list, or something in it is no text.
    """
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise TypeError(f"{place} is {what(value)}, and no list of names")
    return list(value)


def chunk(value: Any, place: str) -> dict[str, Any]:
    """Return a chunk of Chat Completions.

    Raises:
        TypeError: it is none, as a delta alone is, or a chunk of another interface.
    """
    read = sent(value, place)
    if isinstance(read, dict) and ("choices" in read or read.get("error") is not None):
        return read
    raise TypeError(f"{place} is {what(value)}, and no chunk with choices")


def messages(value: Any, place: str, refuse: Refuse | None = None) -> list[dict[str, Any]]:
    """Return messages of Chat Completions.

    Raises:
        TypeError: it is no list of objects with one of the five roles.
    """
    if not isinstance(value, list | tuple):
        raise TypeError(f"{place} is {what(value)}, and no list")
    read: list[Any] = [_copy(one, ((place,), at), 0) for at, one in enumerate(value)]
    have_roles = all(map(_has_role, read))
    if refuse and not have_roles:
        refuse(read)
    if not have_roles or {*map(type, value)} != {dict}:  # mostly both are right
        for at, one in enumerate(read):
            _check_message(one, value[at], ((place,), at))
    return read


def reply(value: Any, place: str) -> dict[str, Any]:
    """Return the message of a model in the form of `turn.receive`.

    Args:
        value: such a message, or one of Chat Completions, perhaps the object of an SDK.
        place: what a message calls it.

    Raises:
        TypeError: it is neither.
    """
    read = sent(value, place)
    if isinstance(read, dict) and "text" in read and not read.keys() & {"role", "content"}:
        return {"tool_calls": None, **read}
    _check_message(read, value, (place,))
    text, calls = read.pop("content", None), read.pop("tool_calls", None) or None
    if read.pop("role") != "assistant":
        raise TypeError(f"{place} is of another role than assistant")
    if not isinstance(read.get("refusal"), str):
        read.pop("refusal", None)
    # A part, or a call, that stands in the place of a list is the one element of it.
    text = text if isinstance(text, str | list | None) else [text]
    calls = calls if isinstance(calls, list | None) else [calls]
    return {**read, "text": text, "tool_calls": calls}


def _check_message(read: Any, given: object, place: _Place) -> None:
    if _has_role(read) and (isinstance(given, dict) or _KEPT_APART not in read):
        return
    said = f"{_dotted(place)} is {what(given)}, and no message"
    if not isinstance(read, dict):
        raise TypeError(said)
    for member, hint in _RESPONSES.items():
        if member in read:
            raise TypeError(f"{said}: {hint}")
    if isinstance(given, dict):
        known = ", ".join(ROLES)
        raise TypeError(f"{_dotted(place)} has the role {read.get('role')!r}; known are {known}")
    raise TypeError(f"{said} of Chat Completions")


def _has_role(read: object) -> bool:
    return isinstance(read, dict) and read.get("role") in ROLES


def _name(name: object, place: _Place) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{_dotted(place)} has {what(name)} as a name, and names are texts")
    return str.__str__(name)


def _dotted(place: _Place) -> str:
    if len(place) == 1:
        return str(place[0])
    outer, key = place
    around = _dotted(outer)
    if around.endswith((".arguments", "[…]")):  # no text names a member of arguments
        return around.removesuffix("[…]") + "[…]"
    return f"{around}[{key}]" if isinstance(key, int) else f"{around}.{key}"


def what(value: object) -> str:
    """Return what a value is, for people; of a text or a number only that it is one."""
    if isinstance(value, float):
        return repr(value)
    name = type(value).__name__
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
