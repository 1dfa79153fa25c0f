"""Events as CloudEvents 1.0, JSON format: EVT-071 to EVT-077. A binding; nothing here is sent.

An envelope is made of one event alone, so that events can travel one at a time.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Literal, TypedDict

from commoncall.event.form import PLANNED, EventError, well_formed
from commoncall.event.recorder import Event

_SOURCE = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+")
_TYPE_PREFIX = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")
_NO_ATTRIBUTE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef]")
_TIMESTAMP = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T"
    r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
    r"(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)


class CloudEvent(TypedDict):
    """One event in its envelope; ``data`` is the event."""

    specversion: Literal["1.0"]
    id: str
    source: str
    type: str
    subject: str
    time: str
    datacontenttype: Literal["application/json"]
    correlationid: str
    data: Event


def to_cloudevents(
    events: Sequence[object], *, source: str, type_prefix: str, times: Sequence[object]
) -> list[CloudEvent]:
    """Return each event in an envelope (EVT-072).

    Args:
        events: well-formed events, of one or more requests.
        source: a URI reference that names the runtime.
        type_prefix: a reverse domain name.
        times: when each event happened, as an RFC 3339 text.

    Raises:
        EventError: one of them cannot be used (EVT-071).
    """
    if _SOURCE.fullmatch(source) is None:
        raise EventError("source is no URI reference")
    if _TYPE_PREFIX.fullmatch(type_prefix) is None:
        raise EventError("type_prefix is no reverse domain name")
    if len(times) != len(events):
        raise EventError("times must have one element for each of the events")
    return [
        _envelope(at, event, source, type_prefix, time)
        for at, (event, time) in enumerate(zip(well_formed(events), times, strict=True))
    ]


def _envelope(at: int, event: Event, source: str, type_prefix: str, time: object) -> CloudEvent:
    if not (_is_attribute(event["request_id"]) and _is_attribute(event["tool"])):
        raise EventError(f"events[{at}] has a request_id or a tool that no attribute can be")
    if not isinstance(time, str) or not _is_timestamp(time):
        raise EventError(f"times[{at}] is no RFC 3339 timestamp")
    kind = "planned" if event["type"] == PLANNED else "result"
    return {
        "specversion": "1.0",
        "id": f"{event['request_id']}:{int(event['seq'])}:{kind}",
        "source": source,
        "type": f"{type_prefix}.tool_call.{kind}.v1",
        "subject": event["tool"],
        "time": time,
        "datacontenttype": "application/json",
        "correlationid": event["request_id"],
        "data": event.copy(),
    }


def _is_attribute(text: str) -> bool:
    """Tell whether a text is a String of CloudEvents (definition "attribute text")."""
    last_two_of_a_plane = any(ord(character) & 0xFFFE == 0xFFFE for character in text)
    return text != "" and not last_two_of_a_plane and _NO_ATTRIBUTE.search(text) is None


def _is_timestamp(text: str) -> bool:
    """Tell whether a text is a date and time that exist (definition "timestamp")."""
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        return False
    try:
        date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return False
    return True
