"""What spec/use/transport.py keeps apart, lets through and closes; the model is a function."""

import asyncio
import contextlib
import importlib.util
import itertools
import json
import random
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from commoncall.payload import load_profile

Json = dict[str, Any]
Conversation = Generator[Json, Json, None]
"""Yields requests, and is sent the message of each reply."""

URL = "http://model/v1/chat/completions"
ORIGIN = {"provider": "acme", "model": "m"}
MOONSHOT = load_profile("moonshot", origin=ORIGIN)
OPAQUE = {
    **load_profile("vllm"),
    "opaque_members": ["reasoning_content", "extra_content"],
    "origin": ORIGIN,
}
"""Takes all that a client writes as it is, and wants its own back."""
TOOL = {
    "type": "function",
    "function": {
        "name": "read",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
    },
}
LEAK = '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>'
WHOLE_AND_STREAMED = pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])


@pytest.fixture(scope="module")
def module(root: Path) -> Any:
    found = importlib.util.spec_from_file_location("transport", root / "spec/use/transport.py")
    assert found
    assert found.loader
    loaded = importlib.util.module_from_spec(found)
    found.loader.exec_module(loaded)
    return loaded


def options(profile: Any = OPAQUE) -> tuple[Json, Json]:
    """Return how to send and how to read."""
    both = {"disposition": "answer", "profile": profile}
    registry = {
        "registry_version": "1.0",
        "revision": "1",
        "providers": {"acme": {"models": {"m": {"tool_calls_supported": True}}}},
    }
    sending = {"registries": [registry], "targets": [ORIGIN], "layers": [], "text_protocol": False}
    return {**both, **sending}, both


