"""The history for a request without tools: calls and results as text, and nothing lost.

Holds `flatten_history`, what of it `turn.prepare` takes, and the text of a result that comes late:
spec/v1/flattening.md.
"""

import re
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any, Literal, TypedDict

from commoncall.envelope import Finding
from commoncall.json_text import JSON_SPACE, compact
from commoncall.payload.fixed_texts import CALL_NOT_SHOWN, INVALID_NAME, UNKNOWN_NAME
from commoncall.payload.foreign_form import refuse_foreign_messages
from commoncall.payload.messages import (
    Message,
    calls_of,
    is_kept,
    no_calls,
    rounds,
    text_of,
    without,
)
from commoncall.payload.pairing import paired
from commoncall.payload.parts import are_parts, sent_parts, text_of_parts
from commoncall.payload.roles import joined_content
from commoncall.payload.tool_call import CallCheck, judge_repaired
from commoncall.places import Findings, Place

Form = Literal["quoted", "blocks"]
"""How calls and results are written: as quoted text, or as the blocks of the text protocol."""

_LINE_END = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_ESCAPED = re.compile("[<\x85\u2028\u2029]")
_STRING_OR_SPACE = re.compile(rf'("[^"\\]*(?:\\.[^"\\]*)*")|[{JSON_SPACE}]+')


class FlattenedHistory(TypedDict):
    """A history without tool turns, and what became text."""

    messages: list[object]
    findings: list[Finding]


def flatten_history(
    messages: Sequence[object], *, form: Form, effective: Collection[str] | None = None
) -> FlattenedHistory:
    """Write the tool turns of a history as text; other messages are the objects that were given.

    Args:
        messages: the history in the form of Chat Completions; any JSON: its form is judged here.
        form: ``quoted`` for a model without a tool protocol, ``blocks`` for one with calls as text.
        effective: the names that may stand in the text; None: all that can be read (PAY-092).

    Raises:
        ForeignFormError: the history has the form of another interface (PAY-167).
    """
    refuse_foreign_messages(messages)
    findings = Findings()
    flat = flat_history(messages, form, effective, findings)
    return {"messages": flat, "findings": findings.rendered()}


def flat_history(
    messages: Sequence[object],
    form: Form,
    effective: Collection[str] | None,
    findings: Findings,
    *,
    joins: bool = False,
) -> list[object]:
    """Return a history with its tool turns as text; ``joins``: that of results stands in the
    message of the user behind them (TRN-077).
    """
    callers = _callers(messages)
    shown = None if effective is None else frozenset(effective)
    flat: list[Any] = []
    for is_result, run in groupby(enumerate(messages), key=lambda one: _is_result(one[1])):
        if not is_result:
            said: list[Any] = [_flat(at, message, form, shown, findings) for at, message in run]
            # Runs take turns, so the text of results is the last that stands there.
            if joins and flat and said[0]["role"] == "user":
                contents = [flat.pop()["content"], said[0].get("content")]
                said[0] = {**said[0], "content": joined_content(contents)}
            flat += said
            continue
        texts = []
        for at, message in run:
            assert isinstance(message, dict)
            findings.add(("messages", at), "result_flattened")
            if at in callers:
                name = _shown_name(judge_repaired(callers[at]), form, shown)
            else:
                name = UNKNOWN_NAME if shown is None else None
                findings.add(("messages", at), "result_orphaned")
            if "tool_calls" in message:
                findings.add(("messages", at, "tool_calls"), "tool_calls_misplaced")
            texts.append(_result_text(message, name, form))
        flat.append({"role": "user", "content": "\n".join(texts)})
    return flat


def _is_result(message: object) -> bool:
    return isinstance(message, dict) and message.get("role") == "tool"


def _callers(messages: Sequence[object]) -> dict[int | None, object]:
    """Return the call that each tool message answers, by the position of the message."""
    kept = [(at, message) for at, message in enumerate(messages) if is_kept(message)]
    return {
        at: call.given
        for of_round in paired(rounds(kept), messages)
        for call in of_round
        for at in (call.result, *call.later)
    }


def _flat(
    at: int, message: object, form: Form, shown: frozenset[str] | None, findings: Findings
) -> object:
    """Return a message that is no result: with its calls as text, or as it is."""
    if not isinstance(message, dict) or "tool_calls" not in message:
        return message
    flat = without(message, "tool_calls")
    calls = calls_of(message)
    place: Place = ("messages", at, "tool_calls")
    if not calls:
        findings.add(place, no_calls(message))
        return flat
    lines = []
    for number, call in enumerate(calls):
        check = judge_repaired(call)
        findings.add((*place, number), "call_flattened")
        findings.extend(check["findings"], below=(*place, number))
        lines.append(_call_text(check, _shown_name(check, form, shown), form))
    return {**flat, "content": _with_text(message.get("content"), "\n".join(lines))}


def _shown_name(check: CallCheck, form: Form, shown: frozenset[str] | None) -> str | None:
    """Return the name that a call has in the text, if it has one (definition "shown name")."""
    name = check["name"]
    if shown is not None:
        return name if check["valid"] and name in shown else None
    if check["valid"] or form == "quoted":
        return name or INVALID_NAME
    return None  # A block is what a model copies, and this call was never made.


def _call_text(check: CallCheck, name: str | None, form: Form) -> str:
    if form == "quoted":
        return f"Called {_whose(name)} with {_escaped(_tight(check['arguments_json'] or '{}'))}"
    if name is None:
        return CALL_NOT_SHOWN
    # The text itself, not the object: a number of 19 digits is read back as it was written.
    assert check["arguments_json"] is not None  # Only a valid call has a name in a block.
    arguments = check["arguments_json"].strip(JSON_SPACE)
    return f'<tool_call>\n{{"name": {_string(name)}, "arguments": {arguments}}}\n</tool_call>'


def _result_text(message: Message, name: str | None, form: Form) -> str:
    if form == "quoted" or name is None:
        return quoted_result(message, name)
    return (
        f'<tool_response>\n{{"name": {_string(name)}, "content": {_string(_content(message))}}}\n'
        "</tool_response>"
    )


def quoted_result(message: Message, name: str | None) -> str:
    """Return a result as quoted text (definition "result text")."""
    quoted = _LINE_END.sub(lambda end: f"{end[0]}> ", _content(message))
    return f"Result of {_whose(name)}:\n> {quoted}"


def _content(message: Message) -> str:
    content = message.get("content")
    return text_of_parts(sent_parts(content, "string")) if are_parts(content) else text_of(content)


def _whose(name: str | None) -> str:
    return "a tool" if name is None else _string(name)


def _with_text(content: object, text: str) -> object:
    """Return the content of an assistant message with a text behind it."""
    if isinstance(content, list) and content:
        return [*content, {"type": "text", "text": text}]
    before = "" if content == [] else text_of(content)
    return f"{before}\n{text}" if before else text


def _string(text: str) -> str:
    """Return a JSON string that ends no line and no tag (definition "quoted string")."""
    return _escaped(compact(text))


def _tight(json_text: str) -> str:
    """Return a JSON text without the white space outside its strings: every digit stays."""
    return _STRING_OR_SPACE.sub(lambda found: found[1] or "", json_text)


def _escaped(json_text: str) -> str:
    """Escape what could end a line or a tag. In a JSON text it stands inside strings only."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json_text)
