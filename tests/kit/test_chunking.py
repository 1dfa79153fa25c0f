"""The law "chunking": what is wrong with a stream although its result is right."""

from typing import Any

import pytest

from commoncall.json_text import joined_pairs
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


def test_a_stream_that_emits_in_time_is_right() -> None:
    assert verdict(GOOD) is None
    assert verdict([*GOOD[:3], [], GOOD[3]]) is not None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda e: e.pop(), "EXT-111: emitted has not one list for each chunk and one for the end"),
        (lambda e: e[3].clear(), "EXT-112: the texts that were emitted are not the content"),
        (
            lambda e: e[0].append({"reasoning": "x"}),
            "EXT-112: the reasoning that was emitted",
        ),
        (
            lambda e: e[4].append({"call": 0}),
            "EXT-114: the calls that were emitted are",
        ),
        (lambda e: e[3].append(e[2].pop()), "EXT-114: a call is held back after 36 code points"),
        (lambda e: e[2].insert(0, e[3].pop()), "EXT-111: call 0 stands behind 13 visible"),
        (lambda e: e[1].append(e[0].pop()), " is held back after 9 code points"),
        (lambda e: e[4].append(e[3].pop()), "EXT-115: "),
    ],
)
def test_what_comes_late_or_twice_is_named(change: Any, reason: str) -> None:
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


def test_a_marker_where_a_fence_opens_decides_nothing() -> None:
    chunks = ["<tools> x\n```<tools>", " y"]
    assert judged(chunks, ["", "".join(chunks), ""], fences="extract") is None


def test_a_header_that_begins_with_a_blank_may_wait() -> None:
    assert judged([" t", "o be"], ["", " to be", ""], format="gpt-oss") is None
    assert judged([" x", "y"], ["", " xy", ""], format="gpt-oss")


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


def judged(
    chunks: list[str], emitted: list[str], removed: str = "", **options: object
) -> str | None:
    """Judge a stream of text, what of it came with each chunk, and a rejected block in it."""
    whole = joined_pairs("".join(chunks))
    before, _, behind = whole.partition(removed) if removed else (whole, "", "")
    segments: list[dict[str, Any]] = [
        {"kind": "text", "text": before},
        {"kind": "rejected", "text": removed, "codes": ["trailing_text"]},
        {"kind": "text", "text": behind},
    ]
    result = {
        "content": before + behind,
        "reasoning": None,
        "tool_calls": [],
        "segments": [segment for segment in segments if segment["text"]],
    }
    events = [[{"text": text}] if text else [] for text in emitted]
    answer = {"result": {"result": result, "emitted": events}}
    return chunking.broken({"chunks": chunks, "effective": ["f"], **options}, answer)


HEADER = "<|start|>assistant"


@pytest.mark.parametrize(
    ("chunks", "waits"),
    [
        (["<tool_ca", "b"], True),
        (["<TOOLS\u3000\n", "b"], True),
        (["<TOOLS\n\u3000\n", "b"], False),
        (["<toolſ", "b"], False),
        (["< ", "b"], False),
        (["</thin", "b"], False),
        (["<thin", "b"], True),
        (["<|end|", "b"], True),
        (["<|end|>", "b"], False),
        ([HEADER + "<|channel|>final<|mess", "b"], True),
        ([HEADER + "x" * 282, "b"], True),
        ([HEADER + "x" * 283, "b"], False),
        ([HEADER + "<|channel|>final<|message|>", "b"], False),
        (["<tools> x", "b"], True),
        (["</tools> x", "b"], False),
        (["<tools> x </function>", "b"], False),
        (["<tools> x </function", "b"], True),
        (["<tools> x\n \n", "b"], False),
        (["<tools> x\n ", "b"], True),
        (["<tools>\n\n<tools> x", "b"], True),
        (["<tools> x <tools\n", "b"], True),
        (["<tools> x <tools\n\n", "b"], False),
        (["<tools>\n\n   <tools> x", "b"], True),
        (["<tools>\n\n    <tools> x", "b"], False),
        (["<tools> ```json\n\n", "b"], True),
        (["<tools> ``\n\n", "b"], False),
        (["[TOOL_CALLS", "b"], False),
    ],
)
def test_what_can_still_be_a_marker_or_a_block_may_wait(chunks: list[str], waits: bool) -> None:
    whole = "".join(chunks)
    shown = chunks[0].rstrip()
    assert judged(chunks, [shown, whole[len(shown) :], ""]) is None
    late = judged(chunks, ["", whole, ""])
    assert (late is None) == waits
    assert waits or f" is held back after {len(chunks[0])} code points" in str(late)


