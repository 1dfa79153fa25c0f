"""Events as CloudEvents 1.0, JSON format: EVT-072. A binding; nothing here is sent.

An envelope is made of one event alone, so that events can travel one at a time.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any, Literal, TypedDict

from commoncall.event.form import PLANNED, Event, EventError, well_formed
from commoncall.forms import fits, form_of

_NO_ATTRIBUTE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef]")
_IN_A_DAY = re.compile(
    r".{10}T(?:[01].|2[0-3]):[0-5].:[0-5].(?:\.[0-9]+)?(?:Z|[+-](?:[01].|2[0-3]):[0-5].)"
)
"""A time of a day and an offset that exist, where digits stand as the schema says."""


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
        EventError: one of them cannot be used (EVT-001).
    """
    if not fits(source, form_of("event.to_cloudevents", "source")):
        raise EventError("source is no URI reference")
    if not fits(type_prefix, form_of("event.to_cloudevents", "type_prefix")):
        raise EventError("type_prefix is no reverse domain name")
    if len(times) != len(events):
        raise EventError("times must have one element for each of the events")
    return [
        _envelope(at, event, source, type_prefix, time)
        for at, (event, time) in enumerate(zip(well_formed(events), times, strict=True))
    ]


def _envelope(at: int, event: Event, source: str, type_prefix: str, time: Any) -> CloudEvent:
    if not (_is_attribute(event["request_id"]) and _is_attribute(event["tool"])):
        raise EventError(f"events[{at}] has a request_id or a tool that no attribute can be")
    if not _is_timestamp(time):
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


def _is_timestamp(text: Any) -> bool:
    """Tell whether a value is a date and time that exist (definition "timestamp")."""
    if not fits(text, form_of("event.to_cloudevents#timestamp")) or not _IN_A_DAY.fullmatch(text):
        return False
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True
