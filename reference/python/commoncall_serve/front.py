"""What a client speaks: Chat Completions, or another interface in front of it. No I/O."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from commoncall import interface
from commoncall.interface import Interface, WrittenEvents
from commoncall.interface.blocks import list_in, type_of
from commoncall_serve.exchange import Json, error_message, parsed
from commoncall_serve.unplaced import unplaced

DONE: Final = "[DONE]"

MEMBERS: Final[dict[Interface, dict[str, str]]] = {
    "anthropic-messages": {"stop_sequences": "stop", "top_k": "top_k"},
    "openai-responses": {"max_output_tokens": "max_tokens", "top_logprobs": "top_logprobs"},
}
"""What a member is called in Chat Completions. What is not here, nor in `ALIKE`, has no place."""

ALIKE: Final = (
    "model",
    "messages",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "stream",
    "temperature",
    "top_p",
    "max_tokens",
)

HELD: Final = ("previous_response_id", "conversation", "background", "prompt")
"""Members that ask for what a provider holds, and a gateway that keeps nothing does not have."""

BILLING: Final = "x-anthropic-billing-header:"

TYPES: Final = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
"""The errors of Anthropic Messages by status; all others are of the server."""


class Refusal(Exception):
    """What a client is told in the place of a message. Its text holds nothing of a body."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(code)
        self.status, self.code, self.message = status, code, message

    def error(self) -> Json:
        """Return what its client is told."""
        kind = "invalid_request_error" if self.status < 500 else "upstream_error"
        told = {"message": f"commoncall: {self.message}", "type": kind, "code": self.code}
        return {**told, "param": None}


class Front:
    """Chat Completions, for one request: all goes as it is.

    Attributes:
        unplaced: the names of what the request said and what has no place in the one that is sent.
    """

    unplaced: Sequence[str] = ()

    def asked(self, body: Json, limit: str = "max_tokens") -> Json:
        """Return a request as one of Chat Completions; ``limit``: what the server calls the most
        tokens of a reply.

        Raises:
            Refusal: it asks for what nobody holds here.
        """
        return body

    def whole(self, reply: Json) -> Json:
        """Return a whole reply as the client reads it."""
        return reply

    def error(self, status: int, error: Json) -> Json:
        """Return an error as the client reads it."""
        return {"error": error}

    def refusal(self, refusal: Refusal) -> Json:
        """Return a refusal as the client reads it."""
        return self.error(refusal.status, refusal.error())

    def failed(self, status: int, content: bytes) -> tuple[int, bytes]:
        """Return what came in the place of a message as the client reads it, and the status."""
        return status, content

    def chunk(self, chunk: Json) -> str:
        """Return the text of a chunk of a stream."""
        return f"data: {json.dumps(chunk)}\n\n"

    def other(self, event: list[str], chunk: Any) -> str:
        """Return the text of an event that is no part of a message: it goes on as it came."""
        return "\n".join([*event, "", ""])

    def end(self) -> str:
        """Return the text behind the last chunk."""
        return f"data: {DONE}\n\n"


