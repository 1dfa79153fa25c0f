"""Whether events can have come from a recorder: one state machine per call, EVT-061 to EVT-070."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from commoncall.envelope import Finding
from commoncall.event.form import ITSELF, PLANNED, RESULT, call_of, faults

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


class _Planned(NamedTuple):
    """The Planned that opened a call: its position, and what its Result has to agree with.

    ``tool`` is None where it is not right; ``tool_call_id`` None if absent, False if wrong.
    """

    position: int
    tool: str | None
    tool_call_id: str | Literal[False] | None


@dataclass(slots=True)
class _Request:
    """The calls of a request. All below ``settled`` are done; of the others ``calls`` has the open
    ones, and None for those that are done.
    """

    settled: int
    next_seq: int
    calls: dict[int, _Planned | None] = field(default_factory=dict)

    def state(self, seq: int) -> CallState:
        if seq in self.calls:
            return "planned" if self.calls[seq] else "done"
        return "done" if seq < self.settled else "none"

    def end(self, seq: int) -> _Planned:
        """Note that a call is done, and return the Planned that opened it."""
        planned, self.calls[seq] = self.calls[seq], None
        while self.settled in self.calls and self.calls[self.settled] is None:
            del self.calls[self.settled]
            self.settled += 1
        assert planned is not None
        return planned


_Found = tuple[int, str, TraceCode]
"""What was found: the position of the event, the member or `ITSELF`, and the code."""


def check_trace(events: Iterable[object]) -> list[Finding]:
    """Return what is wrong with the events of any number of requests, any JSON, in their order."""
    return [_finding(*found) for found in sorted(_found(events))]


def iter_trace(events: Iterable[object]) -> Iterator[Finding]:
    """Give the findings of `check_trace` while events arrive, without keeping those.

    What is wrong with an event comes before the next event is read; each
    ``planned_without_result`` comes last, in the order of their Planned. What is kept is small: of
    an open call its position, tool and id, and of calls that are done how far they go without a
    gap, or a number for each behind one.
    """
    for found in _found(events):
        yield _finding(*found)


def _found(events: Iterable[object]) -> Iterator[_Found]:
    # A request without an open call and without a gap is no more than its next seq.
    requests: dict[str, _Request | int] = {}
    for position, event in enumerate(events):
        wrong = faults(event)
        found: list[_Found] = [(position, member, "event_malformed") for member in wrong]
        key = call_of(event, wrong)
        if key is not None and isinstance(event, dict):
            known = requests.get(key[0], 0)
            request = _Request(known, known) if isinstance(known, int) else known
            codes = _take(request, key[1], event, wrong, position)
            found += [(position, ITSELF, code) for code in codes]
            is_settled = not request.calls and request.settled == request.next_seq
            requests[key[0]] = request.settled if is_settled else request
        yield from sorted(found)
    opened = (
        planned.position
        for request in requests.values()
        if isinstance(request, _Request)
        for planned in request.calls.values()
        if planned
    )
    for position in sorted(opened):
        yield position, ITSELF, "planned_without_result"


def _take(
    request: _Request, seq: int, event: Mapping[str, Any], wrong: Collection[str], position: int
) -> Iterator[TraceCode]:
    """Take in an event of a call, and give what is wrong with it there; the event is taken in when
    the last of that is read.
    """
    before = request.state(seq)
    after, code = STEPS[before, event["type"]]
    if code is not None:
        yield code
    opens = before != "planned" and after == "planned"
    if opens and before == "none" and seq > request.next_seq:
        yield "seq_gap"
    if opens:
        request.calls[seq] = _planned(event, wrong, position)
    elif before != after:
        yield from _mismatches(request.end(seq), event, wrong)
    if event["type"] == PLANNED:
        request.next_seq = max(request.next_seq, seq + 1)


def _planned(event: Mapping[str, Any], wrong: Collection[str], position: int) -> _Planned:
    return _Planned(
        position,
        None if "tool" in wrong else event.get("tool"),
        False if "tool_call_id" in wrong else event.get("tool_call_id"),
    )


def _mismatches(
    planned: _Planned, result: Mapping[str, Any], wrong: Collection[str]
) -> Iterator[TraceCode]:
    """Say in what a Result differs from its Planned; a member with a fault is not compared."""
    other = _planned(result, wrong, planned.position)
    if None not in (planned.tool, other.tool) and planned.tool != other.tool:
        yield "tool_mismatch"
    if False not in (planned.tool_call_id, other.tool_call_id) and (
        planned.tool_call_id != other.tool_call_id
    ):
        yield "call_id_mismatch"


def _finding(position: int, member: str, code: TraceCode) -> Finding:
    return {"code": code, "path": f"/events/{position}" + (f"/{member}" if member else "")}
