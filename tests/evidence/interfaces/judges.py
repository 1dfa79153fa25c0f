"""Generated conversations before a strict judge and the types of the SDKs.

The session `integrations` runs it, since it needs the packages `anthropic`, `openai` and `ollama`.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any

import ollama
from anthropic.types import Message, MessageParam, RawMessageStreamEvent
from openai.types.responses import Response, ResponseInputItemParam, ResponseStreamEvent
from pydantic import BeforeValidator, TypeAdapter, ValidationError

from commoncall.interface import Interface, write_events, write_reply
from tests.evidence.interfaces.cleaned import INTERFACES, sanitised
from tests.evidence.interfaces.generated import broken, request_of
from tests.evidence.interfaces.strict import UNKEPT, refusals
from tests.evidence.interfaces.test_written import chunks_of, reply_of


def _shown(message: dict[str, Any]) -> dict[str, Any]:
    """Return a message as the client of Ollama types it."""
    images = [ollama.Image(value=one) for one in message.get("images", ())]
    return {**message, "images": images or None}


TYPES: dict[Interface, tuple[str, TypeAdapter[Any]]] = {
    "anthropic-messages": ("messages", TypeAdapter(MessageParam)),
    "openai-responses": ("input", TypeAdapter(ResponseInputItemParam)),
    "ollama-chat": ("messages", TypeAdapter(Annotated[ollama.Message, BeforeValidator(_shown)])),
}
WRITTEN: dict[Interface, tuple[TypeAdapter[Any], TypeAdapter[Any]]] = {
    "anthropic-messages": (TypeAdapter(Message), TypeAdapter(RawMessageStreamEvent)),
    "openai-responses": (TypeAdapter(Response), TypeAdapter(ResponseStreamEvent)),
    "ollama-chat": (TypeAdapter(ollama.ChatResponse), TypeAdapter(ollama.ChatResponse)),
}
EMPTY = ["messages: at least one message is required"]


def counted(interface: Interface, count: int) -> dict[str, int]:
    """Judge so many conversations of an interface, as they are and broken."""
    found = Counter(conversations=count, lost=0, refused=0, misfits=0, emptied=0)
    found["refused after a fault"] = 0
    for seed in range(count):
        request = request_of(interface, seed)
        sent, codes = sanitised(interface, request)
        found["lost"] += sent != request or codes != []
        found["refused"] += refusals(interface, sent) != []
        found["misfits"] += not fits(interface, sent)
        sent, _ = sanitised(interface, broken(interface, request, seed))
        why = refusals(interface, sent)
        found["emptied"] += why == EMPTY
        found["refused after a fault"] += why not in ([], EMPTY)
        found["misfits"] += not fits(interface, sent)
        found["misfits"] += not fits_written(interface, seed)
    return dict(found)


def fits(interface: Interface, request: dict[str, Any]) -> bool:
    """Tell whether the types of the SDK take each message of a request.

    They want ids of thoughts and references, which endpoints that store nothing look up in vain
    (ITF-016): these alone are judged with one.
    """
    name, types = TYPES[interface]
    history = request[name]
    is_kept = request.get("store") is not False
    try:
        for each in history if isinstance(history, list) else ():
            ids = {} if is_kept or each.get("type") not in UNKEPT else {"id": "from nowhere"}
            drained(types.validate_python({**ids, **each}))
    except ValidationError:
        return False
    return True


def fits_written(interface: Interface, seed: int) -> bool:
    """Tell whether the types of the SDK take a reply that was written, and its events."""
    whole, event = WRITTEN[interface]
    reply = reply_of(seed)
    try:
        whole.validate_python(write_reply(interface, reply)["reply"])
        for each in write_events(interface, chunks_of(reply, seed))["events"]:
            event.validate_python(each)
    except ValidationError:
        return False
    return True


def drained(value: Any) -> None:
    """Read a value to its end: pydantic judges an iterable only when it is read."""
    if isinstance(value, dict):
        for each in value.values():
            drained(each)
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for each in value:
            drained(each)


def main() -> None:
    """Count, and print what was counted."""
    found = {name: counted(name, int(sys.argv[1])) for name in INTERFACES}
    print(json.dumps(found, indent=2))
    if any(one[bad] for one in found.values() for bad in ("lost", "refused", "misfits")):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
