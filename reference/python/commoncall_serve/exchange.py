"""A request of Chat Completions and its reply, between a client and a server that stay as they are.

Nothing here sends anything: its callers do.
"""

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from commoncall import turn
from commoncall.payload import load_profile
from commoncall.payload.messages import is_text_part

Json = dict[str, Any]


class Options(NamedTuple):
    """How requests are prepared and replies read.

    Attributes:
        profile: what the endpoint takes; None: only what no endpoint takes is mended.
        format: what the model writes when a call ends up in its text; ``auto``: by its name.
        reasoning: where a reply begins: in reasoning that the prompt opened, or not; None: the
            format says it.
        retries: how often a model is asked again whose calls could not be read.
        flags: those of the profile, where it stands in a file.
    """

    profile: str | None = None
    format: str | None = "auto"
    retries: int = 1
    reasoning: Literal["open", "closed", "none"] | None = None
    flags: Json | None = None


class Exchange:
    """A request and its reply.

    Attributes:
        sent: what `turn.prepare` returned for the latest try.
        received: what `turn.receive` returned for it.
        leaked: how many of its calls stood in the text.
        left: how often the model can still be asked again.
    """

    sent: turn.Sent
    received: turn.Received
    leaked: int

    def __init__(self, body: Json, options: Options) -> None:
        self.left = options.retries
        self._options = options
        self._profile: Json | None = None
        self._body = body
        if options.profile is not None:
            self._profile = options.flags or load_profile(options.profile)
            # Nobody knows here where a message came from. The client does, and sends back what
            # belongs there.
            origin = {"provider": options.profile, "model": str(body.get("model"))}
            if self._profile.get("opaque_members"):
                self._profile = {**self._profile, "origin": origin, "unmarked": origin}

    def request(self) -> Json:
        """Return what may leave.

        Raises:
            ForeignFormError, RequestRefusedError: nothing may (see `turn.prepare`).
        """
        self.sent = turn.prepare(
            self._body, capability=True, format=self._options.format, profile=self._profile
        )
        return self.sent["request"]

    def stream(self) -> turn.Stream:
        """Return what reads a reply in chunks; give `take` what it has read."""
        return turn.Stream(
            self.sent,
            reasoning=self._options.reasoning,
        )

    def read(self, choice: Mapping[str, Any]) -> None:
        """Read a whole reply, by its choice."""
        message = {**choice["message"], "role": "assistant"}
        got = turn.receive(
            self.sent,
            message,
            finish_reason=choice.get("finish_reason"),
            reasoning=self._options.reasoning,
        )
        self.take(got, message.get("tool_calls"))

    def take(self, received: turn.Received, native: object) -> None:
        """Take a reply that was read, with the native calls that it had."""
        self.received = received
        self.leaked = 0 if native else len(received["dispatch"])

    def asks_again(self) -> bool:
        """Tell whether the model is to be asked again; the next request then says why.

        That is where it called, and nothing of it can be run. What was cut off would be cut again.
        """
        got = self.received
        if not self.left or not got["answers"] or got["dispatch"] or got.get("truncated"):
            return False
        self.left -= 1
        told = turn.settle(got, [], self.sent)["history"]
        self._body = {**self._body, "messages": [*self._body["messages"], *told]}
        return True


def whole(exchange: Exchange, reply: Json) -> Json:
    """Return a whole reply, which was read, as its client sees it."""
    choice = reply["choices"][0]
    got, message = exchange.received, choice["message"]
    seen = turn.client_message(got, finish_reason=choice.get("finish_reason"))
    note = "\n".join(seen["notes"])
    text = "\n\n".join(one for one in (got["content"], note) if one) or None
    shown = {**message, "role": "assistant", "content": _beside_parts(message, text)}
    shown.pop("function_call", None)
    shown.pop("tool_calls", None)
    if seen["tool_calls"]:
        shown["tool_calls"] = seen["tool_calls"]
    if got["reasoning"] and not message.get("reasoning_content") and not message.get("reasoning"):
        shown["reasoning_content"] = got["reasoning"]
    return {
        **reply,
        "choices": [{**choice, "message": shown, "finish_reason": seen["finish_reason"] or "stop"}],
    }


def _beside_parts(message: Json, text: str | None) -> object:
    """Return a content; parts that are no text, as a signed thought, stay in it."""
    kept = other_parts(message.get("content"))
    if not kept:
        return text
    return [*kept, *([{"type": "text", "text": text}] if text else [])]


def other_parts(content: object) -> list[object]:
    """Return the parts of a content that are no text, and so are not read."""
    return [one for one in content if not is_text_part(one)] if isinstance(content, list) else []


def choice_of(reply: object) -> Json | None:
    """Return the choice of a whole reply that is a message; None where it is something else."""
    match reply:
        case {"error": error} if error:
            return None
        case {"choices": [dict(first), *_]} if isinstance(first.get("message"), dict):
            return first
    return None


def error_message(reply: object) -> str | None:
    """Return what a server says that went wrong, None where it says nothing that is known."""
    match reply:
        case {"error": {"message": str(message)}}:
            return message
        case {"error": str(message)} | {"message": str(message)} | {"detail": str(message)}:
            return message
    return None


def parsed(text: str | bytes) -> Any:
    """Return what a text says as JSON, None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
