"""Whether events can have come from a recorder: one state machine per call (EVT-061)."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal

from commoncall.envelope import Finding
from commoncall.event.form import ITSELF, PLANNED, RESULT, call_of, faults
from commoncall.places import Findings

CallState = Literal["none", "planned", "done"]
TraceCode = Literal[
    "event_malformed",
    "planned_twice",
    "result_without_planned",
    "result_twice",
    "planned_without_result",
]

STEPS: Final[Mapping[tuple[CallState, str], tuple[CallState, TraceCode | None]]] = {
    ("none", PLANNED): ("planned", None),
    ("none", RESULT): ("none", "result_without_planned"),
    ("planned", PLANNED): ("planned", "planned_twice"),
    ("planned", RESULT): ("done", None),
    ("done", PLANNED): ("done", "planned_twice"),
    ("done", RESULT): ("done", "result_twice"),
}
"""By state of a call and type of event: the next state, and what is wrong with the event there."""


def check_trace(events: Iterable[object]) -> list[Finding]:
    """Return what is wrong with the events of any number of requests, any JSON, in their order."""
    found = Findings()
    states: dict[tuple[str, int], CallState] = {}
    planned: dict[tuple[str, int], int] = {}
    for position, event in enumerate(events):
        wrong = faults(event)
        for member in wrong:
            inside = () if member == ITSELF else (member,)
            found.add(("events", position, *inside), "event_malformed")
        call = call_of(event, wrong)
        if call is None or not isinstance(event, dict):
            continue
        before = states.get(call, "none")
        states[call], code = STEPS[before, event["type"]]
        if code is not None:
            found.add(("events", position), code)
        elif before == "none":
            planned[call] = position
    for call, position in planned.items():
        if states[call] == "planned":
            found.add(("events", position), "planned_without_result")
    return found.rendered()
