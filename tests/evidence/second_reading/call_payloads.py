"""Call payloads: the one call of a payload of arguments or of parameters, or the code of it."""

from typing import Any

from tests.evidence.second_reading.call_values import (
    DEEPEST,
    Found,
    Refused,
    Rejected,
    checked_name,
    shown_name,
)
from tests.evidence.second_reading.characters import BLANKS
from tests.evidence.second_reading.descriptors import Form
from tests.evidence.second_reading.json_values import (
    NoJson,
    Tree,
    is_half_a_pair,
    nesting_depth,
    plain,
    read_json,
)
from tests.evidence.second_reading.markers import Marker
from tests.evidence.second_reading.messages import name_of
from tests.evidence.second_reading.parameters import Parameters
from tests.evidence.second_reading.payload import SHORT_ESCAPES
from tests.evidence.second_reading.typed import declared_types, typed
from tests.evidence.second_reading.unbalanced import is_unbalanced

ESCAPES = {**SHORT_ESCAPES, '"': '\\"', "\\": "\\\\"}


def read_call_payload(
    opener: Marker, payload: list[str] | Parameters, tools: list[Any]
) -> Found | Refused:
    """Return the call of a call payload, or its first code by the order of EXT-078."""
    name = name_in_header(opener)
    if isinstance(payload, Parameters) and payload.name is not None:
        name = payload.name  # the name in its first line
    try:
        if isinstance(payload, Parameters):
            return call_of_parameters(name, payload.pairs, opener.form, tools)
        return call_of_arguments(name, payload, opener.form)
    except Rejected as rejected:
        if rejected.code in ("too_deep", "invalid_json"):
            return Refused(rejected.code)
        return Refused(rejected.code, shown_name(Tree(name, name), opener.form))


def name_in_header(opener: Marker) -> str:
    """Return the name that the header of an opener is (EXT-141)."""
    name = opener.header
    if opener.of_message is not None:
        return name_of(name, opener.form)
    written = opener.form.opener.get("name")
    if written is None:
        return name
    if "behind" in written and written["behind"] in name:
        name = name[name.index(written["behind"]) + len(written["behind"]) :]
    if "id" in written:
        name = name.split(written["id"])[0]
    while name and ord(name[0]) in BLANKS:
        name = name[1:]
    while name and ord(name[-1]) in BLANKS:
        name = name[:-1]
    name = name.removeprefix(written["prefix"])
    without_digits = name.rstrip("0123456789")
    if written["counter"] and without_digits != name and without_digits.endswith(":"):
        return without_digits[:-1]
    return name


def call_of_arguments(name: str, values: list[str], form: Form) -> Found:
    """Return the call whose arguments the payload is, by the order of EXT-078."""
    is_one_object = len(values) == 1 and values[0][0] == "{"
    tree = strict_json(values[0]) if is_one_object else None
    cleaned = strict_name(name, form)
    if tree is None:
        raise Rejected("arguments_not_object")
    return Found(cleaned, plain(tree), tree.text)  # EXT-072


def strict_json(text: str) -> Tree:
    """Return the value of a call payload that is one object (EXT-076)."""
    if nesting_depth(text) > DEEPEST:
        raise Rejected("too_deep")
    try:
        return read_json(text)
    except NoJson:
        raise Rejected("invalid_json") from None


def strict_name(name: str, form: Form) -> str:
    """Return the cleaned name (EXT-062, EXT-063, EXT-076)."""
    if holds_half_a_pair(name):
        raise Rejected("invalid_json")
    return checked_name(Tree(name, name), form)


def call_of_parameters(
    name: str, pairs: list[tuple[str, str, str]], form: Form, tools: list[Any]
) -> Found:
    """Return the call whose arguments the parameters are, by the order of EXT-078."""
    assert form.payload is not None
    if any(holds_half_a_pair(text) for pair in pairs for text in pair):  # EXT-076
        raise Rejected("invalid_json")
    for _, text, kind in pairs:
        if kind == "json" and typed(text, kind, [], form.payload) is None:
            raise Rejected("invalid_json")
    cleaned = strict_name(name, form)
    names = [parameter for parameter, _, _ in pairs]
    if len(set(names)) < len(names):  # EXT-123
        raise Rejected("ambiguous_arguments")
    arguments: dict[str, Any] = {}
    written = []
    for parameter, text, kind in pairs:
        types = declared_types(tools, cleaned, parameter)
        value = typed(text, kind, types, form.payload)
        if value is None:  # EXT-122
            if "value_end" in form.payload and is_unbalanced(parameter, text, form.payload):
                raise Rejected("parameter_unbalanced")
            given = trimmed(text, form.payload.get("trim"))
            value = Tree(given, compact_string(given))
        arguments[parameter] = plain(value)  # EXT-124
        written.append(f"{compact_string(parameter)}:{value.text}")
    return Found(cleaned, arguments, "{" + ",".join(written) + "}")  # EXT-126


def trimmed(text: str, trim: str | None) -> str:
    """Return a string without what its descriptor takes off the ends (EXT-122)."""
    return text if trim == "none" else without_line_ends(text)


def without_line_ends(text: str) -> str:
    """Return the text without one line end at its start and one at its end (EXT-122)."""
    for line_end in ("\r\n", "\n"):
        if text.startswith(line_end):
            text = text.removeprefix(line_end)
            break
    for line_end in ("\r\n", "\n"):
        if text.endswith(line_end):
            return text.removesuffix(line_end)
    return text


def compact_string(text: str) -> str:
    """Vocabulary, compact JSON, of a string."""
    escaped = [ESCAPES.get(c, f"\\u{ord(c):04x}" if c < " " else c) for c in text]
    return '"' + "".join(escaped) + '"'


def holds_half_a_pair(text: str) -> bool:
    """Tell whether a text holds a surrogate code point outside a pair (EXT-076)."""
    return any(map(is_half_a_pair, text))
