"""The law "chunking": what is wrong with a stream although its result is right."""

from typing import Any

import pytest

from commoncall_kit.suite import chunking

TEXT = "Hi there.\n<tool_call>{}</tool_call> and on"
SEGMENTS = [
    {"kind": "text", "text": "Hi there.\n"},
    {"kind": "call", "text": "<tool_call>{}</tool_call>", "dialect": "tool_call", "calls": 1},
    {"kind": "text", "text": " and on"},
]
RESULT = {
    "content": "Hi there.\n and on",
    "reasoning": None,
    "tool_calls": [{"id": "a"}],
    "segments": SEGMENTS,
}
CHUNKS = [TEXT[:9], TEXT[9:15], TEXT[15:36], TEXT[36:]]
GOOD: list[list[dict[str, Any]]] = [
    [{"text": "Hi there."}],
    [],
    [{"call": 0}],
    [{"text": "\n and on"}],
    [],
]


def verdict(emitted: list[list[dict[str, Any]]], result: dict[str, Any] = RESULT) -> str | None:
    answer = {"result": {"result": result, "emitted": emitted}}
    return chunking.broken({"chunks": CHUNKS, "effective": ["f"]}, answer)


def test_a_stream_that_makes_up_the_result_is_right() -> None:
    assert verdict(GOOD) is None
    assert verdict([*GOOD[:3], [], GOOD[3]]) is None  # when, the cases of the stream state


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda e: e.pop(), "EXT-111: emitted has not one list for each chunk and one for the end"),
        (lambda e: e[3].clear(), "EXT-111: the texts that were emitted are not the content"),
        (
            lambda e: e[0].append({"reasoning": "x"}),
            "EXT-111: the reasoning that was emitted",
        ),
        (
            lambda e: e[4].append({"call": 0}),
            "EXT-114: the calls that were emitted are",
        ),
        (lambda e: e[2].insert(0, e[3].pop()), "EXT-111: call 0 stands behind 13 visible"),
        (
            lambda e: e.__setitem__(0, [{"text": "Hi "}, {"text": "there."}]),
            "EXT-111: emitted holds a text, or reasoning, as two events",
        ),
    ],
)
def test_what_is_wrong_with_the_events_is_named(change: Any, reason: str) -> None:
    emitted = [list(events) for events in GOOD]
    change(emitted)
    assert reason in (verdict(emitted) or "nothing")


@pytest.mark.parametrize("wrong", [5, None, [5], [[]], {}, [{"text": 5}], [{"reasoning": []}]])
def test_what_is_no_list_of_events_is_named(wrong: Any) -> None:
    reason = "EXT-111: emitted holds something else than lists of events"
    assert verdict([*GOOD[:4], wrong]) == reason


@pytest.mark.parametrize(
    "segments", [5, [], [5], [{"kind": "text"}], [{"kind": "call", "text": "", "calls": "1"}]]
)
def test_segments_that_nobody_declared_are_not_trusted(segments: Any) -> None:
    assert verdict(GOOD, {**RESULT, "segments": segments}) is None


def test_an_input_without_a_text_has_no_chunks() -> None:
    assert not [*chunking.inputs({"text": 5})]
    assert not [*chunking.inputs({})]


def test_halves_of_a_surrogate_pair_count_once() -> None:
    block = '<tools>{"name": "f", "arguments": {}}</tools>'
    result: dict[str, Any] = {
        "content": "\U0001f600",
        "reasoning": None,
        "tool_calls": [{}],
        "segments": [
            {"kind": "text", "text": "\U0001f600"},
            {"kind": "call", "text": block, "calls": 1},
        ],
    }
    chunks = ["\ud83d", "\ude00", block[:-1], ">"]
    emitted = [[], [{"text": "\U0001f600"}], [], [{"call": 0}], []]
    answer = {"result": {"result": result, "emitted": emitted}}
    assert chunking.broken({"chunks": chunks, "effective": ["f"]}, answer) is None


def test_without_segments_only_the_sums_are_judged() -> None:
    bare = {name: value for name, value in RESULT.items() if name != "segments"}
    assert verdict([[], [], [], [{"call": 0}], [{"text": RESULT["content"]}]], bare) is None