class NativeFront(Front):
    """Another interface, for one request."""

    _events: WrittenEvents

    def __init__(self, name: Interface) -> None:
        self._name = name
        self._carried: Json = {}

    def asked(self, body: Json, limit: str = "max_tokens") -> Json:
        """Return a request as one of Chat Completions, without what has no place there: `unplaced`
        names that.
        """
        for name in HELD:
            if body.get(name):
                why = f"`{name}` asks for what a provider holds, and nothing is held here"
                raise Refusal(400, "request_held", why)
        came = interface.read(self._name, body)
        read, self._carried = dict(came["request"]), came["carried"]
        self._events = WrittenEvents(self._name, self._carried)
        names = {name: name for name in ALIKE} | MEMBERS[self._name]
        self.unplaced = unplaced(body, {*names, "system", "instructions", "input"})
        asked = {names[name]: one for name, one in read.items() if name in names}
        if "max_tokens" in asked:
            asked[limit] = asked.pop("max_tokens")
        if isinstance(messages := asked.get("messages"), list):
            asked["messages"] = [_message(one) for one in messages]
        if asked.get("stream"):
            asked["stream_options"] = {"include_usage": True}
        return asked | _said(read)

    def whole(self, reply: Json) -> Json:
        """Return a whole reply as the client reads it."""
        return interface.write_reply(self._name, reply, self._carried)["reply"]

    def error(self, status: int, error: Json) -> Json:
        """Return an error as the client reads it."""
        if self._name == "openai-responses":
            return {"error": error}
        told = {"type": TYPES.get(status, "api_error"), "message": error["message"]}
        return {"type": "error", "error": told}

    def failed(self, status: int, content: bytes) -> tuple[int, bytes]:
        """Return what came in the place of a message as the client reads it, and the status."""
        status = status if status >= 400 else 502
        told = parsed(content)
        code = None
        match told:
            case {"error": {"message": str(), "code": code}}:
                pass
        message = error_message(told) or f"the server answered {status}"
        error = {"message": message, "type": "upstream_error", "code": code, "param": None}
        return status, json.dumps(self.error(status, error)).encode()

    def chunk(self, chunk: Json) -> str:
        """Return the text of the events that a chunk gives."""
        # Where a chunk says nothing yet, the client still hears that the server works.
        ping = [{"type": "ping"}] if self._name == "anthropic-messages" else []
        return _events(self._events.feed(chunk) or ping) or ": \n\n"

    def other(self, event: list[str], chunk: Any) -> str:
        """Return the text of an event that is no part of a message: tokens, errors, comments."""
        return _events(self._events.feed(chunk)) if isinstance(chunk, dict) else ": \n\n"

    def end(self) -> str:
        """Return the text of the last events."""
        return _events(self._events.finish())


def _events(events: Iterable[Any]) -> str:
    """Return the text of events whose names are their types."""
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)


def _said(read: Json) -> Json:
    """Return what the interfaces say in members of members."""
    said: Json = {}
    match read:
        case {"reasoning": {"effort": str(effort)}}:
            said["reasoning_effort"] = effort
    for name in ("text", "output_config"):
        match read.get(name):
            case {"format": {"type": "json_schema", **schema}}:
                # Anthropic has no name for it, and Chat Completions wants one.
                schema = {"name": "answer", **schema}
                said["response_format"] = {"type": "json_schema", "json_schema": schema}
            case {"format": {"type": "json_object"} as form}:
                said["response_format"] = form
    return said


def _message(message: Any) -> Any:
    """Return a message whose thoughts are the text of its reasoning, and which has no blocks; texts
    alone are one, since many templates of models take no array.
    """
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list):
        return message
    of_model = message.get("role") == "assistant"
    thought = ""
    if of_model:
        thought = "\n".join(text for part in content for text in _thoughts(part))
        # What is left are traces of tools that another provider ran.
        parts = [part for part in content if type_of(part) in ("text", "refusal")]
    else:
        parts = [_part(part) for part in content if not _is_billing(part)]
    texts = [one for one in (part.get("text") for part in parts) if isinstance(one, str)]
    said: Any = parts if len(texts) < len(parts) else "\n".join(texts)
    reasoning = {"reasoning_content": thought} if thought else {}
    return {**message, "content": said or (None if of_model else ""), **reasoning}


def _is_billing(part: Any) -> bool:
    """Tell whether a text is a mark for Anthropic's bills. It differs in each request, and stands
    in front: with it a server finds nothing of the prompt in its cache.
    """
    return type_of(part) == "text" and str(part.get("text")).startswith(BILLING)


def _thoughts(part: Any) -> Iterator[str]:
    """Yield what a block or an item of reasoning says, where that can be read."""
    match part:
        case {"type": "thinking", "thinking": str(text)}:
            yield text
        case {"type": "reasoning"}:
            for one in list_in(part, "content") or list_in(part, "summary"):
                match one:
                    case {"text": str(text)}:
                        yield text


def _part(part: Any) -> Any:
    """Return a part as Chat Completions has it: a block of another kind as its text, or as a text
    that names it, which the model can tell its user.
    """
    match part:
        case {"type": "file", "file": {"source": {"type": "text", "data": str(text)}}}:
            return {"type": "text", "text": text}
        case {"type": "file", "file": {"type": str(kind)}}:
            return {"type": "text", "text": f"[{kind}: not shown, this model cannot read it]"}
    return part
