"""A scripted model that remembers what it was told and what it asked for.

Each user text, each result and each signature holds a token of its own, so that a request shows
whether one of them was lost, and a run whether a call was run that should not have been, or twice.
"""

import json
import random
from collections import Counter
from typing import Any, Final

from tests.evidence.integrations.strict_server import Message, Reply

TOOLS: Final[list[dict[str, Any]]] = [
    {
        "type": "function",
        "function": {
            "name": "get_tide",
            "description": "High water in a port.",
            "parameters": {
                "type": "object",
                "properties": {"port": {"type": "string"}},
                "required": ["port"],
            },
        },
    },
    {
        "type": "function",
        "function": {"name": "ping", "parameters": {"type": "object", "properties": {}}},
    },
]

SIGNATURE: Final = "reasoning_content"
"""The member of a message that some providers want back."""


class Model:
    """Gives replies at random, most of them with something wrong.

    Attributes:
        must_run: the tokens of calls that are to be run once.
        may_run: the tokens of calls that were cut off somewhere: to be run once or not at all.
        run: how often each call was run.
        kept: the texts that every later request has to hold.
        lost: what a request did not hold.
    """

    def __init__(self, seed: int, *, signs: bool = False, streams: bool = False) -> None:
        self.pick = random.Random(seed)
        self.signs = signs
        self.streams = streams
        self.must_run: set[str] = set()
        self.may_run: set[str] = set()
        self.run: Counter[str] = Counter()
        self.kept: list[str] = []
        self.lost: list[str] = []
        self.tokens = 0
        self.calls_in_a_row = 0

    # What the runtime does

    def user(self) -> str:
        """Return a text for the user to say."""
        text = self.token("user")
        self.kept.append(text)
        return text

    def get_tide(self, port: str) -> str:
        """Run the tool."""
        self.run[port] += 1
        result = f"result of {port}"
        self.kept.append(result)
        return result

    def ping(self) -> str:
        """Run the tool that takes nothing."""
        return "pong"

    def wrong(self) -> list[str]:
        """Return what went wrong in a conversation that is over."""
        known = self.must_run | self.may_run
        return [
            *(f"lost: {text}" for text in self.lost),
            *(f"not run: {token}" for token in sorted(self.must_run - self.run.keys())),
            *(f"run {times} times: {token}" for token, times in self.run.items() if times > 1),
            *(f"never to be run: {token}" for token in sorted(self.run.keys() - known)),
        ]

    # What the model does

    def __call__(self, request: dict[str, Any]) -> Reply:
        """Reply to a request, after a look at what it holds."""
        sent = json.dumps(request["messages"])
        self.lost += [text for text in self.kept if text not in sent]
        if self.calls_in_a_row >= 2 or self.pick.random() < 0.3:
            self.calls_in_a_row = 0
            return self.sent({"role": "assistant", "content": self.said("text")})
        self.calls_in_a_row += 1
        return self.sent(self.pick.choice(KINDS)(self))

    def sent(self, message: Message) -> Reply:
        """Return a message as a reply, signed, and sometimes cut off where it is streamed."""
        if self.signs:
            message[SIGNATURE] = self.token("signature")
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        reply = Reply(message, reason, size=self.pick.choice([1, 3, 7, 40]))
        if self.streams and self.pick.random() < 0.1:
            return self.cut_off(reply)
        if self.signs and (message.get("tool_calls") or message.get("content")):
            self.kept.append(message[SIGNATURE])
        return reply

    def cut_off(self, reply: Reply) -> Reply:
        """Return a reply whose stream breaks off: none of its calls has to be run."""
        written = json.dumps(reply.message)
        cut = {token for token in self.must_run if token in written}
        self.must_run -= cut
        self.may_run |= cut
        self.kept = [text for text in self.kept if text not in written]
        return reply._replace(chunks=self.pick.randrange(1, 12), is_reset=self.pick.random() < 0.5)

    def token(self, kind: str) -> str:
        """Return a text that stands nowhere else."""
        self.tokens += 1
        return f"{kind}-{self.tokens:04d}."

    def said(self, kind: str) -> str:
        """Return a token of a text that the history keeps."""
        token = self.token(kind)
        self.kept.append(token)
        return token

    def asked(self) -> str:
        """Return a token of a call that is to be run."""
        token = self.token("call")
        self.must_run.add(token)
        return token

    def call(self, arguments: str, *, name: str = "get_tide", id: str | None = None) -> Message:
        """Return a native call."""
        return {
            "id": self.token("id")[:-1] if id is None else id,
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }


def _native(model: Model) -> Message:
    return _calls(model.call(_port(model)), content=model.said("text"))


def _several(model: Model) -> Message:
    return _calls(*(model.call(_port(model)) for _ in range(3)), content=None)


def _same_id(model: Model) -> Message:
    return _calls(model.call(_port(model), id="c"), model.call(_port(model), id="c"))


def _no_id(model: Model) -> Message:
    return _calls(model.call(_port(model), id=""))


def _broken_beside_good(model: Model) -> Message:
    return _calls(model.call('{"port": "x'), model.call(_port(model)))


def _unknown_tool(model: Model) -> Message:
    return _calls(model.call("{}", name="drop_tables"), content=model.said("text"))


def _no_arguments(model: Model) -> Message:
    return _calls(model.call("", name="ping"))


def _not_an_object(model: Model) -> Message:
    return _calls(model.call('["x"]'))


def _leaked(model: Model) -> Message:
    return _text(f"{model.said('text')} <tool_call>{_tagged(model.asked())}</tool_call>")


def _leaked_several(model: Model) -> Message:
    block = "".join(f"<tool_call>{_tagged(model.asked())}</tool_call>\n" for _ in range(2))
    return _text(block)


def _leaked_unclosed(model: Model) -> Message:
    return _text(f"<tool_call>{_tagged(model.asked())}")


def _leaked_broken(model: Model) -> Message:
    return _text(f'{model.said("text")} <tool_call>{{"name": "get_tide", "arguments": {{"port": ')


def _quoted(model: Model) -> Message:
    return _text(
        f"{model.said('text')} ```\n<tool_call>{_tagged(model.token('never'))}</tool_call>\n```"
    )


def _native_and_text(model: Model) -> Message:
    leak = f"<tool_call>{_tagged(model.token('never'))}</tool_call>"
    return _calls(model.call(_port(model)), content=f"{model.said('text')} {leak}")


def _refused(model: Model) -> Message:
    return {"role": "assistant", "content": None, "refusal": model.said("refusal")}


KINDS: Final = (
    *(_native, _native, _several, _same_id, _no_id, _broken_beside_good, _unknown_tool),
    *(_no_arguments, _not_an_object, _leaked, _leaked, _leaked_several, _leaked_unclosed),
    *(_leaked_broken, _quoted, _native_and_text, _refused),
)


def _calls(*calls: Message, content: str | None = None) -> Message:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def _text(text: str) -> Message:
    return {"role": "assistant", "content": text}


def _port(model: Model) -> str:
    return json.dumps({"port": model.asked()})


def _tagged(token: str) -> str:
    return json.dumps({"name": "get_tide", "arguments": {"port": token}})
