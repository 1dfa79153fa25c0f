"""The law "streamed": how a message is cut, and what is wrong with a stream although what was
received is right.
"""

from typing import Any

import pytest

from commoncall_kit.suite import streamed
from commoncall_kit.suite.chunking import SIZES
from tests import shared

RECEIVED = {"content": "Hi there.", "reasoning": "Which?"}
CHUNKS: list[Any] = [{}, {}, {}]
GOOD: list[list[dict[str, Any]]] = [
    [{"reasoning": "Which?"}, {"text": "Hi"}],
    [{"text": " there."}, {"refusal": "No."}],
    [],
    [],
]


def verdict(shown: Any, received: dict[str, Any] = RECEIVED) -> str | None:
    answer = {"result": {"message": {}, "received": received, "shown": shown, "findings": []}}
    return streamed.broken({"chunks": CHUNKS}, answer)


def test_a_stream_that_shows_what_it_received_is_right() -> None:
    assert verdict(GOOD) is None
    assert verdict([[]] * 4, {"content": None, "reasoning": None}) is None


@pytest.mark.parametrize(
    ("shown", "requirement"),
    [
        (GOOD[:3], "TRN-069"),
        ([*GOOD, []], "TRN-069"),
        ([[{"text": "Hi"}, {"reasoning": "Which?"}], *GOOD[1:]], "TRN-069"),
        ([[{"text": "H"}, {"text": "i"}, {"reasoning": "Which?"}], *GOOD[1:]], "TRN-069"),
        ([*GOOD[:3], [{"text": ""}]], "TRN-069"),
        ([*GOOD[:3], [{"call": 0}]], "TRN-069"),
        ([*GOOD[:3], {"text": "x"}], "TRN-069"),
        ([*GOOD[:3], 5], "TRN-069"),
        ([*GOOD[:3], [5]], "TRN-069"),
        ([*GOOD[:3], [{"text": 5}]], "TRN-069"),
        ([*GOOD[:3], [{"text": "x"}]], "TRN-069"),
        ([GOOD[0], *[[]] * 3], "TRN-069"),
        ([[{"text": "Hi"}], *GOOD[1:]], "TRN-069"),
    ],
)
def test_a_stream_that_shows_anything_else_is_wrong(shown: Any, requirement: str) -> None:
    assert (verdict(shown) or "").startswith(requirement)


def test_an_answer_without_shown_is_wrong_and_an_error_has_none() -> None:
    assert streamed.broken({"chunks": []}, {"result": {"received": RECEIVED}}) is not None
    assert streamed.broken({"chunks": []}, {"error": {"code": "env_exhausted"}}) is None


def test_a_message_is_cut_into_pieces_that_make_it_up() -> None:
    call = {"id": "a", "function": {"name": "read", "arguments": '{"p": 1}'}}
    message = {"text": "Hi there", "tool_calls": [call, {"function": {"name": "f"}}]}
    cut = list(streamed.inputs({"message": message, "request_id": "r1"}))
    assert [one["request_id"] for one in cut] == ["r1"] * 3
    for one, size in zip(cut, SIZES, strict=True):
        deltas = [chunk["choices"][0]["delta"] for chunk in one["chunks"]]
        texts = [delta["content"] for delta in deltas if delta.get("content")]
        assert "".join(texts) == "Hi there"
        assert max(map(len, texts)) == size
        entries = [entry for delta in deltas for entry in delta.get("tool_calls", [])]
        pieces = [entry["function"].get("arguments", "") for entry in entries]
        assert "".join(pieces) == '{"p": 1}'
        assert [entry["function"].get("name") for entry in entries[:2]] == ["read", "f"]


@pytest.mark.parametrize(
    "call",
    [None, 7, {}, {"function": {"name": " "}}, {"function": {"name": "f", "arguments": {}}}],
)
def test_a_call_that_no_chunks_give_is_not_cut(call: Any) -> None:
    assert list(streamed.inputs({"message": {"text": "x", "tool_calls": [call]}})) == []


@pytest.mark.parametrize(
    "more", [{"text": [{"type": "text", "text": "x"}]}, {"function_call": {"name": "f"}}]
)
def test_a_message_that_no_chunks_give_is_not_cut(more: dict[str, Any]) -> None:
    assert list(streamed.inputs({"message": {"text": "x", "tool_calls": None, **more}})) == []


def test_a_string_of_any_member_is_cut_and_another_value_is_sent_once() -> None:
    message = {"text": None, "tool_calls": None, "reasoning_content": "why", "extra": {"s": 1}}
    first = next(streamed.inputs({"message": message}))["chunks"]
    deltas = [chunk["choices"][0]["delta"] for chunk in first]
    assert deltas[1:-1] == [
        {"content": None},
        *({"reasoning_content": piece} for piece in "why"),
        {"extra": {"s": 1}},
    ]


def test_each_case_with_the_law_can_be_cut() -> None:
    cases = [case for case in shared.suite().cases if "streamed" in case.laws]
    assert len(cases) > 50
    for case in cases:
        assert isinstance(case.input, dict)
        assert list(streamed.inputs(case.input)), case.id
