"""A turn in another interface: what leaves, comes back and is stored has its form.

What `interface` reads and writes, put around a turn in the form of the contracts.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Any, Final, TypedDict

from commoncall import border
from commoncall.envelope import MARK
from commoncall.interface import Interface
from commoncall.interface.blocks import parts_in
from commoncall.interface.foreign import chat_sign
from commoncall.interface.read import ReadRequest, read
from commoncall.interface.reply import read_reply
from commoncall.interface.table import FLAT, history_member
from commoncall.interface.write import write
from commoncall.payload.request import RequestRefusedError
from commoncall.places import dotted
from commoncall.turn.prepare import Prepared
from commoncall.turn.settle import Settled

JsonObject = dict[str, Any]

_MEMBERS: Final[Mapping[Interface, str]] = {
    "anthropic-messages": "content",
    "openai-responses": "output",
    "ollama-chat": "message",
}
"""What a reply of each interface has."""


class Native(TypedDict):
    """A turn in another interface: its name, where the request goes, the request as `receive` knows
    it, in the form of the contracts, and its tools as the interface has them.
    """

    interface: Interface
    origin: dict[str, str]
    request: object
    tools: object


def read_in(interface: Interface, request: object) -> ReadRequest:
    """Read a request of an interface, to be prepared in the form of the contracts.

    Raises:
        TypeError: it is none, or one of Chat Completions.
    """
    given = border.plain(request, "request")
    if not isinstance(given, dict):
        raise TypeError(f"request is {border.what(request)}, and no request of {interface}")
    if interface not in FLAT and (sign := chat_sign(given)):
        raise TypeError(f"request has the form of Chat Completions, at {dotted(sign)}")
    return read(interface, given, origin=origin_of(interface, given))


def written_in(
    interface: Interface, came: ReadRequest, prepared: Prepared
) -> tuple[Prepared, Native]:
    """Return a request that was read and prepared as its interface has it, and what the way back
    needs to know.
    """
    sent = write(interface, prepared["request"], came["carried"])
    said = came["request"].get("messages")
    if said and sent["request"].get(history_member(interface)) == []:
        raise RequestRefusedError({"code": "history_emptied"})
    findings = [*came["findings"], *prepared["findings"], *sent["findings"]]
    native: Native = {
        "interface": interface,
        "origin": origin_of(interface, came["request"]),
        "request": prepared["request"],
        "tools": came["carried"].get("tools"),
    }
    return {**prepared, "request": sent["request"], "findings": findings}, native


def origin_of(interface: Interface, request: Mapping[str, object]) -> dict[str, str]:
    """Return where a request of an interface goes, as marks of stores have it."""
    return {"provider": interface, "model": str(request.get("model"))}


def message_in(interface: Interface, reply: object) -> tuple[JsonObject, list[Any]]:
    """Return a reply as `receive` takes it, and as the history of the interface has it."""
    given = border.sent(reply, "reply")
    if not isinstance(given, dict):
        raise TypeError(f"message is {border.what(reply)}, and no reply of {interface}")
    member = _MEMBERS[interface]
    if member not in given:
        raise TypeError(f"message has no {member}, and so is no reply of {interface}")
    came = read_reply(interface, given)
    return came["message"], came["history"]


def stored_in(native: Native, settled: Settled, history: Sequence[Any]) -> Settled:
    """Return what is stored as the interface has it: the reply as it came, but for what changed.

    Thoughts and blocks of the provider stand where they stood, and the result of a call that
    failed is an error.
    """
    interface = native["interface"]
    key = history_member(interface)
    came = read(interface, {key: list(history)})
    carried = {**came["carried"], "tools": native["tools"]}
    said: Any = came["request"].get("messages", ())
    # What the reply has beside its words: members of its one message, or parts of its content.
    reply = said[0] if interface in FLAT and said else {}
    stored = [{**message} for message in settled["history"]]
    own = [part for message in said for part in parts_in(message.get("content"))]
    for message in stored:
        message.pop(MARK, None)
        if message["role"] == "assistant" and interface in FLAT:
            message |= {name: one for name, one in reply.items() if name not in message}
        elif message["role"] == "assistant":
            message["content"] = _content(message["content"], own)
    written: Any = write(interface, {"messages": stored}, carried)["request"][key]
    failed = {each["tool_call_id"] for each in settled["events"] if each["status"] != "ok"}
    return {**settled, "history": [_stored(each, native["origin"], failed) for each in written]}


def _stored(native: JsonObject, origin: Mapping[str, str], failed: Set[object]) -> JsonObject:
    """Return what is stored: with a mark of its origin, and an error where a call failed."""
    content = native.get("content")
    if native.get("role") == "user" and isinstance(content, list):
        return {**native, "content": [_with_error(block, failed) for block in content]}
    is_output = str(native.get("type")).endswith("_output")
    is_told = is_output or native.get("role") in ("user", "tool")
    return native if is_told else {**native, MARK: dict(origin)}


def _with_error(block: JsonObject, failed: Set[object]) -> JsonObject:
    return {**block, "is_error": True} if block.get("tool_use_id") in failed else block


def _content(words: object, own: Sequence[Any]) -> object:
    """Return the parts of a reply where its words are what they were; else those that are no words,
    and the words that are left.
    """
    texts = [part["text"] for part in own if part.get("type") == "text"]
    if "".join(texts) == (words or ""):
        return list(own) or None
    others = [part for part in own if part.get("type") != "text"]
    return [*others, {"type": "text", "text": words}] if words else others or None
