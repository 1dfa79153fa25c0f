"""The border of the package: what its functions take of a Python program.

The functions of the contracts judge JSON. A program holds more: the pydantic models of an SDK, and
by mistake messages of another framework, generators, a whole response. What is JSON, or says that
it can be, is copied, so that a result shares nothing with what was given; anything else is refused
with its place and its class: what is dropped in silence is a message that no model reads.
"""

import math
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from types import NoneType, SimpleNamespace, UnionType
from typing import (
    Any,
    Final,
    Literal,
    TypeVar,
    Union,
    Unpack,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from commoncall import forms
from commoncall.json_text import MAX_DEPTH
from commoncall.places import Place

Test = Any
"""What an argument can be: a type, the words of a `Literal`, or a function that tells whether a
value is one.
"""

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
    """Put the border before a function: arguments that have a reader are read, and those by name
    that are a text, a boolean or one of some texts are checked.

    Raises, where the function is called:
        TypeError: an argument, or something in it, is nothing that JSON has, or of another type.
        ValueError: an argument is none of the texts that are known for it.
    """

    def behind(function: Function) -> Function:
        code = function.__code__
        names = code.co_varnames[: code.co_argcount]
        places = [(at, name, readers[name]) for at, name in enumerate(names) if name in readers]

        @wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            for name, hint in _checked(function).items():
                if name in kwargs and not fits(kwargs[name], hint):
                    (said,) = _said(hint)
                    if isinstance(said, type):
                        raise TypeError(f"{name} is {what(kwargs[name])}, and no {said.__name__}")
                    known = ", ".join(get_args(said))
                    raise ValueError(f"{name} is {word(kwargs[name])}; known are {known}")
            read: list[Any] = [*args]
            for at, name, reader in places:
                if at < len(read):
                    read[at] = reader(read[at], name)
            for name, value in kwargs.items():
                if name in readers:
                    kwargs[name] = readers[name](value, name)
            # What is given twice, or stands behind the last place, this says is wrong.
            return function(*read, **kwargs)

        return cast(Function, called)

    return behind


@cache
def _checked(function: Callable[..., object]) -> dict[str, Test]:
    """Return the type of each argument, or option, whose type says all of its form."""
    found: dict[str, Test] = {}
    for name, hint in get_type_hints(function).items():
        if get_origin(hint) is Unpack:
            found.update(_checked(get_args(hint)[0]))
            continue
        match _said(hint):
            case [one] if one in (str, bool) or get_origin(one) is Literal:
                found[name] = hint
    return found


def _said(hint: Any) -> list[Any]:
    """Return the types that a hint has beside None, and beside a text the known ones."""
    types = [one for one in _either(hint) or (hint,) if one is not NoneType]
    return [one for one in types if str not in types or get_origin(one) is not Literal]


def _either(hint: Any) -> tuple[Any, ...]:
    """Return the types of a union."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else ()


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
    """Return what a server sent as `plain` does, but with an object of a `NaN` for what is no JSON
    in it (TRN-078), and null below level 144: arguments begin at level 7, and stay deeper than 128.
    """
    return _copy(value, (place,), 0, MAX_DEPTH + 16)


def fits(value: object, test: Test) -> bool:
    """Tell whether a value is what an argument can be."""
    if _either(test):
        return any(fits(value, one) for one in _either(test))
    if isinstance(test, type):
        return isinstance(value, test)
    origin: Any = get_origin(test)
    if origin is Literal:
        return isinstance(value, str) and value in get_args(test)
    return bool(test(value))


def of_form(name: str, *members: str) -> Test:
    """Return a test for a value that has the form of a member of an input; see `forms.form_of`."""
    return lambda value: forms.fits(value, forms.form_of(name, *members))


def formed(form: Test, said: str) -> Reader:
    """Return `plain` for JSON of a form, or raise a `TypeError` that says what it is not."""

    def reader(value: Any, place: str) -> Any:
        read = plain(value, place)
        if not fits(read, form):
            raise TypeError(f"{place} is {what(value)}, and no {said}")
        return read

    return reader


_WORD = re.compile(r"[A-Za-z][\w./-]{0,39}")
_JSON: Final = (dict, list, tuple, str, int, float, type(None))
"""The types of what is JSON as it stands."""


def _copy(value: Any, place: Place, depth: int, deepest: int = MAX_DEPTH) -> Any:
    is_sent = deepest > MAX_DEPTH
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)  # the text of a member of an enumeration, too
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and (is_sent or math.isfinite(value)):
        return float(value)
    if depth > deepest:
        if is_sent:
            return None
        raise TypeError(f"{_dotted(place)} nests deeper than {MAX_DEPTH}, or holds itself")
    if isinstance(value, dict):
        for name in value:
            if not isinstance(name, str):
                said = f"has {what(name)} as a name, and names are texts"
                return _no_json(said, place, depth, deepest)
        return {
            str.__str__(name): _copy(one, (*place, name), depth + 1, deepest)
            for name, one in value.items()
        }
    if isinstance(value, list | tuple):
        return [_copy(one, (*place, at), depth + 1, deepest) for at, one in enumerate(value)]
    return _of_object(value, place, depth, deepest)


def _of_object(value: Any, place: Place, depth: int, deepest: int) -> Any:
    """Return JSON for an object that says that it can be some."""
    if (held := _held(value)) is not None:
        return _copy(held, place, depth, deepest)
    # Asked of the class: a mock has whatever it is asked for.
    if callable(getattr(type(value), "model_dump", None)):
        # What is no number would be null where JSON is asked for, and so another value.
        dumped = _dumped(value, "python" if deepest > MAX_DEPTH else "json")
        if dumped is not None:
            return _copy(dumped, place, depth, deepest)
        return _no_json(f"is {what(value)}, which cannot be dumped", place, depth, deepest)
    return _no_json(f"is {what(value)}, which is no JSON", place, depth, deepest)


def _held(value: Any) -> dict[str, Any] | None:
    """Return what a `SimpleNamespace` or a dataclass holds, but for what is null."""
    if type(value) is SimpleNamespace:
        held = vars(value)
    elif is_dataclass(value) and not isinstance(value, type):
        held = {each.name: getattr(value, each.name, None) for each in fields(value)}
    else:
        return None
    return {name: one for name, one in held.items() if one is not None}


def _no_json(said: str, place: Place, depth: int, deepest: int) -> object:
    """Return what stands for no JSON in what a server sent, or raise."""
    if deepest > MAX_DEPTH and depth:
        return {"": math.nan}
    raise TypeError(f"{_dotted(place)} {said}")


def _dumped(value: Any, mode: str) -> Any:
    """Return what a model holds, without what is null because nobody set it: a `content` that is
    null is told from one that is missing, and a default that is not null stays; None for nothing.
    """
    try:
        dumped = value.model_dump(mode=mode, warnings=False)
    except Exception:
        try:
            dumped = dict(value)  # a level of a model of pydantic, which dumps not all depths
        except Exception:
            return None
    if callable(getattr(type(dumped), "model_dump", None)):
        return None  # It dumps models for ever.
    given = getattr(value, "model_fields_set", ())
    if not isinstance(dumped, dict):
        return dumped
    return {name: one for name, one in dumped.items() if one is not None or name in given}


Refuse = Callable[[Any], None]
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
    """Return a chunk of Chat Completions; one without choices says nothing, as of usage.

    Raises:
        TypeError: it is no object, or what stands in a choice.
    """
    read = sent(value, place)
    if isinstance(read, dict):
        is_error = read.get("error") is not None or isinstance(read.get("message"), str)
        of_choices = map(read.get, ("delta", "message", "content", "tool_calls"))
        is_part = any(one is not None for one in of_choices)
        if "choices" in read or is_error or not is_part:
            return read
    raise TypeError(f"{place} is {what(value)}, and no chunk with choices")


def messages(value: Any, place: str, refuse: Refuse | None = None) -> list[dict[str, Any]]:
    """Return messages of Chat Completions; JSON that is none is judged where it goes (PAY-061).

    Raises:
        TypeError: it is no list, or an object in it is no JSON, or that of no message.
    """
    if not isinstance(value, list | tuple):
        raise TypeError(f"{place} is {what(value)}, and no list")
    read: list[Any] = [_copy(one, (place, at), 0) for at, one in enumerate(value)]
    if refuse and not all(map(_has_role, read)):
        refuse(read)
    for at, one in enumerate(read):
        if not isinstance(value[at], _JSON):
            _check_message(one, value[at], (place, at))
    return read


def reply(read: Any, value: Any, place: str) -> dict[str, Any]:
    """Return the message of a model in the form of `turn.receive`.

    Args:
        read: what `sent` made of it, which is taken apart here.
        value: such a message, or one of Chat Completions, perhaps the object of an SDK.
        place: what a message calls it.

    Raises:
        TypeError: it is neither, or has its calls under another name.
    """
    if not isinstance(read, dict) or "text" not in read or read.keys() & {"role", "content"}:
        _check_message(read, value, (place,))
        if read.pop("role") != "assistant":
            raise TypeError(f"{place} is of another role than assistant")
    text, calls = read.pop("content", None), read.pop("tool_calls", None) or None
    text = read.get("text") if text is None else text
    if calls is None and read.get("toolCalls"):
        raise TypeError(f"{place} has toolCalls, which Chat Completions calls tool_calls")
    match read:
        case {"audio": {"transcript": str(words)}} if text is None:
            text = words
    if not isinstance(read.get("refusal"), str):
        read.pop("refusal", None)
    read["truncated"] = read.get("truncated") == 1  # as true is
    # A part, or a call, that stands in the place of a list is the one element of it.
    text = text if isinstance(text, str | list | None) else [text]
    calls = calls if isinstance(calls, list | None) else [calls]
    return {**read, "text": text, "tool_calls": calls}


def _check_message(read: Any, given: object, place: Place) -> None:
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
        said = word(read.get("role"))
        raise TypeError(f"{_dotted(place)} has the role {said}; known are {known}")
    raise TypeError(f"{said} of Chat Completions")


def _has_role(read: object) -> bool:
    return isinstance(read, dict) and read.get("role") in ROLES


_WRITTEN: Final = ("messages", "request.messages", "received", "tool_call")
_NAMED: Final = {*_WRITTEN, "content", "tool_calls", "function", "calls", "planned", "dispatch"}
"""Where arguments and opaque values stand, and what there has members that a text may name: nothing
of the others (TRN-050).
"""


def _dotted(place: Place) -> str:
    text = str(place[0])
    for key in place[1:]:
        within = text.rpartition(".")[2].partition("[")[0]
        if text.startswith(_WRITTEN) and within not in _NAMED:
            return f"{text}[…]"
        text += f"[{key}]" if isinstance(key, int) else f".{key}"
    return text


def word(value: object) -> str:
    """Return a word as it is, for who has misspelt one, and what anything else is."""
    return repr(value) if isinstance(value, str) and _WORD.fullmatch(value) else what(value)


def what(value: object) -> str:
    """Return what a value is, for people: its type alone, unless it is a number that is none."""
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    name = type(value).__name__
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