class Model:
    """Answers with what a function says; keeps what came in, by the conversation that it is of."""

    def __init__(self, say: Callable[[Json], Json]) -> None:
        self.say = say
        self.requests: dict[str, list[Json]] = {}
        self.thoughts: dict[str, list[str]] = {}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        message = self.say(body)
        of = request.headers.get("conversation", "")
        self.requests.setdefault(of, []).append(body)
        self.thoughts.setdefault(of, []).append(message.get("reasoning_content", ""))
        if body.get("stream"):
            return streamed(events(message))
        return httpx.Response(200, json=completion(message))

    async def later(self, request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(0)
        return self(request)

    def has_kept_apart(self) -> bool:
        """Tell whether each request held the reasoning of its own conversation, and of each
        message its own.
        """
        return all(
            thoughts_of(request) == self.thoughts[of][:at]
            for of, requests in self.requests.items()
            for at, request in enumerate(requests)
        )


def thoughts_of(request: Json) -> list[Any]:
    """Return the reasoning of each message of the assistant."""
    told = [one for one in request["messages"] if one["role"] == "assistant"]
    return [one.get("reasoning_content") for one in told]


def completion(message: Json, reason: str = "tool_calls") -> Json:
    return {"id": "r", "choices": [{"index": 0, "message": message, "finish_reason": reason}]}


def piece(delta: Json, reason: str | None = None, **members: Any) -> Json:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {"id": "r", "object": "chat.completion.chunk", "choices": [choice], **members}


def events(message: Json) -> bytes:
    """Return a message in a stream, member by member."""
    calls = [{"index": at, **call} for at, call in enumerate(message.get("tool_calls") or [])]
    deltas = [{name: value} for name, value in message.items() if name != "tool_calls"]
    chunks = [*map(piece, deltas), piece({"tool_calls": calls}), piece({}, "tool_calls")]
    return b"".join(b"data: %s\n\n" % json.dumps(chunk).encode() for chunk in chunks)


def streamed(*data: bytes, status: int = 200) -> httpx.Response:
    stream = Bytes(data)
    return httpx.Response(status, headers={"content-type": "text/event-stream"}, stream=stream)


class Bytes(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Data as it comes, for clients of both kinds."""

    def __init__(self, data: tuple[bytes, ...]) -> None:
        self.data = data
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        yield from self.data

    async def __aiter__(self) -> Any:
        for one in self.data:
            yield one

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def chunks_in(data: bytes) -> list[Json]:
    """Return the chunks of a stream as a client sees it."""
    lines = [line for line in data.split(b"\n") if line.startswith(b"data: {")]
    return [json.loads(line[6:]) for line in lines]


def message_in(response: httpx.Response) -> Json:
    """Return the message of a reply, whole or streamed."""
    if response.headers["content-type"] == "application/json":
        message: Json = response.json()["choices"][0]["message"]
        return message
    joined: Json = {"role": "assistant", "content": None}
    for chunk in chunks_in(response.content):
        for name, value in chunk["choices"][0]["delta"].items() if chunk["choices"] else ():
            joined[name] = (joined.get(name) or type(value)()) + value
    return joined


def call(path: str, id: str = "functions.read:0") -> Json:
    function = {"name": "read", "arguments": json.dumps({"path": path})}
    return {"id": id, "type": "function", "function": function}


def asked(messages: list[Json], streams: bool = False) -> Json:
    return {"model": "m", "tools": [TOOL], "messages": messages, "stream": streams}


def known(message: Json) -> Json:
    """Return what a client keeps of a message: no reasoning, and arguments that it writes anew."""
    calls = []
    for one in message["tool_calls"]:
        arguments = json.dumps(json.loads(one["function"]["arguments"]), indent=1)
        function = {"name": one["function"]["name"], "arguments": arguments}
        calls.append({"id": one["id"], "type": "function", "function": function})
    return {"role": "assistant", "content": message["content"], "tool_calls": calls}


def talk(begin: str, streams: bool = False, turns: int = 4) -> Conversation:
    """Hold a conversation: each call gets its result, and the model is asked again."""
    messages = [{"role": "user", "content": begin}]
    for _ in range(turns):
        message = yield asked(messages, streams)
        messages.append(known(message))
        for one in message["tool_calls"]:
            arguments = json.loads(one["function"]["arguments"])
            result = {"role": "tool", "tool_call_id": one["id"], "content": f"of {arguments}"}
            messages.append(result)


def hold(client: httpx.Client, name: str, conversation: Conversation) -> None:
    body = next(conversation)
    with contextlib.suppress(StopIteration):
        while True:
            response = client.post(URL, json=body, headers={"conversation": name})
            body = conversation.send(message_in(response))


async def hold_later(client: httpx.AsyncClient, name: str, conversation: Conversation) -> None:
    body = next(conversation)
    with contextlib.suppress(StopIteration):
        while True:
            response = await client.post(URL, json=body, headers={"conversation": name})
            body = conversation.send(message_in(response))


def as_its_own(request: Json) -> Json:
    """Say what only this conversation would hear, with the ids that each conversation gets."""
    begin, at = request["messages"][0]["content"], len(request["messages"])
    return {
        "role": "assistant",
        "content": None,
        "reasoning_content": f"{begin} at {at}",
        "tool_calls": [call(f"{begin}-{at}.txt"), call("all.txt", "functions.read:1")],
    }


def always_the_same() -> Callable[[Json], Json]:
    """Return a model that calls the same in each reply, and never thinks the same."""
    counted = itertools.count()

    def say(_: Json) -> Json:
        thought = f"thought {next(counted)}"
        calls = [call("a")]
        return {
            "role": "assistant",
            "content": None,
            "reasoning_content": thought,
            "tool_calls": calls,
        }

    return say


MODELS = pytest.mark.parametrize("say", [lambda: as_its_own, always_the_same], ids=["own", "same"])


def begin_of(number: int, say: Callable[..., Any]) -> str:
    """Return how a conversation begins: where all is the same, that is, too."""
    return "hello" if say is always_the_same else f"I am {number}"


@MODELS
@WHOLE_AND_STREAMED
def test_a_hundred_conversations_at_once(module: Any, say: Any, streams: bool) -> None:
    model = Model(say())
    inner = httpx.MockTransport(model)
    with (
        httpx.Client(transport=module.Transport(*options(MOONSHOT), inner)) as client,
        ThreadPoolExecutor(20) as threads,
    ):
        held = [
            threads.submit(hold, client, str(at), talk(begin_of(at, say), streams))
            for at in range(100)
        ]
        for one in held:
            one.result()
    assert len(model.requests) == 100
    assert model.has_kept_apart()


@MODELS
@WHOLE_AND_STREAMED
def test_a_hundred_asynchronous_ones(module: Any, say: Any, streams: bool) -> None:
    model = Model(say())

    async def hold_all() -> None:
        inner = httpx.MockTransport(model.later)
        async with httpx.AsyncClient(
            transport=module.AsyncTransport(*options(MOONSHOT), inner)
        ) as client:
            await asyncio.gather(
                *(
                    hold_later(client, str(at), talk(begin_of(at, say), streams))
                    for at in range(100)
                )
            )

    asyncio.run(hold_all())
    assert len(model.requests) == 100
    assert model.has_kept_apart()


@MODELS
def test_every_order_of_turns(module: Any, say: Any) -> None:
    for seed in range(30):
        pick = random.Random(seed)
        model = Model(say())
        inner = httpx.MockTransport(model)
        with httpx.Client(transport=module.Transport(*options(MOONSHOT), inner)) as client:
            open_ones = {
                str(at): talk(begin_of(at, say), turns=pick.randint(1, 5)) for at in range(8)
            }
            bodies = {name: next(one) for name, one in open_ones.items()}
            while open_ones:
                name = pick.choice([*open_ones])
                response = client.post(URL, json=bodies[name], headers={"conversation": name})
                try:
                    bodies[name] = open_ones[name].send(message_in(response))
                except StopIteration:
                    del open_ones[name]
        assert model.has_kept_apart(), seed


def test_what_a_call_says_stays_with_its_result(module: Any) -> None:
    """Turn 1 reads a, turn 2 reads b, and both have one id: neither becomes the other."""
    model = Model(as_its_own)
    with httpx.Client(transport=module.Transport(*options(), httpx.MockTransport(model))) as client:
        hold(client, "", talk("x", turns=3))
    said = model.requests[""][2]["messages"]
    called = {one["id"]: one for each in said for one in each.get("tool_calls", ())}
    assert len(called) == 4
    for result in said:
        if result["role"] == "tool":
            arguments = json.loads(called[result["tool_call_id"]]["function"]["arguments"])
            assert result["content"] == f"of {arguments}"


def test_replies_that_look_the_same_get_ids_of_their_own(module: Any) -> None:
    model = Model(always_the_same())
    with httpx.Client(transport=module.Transport(*options(), httpx.MockTransport(model))) as client:
        request = asked([{"role": "user", "content": "hello"}])
        first, second = (message_in(client.post(URL, json=request)) for _ in range(2))
    assert first["tool_calls"][0]["id"] == "functions.read:0"
    assert second["tool_calls"][0]["id"] != "functions.read:0"
    assert second["tool_calls"][0]["function"] == first["tool_calls"][0]["function"]


def test_a_reply_that_is_the_same_in_all_keeps_its_ids(module: Any) -> None:
    model = Model(as_its_own)
    with httpx.Client(transport=module.Transport(*options(), httpx.MockTransport(model))) as client:
        request = asked([{"role": "user", "content": "hello"}])
        first, second = (message_in(client.post(URL, json=request)) for _ in range(2))
    assert second == first


def test_a_reply_without_reasoning_is_not_given_that_of_another(module: Any) -> None:
    thoughts = iter(["mine", None])
    message = {"role": "assistant", "content": None, "tool_calls": [call("a")]}
    model = Model(lambda _: {**message, "reasoning_content": next(thoughts, None)})
    with httpx.Client(transport=module.Transport(*options(), httpx.MockTransport(model))) as client:
        begin = {"role": "user", "content": "hello"}
        client.post(URL, json=asked([begin]))
        told = known(message_in(client.post(URL, json=asked([begin]))))
        client.post(URL, json=asked([begin, told, *results(told)]))
    assert thoughts_of(model.requests[""][2]) == [None]


CHANGED: dict[str, Callable[[list[Json]], object]] = {
    "other arguments": lambda said: said[1].update(tool_calls=[call("b")]),
    "another name": lambda said: said[1]["tool_calls"][0]["function"].update(name="write"),
    "another id": lambda said: said[1]["tool_calls"][0].update(id="functions.read:1"),
    "a call more": lambda said: said[1]["tool_calls"].append(call("b", "b")),
    "other words before it": lambda said: said[0].update(content="bye"),
    "something more before it": lambda said: said.insert(0, {"role": "system", "content": "s"}),
    "an image before it": lambda said: said[0].update(
        content=[
            {"type": "text", "text": "hello"},
            {"type": "image_url", "image_url": {"url": "data:,"}},
        ]
    ),
    "another role before it": lambda said: said[0].update(role="system"),
    "nothing before it": lambda said: said.pop(0),
}


@pytest.mark.parametrize("change", CHANGED)
def test_another_history_gets_nothing(module: Any, change: str) -> None:
    message = {
        "role": "assistant",
        "content": None,
        "reasoning_content": "r",
        "tool_calls": [call("a")],
    }
    model = Model(lambda _: message)
    with httpx.Client(transport=module.Transport(*options(), httpx.MockTransport(model))) as client:
        begin = {"role": "user", "content": "hello"}
        told = known(message_in(client.post(URL, json=asked([begin]))))
        client.post(URL, json=asked([begin, told, *results(told)]))
        other = json.loads(json.dumps([begin, told]))
        CHANGED[change](other)
        client.post(URL, json=asked([*other, *results(other[-1])]))
    assert thoughts_of(model.requests[""][1]) == ["r"]
    sent = model.requests[""][2]["messages"]
    assert thoughts_of(model.requests[""][2]) == [None]
    [called] = [one for one in sent if one["role"] == "assistant"]
    given = next(one for one in other if one["role"] == "assistant")["tool_calls"]
    assert [one["id"] for one in called["tool_calls"]] == [one["id"] for one in given]
    assert [read(one) for one in called["tool_calls"]] == [read(one) for one in given]


def results(told: Json) -> list[Json]:
    """Return a result for each call of a message."""
    return [
        {"role": "tool", "tool_call_id": one["id"], "content": "x"} for one in told["tool_calls"]
    ]


def read(one: Json) -> Any:
    return one["function"]["name"], json.loads(one["function"]["arguments"])


WRITTEN_ANEW: dict[str, Callable[[list[Json]], object]] = {
    "a mark of a cache": lambda said: said[0].update(
        content=[{"type": "text", "text": "hello", "cache_control": {"type": "ephemeral"}}]
    ),
    "a mark of a cache at a message": lambda said: said[0].update(cache_control={"type": "x"}),
    "no content beside calls": lambda said: said[1].pop("content"),
    "an empty content beside calls": lambda said: said[1].update(content=""),
    "the members in another order": lambda said: said.__setitem__(
        0, dict([*said[0].items()][::-1])
    ),
}


@pytest.mark.parametrize("change", WRITTEN_ANEW)
def test_a_history_that_a_client_writes_anew_is_the_same(module: Any, change: str) -> None:
    model = Model(as_its_own)
    with httpx.Client(transport=module.Transport(*options(), httpx.MockTransport(model))) as client:
        begin = {"role": "user", "content": "hello"}
        told = known(message_in(client.post(URL, json=asked([begin]))))
        said: list[Json] = [begin, told]
        WRITTEN_ANEW[change](said)
        client.post(URL, json=asked([*said, *results(told)]))
    assert thoughts_of(model.requests[""][1]) == ["hello at 1"]


def test_what_stands_in_a_call_goes_back(module: Any) -> None:
    signed = {**call("a"), "extra_content": {"signature": "s"}}
    message = {
        "role": "assistant",
        "content": "I read.",
        "tool_calls": [signed],
    }
    model = Model(lambda _: message)
    inner = httpx.MockTransport(model)
    with httpx.Client(transport=module.Transport(*options(), inner)) as client:
        begin = {"role": "user", "content": "hello"}
        told = known(message_in(client.post(URL, json=asked([begin]))))
        assert told["content"] == "I read."
        # The client has taken out a word.
        client.post(URL, json=asked([begin, {**told, "content": "I."}, *results(told)]))
    sent = model.requests[""][1]["messages"][1]
    assert sent["content"] == "I."
    assert sent["tool_calls"][0]["extra_content"] == {"signature": "s"}
    assert "_from" not in sent


def test_a_client_that_gives_reasoning_back_is_believed(module: Any) -> None:
    model = Model(as_its_own)
    with httpx.Client(transport=module.Transport(*options(), httpx.MockTransport(model))) as client:
        begin = {"role": "user", "content": "hello"}
        told = known(message_in(client.post(URL, json=asked([begin]))))
        answer = {"role": "assistant", "content": "Done.", "reasoning_content": "final"}
        own = {**told, "reasoning_content": "its own"}
        said = [begin, own, *results(told), answer, begin]
        client.post(URL, json=asked(said))
    assert thoughts_of(model.requests[""][1]) == ["its own", "final"]


@WHOLE_AND_STREAMED
def test_the_name_of_a_profile_will_do(module: Any, streams: bool) -> None:
    model = Model(as_its_own)
    inner = httpx.MockTransport(model)
    sending = {"capability": True, "profile": "deepseek"}
    with httpx.Client(transport=module.Transport(sending, {}, inner)) as client:
        begin = {"role": "user", "content": "hello"}
        told = known(message_in(client.post(URL, json=asked([begin], streams))))
        client.post(URL, json=asked([begin, told, *results(told)], streams))
    assert thoughts_of(model.requests[""][1]) == model.thoughts[""][:1]


def test_no_profile_is_needed(module: Any) -> None:
    model = Model(lambda _: {"role": "assistant", "content": LEAK})
    inner = httpx.MockTransport(model)
    with httpx.Client(transport=module.Transport({"capability": True}, {}, inner)) as client:
        begin = {"role": "user", "content": "hello"}
        assert message_in(client.post(URL, json=asked([begin])))["tool_calls"]


def test_memory_is_bounded(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 2)
    done = {"role": "assistant", "content": "Done."}
    model = Model(lambda body: done if len(body["messages"]) > 1 else as_its_own(body))
    begins = [[{"role": "user", "content": text}] for text in "abc"]
    with httpx.Client(transport=module.Transport(*options(), httpx.MockTransport(model))) as client:
        told = [known(message_in(client.post(URL, json=asked(one)))) for one in begins]
        for begin, one in zip(begins, told, strict=True):
            client.post(URL, json=asked([*begin, one, *results(one)]))
    assert [thoughts_of(one) for one in model.requests[""][3:]] == [[None], ["b at 1"], ["c at 1"]]


POISONED: dict[str, Any] = {
    "a call without an id": {"tool_calls": [{**call("a"), "id": None}]},
    "null among calls": {"tool_calls": [None, call("a")]},
    "a text among calls": {"tool_calls": ["a", call("a")]},
    "null for calls": {"tool_calls": None},
    "a text for calls": {"tool_calls": "a"},
    "an object for calls": {"tool_calls": call("a")},
    "no function": {"tool_calls": [{"id": "a"}]},
    "null for arguments": {"tool_calls": [{"id": "a", "function": {"name": "read"}}]},
    "broken arguments": {
        "tool_calls": [{"id": "a", "function": {"name": "read", "arguments": "{"}}]
    },
    "deep arguments": {
        "tool_calls": [{"id": "a", "function": {"name": "read", "arguments": "[" * 100_000}}]
    },
}


def test_arguments_of_every_depth_raise_nothing(module: Any) -> None:
    model = Model(lambda _: {"role": "assistant", "content": "Done."})
    begin = {"role": "user", "content": "hello"}
    with httpx.Client(transport=module.Transport(*options(), httpx.MockTransport(model))) as client:
        for depth in [*range(100, 140), *range(150, 900, 50), *range(900, 1010)]:
            text = '{"a":' * depth + "0" + "}" * depth
            function = {"name": "read", "arguments": text}
            calls = [{"id": "a", "type": "function", "function": function}]
            told = {"role": "assistant", "tool_calls": calls}
            client.post(URL, json=asked([begin, told, *results(told), begin]))


@pytest.mark.parametrize("members", POISONED.values(), ids=POISONED)
def test_a_poisoned_history_is_mended(module: Any, members: Json) -> None:
    model = Model(lambda _: {"role": "assistant", "content": "Done."})
    poisoned = {"role": "assistant", "content": "I read.", **members}
    begin = {"role": "user", "content": "hello"}
    with httpx.Client(transport=module.Transport(*options(), httpx.MockTransport(model))) as client:
        response = client.post(URL, json=asked([begin, poisoned, begin]))
    assert message_in(response)["content"] == "Done."
    [sent] = model.requests[""]
    for one in sent["messages"]:
        for called in one.get("tool_calls", ()):
            assert isinstance(called["id"], str)
            assert isinstance(json.loads(called["function"]["arguments"]), dict)


def given(module: Any, response: httpx.Response, **members: Any) -> httpx.Response:
    """Return what the client gets for a response."""
    inner = httpx.MockTransport(lambda _: response)
    with httpx.Client(transport=module.Transport(*options("vllm"), inner)) as client:
        body = {**asked([{"role": "user", "content": "hello"}]), **members}
        return client.post(URL, json=body)


async def given_later(module: Any, response: httpx.Response, **members: Any) -> httpx.Response:
    inner = httpx.MockTransport(lambda _: response)
    async with httpx.AsyncClient(
        transport=module.AsyncTransport(*options("vllm"), inner)
    ) as client:
        body = {**asked([{"role": "user", "content": "hello"}]), **members}
        return await client.post(URL, json=body)


SAID = {"role": "assistant", "content": "Hello."}
LEAKED = {"role": "assistant", "content": LEAK}
AS_IT_CAME: dict[str, tuple[int, Any]] = {
    "an error with the status 200": (200, {"error": {"code": 429, "message": "slow down"}}),
    "an error beside a choice": (200, {**completion(LEAKED, "error"), "error": {"code": 502}}),
    "an error": (429, {"error": {"code": 429}}),
    "a choice with the status of an error": (500, completion(SAID)),
    "a moved one": (307, {}),
    "no choices": (200, {"id": "r"}),
    "no choice": (200, {"id": "r", "choices": []}),
    "null for choices": (200, {"id": "r", "choices": None}),
    "an object for choices": (200, {"id": "r", "choices": {"0": {}}}),
    "null for a choice": (200, {"id": "r", "choices": [None]}),
    "no message": (200, {"id": "r", "choices": [{"finish_reason": "stop"}]}),
    "null for a message": (200, {"id": "r", "choices": [{"message": None}]}),
    "a text for a message": (200, {"id": "r", "choices": [{"message": "Hello."}]}),
    "a list": (200, []),
    "no id": (200, {"choices": [{"index": 0, "message": SAID, "finish_reason": "stop"}]}),
    "a number for an id": (200, {**completion(SAID, "stop"), "id": 7}),
    "no reason": (200, {"id": "r", "choices": [{"index": 0, "message": SAID}]}),
    "null for a reason": (200, {"id": "r", "choices": [{"message": SAID, "finish_reason": None}]}),
    "no role": (200, completion({"content": "Hello."}, "stop")),
    "null for a role": (200, completion({"role": None, "content": "Hello."}, "stop")),
    "null for calls": (
        200,
        completion({**SAID, "tool_calls": None, "function_call": None, "refusal": None}, "stop"),
    ),
    "no content": (200, completion({"role": "assistant"}, "stop")),
    "a filter": (200, completion(SAID, "content_filter")),
    "a filter and nothing else": (200, completion({**SAID, "content": None}, "content_filter")),
    "reasoning": (200, completion({**SAID, "reasoning_content": "r"}, "stop")),
    "an error in its choice": (
        200,
        {"id": "r", "choices": [{"error": {"code": 1}, "message": SAID, "finish_reason": "error"}]},
    ),
    "another status": (201, completion(SAID, "stop")),
}


@pytest.mark.parametrize(("status", "body"), AS_IT_CAME.values(), ids=AS_IT_CAME)
def test_what_needs_no_reading_goes_on_as_it_came(module: Any, status: int, body: Any) -> None:
    headers = {"x-request-id": "q", "set-cookie": "a=b"}
    for seen in (
        given(module, httpx.Response(status, json=body, headers=headers)),
        asyncio.run(given_later(module, httpx.Response(status, json=body, headers=headers))),
    ):
        assert seen.content == httpx.Response(status, json=body).content
        assert (seen.status_code, seen.headers["x-request-id"]) == (status, "q")
        assert seen.headers["content-length"] == str(len(seen.content))


@pytest.mark.parametrize("body", [b"", b"null", b"<html>", b"\xff", b"[" * 100_000])
def test_what_is_no_json_goes_on_as_it_came(module: Any, body: bytes) -> None:
    assert given(module, httpx.Response(200, content=body)).content == body


@pytest.mark.parametrize("body", [{"choices": [{"message": {"content": LEAK}}]}])
@pytest.mark.parametrize("status", [200, 201])
def test_a_call_is_found_whatever_is_missing_around_it(
    module: Any, body: Json, status: int
) -> None:
    seen = given(module, httpx.Response(status, json=body))
    assert seen.status_code == status
    [choice] = seen.json()["choices"]
    [called] = choice["message"]["tool_calls"]
    assert read(called) == ("read", {"path": "a"})
    assert choice["finish_reason"] == "tool_calls"


STRANGE_REPLIES = [
    b'{"x": NaN, "choices": [{"message": {"content": "a", "tool_calls": [null]}}]}',
    b'{"choices": [{"logprobs": -Infinity, "message": {"content": "\\ud83d <b>"}}]}',
    b'\xef\xbb\xbf{"choices": [{"message": {"content": "a"}}]}',
    b'{"choices": [{"message": {"content": [{"type": "text", "text": "a"}]}}]}',
    b'{"choices": [{"message": {"content": 7}}]}',
    b'{"choices": [{"finish_reason": ["x"], "message": {"content": "a"}}]}',
    b'{"choices": [{"message": {"content": "a", "tool_calls": {}}}]}',
]


@pytest.mark.parametrize("body", STRANGE_REPLIES)
def test_a_strange_reply_raises_nothing(module: Any, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    assert given(module, httpx.Response(200, content=body, headers=headers)).status_code == 200


ENDS = [
    ("stop", [call("a")], "tool_calls"),
    ("tool_calls", [call("a")], "tool_calls"),
    ("length", [call("a")], "length"),
    ("content_filter", [call("a")], "content_filter"),
    ("content_filter", [], "content_filter"),
    ("length", [], "length"),
    ("stop", [], "stop"),
    ("tool_calls", [], "stop"),
]


@pytest.mark.parametrize(("reason", "calls", "shown"), ENDS)
def test_why_a_message_ended(module: Any, reason: str, calls: list[Json], shown: str) -> None:
    message = {"role": "assistant", "content": "x", "tool_calls": calls}
    seen = given(module, httpx.Response(200, json=completion(message, reason)))
    assert seen.json()["choices"][0]["finish_reason"] == shown
    pieces = [piece({"content": "x"}), piece({"tool_calls": calls}), piece({}, reason)]
    [*_, last] = chunks_in(given(module, streamed(*map(event, pieces))).content)
    assert last["choices"][0]["finish_reason"] == shown


def event(chunk: Any) -> bytes:
    return b"data: %s\n\n" % json.dumps(chunk, ensure_ascii=False).encode()


def test_a_stream_without_a_reason_was_too_long_unless_it_calls(module: Any) -> None:
    ends: list[tuple[Json, str]] = [
        ({"content": "x"}, "length"),
        ({"tool_calls": [call("a")]}, "tool_calls"),
    ]
    for delta, reason in ends:
        [*_, last] = chunks_in(given(module, streamed(event(piece(delta)))).content)
        assert last["choices"][0]["finish_reason"] == reason


LINES = ["\r\n", "\n", "\r"]
STRANGE = "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\x1dh\x1ei\ufeffj"
"""What `str.splitlines` takes for ends of lines, and a mark that begins no text here."""


@pytest.mark.parametrize("end", LINES, ids=["CR LF", "LF", "CR"])
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "not closed"])
def test_a_line_of_a_stream_ends_where_the_standard_says(
    module: Any, end: str, closed: bool
) -> None:
    text = "".join(
        f"data: {json.dumps(chunk, ensure_ascii=False)}{end}: hold on{end}id: {at}{end}{end}"
        for at, chunk in enumerate([piece({"content": STRANGE}), piece({"content": "é😀"})])
    )
    data = f"\ufeff{text}".encode()
    data = data if closed else data.removesuffix(end.encode() * 2)
    for size in (1, 2, 3, 5, 7, len(data)):
        cut = [data[at : at + size] for at in range(0, len(data), size)]
        for seen in (
            given(module, streamed(*cut)),
            asyncio.run(given_later(module, streamed(*cut))),
        ):
            assert message_in(seen)["content"] == STRANGE + "é😀"


def in_lines(chunk: Json) -> list[bytes]:
    """Return an event whose data have several lines, byte by byte."""
    lines = json.dumps(chunk, indent=1).splitlines()
    data = "".join(f"data: {line}\r\n" for line in lines).encode() + b"\r\n"
    return [bytes([one]) for one in data]


def test_an_event_may_have_several_lines(module: Any) -> None:
    assert message_in(given(module, streamed(*in_lines(piece({"content": "x"})))))["content"] == "x"


def test_what_a_stream_held_back_is_shown_at_its_end(module: Any) -> None:
    parts = [piece({"content": "x <tool_ca"}), piece({}, "stop")]
    chunks = chunks_in(given(module, streamed(*map(event, parts))).content)
    shown = [one["choices"][0]["delta"].get("content") for one in chunks]
    assert (shown[0], "".join(filter(None, shown))) == ("x", "x <tool_ca")


def test_a_long_line_in_small_pieces_takes_linear_time(module: Any) -> None:
    data = event(piece({"content": "x" * 3_000_000}))
    seen = given(module, streamed(*(data[at : at + 100] for at in range(0, len(data), 100))))
    assert len(message_in(seen)["content"]) == 3_000_000


GO_ON = [
    b'data: {"error": {"code": 429, "message": "slow\xe2\x80\xa8down"}}',
    b'event: error\ndata: {"error": {"code": 429}}',
    b'data: {"error": {"code": 1}, "choices": [{"delta": {}, "finish_reason": "error"}]}',
    b": hold on",
    b"retry: 10",
    b"data: [1]",
    b"data: null",
    b"data: broken",
    b'data: {"id": "r", "choices": [], "prompt_filter_results": []}',
    b'data: {"type": "ping"}',
    b'data: {"id": "r", "choices": [null]}',
    b'data: {"id": "r", "choices": {"0": {}}}',
]
STRANGE_CHUNKS: list[Any] = [
    {"choices": [{"delta": None}]},
    {"choices": [{"delta": ["x"]}]},
    {"choices": [{"delta": "x", "finish_reason": 7}]},
    {"choices": [{}]},
    {"choices": [{"delta": {"content": ["x"], "tool_calls": "x"}}]},
]


def test_a_strange_chunk_raises_nothing(module: Any) -> None:
    parts = [*map(event, STRANGE_CHUNKS), event(piece({"content": "x"}))]
    chunks = chunks_in(given(module, streamed(*parts)).content)
    assert chunks[-2]["choices"][0]["delta"] == {"content": "x"}


@pytest.mark.parametrize("line", GO_ON)
def test_an_event_that_is_no_part_of_a_message_goes_on_as_it_came(module: Any, line: bytes) -> None:
    parts = [event(piece({"content": "x"})), line + b"\n\n", event(piece({}, "stop"))]
    seen = given(module, streamed(*parts)).content.split(b"\n\n")
    assert line in seen
    assert chunks_in(seen[0])[0]["choices"][0]["delta"] == {"content": "x"}
    assert seen.index(line) == 1


OLD = {"role": "assistant", "content": "x", "function_call": {"name": "shell", "arguments": "{}"}}


def test_a_call_of_the_old_form_reaches_no_client(module: Any) -> None:
    seen = given(module, httpx.Response(200, json=completion(OLD, "function_call")))
    [choice] = seen.json()["choices"]
    assert (choice["message"]["function_call"], choice["finish_reason"]) == (None, "stop")


def test_a_message_in_a_stream_is_read_too(module: Any) -> None:
    whole = {"choices": [{"index": 0, "message": {"content": LEAK}, "finish_reason": "stop"}]}
    chunks = chunks_in(given(module, streamed(event(whole))).content)
    assert all(one["choices"][0].get("message") is None for one in chunks)
    assert read(chunks[-1]["choices"][0]["delta"]["tool_calls"][0]) == ("read", {"path": "a"})


def test_nothing_is_called_behind_an_error(module: Any) -> None:
    error = event({"error": {"code": 429}})
    seen = given(module, streamed(event(piece({"tool_calls": [call("a")]})), error)).content
    assert seen.endswith(error + b"data: [DONE]\n\n")
    assert b"tool_calls" not in seen


def test_an_error_before_a_stream_keeps_its_status(module: Any) -> None:
    seen = given(module, streamed(event({"error": {"code": 429}}), status=429), stream=True)
    assert (seen.status_code, seen.content) == (429, event({"error": {"code": 429}}))


def test_reasoning_reaches_the_client_while_it_streams(module: Any) -> None:
    parts = [
        piece({"role": "assistant", "content": "", "reasoning_content": None}),
        piece({"reasoning_content": "Okay, "}),
        piece({"reasoning_content": "hm", "reasoning_details": [{"text": "hm"}]}),
        piece({"content": "Hello", "reasoning_content": None}),
        piece({}, "stop"),
    ]
    chunks = chunks_in(given(module, streamed(*map(event, parts))).content)
    assert [one["choices"][0]["delta"] for one in chunks] == [
        {"role": "assistant", "reasoning_content": None},
        {"reasoning_content": "Okay, "},
        {"reasoning_content": "hm", "reasoning_details": [{"text": "hm"}]},
        {"content": "Hello", "reasoning_content": None},
        {},
        {},
    ]


def test_usage_comes_once(module: Any) -> None:
    usage = {"total_tokens": 3}
    begin = event(piece({"content": "x"}, usage=None))
    behind = {"id": "r", "choices": [], "usage": usage}
    for parts in (
        [begin, event(piece({}, "stop")), event(behind)],
        [begin, event(piece({}, "stop", usage=usage))],
    ):
        chunks = chunks_in(given(module, streamed(*parts)).content)
        assert [one["usage"] for one in chunks if one.get("usage")] == [usage]
        told = [one["choices"][0]["finish_reason"] for one in chunks if one["choices"]]
        assert told == [None, None, "stop"]


def test_usage_stays_behind_the_calls(module: Any) -> None:
    behind = {"id": "r", "choices": [], "usage": {"total_tokens": 3}}
    parts = [piece({"tool_calls": [call("a")]}), piece({}, "tool_calls"), behind]
    *_, last, usage = chunks_in(given(module, streamed(*map(event, parts))).content)
    assert read(last["choices"][0]["delta"]["tool_calls"][0]) == ("read", {"path": "a"})
    assert usage == behind


def test_a_stream_that_breaks_off_is_a_message_that_was_cut_off(module: Any) -> None:
    class Broken(Bytes):
        def __iter__(self) -> Iterator[bytes]:
            yield from self.data
            raise httpx.ReadError("reset")

    response = streamed()
    response.stream = Broken((event(piece({"content": "x"})), b"data: {"))
    chunks = chunks_in(given(module, response).content)
    assert chunks[0]["choices"][0]["delta"] == {"content": "x"}
    assert chunks[-1]["choices"][0]["finish_reason"] == "length"


PATHS = {
    "http://model/v1/chat/completions": True,
    "http://model/v1/chat/completions/": True,
    "http://model/openai/deployments/m/chat/completions?api-version=1": True,
    "http://model/v1/embeddings": False,
    "http://model/v1/chat/completions/r/messages": False,
}


@pytest.mark.parametrize("url", PATHS)
def test_which_paths_are_read(module: Any, url: str) -> None:
    message = {"role": "assistant", "content": LEAK}
    inner = httpx.MockTransport(lambda _: httpx.Response(200, json=completion(message, "stop")))
    with httpx.Client(transport=module.Transport(*options("vllm"), inner)) as client:
        seen = client.post(url, json=asked([{"role": "user", "content": "hello"}]))
    assert bool(seen.json()["choices"][0]["message"].get("tool_calls")) == PATHS[url]


def test_a_list_of_what_was_said_is_no_request(module: Any) -> None:
    inner = httpx.MockTransport(lambda _: httpx.Response(200, json={"data": []}))
    with httpx.Client(transport=module.Transport(*options("vllm"), inner)) as client:
        assert client.get(URL).json() == {"data": []}


class Inner(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Says whether it was closed, and how often it was asked."""

    def __init__(self, *responses: httpx.Response) -> None:
        self.responses = [*responses]
        self.is_closed = False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self.responses.pop(0)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return self.responses.pop(0)

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def test_closing_closes_what_it_sends_with(module: Any) -> None:
    inner = Inner()
    httpx.Client(transport=module.Transport(*options(), inner)).close()
    assert inner.is_closed
    inner = Inner()
    asyncio.run(httpx.AsyncClient(transport=module.AsyncTransport(*options(), inner)).aclose())
    assert inner.is_closed
    assert isinstance(module.Transport(*options()).inner, httpx.HTTPTransport)
    assert isinstance(module.AsyncTransport(*options()).inner, httpx.AsyncHTTPTransport)


def test_a_stream_that_a_client_leaves_is_closed(module: Any) -> None:
    response = streamed(*[event(piece({"content": "x"}))] * 5)
    inner = Inner(response)
    with (
        httpx.Client(transport=module.Transport(*options("vllm"), inner)) as client,
        client.stream("POST", URL, json=asked([{"role": "user", "content": "hello"}])) as seen,
    ):
        next(seen.iter_lines())
    stream: Any = response.stream
    assert stream.is_closed


def test_a_client_may_ask_again_for_what_is_left_of_a_stream(module: Any) -> None:
    """As the `openai` SDK does where it has read the end."""
    inner = Inner(streamed(event(piece({"content": "x"})) + event(piece({}, "stop"))))
    guard = module.Transport(*options("vllm"), inner)
    body = json.dumps(asked([{"role": "user", "content": "hello"}])).encode()
    response = guard.handle_request(httpx.Request("POST", URL, content=body))
    assert [*response.stream][-1] == b"data: [DONE]\n\n"
    assert [*response.stream] == []


def test_who_calls_nothing_that_can_be_run_is_asked_again(module: Any) -> None:
    broken = {"role": "assistant", "content": None, "tool_calls": [{**call("a"), "function": {}}]}
    better = {
        "role": "assistant",
        "content": None,
        "reasoning_content": "r",
        "tool_calls": [call("a")],
    }
    replies = iter([broken, better, better])
    model = Model(lambda _: next(replies))
    with httpx.Client(transport=module.Transport(*options(), httpx.MockTransport(model))) as client:
        begin = {"role": "user", "content": "hello"}
        told = known(message_in(client.post(URL, json=asked([begin]))))
        client.post(URL, json=asked([begin, told, *results(told)]))
    assert [len(one["messages"]) for one in model.requests[""]] == [1, 3, 3]
    assert thoughts_of(model.requests[""][2]) == ["r"]


def test_who_never_calls_what_can_be_run_is_asked_three_times(module: Any) -> None:
    broken = {"role": "assistant", "content": None, "tool_calls": [{**call("a"), "function": {}}]}
    model = Model(lambda _: broken)
    with httpx.Client(transport=module.Transport(*options(), httpx.MockTransport(model))) as client:
        seen = client.post(URL, json=asked([{"role": "user", "content": "hello"}]))
    assert len(model.requests[""]) == 3
    [choice] = seen.json()["choices"]
    assert (choice["message"]["tool_calls"], choice["finish_reason"]) == (None, "stop")


def test_the_tools_of_reading_count(module: Any) -> None:
    """`reading` of a loop has tools; those of a request are for where it has none."""
    sending, reading = options("vllm")
    message = {"role": "assistant", "content": LEAK}
    inner = httpx.MockTransport(lambda _: httpx.Response(200, json=completion(message, "stop")))
    guard = module.Transport(sending, {**reading, "tools": [TOOL]}, inner)
    with httpx.Client(transport=guard) as client:
        seen = client.post(URL, json=asked([{"role": "user", "content": "hello"}]))
    assert len(message_in(seen)["tool_calls"]) == 1
