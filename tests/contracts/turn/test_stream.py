"""A message in chunks beyond the fixtures: however it is cut, it is received as the whole one."""

import copy
import itertools
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commoncall.envelope import Env
from commoncall.json_text import joined_pairs
from commoncall.turn import OPERATIONS, ChoiceNotSingleError, PlanMismatchError, Stream, receive
from commoncall_kit.verdict.compare import differences
from tests import shared
from tests.contracts.turn.test_turn import json_values, leaked, receive_inputs, texts
from tests.measuring import lines_run

STREAM, RECEIVE = OPERATIONS["turn.stream"], OPERATIONS["turn.receive"]

PLAN: Any = {"effective": ["read"], "parse_native_calls": True, "parse_text_calls": True}

arguments = st.sampled_from(['{"p": "x"}', "{}", '{"p": "', "", "[]", '{"a": {"b": "}"}}'])
names = st.sampled_from(["read", "fs.read", "write", "re", " "])
whole_calls = st.fixed_dictionaries(
    {
        "function": st.fixed_dictionaries({"name": names}, optional={"arguments": arguments}),
    },
    optional={"id": st.sampled_from(["a", "b", "n1"]), "type": st.just("function")},
)
whole_inputs = st.builds(
    lambda value, text, calls, truncated: {
        **value,
        "message": {"text": text, "tool_calls": calls or None, "truncated": truncated},
    },
    receive_inputs,
    st.none() | leaked | texts,
    st.lists(whole_calls, max_size=3),
    st.booleans(),
)
entries = st.fixed_dictionaries(
    {},
    optional={
        "index": st.sampled_from([0, 1, 10**9, 0.0, -1, "0", None, 0.5]),
        "id": st.sampled_from(["a", "b", "", None, 7]),
        "type": st.sampled_from(["function", "", None]),
        "opaque": st.sampled_from(["x", {"s": 1}, None]),
        "function": st.fixed_dictionaries(
            {},
            optional={
                "name": st.sampled_from(["read", "re", "ad", "", None, 7]),
                "arguments": arguments | st.sampled_from([None, {"p": "x"}, 3, "x", " "]),
            },
        ),
    },
)
deltas = st.fixed_dictionaries(
    {},
    optional={
        "role": st.just("assistant"),
        "content": leaked | texts | st.none() | json_values,
        "refusal": texts | st.none(),
        "opaque": st.sampled_from(["x", {"s": 1}, {"s": 1.0}, {"s": True}, [], None]),
        "tool_calls": st.lists(entries | json_values, max_size=2) | st.none(),
    },
)
chunks = st.one_of(
    json_values,
    st.fixed_dictionaries(
        {
            "choices": st.lists(
                st.fixed_dictionaries(
                    {},
                    optional={
                        "index": st.sampled_from([0, None]),
                        "delta": deltas,
                        "message": deltas,
                        "finish_reason": st.sampled_from([None, "stop", "length", ""]),
                    },
                ),
                max_size=1,
            )
        },
        optional={"error": st.none() | st.just({"code": 500})},
    ),
)


def environment() -> Env:
    return Env([" ", *(f"n{number // 2}" for number in range(80))])


def chunk(**delta: object) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


def pieces_of(text: str, places: Sequence[int]) -> list[str]:
    ends = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(ends)]


def cut(message: dict[str, Any], places: Sequence[int]) -> list[Any]:
    """Return a message in chunks: its text, and its calls in pieces that come in turns."""
    text, calls = message["text"], message["tool_calls"] or []
    made = [] if text is None else [chunk(content=piece) for piece in pieces_of(text, places)]
    columns = []
    for index, call in enumerate(calls):
        function = call["function"]
        head = {name: call[name] for name in ("id", "type") if name in call}
        column = [{"index": index, **head, "function": {"name": function["name"]}}]
        if "arguments" in function:
            column += [
                {"index": index, "function": {"arguments": piece}}
                for piece in pieces_of(function["arguments"], places)
            ]
        columns.append(column)
    for turn in itertools.zip_longest(*columns):
        made.append(chunk(tool_calls=[entry for entry in turn if entry]))
    reason = "length" if message["truncated"] else "stop"
    return [*made, {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}]