@pytest.mark.parametrize(
    ("options", "waits"),
    [
        ({}, True),
        ({"effective": []}, False),
        ({"native_calls": True}, False),
        ({"dialects": ["tools"]}, False),
        ({"dialects": ["tool_call"]}, True),
        ({"dialects": ["dialect-of-a-later-suite"]}, True),
    ],
)
def test_only_active_dialects_make_text_wait(options: dict[str, Any], waits: bool) -> None:
    assert (judged(["a <tool_call", "b"], ["a", " <tool_callb", ""], **options) is None) == waits


@pytest.mark.parametrize(
    ("text", "options", "waits"),
    [
        ("a\n\n    <tools> x", {}, False),
        ("a\n\n \t<tools> x", {}, False),
        ("a\n\n    b\n    <tools> x", {}, False),
        ("a\n\n    <tools> x", {"fences": "extract"}, True),
        ("a\n\n   <tools> x", {}, True),
        ("a\n    <tools> x", {}, True),
    ],
)
def test_an_indented_line_is_shown(text: str, options: dict[str, Any], waits: bool) -> None:
    chunks = [text, "b"]
    assert judged(chunks, [text, "b", ""], **options) is None
    before = text.partition("<")[0].rstrip()
    late = judged(chunks, [before, text.removeprefix(before) + "b", ""], **options)
    assert (late is None) == waits


HALVES = "\ud83d", "\ude00"


@pytest.mark.parametrize(
    ("chunks", "emitted", "right"),
    [
        (["a" + HALVES[0], HALVES[1]], ["a", "\U0001f600", ""], True),
        (["a" + HALVES[0], HALVES[1]], ["a" + HALVES[0], HALVES[1], ""], True),
        (["a" + HALVES[0], HALVES[1], "b"], ["a", "", "\U0001f600b", ""], False),
        (["a" + HALVES[0] + "b", "c"], ["a", HALVES[0] + "bc", ""], False),
        (["a" + HALVES[0]], ["a", HALVES[0]], True),
    ],
)
def test_half_a_pair_may_wait(chunks: list[str], emitted: list[str], right: bool) -> None:
    assert (judged(chunks, emitted) is None) == right


@pytest.mark.parametrize(
    ("behind", "waits"), [("x", True), ("x\n\n", False), ("\n\n", True), ("\n\nx", False)]
)
def test_text_behind_a_payload_may_wait_until_it_is_decided(behind: str, waits: bool) -> None:
    block = "<tools>{}"
    chunks = [block + behind, "y"]
    assert (judged(chunks, ["", behind + "y", ""], removed=block) is None) == waits


def test_an_opener_may_wait_for_one_that_begins_like_a_payload() -> None:
    options: dict[str, Any] = {"dialects": ["tools", "tool-calls-array"]}
    chunks = ["<tools>~~~\n\n[TOOL", "_CALLS]"]
    assert judged(chunks, ["", "".join(chunks), ""], **options) is None
    chunks = ["<tools>~~~\n\n[TOOL_CALLS]", "b"]
    assert judged(chunks, ["", "".join(chunks), ""], **options) is not None


def test_a_run_behind_a_payload_may_wait_while_it_grows() -> None:
    def verdict(chunks: list[str]) -> str | None:
        block, text = "[TOOL_CALLS]```[]", "".join(chunks[1:])
        result = {**RESULT, "content": text, "tool_calls": []}
        result["segments"] = [{"kind": "call", "text": block}, {"kind": "text", "text": text}]
        emitted = [[], [], [{"text": text}], []]
        given = {"chunks": chunks, "effective": ["f"], "dialects": ["tool-calls-array"]}
        return chunking.broken(given, {"result": {"result": result, "emitted": emitted}})

    assert verdict(["[TOOL_CALLS]```[]", " ``", "`b"]) is None
    assert verdict(["[TOOL_CALLS]```[]", " ``b", "c"]) == (
        'EXT-115: "``b" is held back after 21 code points, when the chunk " ``b" has come'
    )


def test_a_long_text_that_is_held_back_is_cut() -> None:
    late = judged(["x" * 41, "b"], ["", "x" * 41 + "b", ""])
    assert f'EXT-115: "{"x" * 40}..." is held back' in str(late)


def test_blanks_may_wait() -> None:
    assert judged(["a ", "b"], ["a", " b", ""]) is None
    assert judged(["a \u3000", " b"], ["a", " \u3000 b", ""]) is None
    assert judged(["a b ", "c"], ["a", " b c", ""]) is not None


def test_without_segments_only_the_sums_are_judged() -> None:
    bare = {name: value for name, value in RESULT.items() if name != "segments"}
    assert verdict([[], [], [], [{"call": 0}], [{"text": RESULT["content"]}]], bare) is None
