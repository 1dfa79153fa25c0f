"""Payloads of parameters: a name in the first line or none, and pairs between literal texts."""

from dataclasses import dataclass, field
from typing import Any

from tests.evidence.second_reading.characters import is_letter_or_digit, skip_json_white_space
from tests.evidence.second_reading.descriptors import Form
from tests.evidence.second_reading.markers import closer_end, is_cut_closer, opener_at
from tests.evidence.second_reading.payload import Failed, Truncated

LONGEST_NAME = 128


@dataclass
class Parameters:
    """A complete payload: the name in the first line, the pairs as they stand, and the end."""

    name: str | None = None
    pairs: list[tuple[str, str, str]] = field(default_factory=list)
    end: int = 0  # behind the own closer
    inner_end: int = 0  # before it


def parameters_begin(text: str, opener_end: int, at: int, form: Form) -> bool:
    """Tell whether a payload of parameters begins behind an opener and its white space."""
    assert form.payload is not None
    if form.payload.get("name_in_first_line"):
        return (
            (at == opener_end or "\n" in text[opener_end:at])
            and at < len(text)
            and (text[at] == "_" or is_letter_or_digit(text[at]))
        )
    name_begin = form.payload["name_begin"]
    return text.startswith(name_begin, at) or closer_end(text, at, form) is not None


def read_parameters(text: str, at: int, form: Form) -> Parameters:
    """Return the payload of parameters that begins here, with its own closer (EXT-116, EXT-121).

    Raises:
        Failed: at the first character of what stands in place of something else.
        Truncated: where the end of the text cuts the payload off.
    """
    assert form.payload is not None
    assert form.closer is not None
    written = form.payload
    payload = Parameters()
    if written.get("name_in_first_line"):
        end = first_line_end(text, at)
        payload.name = text[at:end]
        at = end
    while True:
        at = skip_json_white_space(text, at)
        end_of_closer = closer_end(text, at, form)
        if end_of_closer is not None:
            payload.inner_end, payload.end = at, end_of_closer
            return payload
        if is_cut_closer(text[at:], form):
            raise Truncated
        at = literal(text, at, written["name_begin"])
        pair, at = read_parameter(text, at, form)
        payload.pairs.append(pair)


def first_line_end(text: str, at: int) -> int:
    """Return the end of a name in the first line (payload of parameters)."""
    for place in range(at, at + LONGEST_NAME + 1):
        if place >= len(text):
            raise Truncated
        if text[place] in "\n<":
            return place
    raise Failed(at + LONGEST_NAME)


def read_parameter(text: str, at: int, form: Form) -> tuple[tuple[str, str, str], int]:
    """Return name, text and kind of a parameter behind its ``name_begin``, and its end."""
    assert form.payload is not None
    written: dict[str, Any] = form.payload
    name_end = name_end_from(text, at, written["name_end"])
    name = text[at:name_end]
    at = name_end + len(written["name_end"])
    kind, inner_end = "typed", ""
    if isinstance(written["value_begin"], list):
        begun = listed_begin(text, at, written["value_begin"])
        kind, inner_end = begun["kind"], begun.get("end", "")
        at += len(begun["text"])
    elif written["value_begin"]:
        at = literal(text, skip_json_white_space(text, at), written["value_begin"])
    end = text_end(text, at, form, inner_end)
    return (name, text[at : end - len(inner_end)], kind), end + len(written["value_end"])


def text_end(text: str, at: int, form: Form, inner_end: str = "") -> int:
    """Return where the ``value_end`` of a parameter stands whose text begins here, and may have to
    end with a text of its own (parameter).
    """
    assert form.payload is not None
    value_end, begin = form.payload["value_end"], at
    while at < len(text):
        quoted = quoted_begin(text, at, form)
        if quoted is not None:
            at = quoted_end(text, quoted, form)
            continue
        if text.startswith(value_end, at) and text[begin:at].endswith(inner_end):
            behind = skip_json_white_space(text, at + len(value_end))
            if text.startswith(form.payload["name_begin"], behind):
                return at
            if closer_end(text, behind, form) is not None:
                return at
        at += 1
    raise Truncated


def quoted_begin(text: str, at: int, form: Form) -> int | None:
    """Return the end of the first ``name_begin`` of a quoted block that begins here, if one does
    (quoted block).
    """
    assert form.payload is not None
    opener = opener_at(text, at, form)
    if opener is None:
        return None
    at = skip_json_white_space(text, opener.end)
    if form.payload.get("name_in_first_line"):
        if not parameters_begin(text, opener.end, at, form):
            return None
        try:
            at = skip_json_white_space(text, first_line_end(text, at))
        except (Failed, Truncated):
            return None
    name_begin: str = form.payload["name_begin"]
    return at + len(name_begin) if text.startswith(name_begin, at) else None


def quoted_end(text: str, at: int, form: Form) -> int:
    """Return the end of a quoted block, behind the first ``name_begin`` of it (quoted block).

    It has parameters like any block, so each of its texts is read as one, with the blocks in it;
    but for its ends nothing of a parameter has to be in its place.
    """
    assert form.payload is not None
    while True:
        behind = text_end(text, at, form) + len(form.payload["value_end"])
        at = skip_json_white_space(text, behind)
        closer = closer_end(text, at, form)
        if closer is not None:
            return closer
        at += len(form.payload["name_begin"])


def listed_begin(text: str, at: int, begins: list[dict[str, str]]) -> dict[str, str]:
    """Return the first of a list whose text stands here."""
    for each in begins:
        if text.startswith(each["text"], at):
            return each
    if any(each["text"].startswith(text[at:]) for each in begins):
        raise Truncated
    raise Failed(at)


def name_end_from(text: str, at: int, name_end: str) -> int:
    """Return where the ``name_end`` of a name stands that begins here (parameter)."""
    for place in range(at, at + LONGEST_NAME + 1):
        if text.startswith(name_end, place):
            return place
        if name_end.startswith(text[place:]):  # nothing, or a part of it, up to the end of the text
            raise Truncated
        if text[place] in "\n<":
            raise Failed(place)
    raise Failed(at + LONGEST_NAME)


def literal(text: str, at: int, expected: str) -> int:
    """Return the end of a literal text that must stand here (payload of parameters)."""
    if text.startswith(expected, at):
        return at + len(expected)
    if expected.startswith(text[at:]):
        raise Truncated
    raise Failed(at)
