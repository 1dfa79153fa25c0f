"""The laws of a scan: nothing is lost before it is read, and counts add up."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall.extraction.dialects import DIALECTS
from commoncall_tools.scanning import (
    FORMATS,
    How,
    files,
    leaks,
    merge,
    no_counts,
    scan_lines,
    texts,
)
from commoncall_tools.scanning import lines as judging
from commoncall_tools.scanning.cores import scan_batch
from commoncall_tools.scanning.files import batches
from commoncall_tools.scanning.texts import places
from tests import shared
from tests.each import PARTS, check_each, part_of

RENDERED: Final = json.loads(
    (Path(__file__).parents[1] / "evidence/templates/rendered.json").read_text("utf-8")
)


OTHERS: Final = (
    "<longcat_tool_call>{}</longcat_tool_call>",
    "<dots_function_call>{}</dots_function_call>",
    "<|action_start|> <|plugin|>{}<|action_end|>",
    '<｜DSML｜ calls>\n<｜DSML｜ invoke name="f">\n</｜DSML｜ invoke>\n</｜DSML｜ calls>',
    '<｜GCML｜tool_calls>\n<｜GCML｜invoke name="f">\n</｜GCML｜invoke>\n</｜GCML｜tool_calls>',
    "<tool_calls><tool_call>f<tool_sep></tool_call></tool_calls>",
    "<ifm|tool_calls><ifm|tool_call>f</ifm|tool_call></ifm|tool_calls>",
    "<iquest_tool_call>f</iquest_tool_call>",
    "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>f<|plamo:end_tool_name:plamo|>"
    "<|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{}",
)
"""Texts of the dialects that stand in no case and no template."""


CASES: Final = [one for one in shared.suite().cases if one.operation.contract == "extraction"]


@pytest.mark.parametrize(
    "call",
    [
        '<tool_call>{"name": "f", "arguments": {}}</tool_call>',
        '<minimax:tool_call><invoke name="f"></invoke></minimax:tool_call>',
    ],
)
def test_what_is_quoted_did_not_leak(call: str) -> None:
    """EXT-200: also for a format that knows only what stands inside."""
    assert [leak.calls for leak in leaks(f"See {call}.")] == [1]
    assert leaks(f'It says "{call}" there.\n\n> {call}\n') == []


def golden() -> list[tuple[str, str]]:
    """Return the texts of all cases, streams as one text, and what templates of models write; one
    of many cases stands there once.
    """
    return [(name, text) for text, name in {text: name for name, text in written()}.items()]


def written() -> Iterator[tuple[str, str]]:
    yield from ((text, text) for text in OTHERS)
    for name, template in RENDERED.items():
        yield from ((f"{name} {what}", text) for what, text in template["writes"].items())
    for case in CASES:
        if isinstance(case.input, dict):
            chunks = case.input.get("chunks", [case.input.get("text")])
            if chunks and all(isinstance(each, str) for each in chunks):
                yield case.id, "".join(chunks)


def check_leaks(text: str) -> None:
    """Where every format reads it, the same is found."""
    every = places(texts._unquoted((name, *texts._blocks(text, name)) for name in FORMATS))
    assert leaks(text) == every


@pytest.mark.parametrize("part", range(PARTS))
def test_the_filter_loses_nothing(part: int) -> None:
    """In every fourth text; the session `fuzz` asks all of them."""
    check_each(part_of(golden()[::4], part), check_leaks)


def test_there_are_texts_of_each_dialect() -> None:
    # A scan knows no tools, and fences are code to it.
    missing = {id for id, one in DIALECTS.items() if not (one.is_each_tool or one.is_in_code)}
    answers: list[tuple[str, Any]] = [(case.id, case.expect.get("result", {})) for case in CASES]
    shown = {id: {*result.get("matched", ())} for id, result in answers}
    for name, text in golden():
        if not missing.isdisjoint(shown.get(name, missing)):
            missing -= {id for leak in leaks(text) for id in leak.dialects}
    assert missing == set()


LINES = st.lists(
    st.sampled_from(
        [
            '{"role": "assistant", "content": "<tool_call>{}</tool_call>"}',
            '{"role": "assistant", "model": "a", "content": "[TOOL_CALLS][{\\"name\\": \\"f\\"}]"}',
            '[{"role": "tool", "content": "x"}, {"role": "assistant", "content": null}]',
            '{"model": "b", "messages": [5, {"role": "assistant", "content": "<tools>[]"}]}',
            '{"model": "c", "messages": []}',
            '"<function=f>{\\"a\\": 1}</function>"',
            '"hello"',
            "",
            "{",
            "5",
            '  "hello"\t\r',
            '{"role": "assistant", "content": "\u2028 \\u003ctools>{"}',
            '[{"role": "user", "content": "a"}, {"role": "assistant", "content": ""}]',
            "[" * 200,
            "{} {}",
            " \t",
        ]
    )
)


@given(LINES, LINES, LINES)
def test_counts_of_parts_are_the_counts_of_the_whole(
    one: list[str], two: list[str], three: list[str]
) -> None:
    how = How(examples=2, shows_text=True)

    def scan(lines: list[str], first: int = 1) -> Any:
        return scan_lines(lines, how, first=first)

    whole = scan(one + two + three)
    parts = scan(one), scan(two, len(one) + 1), scan(three, len(one + two) + 1)
    left = merge(merge(parts[0], parts[1], examples=2), parts[2], examples=2)
    right = merge(merge(parts[2], parts[1], examples=2), parts[0], examples=2)
    assert left == right == whole
    assert merge(whole, no_counts(), examples=2) == whole
    block = "\n".join(one + two + three).encode()
    assert scan_lines(block, how) == whole
    assert scan_lines(block + b"\n\xff", how)["bad"]["not_utf8"]["count"] == 1


@given(LINES)
def test_no_more_is_counted_than_there_is(lines: list[str]) -> None:
    counts = scan_lines(lines, How())
    assert counts["lines"] == sum(1 for line in lines if line.strip())
    assert counts["poisoned"] <= counts["histories"] <= counts["messages"] + counts["lines"]
    models = counts["models"].values()
    for name in ("calls", "texts", "rejected"):
        assert sum(one["leaks"][name] for one in models) == counts["leaks"][name]
        for tallies in (counts["dialects"], counts["formats"]):
            assert sum(one[name] for one in tallies.values()) >= counts["leaks"][name]
            assert all(one[name] <= counts["leaks"][name] for one in tallies.values())


@given(st.binary(max_size=60), st.integers(1, 9))
def test_batches_hold_every_line_once(content: bytes, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BATCH", size)
        stream: Any = io.BufferedReader(io.BytesIO(b"[" + content))
        found = [*batches("log", stream)]
    whole = b""
    for one in found:
        assert isinstance(one.lines, bytes)
        assert one.first == whole.count(b"\n") + 1
        assert not whole or whole.endswith(b"\n")
        whole += one.lines
    assert whole == b"[" + content


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_a_line_that_is_too_long_is_not_held(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BATCH", size)
    monkeypatch.setattr(files, "MAX_LINE", 10)
    monkeypatch.setattr(judging, "MAX_LINE", 10)
    content = b'"a"\n"' + b"b" * 40 + b'"\n"c"\n"' + b"d" * 40
    total = no_counts()
    stream: Any = io.BufferedReader(io.BytesIO(content))
    for batch in batches("log", stream):
        assert len(batch.lines or b"") <= 10 + size
        total = merge(total, scan_batch(batch, How()))
    assert (total["lines"], total["texts"]) == (4, 2)
    assert [at["line"] for at in total["bad"]["too_long"]["first"]] == [2, 4]


def test_a_text_with_half_a_surrogate_pair_is_read() -> None:
    line = json.dumps({"role": "assistant", "content": "\ud800<tool_call>{}</tool_call>"})
    assert scan_lines([line], How())["leaks"]["rejected"] == 1


def test_a_format_that_there_is_not_is_an_error() -> None:
    with pytest.raises(ValueError, match="there is no format 'qwen9'"):
        leaks("Nothing leaked here.", ["qwen9"])
