"""Whether events can have come from a recorder: one state machine per call (EVT-061)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

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
    "tool_mismatch",
    "call_id_mismatch",
    "seq_gap",
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

_Key = tuple[str, int]
"""A call: its request and its ``seq``."""


class _Planned(NamedTuple):
    """The Planned that opened a call: its position, and what its Result has to agree with.

    ``tool`` is None where it is not right; ``tool_call_id`` None if absent, False if wrong.
    """

    position: int
    tool: str | None
    tool_call_id: str | Literal[False] | None


class _Calls:
    """The calls of a trace: the state of each, those that are open, and the next ``seq``."""

    def __init__(self) -> None:
        self._states: dict[_Key, CallState] = {}
        self._next_seq: dict[str, int] = defaultdict(int)
        self.open: dict[_Key, _Planned] = {}

    def take(
        self, key: _Key, event: Mapping[str, Any], wrong: Collection[str], position: int
    ) -> Iterator[TraceCode]:
        """Take in an event of a call, and give what is wrong with it there."""
        request, seq = key
        before = self._states.get(key, "none")
        after, code = STEPS[before, event["type"]]
        self._states[key] = after
        if code is not None:
            yield code
        if event["type"] == PLANNED:
            if before == "none":
                if seq > self._next_seq[request]:
                    yield "seq_gap"
                self.open[key] = _planned(event, wrong, position)
            self._next_seq[request] = max(self._next_seq[request], seq + 1)
        elif before == "planned":
            yield from _mismatches(self.open.pop(key), _planned(event, wrong, position))


def check_trace(events: Iterable[object]) -> list[Finding]:
    """Return what is wrong with the events of any number of requests, any JSON, in their order."""
    found, calls = Findings(), _Calls()
    for position, event in enumerate(events):
        wrong = faults(event)
        for member in wrong:
            inside = () if member == ITSELF else (member,)
            found.add(("events", position, *inside), "event_malformed")
        key = call_of(event, wrong)
        if key is not None and isinstance(event, dict):
            for code in calls.take(key, event, wrong, position):
                found.add(("events", position), code)
    for planned in calls.open.values():
        found.add(("events", planned.position), "planned_without_result")
    return found.rendered()


def _planned(event: Mapping[str, Any], wrong: Collection[str], position: int) -> _Planned:
    return _Planned(
        position,
        None if "tool" in wrong else event.get("tool"),
        False if "tool_call_id" in wrong else event.get("tool_call_id"),
    )


def _mismatches(planned: _Planned, other: _Planned) -> Iterator[TraceCode]:
    """Say in what a Result differs from its Planned; a member with a fault is not compared."""
    if None not in (planned.tool, other.tool) and planned.tool != other.tool:
        yield "tool_mismatch"
    if False not in (planned.tool_call_id, other.tool_call_id) and (
        planned.tool_call_id != other.tool_call_id
    ):
        yield "call_id_mismatch"
