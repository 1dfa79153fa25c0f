"""Whether a history is settled: nothing in it has to change where no profile is given (PAY-085).

Most histories are, and most are sanitised again and again. So this tells it in one pass that makes
nothing; what is not settled is mended elsewhere, message by message.
"""

from collections.abc import Sequence

from commoncall.border import ROLES
from commoncall.payload.messages import are_text_parts, is_empty, is_usable_id, refusal_of
from commoncall.payload.sent_name import sent_name
from commoncall.payload.tool_call import judge_call


def is_settled(messages: Sequence[object], *, open_turn: bool) -> bool:
    """Tell whether a history comes back without findings, and as it is but for its marks. In an
    open turn the calls of the last assistant message may lack their results.
    """
    seen: set[str] = set()
    names: set[str] = set()
    waiting: set[str] = set()
    passed = False  # Whether another message stands behind calls that still wait.
    for message in messages:
        if (
            not isinstance(message, dict)
            or "function_call" in message
            or not isinstance(message.get("name", ""), str)
        ):
            return False
        role = message.get("role")
        if role == "tool":
            identifier = message.get("tool_call_id")
            if passed or not isinstance(identifier, str) or identifier not in waiting:
                return False
            content = message.get("content")
            if "tool_calls" in message or not (isinstance(content, str) or are_text_parts(content)):
                return False
            waiting.remove(identifier)
        elif role == "assistant":
            if waiting or refusal_of(message) is not None:
                return False
            if "tool_calls" in message:
                waiting = _ids_of(message["tool_calls"], names)
                if not waiting or not seen.isdisjoint(waiting):
                    return False
                seen |= waiting
            elif is_empty(message):
                return False
        elif role in ROLES and "tool_calls" not in message and _is_said(message.get("content")):
            passed = bool(waiting)
        else:
            return False
    return open_turn or not waiting


def _ids_of(calls: object, names: set[str]) -> set[str]:
    """Return the ids of calls that are all settled and differ from each other, else nothing.

    ``names`` are those that are known to be sent as they are; they become more.
    """
    if not isinstance(calls, list):
        return set()
    ids: set[str] = set()
    for call in calls:
        check = judge_call(call)
        if check["findings"] or call.get("type") != "function":
            return set()
        name, identifier = check["name"], call.get("id")
        if name not in names:
            if name is None or sent_name(name) != name:
                return set()
            names.add(name)
        # The arguments of a valid call can also be an object, or absent.
        if not isinstance(call["function"].get("arguments"), str):
            return set()
        if not is_usable_id(identifier) or identifier in ids:
            return set()
        ids.add(identifier)
    return ids


def _is_said(content: object) -> bool:
    return isinstance(content, str) or (isinstance(content, list) and bool(content))
