"""The recorder of one request: a Planned and a Result for every call, whatever becomes of it.

Holds the rules of the members of events: EVT-013, EVT-021, EVT-048. What an event is stands in
`form`, what may be read of a call in `checks`, what is counted in `metrics`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self, TypedDict

from commoncall.event.checks import (
    PAYLOAD_BYTES,
    ReadCall,
    ShownNames,
    read_named,
    read_payload,
    shown_id,
)
from commoncall.event.form import Event, PlannedEvent, ResultEvent
from commoncall.event.hashing import Key, canonical_text, preview_hash
from commoncall.event.metrics import Metrics, measure
from commoncall.event.texts import CANNED_RESULT, MESSAGES, ErrorType, is_error_type
from commoncall.forms import is_number
from commoncall.json_text import as_text

MAX_LATENCY: Final = 2**53 - 1
"""The longest latency in milliseconds that counts as measured (EVT-021)."""


class Output(TypedDict):
    """What is shown outside for one Result."""

    seq: int
    channel: Literal["commentary"]
    content: str


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A planned call: its place, and why it may not run; ``error_type`` None says that it may."""

    seq: int
    tool: str
    error_type: ErrorType | None


class Recorder:
    """Records the calls of one request.

    ``events`` and ``outputs`` grow with each step and are in the order of the steps; calls may
    overlap, so a Result can come before the Result of an earlier call.

    Args:
        request_id: stands in every event.
        effective: the names of the tools that this turn may use.
        labels: in the place of ``effective`` where there is no registry: the names that may be
            shown. No call is unavailable then.
        payload_bytes: the longest text of a call in UTF-8; None means 8,192 for payloads of
            pseudo-markers, and no limit for other calls.
        key: makes the hashes HMAC-SHA-256.

    Raises:
        TypeError: neither ``effective`` nor ``labels`` is given, or both are.
    """

    def __init__(
        self,
        request_id: str,
        *,
        effective: Collection[str] | None = None,
        labels: Collection[str] | None = None,
        payload_bytes: int | None = None,
        key: Key | None = None,
    ) -> None:
        names = labels if effective is None else effective
        if names is None or (labels is not None and effective is not None):
            raise TypeError("either effective or labels")
        self.events: list[Event] = []
        self.outputs: list[Output] = []
        self._request_id = request_id
        self._known = ShownNames(frozenset(names), observes=effective is None)
        self._payload_bytes = payload_bytes
        self._key = key
        self._planned = 0
        self._open: dict[int, tuple[PlannedCall, str | None]] = {}

    @classmethod
    def resume(cls, planned: Sequence[PlannedEvent]) -> Self:
        """Return a recorder that waits for the Results of calls of one request which another one
        planned; what it plans itself comes behind the last of them.
        """
        # These calls were judged when they were planned; for a new one no tool is effective.
        recorder = cls(planned[0]["request_id"] if planned else "", effective=())
        for event in planned:
            call = PlannedCall(event["seq"], event["tool"], None)
            recorder._open[call.seq] = call, event.get("tool_call_id")
            recorder._planned = max(recorder._planned, call.seq + 1)
        return recorder

    def planned(
        self,
        *,
        payload: str | None = None,
        name: str | None = None,
        arguments_json: str | None = None,
        error_type: ErrorType | None = None,
        tool_call_id: str | None = None,
        args_schema_version: str | None = None,
    ) -> PlannedCall:
        """Record that a call was seen, and say whether it may run.

        Args:
            payload: the text between the markers; where it is given, it alone is read.
            name: None where it could not be had.
            arguments_json: the text of the arguments; None where it could not be had.
            error_type: why the text of the call could not be read, where extraction says so.
            tool_call_id: stands in both events of the call, unless it tells a name that may not.
            args_schema_version: stands in the Planned.
        """
        if payload is not None:
            limit = PAYLOAD_BYTES if self._payload_bytes is None else self._payload_bytes
            reading = read_payload(payload, self._known, limit)
            name = reading.name
        else:
            reading = read_named(name, arguments_json, self._known, self._payload_bytes, error_type)
        if tool_call_id is not None:
            tool_call_id = shown_id(tool_call_id, name, reading.label)
        call = PlannedCall(self._planned, reading.label, reading.error_type)
        self._planned += 1
        self._open[call.seq] = call, tool_call_id
        event: PlannedEvent = {
            "type": "ToolCallPlanned",
            "request_id": self._request_id,
            "seq": call.seq,
            "tool": call.tool,
            "args_preview_hash": self._hash(reading),
        }
        if self._key is not None:
            event["args_hash_algorithm"] = "hmac-sha256"
            event["args_hash_key_id"] = self._key.id
        if args_schema_version is not None:
            event["args_schema_version"] = args_schema_version
        if tool_call_id is not None:
            event["tool_call_id"] = tool_call_id
        self.events.append(event)
        return call

    def result(
        self,
        seq: int,
        *,
        status: object,
        latency_ms: object = None,
        error_type: object = None,
        content: object = None,
    ) -> ResultEvent:
        """Record what became of a planned call; what is said of one that may not run is ignored.

        Args:
            seq: that of the call.
            status: ``"ok"``; anything else is an error.
            latency_ms: what was measured, if anything was.
            error_type: one of `MESSAGES`; anything else counts as ``tool_error``.
            content: text, or any JSON; None where the tool returned nothing.

        Raises:
            ValueError: no call of this seq waits for a result.
        """
        if seq not in self._open:
            raise ValueError(f"no call {seq} waits for a result")
        call, tool_call_id = self._open.pop(seq)
        if call.error_type is not None:
            status, latency_ms, error_type, content = "error", None, call.error_type, None
        event: ResultEvent = {
            "type": "ToolCallResult",
            "request_id": self._request_id,
            "seq": seq,
            "tool": call.tool,
            "status": "ok" if status == "ok" else "error",
        }
        if is_number(latency_ms) and 0 <= latency_ms <= MAX_LATENCY:
            event["latency_ms"] = latency_ms
        text = CANNED_RESULT
        if status != "ok":
            known = error_type if is_error_type(error_type) else "tool_error"
            text = MESSAGES[known]
            event["error_type"] = known
            event["message"] = text
        if tool_call_id is not None:
            event["tool_call_id"] = tool_call_id
        self.events.append(event)
        returned = as_text(content)
        shown = text if returned is None else returned
        self.outputs.append({"seq": seq, "channel": "commentary", "content": shown})
        return event

    def close(self) -> None:
        """Give every call that still waits its result: ``tool_aborted``, or why it may not run."""
        for seq in sorted(self._open):
            self.result(seq, status="error", error_type="tool_aborted")

    def metrics(self) -> Metrics:
        """Return the metrics of the results so far."""
        return measure(self.events)

    def _hash(self, reading: ReadCall) -> str | None:
        if reading.arguments is None:
            return None
        return preview_hash(canonical_text(reading.arguments), self._key)
