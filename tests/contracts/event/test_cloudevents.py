"""`to_cloudevents` against the official package, and what of a runtime leaves in an envelope."""

import json
from datetime import timedelta, timezone
from typing import Any

import pytest
from cloudevents.core.bindings.http import from_binary, to_binary
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent
from hypothesis import assume, given
from hypothesis import strategies as st

from commoncall.envelope import INVALID_INPUT, Env
from commoncall.event import OPERATIONS, EventError, to_cloudevents
from tests import shared
from tests.contracts.event.traces import leaks, mixed, recorded, secrets

OPERATION = OPERATIONS["event.to_cloudevents"]
CASES: list[Any] = [
    case for case in shared.suite().cases if case.operation.name == "event.to_cloudevents"
]
GOLDEN = [
    pytest.param(envelope, id=f"{case.id.rpartition('.')[2]}-{number}")
    for case in CASES
    if "result" in case.expect
    for number, envelope in enumerate(case.expect["result"]["events"])
]

offsets = st.builds(
    lambda minutes, seconds: timezone(timedelta(minutes=minutes, seconds=seconds)),
    st.integers(-1438, 1438),
    st.just(0) | st.integers(-59, 59),
)
"""Offsets from UTC, those with seconds too, which RFC 3339 does not write."""

any_texts = st.text(st.characters(exclude_categories=()), max_size=6)


def read(envelope: Any) -> CloudEvent:
    """Let the package read an envelope, as it comes from a wire."""
    event = JSONFormat().read(CloudEvent, json.dumps(envelope))
    assert isinstance(event, CloudEvent)
    return event


def test_there_are_golden_envelopes() -> None:
    assert len(GOLDEN) >= 20


@pytest.mark.parametrize("envelope", GOLDEN)
def test_the_official_package_accepts_each_golden_envelope(envelope: dict[str, Any]) -> None:
    event = read(envelope)
    assert event.get_id() == envelope["id"]
    assert event.get_source() == envelope["source"]
    assert event.get_type() == envelope["type"]
    assert event.get_subject() == envelope["subject"]
    assert event.get_extension("correlationid") == envelope["correlationid"]
    assert event.get_data() == envelope["data"]
    written = json.loads(JSONFormat().write(event))
    # It keeps microseconds, and writes an offset in its own way.
    assert read(written).get_time() == event.get_time()
    assert {**written, "time": None} == {**envelope, "time": None}


@pytest.mark.parametrize("envelope", GOLDEN)
def test_an_envelope_survives_the_headers_of_http(envelope: dict[str, Any]) -> None:
    message = to_binary(read(envelope), JSONFormat())
    event = from_binary(message, JSONFormat(), CloudEvent)
    assert event.get_id() == envelope["id"]
    assert event.get_subject() == envelope["subject"]
    assert event.get_data() == envelope["data"]


@given(
    mixed,
    any_texts,
    st.just("urn:a") | any_texts,
    st.just("com.example") | any_texts,
    st.datetimes(timezones=offsets),
)
def test_what_is_not_refused_is_accepted(
    events: list[dict[str, Any]], request_id: str, source: str, prefix: str, time: Any
) -> None:
    assume(events)
    events = [{**event, "request_id": request_id} for event in events]
    times = [time.isoformat()] * len(events)
    try:
        envelopes = to_cloudevents(events, source=source, type_prefix=prefix, times=times)
    except EventError:
        return
    for envelope in envelopes:
        assert read(envelope).get_id() == envelope["id"]


@given(mixed, st.datetimes())
def test_what_was_recorded_has_an_envelope_each(events: list[dict[str, Any]], time: Any) -> None:
    times = [f"{time.isoformat()}Z"] * len(events)
    envelopes: Any = to_cloudevents(events, source="/a", type_prefix="a.b", times=times)
    assert [envelope["data"] for envelope in envelopes] == events
    assert len({envelope["id"] for envelope in envelopes}) == len(events)
    assert all(read(envelope) for envelope in envelopes)


@given(mixed)
def test_the_events_stay_as_they_were(events: list[dict[str, Any]]) -> None:
    before = repr(events)
    times = ["2026-11-22T09:30:00Z"] * len(events)
    for envelope in to_cloudevents(events, source="/a", type_prefix="a", times=times):
        envelope["data"]["tool"] = "changed"
    assert repr(events) == before


@given(recorded, st.data(), secrets)
def test_an_event_with_more_in_it_is_refused_without_a_word(
    events: list[dict[str, Any]], data: st.DataObject, secret: str
) -> None:
    assume(events)
    position = data.draw(st.integers(0, len(events) - 1))
    member = data.draw(st.sampled_from(["arguments", "message", "args_preview_hash", secret]))
    events[position][member] = secret
    times = ["2026-11-22T09:30:00Z"] * len(events)
    value = {"events": events, "source": "/a", "type_prefix": "a", "times": times}
    assert OPERATION(value, Env([], [])) == INVALID_INPUT
    with pytest.raises(EventError) as caught:
        to_cloudevents(events, source="/a", type_prefix="a", times=times)
    assert not leaks(secret, str(caught.value))
