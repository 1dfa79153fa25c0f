"""The history as it may be stored or sent again: no broken call, every call with its result.

Holds `sanitize_history` and its parts only: PAY-061 to PAY-088 of spec/v1/payload.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from commoncall.envelope import Finding
from commoncall.payload.call_ids import unique_ids
from commoncall.payload.findings import in_order, rooted
from commoncall.payload.fixed_texts import INVALID_CALL_RESULT, INVALID_NAME, MISSING_RESULT
from commoncall.payload.messages import (
    ROLES,
    Message,
    Round,
    answered,
    are_text_parts,
    calls_of,
    is_empty,
    rounds,
    text_of,
)
from commoncall.payload.sent_name import sent_name
from commoncall.payload.tool_call import CALL, ToolCallCheck, check_tool_call

Disposition = Literal["skip", "answer"]
"""What becomes of an invalid call: it goes with its result, or it is told that it was not run."""


class SanitizedHistory(TypedDict):
    """A history that may be stored and sent, and what had to change for it."""

    messages: list[Message]
    findings: list[Finding]


@dataclass(slots=True)
class _Call:
    """One call of the history, and the position of its result."""

    path: str
    given: object
    check: ToolCallCheck
    result: int | None = None
    id: str = ""

    @property
    def name(self) -> str:
        name = self.check["name"]
        return INVALID_NAME if name is None else sent_name(name)


@dataclass(slots=True)
class _Turn:
    """A round with the calls that stay, and the positions of its other messages that stay."""

    calling: int | None
    calls: list[_Call]
    results: dict[int, _Call]
    others: list[int]
    is_open: bool


def sanitize_history(
    messages: Sequence[object], *, disposition: Disposition, open_turn: bool = False
) -> SanitizedHistory:
    """Bring a history into a form that can be sent and stored; never changes what is given.

    Args:
        messages: the history in the form of Chat Completions; any JSON, because it is judged.
        disposition: what becomes of an invalid call. ``skip`` removes it with its result,
            ``answer`` keeps it without its arguments and answers it with one fixed error text.
        open_turn: the calls of the last assistant message still wait for their results (PAY-075).

    Returns:
        ``{messages, findings}``. Messages in which nothing changed are the objects that were
        given. Raises nothing on JSON input.
    """
    findings: list[Finding] = []
    kept = _read(messages, findings)
    found = rounds(kept)
    turns = []
    for round_ in found:
        is_open = open_turn and round_ is found[-1]
        turns.append(_settle(round_, kept, disposition, is_open, findings))
    calls = [call for turn in turns for call in turn.calls]
    given_ids = [call.given.get("id") if isinstance(call.given, dict) else None for call in calls]
    for call, identifier in zip(calls, unique_ids(given_ids), strict=True):
        call.id = identifier
    written = [message for turn in turns for message in _write(turn, kept, findings)]
    return {"messages": written, "findings": in_order(findings)}


def _read(messages: Sequence[object], findings: list[Finding]) -> dict[int, Message]:
    """Return the kept messages by position, without foreign members (PAY-061 to PAY-065)."""
    kept: dict[int, Message] = {}
    for at, message in enumerate(messages):
        path = f"/messages/{at}"
        if not isinstance(message, dict):
            findings.append({"code": "message_not_object", "path": path})
        elif message.get("role") not in ROLES:
            findings.append({"code": "role_unknown", "path": path})
        else:
            clean = _without_foreign_calls(message, path, findings)
            if is_empty(clean):
                findings.append({"code": "message_empty", "path": path})
            else:
                kept[at] = clean
    return kept


def _without_foreign_calls(message: Message, path: str, findings: list[Finding]) -> Message:
    removed = {}
    if "function_call" in message:
        removed["function_call"] = "function_call_removed"
    if "tool_calls" in message and not calls_of(message):
        if message["role"] != "assistant":
            removed["tool_calls"] = "tool_calls_misplaced"
        elif message["tool_calls"] == []:
            removed["tool_calls"] = "tool_calls_empty"
        else:
            removed["tool_calls"] = "tool_calls_not_array"
    findings.extend({"code": code, "path": f"{path}/{name}"} for name, code in removed.items())
    return _without(message, *removed) if removed else message


def _settle(
    round_: Round,
    kept: dict[int, Message],
    disposition: Disposition,
    is_open: bool,
    findings: list[Finding],
) -> _Turn:
    """Judge the calls of a round and find their results; what does not stay is reported."""
    calls = []
    if round_.calling is not None:
        for number, given in enumerate(calls_of(kept[round_.calling])):
            path = f"/messages/{round_.calling}/tool_calls/{number}"
            calls.append(_Call(path, given, check_tool_call(given)))
            findings.extend(rooted(calls[-1].check["findings"], CALL, path))
    others = [at for at in round_.rest if kept[at]["role"] != "tool"]
    results = [at for at in round_.rest if kept[at]["role"] == "tool"]
    answers = answered([call.given for call in calls], [kept[at] for at in results])
    staying: dict[int, _Call] = {}
    for at, answer in zip(results, answers, strict=True):
        path = f"/messages/{at}"
        if answer is None:
            findings.append({"code": "result_orphaned", "path": path})
            continue
        call = calls[answer]
        call.result = at
        staying[at] = call
        if not call.check["valid"]:
            removed = disposition == "skip"
            code = "result_of_skipped_call" if removed else "result_replaced"
            findings.append({"code": code, "path": path})
        elif others and others[0] < at:
            findings.append({"code": "result_moved", "path": path})
    if disposition == "skip":
        calls = [call for call in calls if call.check["valid"]]
        staying = {at: call for at, call in staying.items() if call.check["valid"]}
    return _Turn(round_.calling, calls, staying, others, is_open)


def _write(turn: _Turn, kept: dict[int, Message], findings: list[Finding]) -> list[Message]:
    """Return the messages of a round: the calls, their results, and then what else it holds."""
    written = []
    if turn.calling is not None:
        message = _calling(turn, kept[turn.calling], findings)
        # A round whose calls are all gone can be left without a word.
        if is_empty(message):
            findings.append({"code": "message_empty", "path": f"/messages/{turn.calling}"})
        else:
            written.append(message)
    for at, call in turn.results.items():
        if call.check["valid"]:
            written.append(_result(kept[at], call, f"/messages/{at}", findings))
        else:
            written.append(_fixed_result(call, INVALID_CALL_RESULT))
    for call in turn.calls:
        if call.result is not None:
            continue
        if not call.check["valid"]:
            written.append(_fixed_result(call, INVALID_CALL_RESULT))
        elif not turn.is_open:
            findings.append({"code": "result_missing", "path": call.path})
            written.append(_fixed_result(call, MISSING_RESULT))
    written.extend(kept[at] for at in turn.others)
    return written


def _calling(turn: _Turn, message: Message, findings: list[Finding]) -> Message:
    if not calls_of(message):
        return message
    if not turn.calls:
        return _without(message, "tool_calls")
    return {**message, "tool_calls": [_wire(call, findings) for call in turn.calls]}


def _wire(call: _Call, findings: list[Finding]) -> Message:
    """Return a call as it is sent (PAY-077 to PAY-081); its other members stay."""
    given = call.given if isinstance(call.given, dict) else {}
    function = given.get("function")
    members = function if isinstance(function, dict) else {}
    changed = []
    if given.get("type") != "function":
        changed.append(("type_coerced", "type"))
    if given.get("id") != call.id:
        changed.append(("id_replaced", "id"))
    if call.check["name"] is not None and call.check["name"] != call.name:
        changed.append(("name_coerced", "function/name"))
    if call.check["valid"] and not isinstance(members.get("arguments"), str):
        changed.append(("arguments_coerced", "function/arguments"))
    # Of what was no object, every member is new, and one finding says so.
    if isinstance(call.given, dict):
        findings.extend({"code": code, "path": f"{call.path}/{at}"} for code, at in changed)
    arguments = call.check["arguments_json"] if call.check["valid"] else "{}"
    wire = {**members, "name": call.name, "arguments": arguments}
    return {**given, "id": call.id, "type": "function", "function": wire}


def _result(message: Message, call: _Call, path: str, findings: list[Finding]) -> Message:
    """Return the result of a valid call, with its call's id and a content that can be sent."""
    changed: Message = {}
    if message.get("tool_call_id") != call.id:
        changed["tool_call_id"] = call.id
        findings.append({"code": "id_replaced", "path": f"{path}/tool_call_id"})
    if message.get("name") == call.check["name"] != call.name:
        changed["name"] = call.name
        findings.append({"code": "name_coerced", "path": f"{path}/name"})
    content = message.get("content")
    if not isinstance(content, str) and not are_text_parts(content):
        changed["content"] = text_of(content)
        findings.append({"code": "result_content_coerced", "path": f"{path}/content"})
    return {**message, **changed} if changed else message


def _fixed_result(call: _Call, text: str) -> Message:
    return {"role": "tool", "tool_call_id": call.id, "content": text}


def _without(message: Message, *names: str) -> Message:
    return {name: value for name, value in message.items() if name not in names}
