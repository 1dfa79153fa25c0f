"""Calls and results as they are sent: names, ids, contents and texts in the form of the wire.

Holds PAY-067, PAY-074, PAY-077 and PAY-083 of spec/v1/payload.md. What has its form already is
returned as the object that was given.
"""

from dataclasses import dataclass
from itertools import compress

from commoncall.payload.fixed_texts import PART_MOVED
from commoncall.payload.foreign_members import (
    COMMON_IN_CALL,
    COMMON_IN_FUNCTION,
    common_members,
)
from commoncall.payload.messages import Message, Placed, are_text_parts, text_of
from commoncall.payload.parts import are_parts, is_media_part, sent_parts, text_of_parts
from commoncall.payload.profile import Profile
from commoncall.payload.sanitizing import Run
from commoncall.places import Place


@dataclass(slots=True)
class HistoryCall:
    """One call of the history: where it stands, what the check says, and what it is sent as.

    ``from_here`` says whether its message came from where the request goes, ``waits`` that it has
    no result by PAY-074, ``moves_media`` that media of its result go behind it (PAY-190). The
    arguments are kept as a text only: those of a long history are many. From ``result`` on, each
    member is known by a later step than the one above it, in the order of `clean_history`.
    """

    place: Place
    given: object
    valid: bool
    given_name: str | None
    arguments_json: str
    name: str
    from_here: bool
    result: Placed | None = None
    waits: bool = False
    moves_media: bool = False
    id: str = ""


def sent_call(call: HistoryCall, run: Run) -> object:
    """Return a call as it is sent."""
    given = call.given if isinstance(call.given, dict) else {}
    function = given.get("function")
    members = function if isinstance(function, dict) else {}
    changed: list[tuple[str, ...]] = []
    if given.get("type") != "function":
        changed.append(("type_coerced", "type"))
    if given.get("id") != call.id:
        changed.append(("id_replaced", "id"))
    if call.given_name not in (None, call.name):
        changed.append(("name_coerced", "function", "name"))
    if call.valid and not isinstance(members.get("arguments"), str):
        changed.append(("arguments_coerced", "function", "arguments"))
    # Of what was no object, every member is new, and one finding says so.
    if isinstance(call.given, dict):
        for code, *at in changed:
            run.report((*call.place, *at), code)
    given = common_members(given, COMMON_IN_CALL, call.place, call.from_here, run)
    place = (*call.place, "function")
    members = common_members(members, COMMON_IN_FUNCTION, place, call.from_here, run)
    same = given is call.given and members is function and not changed
    # Arguments that are no text are among what changed; a text may be repaired.
    if call.valid and same and members["arguments"] == call.arguments_json:
        return given
    wire = {**members, "name": call.name, "arguments": call.arguments_json}
    return {**given, "id": call.id, "type": "function", "function": wire}


def sent_result(result: Placed, call: HistoryCall, run: Run) -> Message:
    """Return the result of a call, with its call's id and a content that can be sent."""
    at, message = result
    place: Place = ("messages", at)
    changed: Message = {}
    if message.get("tool_call_id") != call.id:
        changed["tool_call_id"] = call.id
        run.report((*place, "tool_call_id"), "id_replaced")
    name = message.get("name")
    if name is not None and name == call.given_name and name != call.name:
        changed["name"] = call.name
        run.report((*place, "name"), "name_coerced")
    elif run.profile.result_name == "call" and name != call.name:
        changed["name"] = call.name  # There is no finding: nothing that was meant is lost.
    content = message.get("content")
    if not isinstance(content, str):
        sent = _result_content(content, (*place, "content"), call.moves_media, run)
        if sent is not content:
            changed["content"] = sent
    return {**message, **changed} if changed else message


def fixed_result(call: HistoryCall, text: str, profile: Profile) -> Message:
    """Return the result of a call that has none of its own (PAY-074, PAY-077)."""
    result: Message = {"role": "tool", "tool_call_id": call.id, "content": text}
    return {**result, "name": call.name} if profile.result_name == "call" else result


def content_beside_calls(content: object, profile: Profile) -> object:
    """Return the content of a message with calls as it is sent (PAY-083)."""
    if profile.content_beside_calls == "any":
        return content
    return text_of_parts(content) if are_text_parts(content) else text_of(content)


def _result_content(content: object, place: Place, moves: bool, run: Run) -> object:
    """Return what takes the place of a content that is no string; the given one where it stays.

    The rows of PAY-083 with PAY-190, one behind the other.
    """
    if not are_parts(content):
        run.report(place, "result_content_coerced")
        return text_of(content)
    form = run.profile.result_content
    parts = sent_parts(content, form, moves=moves)
    changed = [number for number, part in enumerate(parts) if part is not content[number]]
    are_media = [is_media_part(content[number]) for number in changed]
    for number in compress(changed, are_media):
        # In the place of media stands one of two fixed texts.
        is_moved = parts[number]["text"] == PART_MOVED
        run.report((*place, number), "media_moved" if is_moved else "media_removed")
    becomes_text = form == "string"
    if becomes_text or not all(are_media):
        run.report(place, "result_content_coerced")
    if becomes_text:
        return text_of_parts(parts)
    return parts if changed else content
