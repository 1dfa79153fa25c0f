"""Call values: which values of a payload are calls, and the code of each that is none."""

from typing import Any, NamedTuple

from tests.evidence.second_reading.characters import BLANKS, is_blank
from tests.evidence.second_reading.descriptors import Form
from tests.evidence.second_reading.json_values import (
    NoJson,
    Tree,
    elements,
    equal,
    nesting_depth,
    plain,
    read_json,
)

DEEPEST = 128
SENDABLE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"


class Found(NamedTuple):
    """A call without its id."""

    name: str
    arguments: dict[str, Any]
    arguments_json: str


class Refused(NamedTuple):
    """What is no call, with its code, and the name of a call that was meant (unreadable call)."""

    code: str
    name: str | None = None


class Rejected(Exception):
    """The value is no call."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


ONE = {"json_object": "{", "json_array": "["}
"""How the one value begins that a payload of these scanners must be (payload scanner)."""


def read_values(values: list[str], form: Form) -> list[Found | Refused]:
    """Return what the values of a payload are, in order, or the one thing that it is as a whole."""
    begin = ONE.get(form.scanner)
    if begin is not None and (len(values) != 1 or values[0][0] != begin):
        return [Refused("not_a_call")]  # EXT-075
    candidates: list[str] = []  # its objects and the elements of its arrays, in order (call value)
    for value in values:
        candidates += [value] if value[0] == "{" else elements(value)
    if not candidates:
        return [Refused("empty")]  # EXT-047
    return [read_value(candidate, form) for candidate in candidates]  # EXT-077


def sendable(name: str) -> bool:
    """Tell whether a name can be sent as it is (EXT-064)."""
    return 1 <= len(name) <= 64 and all(character in SENDABLE for character in name)


def read_value(text: str, form: Form) -> Found | Refused:
    """Return the call of a call value, or its first code by the order of EXT-078."""
    if text[0] != "{":
        return Refused("not_a_call")  # EXT-075
    if nesting_depth(text) > DEEPEST:
        return Refused("too_deep")  # EXT-076
    try:
        value = read_json(text)
    except NoJson:
        return Refused("invalid_json")
    assert form.payload is not None
    value = innermost(value, form.payload["nested"])
    if form.payload.get("keyed"):
        value = keyed(value)
    name = name_of(value, form.payload["names"])
    try:
        return call_of(value, name, form)
    except Rejected as rejected:
        return Refused(rejected.code, shown_name(name, form))


def call_of(value: Tree, name: Tree | None, form: Form) -> Found:
    """Return the call that an object is, by the order of EXT-078.

    Which members hold what, the descriptor says (payload scanner).
    """
    assert form.payload is not None
    holders = form.payload["arguments"]
    if form.has_exact_members and not value.value.keys() <= {*form.payload["names"], *holders}:
        raise Rejected("members_unknown")  # EXT-161
    if is_declaration(value):
        raise Rejected("declaration")  # EXT-073
    cleaned = checked_name(name, form)
    member = first_of(value, holders)  # arguments member
    if member is None:
        raise Rejected("arguments_missing")  # EXT-065
    both = [each for each in map(value.get, holders) if each is not None]
    if len(both) > 1 and not equal(*both):
        raise Rejected("ambiguous_arguments")  # EXT-067
    if form.takes_objects_alone and isinstance(member.value, str):
        raise Rejected("arguments_not_object")  # EXT-162
    return Found(cleaned, *read_arguments(member))


def innermost(value: Tree, nested: str | None) -> Tree:
    """Return the object that is the call value in the end (call value)."""
    inner = None if nested is None else value.get(nested)
    if value.get("name") is None and inner is not None and inner.is_object:
        return inner
    return value


def keyed(value: Tree) -> Tree:
    """Return what counts in the place of an object whose one member is named like the tool."""
    if len(value.value) != 1:
        return Tree({}, "{}")
    ((name, arguments),) = value.value.items()
    return Tree({"name": Tree(name, ""), "arguments": arguments}, value.text)


def name_of(value: Tree, names: list[str]) -> Tree | None:
    """Return the name of a call value, where a ``function`` that is no string is none (EXT-060)."""
    function = value.get("function")
    if function is not None and not isinstance(function.value, str):
        names = [member for member in names if member != "function"]
    return first_of(value, names)


def first_of(value: Tree, members: list[str]) -> Tree | None:
    """Return the first that an object has of some members."""
    for member in members:
        found = value.get(member)
        if found is not None:
            return found
    return None


def is_declaration(value: Tree) -> bool:
    """Declaration."""
    if value.get("arguments") is not None:
        return False
    if value.get("description") is not None:
        return True
    parameters = value.get("parameters")
    if parameters is None or not parameters.is_object:
        return False
    kind, properties = parameters.get("type"), parameters.get("properties")
    return (kind is not None and kind.value == "object") or (
        properties is not None and properties.is_object
    )


def checked_name(name: Tree | None, form: Form) -> str:
    """Return the cleaned name, which is not empty (EXT-062, EXT-063)."""
    if name is None or name.value is None:
        raise Rejected("name_missing")
    if not isinstance(name.value, str):
        raise Rejected("name_not_string")
    cleaned = cleaned_name(name.value, form)
    if not cleaned:
        raise Rejected("name_blank")
    return cleaned


def shown_name(name: Tree | None, form: Form) -> str | None:
    """Return the name of an unreadable call, if it has one (unreadable call)."""
    if name is None or not isinstance(name.value, str):
        return None
    return cleaned_name(name.value, form) or None


def cleaned_name(name: str, form: Form) -> str:
    """Cleaned name."""
    if form.takes_names_verbatim:
        return "" if is_blank(name) else name
    while True:
        shorter = without_token(name.strip("".join(map(chr, BLANKS))))
        if shorter == name:
            return name
        name = shorter


def without_token(name: str) -> str:
    """Return the name without a control token at its start, else without one at its end."""
    for end in range(5, len(name) + 1):
        if is_token(name[:end]):
            return name[end:]
    for start in range(len(name) - 4):
        if is_token(name[start:]):
            return name[:start]
    return name


def is_token(text: str) -> bool:
    """Tell whether a text is one control token (cleaned name)."""
    return (
        len(text) >= 5
        and text.startswith("<|")
        and text.endswith("|>")
        and not any(character in "<>|" for character in text[2:-2])
    )


def read_arguments(member: Tree) -> tuple[dict[str, Any], str]:
    """Return arguments and their text (EXT-068 to EXT-072)."""
    if member.value is None:
        return {}, "{}"
    if member.is_object:
        return plain(member), member.text
    if not isinstance(member.value, str):
        raise Rejected("arguments_not_object")
    if is_blank(member.value):
        raise Rejected("arguments_empty")
    if nesting_depth(member.value) > DEEPEST:
        raise Rejected("arguments_too_deep")
    try:
        decoded = read_json(member.value)
    except NoJson:
        raise Rejected("arguments_invalid_json") from None
    if not decoded.is_object:
        raise Rejected("arguments_not_object")
    return plain(decoded), member.value
