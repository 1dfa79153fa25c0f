"""The rules about the messages of a request: H-1 to H-15 of `strict`, and R-5 in calls."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tests.evidence.request_judges.flags import Flags, Violation, is_filled_list, is_sent_name

SPEAKERS: Final = ("system", "developer", "user")
ROLES: Final = (*SPEAKERS, "assistant", "tool")
ID_FORMS: Final = {
    "word_64": "[A-Za-z0-9_-]{1,64}",
    "word_40": "[A-Za-z0-9_-]{1,40}",
    "alphanumeric_9": "[A-Za-z0-9]{9}",
}
BLANKS: Final = "[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*"
KNOWN_MEMBERS: Final = {
    "system": {"role", "content"},
    "developer": {"role", "content"},
    "user": {"role", "content"},
    "assistant": {"role", "content", "tool_calls"},
    "tool": {"role", "content", "name", "tool_call_id"},
}
Placed = tuple[str, dict[str, Any]]
"""A message and its path."""


# --- one message ----------------------------------------------------------------------------------


def message_violations(message: Any, flags: Flags, at: str) -> Iterator[Violation]:
    """Judge one message alone, with its calls."""
    if not _has_role(message):
        yield Violation("FORM", at)
        return
    role, content = message["role"], message.get("content")
    if role == "developer" and not flags["developer_role"]:
        yield Violation("FORM", f"{at}/role")
    if not isinstance(message.get("name", ""), str):
        yield Violation("FORM", f"{at}/name")
    if role in SPEAKERS and not isinstance(content, str) and not is_filled_list(content):
        yield Violation("FORM", f"{at}/content")
    if "function_call" in message:
        yield Violation("R-12", f"{at}/function_call")
    if "tool_calls" in message and (
        role != "assistant" or not is_filled_list(message["tool_calls"])
    ):
        yield Violation("H-9", f"{at}/tool_calls")
    if role == "assistant":
        yield from _answer(message, flags, at)
    if role == "tool":
        yield from _result(message, flags, at)
    if role != "tool":
        yield from _textless_parts(content, at)
    if not flags["blank_texts"] and role != "tool" and _says_nothing(message, role, flags):
        yield Violation("H-12", f"{at}/content")
    if flags["unknown_members"] == "none":
        readable = flags["readable_members"] if role == "assistant" else []
        names = KNOWN_MEMBERS[role].union(flags["opaque_members"], readable)
        yield from _unknown(message, names, at)


def _says_nothing(message: Mapping[str, Any], role: str, flags: Flags) -> bool:
    """Tell whether a text of a content has no visible character; an empty one beside calls stays
    where there has to be one.
    """
    content = message.get("content")
    if isinstance(content, list) and content:
        texts = [part.get("text") for part in content if _kind(part) == "text"]
        return any(isinstance(text, str) and not text.strip() for text in texts)
    if role == "assistant":
        takes_null = content != "" or flags["content_beside_calls"] == "any"
        return isinstance(content, str) and takes_null and not content.strip()
    return not str(content or "").strip()


def _answer(message: Mapping[str, Any], flags: Flags, at: str) -> Iterator[Violation]:
    content, calls = message.get("content"), message.get("tool_calls")
    if not is_filled_list(calls) and content in (None, "", []):
        yield Violation("H-9", at)
    parts = content if isinstance(content, list) else []
    is_of_texts = bool(parts) and all(_kind(part) == "text" for part in parts)
    needs_text = flags["content_beside_calls"] != "any" and (is_filled_list(calls) or is_of_texts)
    if needs_text and not isinstance(content, str):
        yield Violation("H-10", f"{at}/content")
    if flags["unknown_members"] == "none":
        yield from _unknown_parts(content, at)
    for number, call in enumerate(calls if isinstance(calls, list) else []):
        yield from _call(call, flags, f"{at}/tool_calls/{number}")
    opaque = set(flags["opaque_members"]).difference(*KNOWN_MEMBERS.values())
    for name, where in flags["opaque_required"].items():
        holders = [message] if where["in"] == "message" else _calls(message)
        if not _calls(message) and _is_of_a_call(where.get("value")):
            continue
        if name in opaque and holders and all(_lacks(holder, name, where) for holder in holders):
            yield Violation("H-6", f"{at}: {name}")


def _lacks(holder: Mapping[str, Any], name: str, where: Mapping[str, Any]) -> bool:
    """Tell whether a member is not there, or empty where something else is wanted."""
    if name not in holder:
        return True
    return holder[name] in (None, "") and where.get("value", holder[name]) != holder[name]


def _is_of_a_call(value: object) -> bool:
    elements = value if isinstance(value, list) else [value]
    return any(isinstance(one, dict) and one.get("id", "") is None for one in elements)


def _result(message: Mapping[str, Any], flags: Flags, at: str) -> Iterator[Violation]:
    content, taken = message.get("content"), flags["result_content"]
    parts = taken != "string" and _are_parts(content, media=taken == "parts")
    if not isinstance(content, str) and not parts:
        yield Violation("H-12", f"{at}/content")
    if flags["result_name"] == "none" and "name" in message:
        yield Violation("H-15", f"{at}/name")


def _call(call: object, flags: Flags, at: str) -> Iterator[Violation]:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(function, dict):
        yield Violation("H-8", at)
        return
    name = function.get("name")
    if call.get("type") != "function" or not isinstance(name, str) or is_blank(name):
        yield Violation("H-8", at)
    elif not is_sent_name(name, flags):
        yield Violation("R-5", f"{at}/function/name")
    if not _is_object_text(function.get("arguments")):
        yield Violation("H-5", f"{at}/function/arguments")
    if flags["unknown_members"] == "none":
        opaque = set(flags["opaque_members"])
        yield from _unknown(call, {"id", "type", "function"} | opaque, at)
        yield from _unknown(function, {"name", "arguments"} | opaque, f"{at}/function")


def _unknown(members: Mapping[str, Any], known: set[str], at: str) -> Iterator[Violation]:
    for name in members:
        if name not in known:
            yield Violation("H-13", f"{at}/{name}")


def _unknown_parts(content: object, at: str) -> Iterator[Violation]:
    for number, part in enumerate(content if isinstance(content, list) else []):
        if _kind(part) != "text":
            yield Violation("H-6", f"{at}/content/{number}")


def _textless_parts(content: object, at: str) -> Iterator[Violation]:
    for number, part in enumerate(content if isinstance(content, list) else []):
        if _kind(part) == "text" and not isinstance(part.get("text"), str):
            yield Violation("H-6", f"{at}/content/{number}")


def _kind(part: object) -> str:
    kind = part.get("type") if isinstance(part, dict) else None
    return kind if isinstance(kind, str) else ""


def _are_parts(content: object, *, media: bool) -> bool:
    """Tell whether a content is a list of text parts, or of media in the form of requests too."""
    return is_filled_list(content) and all(
        (_kind(part) == "text" and isinstance(part.get("text"), str))
        or (media and _kind(part) in part and _kind(part) != "text")
        for part in (content if isinstance(content, list) else [])
    )


def _is_object_text(arguments: object) -> bool:
    """Tell whether arguments are the text of a JSON object, by RFC 8259 and nothing looser."""
    if not isinstance(arguments, str):
        return False
    try:
        value = json.loads(arguments, parse_constant=_refuse_constant, parse_float=_finite)
        # An escaped half of a pair is no character, and no server can encode it.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict)


def _refuse_constant(spelling: str) -> float:
    raise ValueError(f"{spelling} is no JSON")


def _finite(spelling: str) -> float:
    number = float(spelling)
    if number in (float("inf"), float("-inf")):
        raise ValueError("beyond binary64")
    return number


# --- several messages -----------------------------------------------------------------------------


def order_violations(messages: list[Any], flags: Flags, *, open_turn: bool) -> Iterator[Violation]:
    """Judge what messages say of each other: which call has which result, ids, order of roles."""
    known = [
        (f"messages/{number}", message)
        for number, message in enumerate(messages)
        if _has_role(message)
    ]
    yield from _pairs(known, flags, open_turn)
    yield from _ids(known, flags)
    closed = known[: _open_from(known)] if open_turn else known
    yield from _roles(closed, flags)
    if known and known[-1][1]["role"] == "assistant" and not (flags["assistant_last"] or open_turn):
        yield Violation("H-14", known[-1][0])


def _pairs(known: list[Placed], flags: Flags, open_turn: bool) -> Iterator[Violation]:
    """Follow the calls that wait for a result: H-1, H-2, H-3 and, by profile, H-15."""
    waiting: list[dict[str, Any]] = []
    interrupted = False  # Another message came while calls were waiting.
    for at, message in known:
        if message["role"] == "assistant":
            if waiting:
                yield Violation("H-2", at)
            waiting, interrupted = _calls(message), False
        elif message["role"] != "tool":
            interrupted = bool(waiting)
        else:
            own = [call for call in waiting if _same(call.get("id"), message.get("tool_call_id"))]
            if not own:
                yield Violation("H-3", at)
                continue
            waiting.remove(own[0])
            if interrupted:
                yield Violation("H-1", at)
            name = _function(own[0]).get("name")
            if flags["result_name"] == "call" and not _same(name, message.get("name")):
                yield Violation("H-15", at)
    if waiting and not open_turn:
        yield Violation("H-2", "messages")


def _ids(known: list[Placed], flags: Flags) -> Iterator[Violation]:
    form = ID_FORMS.get(flags["ids"], "(?s:.+)")
    seen: set[object] = set()
    for at, message in known:
        if flags["ids"] == "verbatim" and message["role"] == "assistant":
            seen = set()  # Who wants its own ids back may give one again in a later message.
        given = [call.get("id") for call in _calls(message)]
        results = [message.get("tool_call_id")] if message["role"] == "tool" else []
        for identifier in [*given, *results]:
            if (
                not isinstance(identifier, str)
                or is_blank(identifier)
                or not re.fullmatch(form, identifier)
            ):
                yield Violation("H-7", at)
        for identifier in given:
            if isinstance(identifier, str) and identifier in seen:
                yield Violation("H-7", at)
            seen |= {identifier} if isinstance(identifier, str) else set()


def _open_from(known: list[Placed]) -> int:
    """Return where the turn begins whose calls still wait for results, or where all ends."""
    last = max((n for n, (_, each) in enumerate(known) if each["role"] == "assistant"), default=0)
    calls = _calls(known[last][1]) if known else []
    answered = [message.get("tool_call_id") for _, message in known[last:]]
    return last if any(call.get("id") not in answered for call in calls) else len(known)


def _roles(known: list[Placed], flags: Flags) -> Iterator[Violation]:
    before = ""
    leading = True
    alternating = flags["repeated_roles"] is False
    user_first = flags["repeated_roles"] is not True
    for at, message in known:
        is_system = message["role"] in ("system", "developer")
        anywhere = flags["system_anywhere"]
        second = anywhere == "one" and before != ""
        if is_system and anywhere is not True and (second or not leading):
            yield Violation("H-11", at)
        other = is_system or message["role"] == "user"
        if other and before == "tool" and not flags["user_after_tool"]:
            yield Violation("H-11", at)
        repeated = message["role"] == before and before in ("user", "assistant")
        begins = leading and message["role"] == "assistant"
        if (alternating and repeated) or (user_first and begins):
            yield Violation("H-11", at)
        one_call = flags["calls_in_message"] == "one" and not _is_signed(message, flags)
        if one_call and len(_calls(message)) > 1:
            yield Violation("H-11", at)
        leading = leading and is_system
        before = message["role"]
    if user_first and leading and known:
        yield Violation("H-11", known[-1][0])


def _is_signed(message: Mapping[str, Any], flags: Flags) -> bool:
    """Tell whether a message holds what only its provider understands: it stays in one piece."""
    calls = _calls(message)
    members = [message, *calls, *map(_function, calls)]
    names = set(flags["opaque_members"])
    return any(not names.isdisjoint(each) for each in members)


def _has_role(message: object) -> bool:
    return isinstance(message, dict) and message.get("role") in ROLES


def _calls(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    calls = message.get("tool_calls")
    if message["role"] != "assistant" or not isinstance(calls, list):
        return []
    return [call for call in calls if isinstance(call, dict)]


def _function(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function")
    return function if isinstance(function, dict) else {}


def _same(one: object, other: object) -> bool:
    return isinstance(one, str) and one == other


def is_blank(text: str) -> bool:
    """Tell whether a text shows nothing: only characters of the property White_Space."""
    return re.fullmatch(BLANKS, text) is not None
