"""Whether events can have come from a recorder: one state machine per call, EVT-061 to EVT-070."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from commoncall.envelope import Finding
from commoncall.event.form import ITSELF, PLANNED, RESULT, call_of, faults

State = Literal["none", "planned", "done"]
TraceCode = Literal[
    "event_malformed",
    "planned_twice",
    "result_without_planned",
    "result_twice",
    "planned_without_result",
    "tool_mismatch",
    "call_id_mismatch",
    "seq_gap",
]

STEPS: Final[Mapping[tuple[State, str], tuple[State, TraceCode | None]]] = {
    ("none", PLANNED): ("planned", None),
    ("none", RESULT): ("none", "result_without_planned"),
    ("planned", PLANNED): ("planned", "planned_twice"),
    ("planned", RESULT): ("done", None),
    ("done", PLANNED): ("done", "planned_twice"),
    ("done", RESULT): ("done", "result_twice"),
}
"""By state of a call and type of event: the next state, and what is wrong with the event there."""


@dataclass(slots=True)
class _Call:
    """What is known of a call: its state, and the position of the Planned that opened it."""

    state: State = "none"
    planned: int = -1


def check_trace(events: Sequence[object]) -> list[Finding]:
    """Return what is wrong with the events of any number of requests, in the order of the events.

    Args:
        events: any JSON; paths of findings are ``/events/N`` or, for ``event_malformed``, also
            ``/events/N/MEMBER``.
    """
    found: list[tuple[int, str, TraceCode]] = []
    calls: dict[tuple[str, int], _Call] = {}
    next_seq: dict[str, int] = {}
    for position, event in enumerate(events):
        found += [(position, member, "event_malformed") for member in faults(event)]
        key = call_of(event)
        if key is None or not isinstance(event, dict):
            continue
        call = calls.setdefault(key, _Call())
        before = call.state
        call.state, code = STEPS[before, event["type"]]
        if code is not None:
            found.append((position, ITSELF, code))
        elif call.state == "planned":
            call.planned = position
            if key[1] > next_seq.get(key[0], 0):
                found.append((position, ITSELF, "seq_gap"))
        else:
            found += [(position, ITSELF, one) for one in _mismatches(events[call.planned], event)]
        if event["type"] == PLANNED:
            next_seq[key[0]] = max(next_seq.get(key[0], 0), key[1] + 1)
    found += [
        (call.planned, ITSELF, "planned_without_result")
        for call in calls.values()
        if call.state == "planned"
    ]
    return [
        {"code": code, "path": f"/events/{position}" + (f"/{member}" if member else "")}
        for position, member, code in sorted(found)
    ]


def _mismatches(planned: Any, result: Any) -> Iterator[TraceCode]:
    """Say in what a Result differs from its Planned; a member with a fault is not compared."""
    wrong = {*faults(planned), *faults(result)}
    if "tool" in planned.keys() & result.keys() - wrong and planned["tool"] != result["tool"]:
        yield "tool_mismatch"
    if "tool_call_id" not in wrong and planned.get("tool_call_id") != result.get("tool_call_id"):
        yield "call_id_mismatch"
