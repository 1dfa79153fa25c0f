"""What the servers are sent: requests that `turn.prepare` lets out under their profiles.

They come from the inputs of the golden cases and from a generator that takes any request apart.
Both see the law alone; what a server says is not looked at here.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from commoncall.envelope import Env
from commoncall.payload import load_profile
from commoncall.turn import OPERATIONS
from commoncall_kit.suite.data import Case
from tests.evidence.validators.cases import SCHEMA, USER

Json = dict[str, Any]
T = TypeVar("T")

GENERATED: Final = 10_000

LEFT_ALONE: Final = {"assistant_last", "opaque_missing", "bridge_missing"}
"""What leaves although its endpoint refuses it: a finding says so, and the caller mends it."""

HERE: Final = {"provider": "acme", "model": "m"}


class Sent(NamedTuple):
    """A request that leaves; ``name`` is the case or the seed that it comes from."""

    name: str
    request: Json


def golden(cases: Iterable[Case], profile: str) -> Iterator[Sent]:
    """Yield what leaves of the inputs of the cases about requests and histories."""
    for case in cases:
        given = case.input if isinstance(case.input, dict) else {}
        if case.operation.name == "turn.prepare":
            whole: Json | None = given
        elif case.operation.name == "payload.sanitize_request":
            request = given.get("request")
            part = {"model": "m", "messages": [USER]}
            whole = prepare_input({**part, **request}) if isinstance(request, dict) else None
        elif case.operation.name == "payload.sanitize_history":
            messages = given.get("messages")
            tools = {"tools": _tools_of(messages)} if _tools_of(messages) else {}
            whole = prepare_input({"model": "m", "messages": messages, **tools})
        else:
            continue
        yield from _leaving(case.id, whole, profile)


def generated(seeds: Iterable[int], profile: str) -> Iterator[Sent]:
    """Yield what leaves of generated requests."""
    for seed in seeds:
        draw = Draw(seed)
        request, protocol = draw.request(), "native" if draw.mostly() else "none"
        whole = prepare_input(request, protocol=protocol, disposition=draw.disposition)
        yield from _leaving(str(seed), whole, profile)


def prepare_input(
    request: object,
    profile: Any = None,
    disposition: str = "answer",
    protocol: str = "native",
    says: Json | None = None,
    **more: Any,
) -> Json:
    """Return an input of ``turn.prepare`` for a model of which a registry ``says`` this."""
    tools = request.get("tools") if isinstance(request, dict) else None
    names = [name for tool in (tools if isinstance(tools, list) else []) if (name := _name(tool))]
    entry = {"tool_calls_supported": protocol == "native", **(says or {})}
    registry = {
        "registry_version": "1.0",
        "revision": "1",
        "providers": {"acme": {"models": {"m": entry}}},
    }
    return {
        "request": request,
        "registries": [registry],
        "targets": [HERE],
        "registered": names,
        "layers": [],
        "text_protocol": protocol == "text",
        "disposition": disposition,
        **({} if profile is None else {"profile": profile}),
        **more,
    }


def _tools_of(messages: object) -> list[Json]:
    """Return a tool for each name that is called, so that a history keeps its calls."""
    each = [one for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
    called = [call for one in each for call in one.get("tool_calls") or [] if _name(call)]
    names = dict.fromkeys(_name(call) for call in called)
    return [{"type": "function", "function": {"name": n, "parameters": SCHEMA}} for n in names]


def _name(tool: object) -> str | None:
    match tool:
        case {"function": {"name": str(name)}}:
            return name
    return None


def _leaving(name: str, given: Json | None, profile: str) -> Iterator[Sent]:
    """Yield the request, if one leaves: none while calls wait for results, or without a message."""
    if given is None or given.get("open_turn"):
        return
    flags = load_profile(profile, origin=HERE)
    outcome = OPERATIONS["turn.prepare"]({**given, "profile": flags}, Env([]))
    result: Any = outcome.get("result", {"request": None, "findings": []})
    if any(each["code"] in LEFT_ALONE and "refused" in each for each in result["findings"]):
        return
    request = result["request"]
    messages = request.get("messages") if isinstance(request, dict) else None
    if isinstance(messages, list) and messages:
        yield Sent(name, {**request, "model": "m"})


SECRET: Final = "zq9secret"
"""A text that stands in no code, fixed text, name of a member or digest."""

SOUND: Final = f'{{"path": "{SECRET}"}}'
NO_TOOLS: Final[list[Any]] = [[], None, {}]
ARGUMENTS: Final = [
    *("{}", "", " ", "null", "[1]", '"x"', "7", "not json", '{"path": "x', "{} x"),
    *('{"x": NaN}', '{"x": 1e999}', r'{"x": "\ud800"}', '{"x": 12345678901234567890}', "{'x': 1}"),
    *({"path": "x"}, [1], None, 7),
]
CONTENTS: Final = [
    *(SECRET, "", " ", None, [{"type": "text", "text": "part"}], [], "é 😀 \u2028"),
    [{"type": "text", "text": ""}, {"type": "text", "text": "b"}],
]
CHOICES: Final = [
    *("auto", "none", "required", "any", None, "", {"type": "function"}),
    {"type": "function", "function": {"name": "read"}},
    {"type": "function", "function": {"name": "gone"}},
]
MEMBERS: Final[dict[str, list[Any]]] = {
    "tool_choice": CHOICES,
    "parallel_tool_calls": [True, False, None],
    "temperature": [0, 0.5],
    "stream": [False],
    "functions": [[{"name": "read", "parameters": SCHEMA}]],
}
NAMES: Final = ["write", "ping", "gone", "", "bad name", "x" * 65, None, 7]
IDS: Final = ["call_1", "call_2", "", None, "a-b_c", "é", 7]
SCHEMAS: Final = [{"type": "object"}, {}, None, "x", {"type": "array"}, True]
BELOW: Final[list[Any]] = [
    *(
        {},
        {"description": "d"},
        {"type": "array"},
        {"type": ["string", "null"]},
        {"enum": ["a", 1]},
    ),
    *({"type": "string", "items": {}}, {"type": "string", "required": ["a"]}, {"const": "a"}, True),
    {"type": ["string", "array"], "items": {"type": "string"}, "examples": ["a"]},
    {"type": "object", "properties": {"q": {"type": "array"}}, "additionalProperties": False},
    {"type": "array", "anyOf": [{"minItems": 1}, {"items": {"type": "integer"}}]},
    {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
    {"$ref": "#/$defs/d", "$comment": "c"},
    {"type": "integer", "exclusiveMinimum": 0, "multipleOf": 5},
]
IMAGE: Final = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
RESULTS: Final[list[Any]] = [
    *([IMAGE], [{"type": "text", "text": "a"}, IMAGE], ["a", IMAGE, {"k": 1}], {"k": [1]}, 7),
    [{"type": "image", "mimeType": "image/png", "data": "AAAA"}],
    [{"type": "resource", "resource": {"uri": "a:b", "mimeType": "image/png", "blob": "AAAA"}}],
]
EXTRAS: Final = {
    "reasoning_content": SECRET,
    "_from": HERE,
    "refusal": None,
    "audio": None,
    "name": "someone",
    "function_call": {"name": "read", "arguments": "{}"},
    "x": 1,
}


class Draw:
    """Takes requests at random; one seed, one request."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.calls = 0
        self.disposition = self.random.choice(["answer", "skip"])

    def one(self, values: Sequence[T]) -> T:
        """Return one of some values."""
        return self.random.choice(values)

    def mostly(self) -> bool:
        """Return true, as a rule."""
        return self.random.random() < 0.8

    def rarely(self) -> bool:
        """Return true now and then."""
        return self.random.random() < 0.15

    def request(self) -> Json:
        """Return a request in which any part can be wrong."""
        request: Json = {"model": "m", "messages": self.messages()}
        if self.mostly():
            request["tools"] = self.tools()
        for member, values in MEMBERS.items():
            if self.rarely():
                request[member] = self.one(values)
        return request

    def tools(self) -> Any:
        """Return tools, most of them sound."""
        if self.rarely():
            return self.one(NO_TOOLS)
        return [self.tool(name) for name in self.random.sample(["read", "write", "ping"], 2)]

    def tool(self, name: str) -> Json:
        """Return a tool."""
        function: Json = {"name": self.one(NAMES) if self.rarely() else name}
        if self.mostly():
            function["parameters"] = SCHEMA if self.mostly() else self.schema()
        if self.rarely():
            function["strict"] = self.one([True, False, None])
        if self.rarely():
            function["description"] = self.one(["what it does", "", None])
        return {"type": "function", "function": function}

    def schema(self) -> Any:
        """Return parameters in which something is wrong, at the root or below it."""
        if self.rarely():
            return self.one(SCHEMAS)
        schema: Json = {"type": "object", "properties": {"p": self.one(BELOW), "q": True}}
        return {**schema, "anyOf": [{"required": ["p"]}]} if self.rarely() else schema

    def messages(self) -> list[Json]:
        """Return a history of up to five turns."""
        history: list[Json] = []
        if self.mostly():
            history.append(
                {"role": self.one(["system", "system", "developer"]), "content": "Be brief."}
            )
        for number in range(self.random.randint(1, 5)):
            if number == 0 or self.mostly():
                history.append({"role": "user", "content": self.content()})
            history += self.turn() if self.mostly() else []
            if self.rarely():
                history.append({"role": "system", "content": "Now be long."})
            if self.rarely():  # A tool that works in the background comes back.
                history.append(self.result(f"call_{self.random.randint(1, self.calls + 1)}"))
        if self.rarely():
            history.append({"role": "assistant", "content": self.content()})
        if self.rarely():
            self.random.shuffle(history)
        if self.rarely():
            summary = {"role": self.one(["system", "user"]), "content": "What was said before."}
            history[: self.random.randint(0, len(history) - 1)] = [summary]
        return history

    def turn(self) -> list[Json]:
        """Return an assistant's message and what answers its calls."""
        message: Json = {"role": "assistant", "content": self.content()}
        calls = [self.call() for _ in range(self.random.randint(0, 3))]
        if len(calls) > 1 and self.rarely():
            return self.split(calls)
        if calls or self.rarely():
            message["tool_calls"] = calls
        if self.rarely():
            member = self.one(list(EXTRAS))
            message[member] = EXTRAS[member]
        if self.rarely():
            del message["content"]
        results = [self.result(call.get("id")) for call in calls if self.mostly()]
        if self.rarely():
            results.append(self.result("orphan"))
        if self.rarely():
            self.random.shuffle(results)
        return [message, *results]

    def split(self, calls: list[Json]) -> list[Json]:
        """Return a turn as a translator writes it: a message for each call, then the results."""
        asked: list[Json] = []
        for call in calls:
            asked.append({"role": "assistant", "content": None, "tool_calls": [call]})
            if self.rarely():
                asked.append({"role": "assistant", "content": self.content()})
        return [*asked, *(self.result(call.get("id")) for call in calls if self.mostly())]

    def call(self) -> Json:
        """Return a call."""
        function: Json = {
            "name": "read" if self.mostly() else self.one(NAMES),
            "arguments": SOUND if self.mostly() else self.one(ARGUMENTS),
        }
        self.calls += 1
        identifier = f"call_{self.calls}" if self.mostly() else self.one(IDS)
        call: Json = {"id": identifier, "type": "function", "function": function}
        if self.rarely():
            call["extra_content"] = {"google": {"thought_signature": "c2ln"}}
        if self.rarely():
            of, member = self.one(
                [(call, "id"), (call, "type"), (function, "name"), (function, "arguments")]
            )
            del of[member]
        return call

    def result(self, identifier: object) -> Json:
        """Return a result."""
        content = self.one(RESULTS) if self.rarely() else self.content()
        result: Json = {"role": "tool", "tool_call_id": identifier, "content": content}
        if self.rarely():
            result["name"] = self.one(NAMES)
        if self.rarely():
            del result["tool_call_id"]
        return result

    def content(self) -> object:
        """Return the content of a message, as a rule a text."""
        return SECRET if self.mostly() else self.one(CONTENTS)
