"""Bare messages: texts that are nothing but calls, without a marker (bare message)."""

from typing import NamedTuple

from tests.evidence.second_reading.call_values import Found, Refused, read_values
from tests.evidence.second_reading.characters import skip_json_white_space
from tests.evidence.second_reading.descriptors import Form
from tests.evidence.second_reading.literal_calls import read_each_call, read_literal_calls
from tests.evidence.second_reading.markers import Markers
from tests.evidence.second_reading.payload import Failed, Scanner, Truncated


class Bare(NamedTuple):
    """A bare message: its dialect, its ends, and its calls."""

    dialect: str
    start: int
    end: int
    calls: list[Found]


def bare_message(
    markers: Markers, at: int, forms: list[Form], effective: list[str] | None
) -> Bare | None:
    """Return the bare message in the text from a place on, or None where there is none.

    ``effective`` is None for who only observes.
    """
    start = skip_json_white_space(markers.text, at)
    for form in forms:
        begin = "[" if form.scanner in ("json_array", "python_calls") else "{"
        if not markers.text.startswith(begin, start) or is_marker(markers, start):
            continue
        try:
            read, end = calls_of(markers, start, form)
        except (Failed, Truncated):
            return None
        calls = [each for each in read if isinstance(each, Found)]
        lost = [each for each in read if isinstance(each, Refused)]
        if not calls or lost or not only_tokens(markers, end):
            return None
        if effective is not None and any(call.name not in effective for call in calls):
            return None
        return Bare(form.dialect, start, end, calls)
    return None


def is_marker(markers: Markers, at: int) -> bool:
    """Tell whether an opener or a token stands where a value may begin (payload)."""
    marker = markers.at(at)
    return marker is not None and marker.kind in ("opener", "token")


def calls_of(markers: Markers, start: int, form: Form) -> tuple[list[Found | Refused], int]:
    """Return the calls of the payload, or what is none, and its end."""
    assert form.payload is not None
    if form.scanner == "python_calls":
        payload = read_literal_calls(markers.text, start, form)
        return read_each_call(payload, form, []), payload.end
    values, end = values_of(markers, start, form.payload.get("separator"))
    return ([] if values is None else read_values(values, form)), end


def values_of(markers: Markers, start: int, separator: str | None) -> tuple[list[str] | None, int]:
    """Return the values of the payload, None where a repair is needed, and its end."""
    text, values, end, at = markers.text, [], start, start
    while text[at : at + 1] in ("{", "[") and not is_marker(markers, at):
        scanner = Scanner(text, at)
        end = scanner.scan()
        if scanner.repairs:
            return None, end
        values.append(text[at:end])
        at = skip_json_white_space(text, end)
        if separator is not None and text.startswith(separator, at):
            at = skip_json_white_space(text, at + 1)
    return values, end


def only_tokens(markers: Markers, at: int) -> bool:
    """Tell whether nothing but tokens and white space stands behind a place."""
    while (at := skip_json_white_space(markers.text, at)) < len(markers.text):
        marker = markers.at(at)
        if marker is None or marker.kind != "token":
            return False
        at = marker.end
    return True
