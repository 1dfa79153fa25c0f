"""The end of a turn: what became of every call, and what is stored of it.

Holds `settle` and its parts only: TRN-041 to TRN-043 of spec/v1/turn.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NotRequired, TypedDict

from commoncall.event import Metrics, Output, Recorder, ResultEvent
from commoncall.turn.receive import Received


class CallOutcome(TypedDict):
    """What the execution of a dispatched call came to; all but ``seq`` is judged."""

    seq: int
    status: object
    content: NotRequired[object]
    latency_ms: NotRequired[object]
    error_type: NotRequired[object]


class Settled(TypedDict):
    """The Results of a turn, what they add to the metrics, what is shown, and what is stored."""

    events: list[ResultEvent]
    metrics: Metrics
    outputs: list[Output]
    history: list[dict[str, object]]


def settle(received: Received, outcomes: Sequence[CallOutcome]) -> Settled:
    """End a turn: every call gets its Result, and its message for the history.

    Args:
        received: what `receive` returned.
        outcomes: what dispatched calls came to, in any order; a call without one was aborted.

    Raises:
        ValueError: an outcome is of a call that was not dispatched, or is the second of one.
    """
    given = {outcome["seq"]: outcome for outcome in outcomes}
    dispatched = {call["seq"] for call in received["dispatch"]}
    if len(given) < len(outcomes) or not given.keys() <= dispatched:
        raise ValueError("an outcome is of no dispatched call, or the second of one")
    refused = {answer["seq"]: answer["error_type"] for answer in received["answers"]}
    recorder = Recorder.resume(received["planned"])
    for planned in received["planned"]:
        seq = planned["seq"]
        if seq in given:
            outcome = given[seq]
            recorder.result(
                seq,
                status=outcome["status"],
                latency_ms=outcome.get("latency_ms"),
                error_type=outcome.get("error_type"),
                content=outcome.get("content"),
            )
        else:
            error_type = refused.get(seq, "tool_aborted")
            recorder.result(seq, status="error", error_type=error_type)
    shown = {output["seq"]: output["content"] for output in recorder.outputs}
    return {
        "events": [event for event in recorder.events if event["type"] == "ToolCallResult"],
        "metrics": recorder.metrics(),
        "outputs": recorder.outputs,
        "history": _history(received, shown),
    }


def _history(received: Received, shown: dict[int, str]) -> list[dict[str, object]]:
    """Return the messages of the turn (TRN-043); a result says what was shown of its call."""
    calls, content = received["calls"], received["content"]
    if not calls:
        return [{"role": "assistant", "content": content}] if content else []
    wire = [
        {
            "id": call["id"],
            "type": "function",
            "function": {"name": call["name"], "arguments": call["arguments_json"]},
        }
        for call in calls
    ]
    results: list[dict[str, object]] = [
        {"role": "tool", "tool_call_id": call["id"], "content": shown[call["seq"]]}
        for call in calls
    ]
    return [{"role": "assistant", "content": content, "tool_calls": wire}, *results]