def shown_of(result: dict[str, Any], kind: str) -> str:
    return "".join(one[kind] for pieces in result["shown"] for one in pieces if kind in one)


def check(value: dict[str, Any], result: dict[str, Any]) -> None:
    """What was received is what the joined message gives; what was shown makes up its content."""
    assert shared.faults_of_result("turn.stream", result) == []
    rest = {name: item for name, item in value.items() if name != "chunks"}
    whole = RECEIVE({**rest, "message": result["message"]}, environment())
    assert differences(whole, {"result": result["received"]}) == []
    assert len(result["shown"]) == len(value["chunks"]) + 1
    for kind, member in (("text", "content"), ("reasoning", "reasoning")):
        expected = result["received"][member] or ""
        assert joined_pairs(shown_of(result, kind)) == joined_pairs(expected)


def without_repeats(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return calls without those that repeat one of the same id (definition "repeated call")."""
    whole = [
        (call["id"], call["function"]) if "id" in call and has_whole_arguments(call) else None
        for call in calls
    ]
    return [call for at, call in enumerate(calls) if not whole[at] or whole[at] not in whole[:at]]


def has_whole_arguments(call: dict[str, Any]) -> bool:
    try:
        return isinstance(json.loads(call["function"].get("arguments", "")), dict)
    except ValueError:
        return False


@given(whole_inputs, st.lists(st.integers(0, 200), max_size=6))
def test_a_message_is_received_alike_wherever_it_is_cut(
    value: dict[str, Any], places: list[int]
) -> None:
    message = value.pop("message")
    value["chunks"] = cut(message, places)
    result: Any = STREAM(value, environment()).get("result")
    check(value, result)
    if message["text"] is not None:
        assert joined_pairs(result["message"]["text"]) == joined_pairs(message["text"])
    else:
        assert result["message"]["text"] is None
    calls = [dict(call) for call in result["message"]["tool_calls"] or []]
    assert calls == without_repeats(message["tool_calls"] or [])
    assert result["message"]["truncated"] == message["truncated"]


PROFILE = {"opaque_members": ["opaque"], "origin": {"provider": "p", "model": "m"}}


@given(receive_inputs, st.lists(chunks, max_size=6), st.sampled_from([{}, {"profile": PROFILE}]))
@settings(max_examples=150)
def test_whatever_chunks_say_is_one_message(
    value: dict[str, Any], given_chunks: list[Any], profile: dict[str, Any]
) -> None:
    value = {**value, **profile, "chunks": given_chunks}
    del value["message"]
    before = copy.deepcopy(value)
    answer = STREAM(value, environment())
    assert repr(value) == repr(before)
    if "error" in answer:
        assert answer["error"]["code"] == "choice_not_single"
    else:
        result: Any = answer["result"]
        check(value, result)


@given(st.lists(leaked, max_size=3), st.booleans(), st.lists(st.integers(0, 300), max_size=8))
def test_nothing_is_shown_that_becomes_a_call(
    parts: list[str], ends_native: bool, places: list[int]
) -> None:
    """After each chunk what was shown is the begin of the content, whichever way it ends."""
    text = "".join(parts)
    made = [chunk(content=piece) for piece in pieces_of(text, places)]
    if ends_native:
        made.append(chunk(tool_calls=[{"id": "a", "function": {"name": "read"}}]))
    stream = Stream(PLAN, request_id="r1", disposition="answer")
    seen = [stream.feed(one) for one in made]
    received = stream.finish()
    for kind, member in (("text", received["content"]), ("reasoning", received["reasoning"])):
        shown = ""
        for pieces in [*seen, stream.rest]:
            shown += "".join(str(one.get(kind, "")) for one in pieces)
            assert (member or "").startswith(shown)
        assert shown == (member or "")


def native(**function: object) -> dict[str, Any]:
    return chunk(tool_calls=[{"index": 0, "function": function}])


BLOCK = '<tool_call>{"name": "read", "arguments": {"p": "' + "x" * 50 + '"}}</tool_call>'

GROWING: dict[str, Any] = {
    "prose": lambda size: [chunk(content="word ") for _ in range(size)],
    "behind a block": lambda size: [
        chunk(content=BLOCK),
        *(chunk(content="word ") for _ in range(size)),
    ],
    "in a block": lambda size: [
        chunk(content=BLOCK[:60]),
        *(chunk(content="word ") for _ in range(size)),
    ],
    "arguments": lambda size: [
        native(name="read", arguments='{"p": "'),
        *(native(arguments="word ") for _ in range(size)),
    ],
    "braces behind a name": lambda size: [
        native(name="read", arguments='{"p": "'),
        *(native(name="read", arguments="}") for _ in range(size)),
    ],
    "blanks behind an object": lambda size: [
        native(name="read", arguments="{}"),
        *(native(name="read", arguments=" ") for _ in range(size)),
    ],
    "arguments again": lambda size: [native(name="read", arguments="{}") for _ in range(size)],
    "name again": lambda size: [native(name="read") for _ in range(size)],
    "name in pieces": lambda size: [native(name="r") for _ in range(size)],
    "many calls": lambda size: [
        chunk(tool_calls=[{"index": n, "id": f"i{n}", "function": {"name": "read"}}])
        for n in range(size)
    ],
    "one index": lambda size: [native(name="read", arguments=json.dumps([n])) for n in range(size)],
    "halves": lambda size: [
        chunk(content="\ud83d", refusal="\ud83d"),
        *(chunk(content="\ude00\ud83d", refusal="\ude00\ud83d") for _ in range(size)),
    ],
}


@pytest.mark.parametrize("name", GROWING)
def test_work_is_linear(name: str) -> None:
    """No chunk costs more because many came before it."""

    def work(size: int) -> int:
        made = GROWING[name](size)

        def read() -> None:
            stream = Stream(
                PLAN,
                request_id="r1",
                disposition="answer",
                new_id=map(str, itertools.count()).__next__,
            )
            for one in made:
                stream.feed(one)
            stream.finish()

        return lines_run(read)

    few, many = work(25), work(200)
    assert many < few * 8.8 + 400


def test_a_text_is_not_joined_for_each_chunk() -> None:
    """Characters are counted where the pieces of a text are put together."""
    stream = Stream(PLAN, request_id="r1", disposition="answer")
    stream.feed(native(name="read", arguments='{"p": "'))
    arguments_of = stream._joined._slots.all[0].arguments
    for _ in range(1_000):
        stream.feed(native(name="read", arguments="}"))
    assert len(arguments_of.pieces) == 1_001


def test_the_class_says_what_is_wrong_at_once() -> None:
    options: Any = {"request_id": "r1", "disposition": "answer"}
    with pytest.raises(PlanMismatchError):
        Stream(PLAN, request={"tools": []}, **options)
    stream = Stream(PLAN, **options)
    with pytest.raises(ChoiceNotSingleError):
        stream.feed({"choices": [{"index": 1}]})
    assert stream.finish()["dispatch"] == []
    with pytest.raises(ValueError, match="finished"):
        stream.feed({"choices": []})
    with pytest.raises(ValueError, match="finished"):
        stream.finish()


def test_half_a_pair_is_shown_with_the_next_text_or_at_the_end() -> None:
    stream = Stream(PLAN, request_id="r1", disposition="answer")
    texts = ("no\ud83d", "", "x\ud83d")
    shown = [stream.feed({"choices": [{"delta": {"refusal": text}}]}) for text in texts]
    assert shown == [[{"refusal": "no"}], [], [{"refusal": "\ud83dx"}]]
    stream.finish()
    assert stream.rest == [{"refusal": "\ud83d"}]


def test_ids_are_random_where_none_are_given() -> None:
    stream = Stream(PLAN, request_id="r1", disposition="answer")
    assert stream.feed(native(name="read", arguments="{}")) == []
    stream.feed({"choices": [{"finish_reason": "tool_calls"}]})
    [call] = stream.finish()["dispatch"]
    assert len(call["id"]) == 9
    assert call["id"].isalnum()
    assert stream.message["truncated"] is False
    received = receive(
        PLAN, stream.message, request_id="r1", disposition="answer", new_id=lambda: "n"
    )
    assert received["dispatch"][0]["id"] == "n"
