"""What a client of another interface reads is what the server said, whole and streamed."""

import json
import random
from typing import Any

import pytest

from commoncall import interface as interfaces
from commoncall.interface import Interface
from tests.evidence.interfaces.cleaned import INTERFACES

WORDS = ("Oslo", "line\nfeed", "über", " ", "<tools>")


def reply_of(seed: int) -> dict[str, Any]:
    """Return a reply of Chat Completions."""
    rng = random.Random(seed)
    message: dict[str, Any] = {"role": "assistant", "content": None}
    if rng.random() < 0.5:
        message["reasoning_content"] = rng.choice(WORDS)
    if rng.random() < 0.7:
        message["content"] = " ".join(rng.choices(WORDS, k=3))
    if rng.random() < 0.6:
        message["tool_calls"] = [
            {
                "id": f"call_{seed}_{at}",
                "type": "function",
                "function": {"name": "read", "arguments": json.dumps({"a": rng.choice(WORDS)})},
            }
            for at in range(rng.randint(1, 3))
        ]
    reason = rng.choice(["stop", "tool_calls", "length", "content_filter"])
    choice = {"index": 0, "message": message, "finish_reason": reason}
    usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
    return {"id": f"c{seed}", "created": 1, "model": "m", "choices": [choice], "usage": usage}


def chunks_of(reply: dict[str, Any], seed: int) -> list[dict[str, Any]]:
    """Return the reply in pieces; those of its calls come in any order."""
    rng, [choice] = random.Random(seed), reply["choices"]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    for name in ("reasoning_content", "content"):
        deltas += [{name: letter} for letter in choice["message"].get(name) or ""]
    pieces = []
    for index, call in enumerate(choice["message"].get("tool_calls", ())):
        name, arguments = call["function"].values()
        begun = {"index": index, **call, "function": {"name": name, "arguments": ""}}
        deltas.append({"tool_calls": [begun]})
        pieces.append([{"index": index, "function": {"arguments": one}} for one in arguments])
    while any(pieces):
        piece = rng.choice([one for one in pieces if one]).pop(0)
        deltas.append({"tool_calls": [piece]})
    head = {name: reply[name] for name in ("id", "created", "model")}
    ended = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    return [
        *({**head, "choices": [{"index": 0, "delta": delta}]} for delta in deltas),
        {**head, "choices": [ended]},
        {**head, "choices": [], "usage": reply["usage"]},
    ]


@pytest.mark.parametrize("interface", INTERFACES)
def test_what_is_written_is_read_back(interface: Interface) -> None:
    for seed in range(300):
        reply = reply_of(seed)
        written = interfaces.write_reply(interface, reply)
        message: Any = interfaces.read_reply(interface, written["reply"])["message"]
        [choice] = reply["choices"]
        said = choice["message"]
        assert (message["text"] or None) == said["content"], seed
        assert called(message["tool_calls"]) == called(said.get("tool_calls")), seed
        is_cut = choice["finish_reason"] in ("length", "content_filter")
        assert message.get("truncated", False) == is_cut, seed
        assert written["findings"] == []


def called(calls: Any) -> list[Any]:
    """Return ids, names and arguments of calls."""
    said = [(call["id"], call["function"]) for call in calls or ()]
    return [(id, one["name"], json.loads(one["arguments"])) for id, one in said]


@pytest.mark.parametrize("interface", INTERFACES)
def test_a_stream_is_the_same_reply(interface: Interface) -> None:
    for seed in range(300):
        reply = reply_of(seed)
        written: Any = interfaces.write_reply(interface, reply)["reply"]
        events = interfaces.write_events(interface, chunks_of(reply, seed))["events"]
        read = interfaces.read_events(interface, events)
        ours: Any = read["reply"]
        # The head of a message tells no tokens yet.
        assert {**ours, "usage": None} == {**written, "usage": None}, seed
        [counted] = [one for one in map(usage_of, events) if one is not None]
        assert counted == usage_of(written), seed


def usage_of(event: dict[str, Any]) -> Any:
    """Return what an end says of tokens."""
    told = event.get("response", event)
    flat = {name: told[name] for name in ("prompt_eval_count", "eval_count") if name in told}
    return flat or told.get("usage")


@pytest.mark.parametrize("interface", INTERFACES)
def test_a_stream_that_breaks_off_anywhere_calls_nothing(interface: Interface) -> None:
    for seed in range(30):
        chunks = chunks_of(reply_of(seed), seed)[:-2]
        for cut in range(len(chunks)):
            events = interfaces.write_events(interface, chunks[:cut])["events"]
            assert not any("call" in json.dumps(one.get("item", "")) for one in events)
            assert not any(word in json.dumps(events) for word in ("tool_use", '"tool_calls"'))
            assert "error" in events[-1] or events[-1]["type"] == "response.failed"


def test_arguments_are_not_joined_for_each_piece() -> None:
    """Nor are they where each piece names the tool again, as some servers do."""
    written = interfaces.WrittenEvents("openai-responses")
    for piece in ('{"a": "', *("word " for _ in range(1_000))):
        call = {"index": 0, "function": {"name": "read", "arguments": piece}}
        written.feed({"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]})
    assert [len(each.arguments.pieces) for each in written._calls] == [1_001]
