"""The law "chunking": what is wrong with a stream although its result is right."""

from __future__ import annotations

from typing import Any

import pytest

from commoncall.kit import chunking

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
    return chunking.broken({"chunks": CHUNKS}, answer)


def test_a_stream_that_emits_in_time_is_right() -> None:
    assert verdict(GOOD) is None
    assert verdict([*GOOD[:3], [], GOOD[3]]) is not None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda e: e.pop(), "emitted has not one list for each chunk and one for the end"),
        (lambda e: e[3].clear(), "the texts that were emitted are not the content"),
        (lambda e: e[0].append({"reasoning": "x"}), "the reasoning that was emitted is not"),
        (lambda e: e[4].append({"call": 0}), "the calls that were emitted are not the calls"),
        (lambda e: e[3].append(e[2].pop()), "a call is held back after 36 code points"),
        (lambda e: e[1].append(e[0].pop()), "text is held back after 9 code points"),
        (lambda e: e[4].append(e[3].pop()), "text is held back after"),
    ],
)
def test_what_comes_late_or_twice_is_named(change: Any, reason: str) -> None:
    emitted = [list(events) for events in GOOD]
    change(emitted)
    assert reason in (verdict(emitted) or "nothing")


def test_blanks_and_the_beginning_of_a_marker_may_wait() -> None:
    text = "a <b"
    result = {**RESULT, "content": text, "tool_calls": []}
    result["segments"] = [{"kind": "text", "text": text}]
    answer = {"result": {"result": result, "emitted": [[{"text": "a"}], [], [{"text": " <b"}]]}}
    assert chunking.broken({"chunks": ["a ", "<b"]}, answer) is None


def test_without_segments_only_the_sums_are_judged() -> None:
    bare = {name: value for name, value in RESULT.items() if name != "segments"}
    assert verdict([[], [], [], [{"call": 0}], [{"text": RESULT["content"]}]], bare) is None
