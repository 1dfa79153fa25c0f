"""The end of a turn: what became of every call, and what is stored of it.

Holds `settle` and its parts only: TRN-041 to TRN-043 and TRN-047 of spec/v1/turn.md, with the
definitions "stored words", "outcome in parts" and "stored result".
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NotRequired, TypedDict

from commoncall.envelope import MARK, Finding
from commoncall.event import ErrorType, Metrics, Output, Recorder, ResultEvent
from commoncall.json_text import is_blank, too_deep
from commoncall.payload.fixed_texts import RESULT_NOT_JSON
from commoncall.payload.parts import (
    are_parts,
    is_media_part,
    sent_parts,
    stored_parts,
    text_of_parts,
)
from commoncall.payload.profile import GivenProfile, profile_of
from commoncall.places import Findings
from commoncall.turn.opaque import CARRIED_DEPTH
from commoncall.turn.receive import Received, TurnCall

NO_JSON: Final = object()
"""Stands in Python for a content that is no JSON; the call was run all the same (TRN-076)."""

Status = Literal["ok", "error"]
"""What became of a call that was run."""


class CallOutcome(TypedDict):
    """What the execution of a dispatched call came to; all but ``seq`` is judged."""

    seq: int
    status: Status
    content: NotRequired[object]
    latency_ms: NotRequired[object]
    error_type: NotRequired[ErrorType]


class Settled(TypedDict):
    """The Results of a turn, what they add to the metrics, what is shown, and what is stored;
    ``findings`` where media were dropped, or the whole content of an outcome, which is no JSON.
    """

    events: list[ResultEvent]
    metrics: Metrics
    outputs: list[Output]
    history: list[dict[str, object]]
    findings: NotRequired[list[Finding]]


def settle(
    received: Received,
    outcomes: Sequence[CallOutcome],
    profile: GivenProfile | None = None,
) -> Settled:
    """End a turn, with what `turn.reply` is given, as JSON."""
    flags = profile_of(profile)
    form, media = flags.result_content, flags.result_media
    findings = Findings()
    given = _given(received, outcomes, findings)
    refused = {answer["seq"]: answer["error_type"] for answer in received["answers"]}
    recorder = Recorder.resume(received["planned"])
    stored: dict[int, object] = {}
    failures: dict[int, str] = {}
    for planned in received["planned"]:
        seq = planned["seq"]
        if seq not in given:
            error_type = refused.get(seq, "tool_aborted")
            recorder.result(seq, status="error", error_type=error_type)
            continue
        number, outcome = given[seq]
        content = outcome.get("content")
        if are_parts(content) and not too_deep(content, CARRIED_DEPTH):
            parts = stored_parts(content, form, media)
            for at, (part, kept) in enumerate(zip(content, parts, strict=True)):
                if is_media_part(part) and kept is not part:
                    findings.add(("outcomes", number, "content", at), "media_removed")
            content = text_of_parts(sent_parts(content, "string"))
            if form != "string" or any(map(is_media_part, parts)):
                stored[seq] = parts
        event = recorder.result(
            seq,
            status=outcome["status"],
            latency_ms=outcome.get("latency_ms"),
            error_type=outcome.get("error_type"),
            content=content,
        )
        if "message" in event:
            failures[seq] = event["message"]
    shown = {each["seq"]: each["content"] for each in recorder.outputs}
    settled: Settled = {
        "events": [event for event in recorder.events if event["type"] == "ToolCallResult"],
        "metrics": recorder.metrics(),
        "outputs": recorder.outputs,
        "history": _history(
            received,
            {
                seq: _told(content, failures.get(seq))
                for seq, content in {**shown, **stored}.items()
            },
        ),
    }
    if findings.found:
        settled["findings"] = findings.rendered()
    return settled


def _given(
    received: Received, outcomes: Sequence[CallOutcome], findings: Findings
) -> dict[int, tuple[int, CallOutcome]]:
    """Return the outcome of each call, with its position; what is no JSON makes it an error."""
    dispatched = {call["seq"] for call in received["dispatch"]}
    given: dict[int, tuple[int, CallOutcome]] = {}
    for number, outcome in enumerate(outcomes):
        seq = outcome["seq"]
        if seq not in dispatched or seq in given:
            raise ValueError(f"outcomes[{number}] is of no dispatched call, or the second of one")
        if outcome.get("content") is NO_JSON:
            findings.add(("outcomes", number, "content"), "media_removed")
            error: CallOutcome = {**outcome, "status": "error", "error_type": "tool_error"}
            outcome = {**error, "content": RESULT_NOT_JSON}
        given[seq] = number, outcome
    return given


def _history(received: Received, shown: Mapping[int, object]) -> list[dict[str, object]]:
    """Return the messages of the turn (TRN-043); a result says what was shown of its call."""
    calls, words = received["calls"], _words(received)
    if not calls and (words is None or is_blank(words)):
        return []
    members = received.get("opaque", {}).get("members", {})
    message: dict[str, object] = {**members, "role": "assistant", "content": words}
    if calls:
        message["tool_calls"] = [_wire(call) for call in calls]
    if "origin" in received:
        message[MARK] = received["origin"]
    results: list[dict[str, object]] = [
        {"role": "tool", "tool_call_id": call["id"], "content": shown[call["seq"]]}
        for call in calls
    ]
    return [message, *results]


def _told(content: object, failure: str | None) -> object:
    """Return what is stored of a result; one that failed begins with why (definition "stored
    result").
    """
    if failure is None or content in (failure, RESULT_NOT_JSON):
        return content
    if isinstance(content, list):
        return [{"type": "text", "text": failure}, *content]
    return f"{failure}\n{content}"


def _words(received: Received) -> str | None:
    """Return what was said: where there is nothing to see, that it was refused."""
    content, refusal = received["content"], received.get("refusal")
    return refusal if refusal and (content is None or is_blank(content)) else content


def _wire(call: TurnCall) -> dict[str, object]:
    """Return a call in wire form, with what only its provider understands."""
    opaque = call.get("opaque", {})
    function = {"name": call["name"], "arguments": call["arguments_json"]}
    return {
        **opaque.get("call", {}),
        "id": call["id"],
        "type": "function",
        "function": {**opaque.get("function", {}), **function},
    }
