"""The values of a JSON payload, read as calls or refused with a code (definitions "call value",
"call payload").

Nothing is invented here: the name and the text of the arguments come out of the source.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypedDict

from commoncall.call_object import Judged, RefusedError, clean_name, decoded, is_sendable, judge
from commoncall.extraction.dialects import Dialect, HeldCalls
from commoncall.extraction.payload_scanner import PayloadScanner, repaired
from commoncall.json_object import read_payload
from commoncall.json_text import JsonTextError, decode, holds_surrogate


class Call(TypedDict):
    """A tool call (definition "call"). Its id is empty until its block is known to be one."""

    id: str
    name: str
    arguments: dict[str, object]
    arguments_json: str


class Unreadable(TypedDict):
    """A call that was meant and could not be read, behind the ``before`` calls before it."""

    before: int
    name: str | None
    error_type: Literal["tool_payload_too_large", "tool_payload_parse_error"]


class Refused(NamedTuple):
    """What is no call, by a code of the definition "rejection"; its name where that was read."""

    code: str
    name: str | None = None


class Noted(NamedTuple):
    """A code of a block that refuses no call value: it is empty, or a name is not sendable."""

    code: str


Found = Call | Refused | Noted
"""What a payload holds, in order."""


def read_payload_calls(
    scanner: PayloadScanner, dialect: Dialect, name: str, payload: str
) -> list[Found]:
    """Return the calls of a payload, whose opener holds a name or "", and the codes of what is none
    (EXT-047, EXT-077, EXT-116).
    """
    if dialect.scanner == "json_arguments":
        return read_named_payload(scanner, name, payload)
    taken = {"json_object": "{", "json_array": "[" * len(scanner.sequence)}
    sequence = "".join(scanner.sequence)
    if taken.get(dialect.scanner, sequence) != sequence:
        return [Refused("not_a_call")]
    found: list[Found] = []
    for value in scanner.values:
        if value is None:
            found.append(Refused("not_a_call"))
        else:
            found += _read_value(repaired(payload, *value, scanner.edits), dialect)
    return found or [Noted("empty")]


def _read_value(source: str, dialect: Dialect) -> list[Found]:
    """Read a text that is an object: a call, or all those that stand in a member of it."""
    held = _held_calls(source, dialect.calls) if dialect.calls else None
    if not dialect.calls or not held:
        return with_note(read_call(source, dialect))
    found = list[Found]()
    for members in read_payload(held):
        call = call_of(judge(held, members, dialect.calls.form)) if members is not None else None
        found += with_note(call or Refused("not_a_call"))
    return found


def _held_calls(source: str, calls: HeldCalls) -> str:
    """Return the text of the array or of the one call in a member, where the object says nothing
    else.
    """
    try:
        (members,) = read_payload(source)
    except JsonTextError:
        return ""
    assert members is not None
    one = members.get(calls.one)
    is_one = one is not None and isinstance(one.value, dict)
    held = members.pop(calls.one if is_one else calls.array, None)
    is_all = all(other.value in (None, "", "assistant") for other in members.values())
    is_held = is_one or (held is not None and isinstance(held.value, list) and bool(held.value))
    return source[held.start : held.end] if held and is_held and is_all else ""


def read_named_payload(scanner: PayloadScanner, name: str, payload: str) -> list[Found]:
    """Return the call of a payload that is its arguments, or its refusal (EXT-077, EXT-116)."""
    value = scanner.values[0] if scanner.sequence in (["{"], ['"']) else None
    arguments = repaired(payload, *value, scanner.edits) if value else "null"
    return with_note(read_arguments(name, arguments))


def read_call(source: str, dialect: Dialect) -> Call | Refused:
    """Read a text that is an object (EXT-077)."""
    try:
        (members,) = read_payload(source)
    except JsonTextError as error:
        return _refused(error)
    assert members is not None
    return call_of(judge(source, members, dialect.form))


def call_of(judged: Judged) -> Call | Refused:
    """Return the call that an object was judged to be, or its refusal."""
    if judged.code is not None:
        return Refused(judged.code, judged.name)
    assert judged.name is not None
    assert judged.arguments is not None
    return new_call(judged.name, *judged.arguments)


def new_call(name: str, arguments: object, text: str) -> Call:
    """Return a call without an id, of arguments that are an object, and their text."""
    assert isinstance(arguments, dict)
    return {"id": "", "name": name, "arguments": arguments, "arguments_json": text}


def read_arguments(name: str, text: str) -> Call | Refused:
    """Read the JSON of the arguments of a call whose name stands elsewhere (EXT-077, EXT-116)."""
    try:
        arguments = decode(text)
    except JsonTextError as error:
        return _refused(error)
    named = name_of(name)
    if isinstance(named, Refused):
        return named
    if isinstance(arguments, str):
        try:
            return new_call(named, *decoded(arguments))
        except RefusedError as refused:
            return Refused(refused.code, named)
    if not isinstance(arguments, dict):
        return Refused("arguments_not_object", named)
    return new_call(named, arguments, text)


def _refused(error: JsonTextError) -> Refused:
    """Return the refusal of a call value that is no JSON text (EXT-077)."""
    return Refused("too_deep" if error.code == "arguments_too_deep" else "invalid_json")


def name_of(written: str, texts: Iterable[str] = ()) -> str | Refused:
    """Return the name of a call that stands outside JSON, as do the texts (EXT-077)."""
    if any(map(holds_surrogate, (written, *texts))):
        return Refused("invalid_json")
    try:
        return clean_name(written)
    except RefusedError as refused:
        return Refused(refused.code)


def with_note(found: Call | Refused) -> list[Found]:
    """Return a call, and the code for a name that no provider takes as it is (EXT-064)."""
    if isinstance(found, Refused) or is_sendable(found["name"]):
        return [found]
    return [found, Noted("name_not_sendable")]
