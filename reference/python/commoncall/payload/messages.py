"""What a message of a history is, and which messages belong together.

Holds the definitions "kept message", "round" and "text part", and PAY-065.
Reads only; what becomes of a message is decided elsewhere.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, TypeGuard

from commoncall.border import ROLES
from commoncall.json_text import as_text, is_blank

SYSTEM = ("system", "developer")

Message = dict[str, object]

Placed = tuple[int, Message]
"""A message and its position in the input."""

SAYS_NOTHING: Final[tuple[object, ...]] = (None, "", [])
"""The contents that are as good as none."""


@dataclass(slots=True)
class Round:
    """An assistant message, none for the first round; the tool messages behind it; the others."""

    calling: Placed | None
    tools: list[Placed] = field(default_factory=list)
    others: list[Placed] = field(default_factory=list)


def without(members: Message, *names: str) -> Message:
    """Return an object without some members; the given one where it has none of them."""
    if members.keys().isdisjoint(names):
        return members
    return {name: value for name, value in members.items() if name not in names}


def calls_of(message: Message) -> list[object]:
    """Return the calls of an assistant message; none of any other message."""
    calls = message.get("tool_calls")
    return calls if message.get("role") == "assistant" and isinstance(calls, list) else []


def no_calls(message: Message) -> str:
    """Return the code of why there are no calls in the `tool_calls` of a message."""
    if message.get("role") != "assistant":
        return "tool_calls_misplaced"
    return "tool_calls_empty" if message["tool_calls"] == [] else "tool_calls_not_array"


def is_empty(message: Message) -> bool:
    """Tell whether an assistant message says nothing and calls nothing."""
    if message.get("role") != "assistant" or calls_of(message):
        return False
    content = message.get("content")
    if isinstance(content, list):
        # A text part that lacks its text goes (PAY-137), so it says nothing.
        return all(
            is_textless(part) or (is_text_part(part) and is_blank(part["text"])) for part in content
        )
    return is_silent(content)


def is_silent(content: object) -> bool:
    """Tell whether a content holds nothing to be seen; what parts say is not asked here."""
    return content in SAYS_NOTHING or (isinstance(content, str) and is_blank(content))


def is_kept(message: object) -> TypeGuard[Message]:
    """Tell whether a message has a place in a history (definition "kept message")."""
    if not isinstance(message, dict) or message.get("role") not in ROLES:
        return False
    return not is_empty(message) or refusal_of(message) is not None


def refusal_of(message: Message) -> str | None:
    """Return the refusal of a message that has no content, which takes its place (PAY-137)."""
    refusal = message.get("refusal")
    if message.get("role") != "assistant" or not isinstance(refusal, str):
        return None
    return (refusal or None) if is_silent(message.get("content")) else None


def is_custom(call: object) -> bool:
    """Tell whether an invalid call is one of a custom tool (definition "skipped call")."""
    return isinstance(call, dict) and call.get("type") == "custom" and call.get("function") is None


def rounds(messages: Iterable[Placed]) -> list[Round]:
    """Split kept messages before each assistant message."""
    found = [Round(None)]
    for placed in messages:
        role = placed[1]["role"]
        if role == "assistant":
            found.append(Round(placed))
        elif role == "tool":
            found[-1].tools.append(placed)
        else:
            found[-1].others.append(placed)
    return found


def id_of(call: object) -> object:
    """Return the id of a call as it was given; None where it has none, or is no object."""
    return call.get("id") if isinstance(call, dict) else None


def is_visible(given: object) -> TypeGuard[str]:
    """Tell whether an id, a name or a type says something: a string that is not blank."""
    return isinstance(given, str) and not is_blank(given)


def are_text_parts(content: object) -> TypeGuard[list[dict[str, str]]]:
    """Tell whether a content is a list of text parts, or an empty one."""
    return isinstance(content, list) and all(map(is_text_part, content))


def is_text_part(part: object) -> TypeGuard[dict[str, Any]]:
    """Tell whether an element of a content is a part with a text."""
    return (
        isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)
    )


def is_textless(part: object) -> bool:
    """Tell whether an element of a content is to be a text, and has none (PAY-137)."""
    return isinstance(part, dict) and part.get("type") == "text" and not is_text_part(part)


def text_of(content: object) -> str:
    """Return a content as one text: a string as it is, null as nothing, all else as compact JSON.

    A number beyond binary64, which has no JSON text, and what nests deeper than 128 are nothing.
    """
    return as_text(content) or ""
