"""Call payloads: the one call of a payload of arguments or of parameters, or the code of it."""

from __future__ import annotations

from typing import Any

from tests.slow_extraction.call_values import DEEPEST, Found, Rejected, checked_name, sendable
from tests.slow_extraction.json_values import NoJson, Tree, nesting_depth, plain, read_json
from tests.slow_extraction.markers import Marker
from tests.slow_extraction.parameters import Parameters
from tests.slow_extraction.payload import SHORT_ESCAPES
from tests.slow_extraction.typed import declared_types, typed

ESCAPES = {**SHORT_ESCAPES, '"': '\\"', "\\": "\\\\"}


def read_call_payload(
    opener: Marker, payload: list[str] | Parameters, tools: list[Any]
) -> tuple[list[Found], list[str]]:
    """Return the call of a call payload, and the codes of its segment (EXT-093)."""
    name = name_in_header(opener)
    try:
        if isinstance(payload, Parameters):
            name = name if payload.name is None else payload.name  # EXT-150
            call = call_of_parameters(name, payload.pairs, tools)
        else:
            call = call_of_arguments(name, payload)
    except Rejected as rejected:
        return [], [rejected.code]
    return [call], [] if sendable(call.name) else ["name_not_sendable"]  # EXT-064


def name_in_header(opener: Marker) -> str:
    """Return the name that the header of an opener is (EXT-141)."""
    name = opener.header
    written = opener.form.opener.get("name")
    if written is None:
        return name
    name = name.removeprefix(written["prefix"])
    without_digits = name.rstrip("0123456789")
    if written["counter"] and without_digits != name and without_digits.endswith(":"):
        return without_digits[:-1]
    return name


def call_of_arguments(name: str, values: list[str]) -> Found:
    """Return the call whose arguments the payload is, by the order of EXT-078 (EXT-142)."""
    is_one_object = len(values) == 1 and values[0][0] == "{"
    tree = strict_json(values[0]) if is_one_object else None
    cleaned = strict_name(name)
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


def strict_name(name: str) -> str:
    """Return the cleaned name (EXT-062, EXT-063, EXT-127)."""
    if holds_half_a_pair(name):
        raise Rejected("invalid_json")
    return checked_name(Tree(name, name))


def call_of_parameters(name: str, pairs: list[tuple[str, str]], tools: list[Any]) -> Found:
    """Return the call whose arguments the parameters are, by the order of EXT-078 (EXT-120)."""
    if any(holds_half_a_pair(text) for pair in pairs for text in pair):  # EXT-127
        raise Rejected("invalid_json")
    cleaned = strict_name(name)
    names = [parameter for parameter, _ in pairs]
    if len(set(names)) < len(names):  # EXT-123
        raise Rejected("ambiguous_arguments")
    arguments: dict[str, Any] = {}
    written = []
    for parameter, text in pairs:
        value = typed(text, declared_types(tools, cleaned, parameter))
        if value is None:  # EXT-122, EXT-125
            given = without_line_ends(text)
            value = Tree(given, compact_string(given))
        arguments[parameter] = plain(value)  # EXT-124
        written.append(f"{compact_string(parameter)}:{value.text}")
    return Found(cleaned, arguments, "{" + ",".join(written) + "}")  # EXT-126


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
    """Tell whether a text holds a surrogate code point outside a pair (EXT-127)."""
    at = 0
    while at < len(text):
        if "\ud800" <= text[at] <= "\udbff" and "\udc00" <= text[at + 1 : at + 2] <= "\udfff":
            at += 2
        elif "\ud800" <= text[at] <= "\udfff":
            return True
        else:
            at += 1
    return False
