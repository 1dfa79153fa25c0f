"""Text that quotes calls is not executed: in values, code, reasoning and quotations, in every
dialect.
"""

import json
import random
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contracts.extraction.blocks import BY_ID
from tests.contracts.extraction.checks import check_split, whole
from tests.contracts.extraction.generator_json import Pick, chosen
from tests.contracts.extraction.quotations import (
    MARKED,
    RAW,
    beside,
    quoted_call,
    quoting,
    written,
)

in_every_dialect = pytest.mark.parametrize("dialect", MARKED)
in_raw_dialects = pytest.mark.parametrize("dialect", RAW)
seeds = st.integers(0, 2**32)
few = settings(max_examples=6, deadline=None)
ALL = ["whole", "head", "tail"]


def picked(seed: int) -> Pick:
    return random.Random(seed).randrange


def calls_in(text: str, *dialects: str) -> list[tuple[str, object]]:
    """Return names and arguments of the calls in a text, where both tools are effective."""
    made = {"text": text, "effective": ["outer", "quoted_tool"], "dialects": [*set(dialects)]}
    found = whole(made)
    check_split(made, range(1, len(text), 3), found)
    return [(call["name"], call["arguments"]) for call in found["tool_calls"]]


def around(pick: Pick, dialect: str, quoted: str) -> tuple[str, dict[str, str]]:
    """Return a call of the other tool that holds a text in one of its values, and the arguments."""
    arguments = {"a": "1", "b": "2", "c": "3"}
    kept = dict(list(arguments.items())[: 1 + pick(3)])
    kept[chosen(pick, list(kept))] = quoted
    return written(dialect, "outer", kept, pick), kept


def outer_of(pick: Pick, dialect: str, *, raw: bool) -> str:
    """Return the dialect of the call around: the same, or another that is raw or is not.

    None that writes its parameters the same and its blocks otherwise: see the test of these. None
    whose values end with a part of what ends those of this one, either: it cannot quote this one,
    and such a call is answered.
    """
    alike = written_alike(dialect)
    end = BY_ID[dialect]["payload"].get("value_end", "")
    cut = [one for one in RAW if BY_ID[one]["payload"]["value_end"] in end.lstrip("</")]
    others = [one for one in beside(dialect) if (one in RAW) == raw and one not in (*alike, *cut)]
    return dialect if (dialect in RAW) == raw and pick(2) else chosen(pick, others)


def written_alike(dialect: str) -> list[str]:
    """Return the other dialects whose parameters begin and end as those of this one do."""

    def written_so(other: str) -> tuple[str, str]:
        form = BY_ID[other]["payload"]
        return form["name_begin"].removesuffix('"'), form["value_end"]  # one need not have it

    if dialect not in RAW:
        return []
    others = [other for other in beside(dialect) if other in RAW and other != dialect]
    return [other for other in others if written_so(other) == written_so(dialect)]


@in_every_dialect
@few
@given(seeds)
def test_what_is_written_is_a_call(dialect: str, seed: int) -> None:
    """Without this, no call at all would pass for none of the quoted tool."""
    ((name, _),) = calls_in(quoted_call(picked(seed), dialect), dialect)
    assert name == "quoted_tool"


@in_every_dialect
@few
@given(seeds)
def test_whole_quotations_in_a_raw_value_arrive_as_they_stand(dialect: str, seed: int) -> None:
    """EXT-116, EXT-122."""
    pick = picked(seed)
    outer = outer_of(pick, dialect, raw=True)
    text, arguments = around(pick, outer, quoting(pick, dialect, ["whole"]))
    assert calls_in(text, outer, dialect) == [("outer", arguments)]


@in_every_dialect
@few
@given(seeds)
def test_quotations_in_a_value_of_json_arrive_as_they_stand(dialect: str, seed: int) -> None:
    """EXT-040: pieces of any kind are characters of a string."""
    pick = picked(seed)
    outer = outer_of(pick, dialect, raw=False)
    text, arguments = around(pick, outer, quoting(pick, dialect, ALL))
    assert calls_in(text, outer, dialect) == [("outer", arguments)]


@in_every_dialect
@few
@given(seeds)
def test_heads_in_a_raw_value_call_no_quoted_tool(dialect: str, seed: int) -> None:
    """EXT-116: the call around them arrives whole, or not at all, where a head hides its end."""
    pick = picked(seed)
    outer = outer_of(pick, dialect, raw=True)
    text, arguments = around(pick, outer, quoting(pick, dialect, ["head", "whole"]))
    assert calls_in(text, outer, dialect) in ([], [("outer", arguments)])


INVOKES = ("dots-invoke", "dsml-plain-calls", "invoke-parameters", "minimax-invoke")
ALIKE = [(outer, dialect) for outer in RAW for dialect in written_alike(outer)]


def test_a_few_dialects_write_their_parameters_alike() -> None:
    assert {frozenset(pair) for pair in ALIKE} == {
        frozenset({"argument-pairs", "iquest-pairs"}),
        frozenset({"hy-pairs", "iquest-pairs"}),
        *(frozenset({"tool-call-named", each}) for each in INVOKES),
    }


@pytest.mark.parametrize(("outer", "dialect"), ALIKE)
@few
@given(seeds)
def test_parameters_of_another_dialect_call_no_quoted_tool(
    outer: str, dialect: str, seed: int
) -> None:
    """ADR-0117: its opener is none of the block around, so its second parameter ends the value."""
    pick = picked(seed)
    text, _ = around(pick, outer, quoting(pick, dialect, ["whole", "head"]))
    assert "quoted_tool" not in [name for name, _ in calls_in(text, outer, dialect)]


@in_every_dialect
@few
@given(seeds)
def test_quotations_in_code_and_reasoning_are_no_calls(dialect: str, seed: int) -> None:
    """EXT-030, EXT-026: and the call behind them is one."""
    pick = picked(seed)
    before, behind = chosen(
        pick,
        [
            ("~~~~\n", "\n~~~~\n"),
            ("Text.\n\n~~~~ text\n", "\n~~~~\n\n"),
            ("~~~~\n> ~~~~\n- ~~~~\n    ~~~~\n", "\n~~~~\n"),
            ("See ```` ", " ````\n\n"),
            ("- ` a\n- \\` ```` ", " ````\n\n"),
            ("## `\nSee ```` ", " ````\n\n"),
            ("<think>", "</think>"),
            ("<THINK >Hm.\n", "\n</think\n>\n"),
        ],
    )
    quoted = quoting(pick, dialect, ALL)
    if before.endswith("` "):
        quoted = re.sub(r"\s+", " ", quoted)  # a fence, an item or a blank line ends inline code
    text, arguments = around(pick, dialect, "x")
    assert calls_in(before + quoted + behind + text, dialect) == [("outer", arguments)]


@in_every_dialect
@few
@given(seeds)
def test_quotations_in_prose_are_no_calls(dialect: str, seed: int) -> None:
    """EXT-200: and the call behind them is one."""
    pick = picked(seed)
    call = quoted_call(pick, dialect)
    before, behind = chosen(
        pick,
        [
            *(('It says "', '" there.\n'), ("'", "'\n"), ("“", "”\n"), ("« ", "\u00a0».\n")),
            *(("Page:\n\n> ", "\n\n"), ("- > See ", "\n"), ("<!-- ", " -->\n")),
        ],
    )
    if ">" in before:
        call = call.replace("\n", " ")
    text, arguments = around(pick, dialect, "x")
    assert calls_in(before + call + behind + text, dialect) == [("outer", arguments)]


@in_every_dialect
@few
@given(seeds)
def test_quotations_in_an_answer_of_json_are_no_calls(dialect: str, seed: int) -> None:
    """EXT-200: and the call behind it is one."""
    pick = picked(seed)
    answer = json.dumps({"note": f"x {quoted_call(pick, dialect)}"}, ensure_ascii=pick(2) == 0)
    text, arguments = around(pick, dialect, "x")
    assert calls_in(f"{answer}\n{text}", dialect) == [("outer", arguments)]


PIECES = 50
"""How many values with ends of calls each dialect is asked about, of either kind."""

BOUNDS = {"tails": {"cut short": 49, "called": 12}, "mixed": {"cut short": 26, "called": 9}}
"""How many of these may end early, and call the quoted tool: what was measured in the dialect with
the most. One that is called stands whole behind the end of another, in the same value.
"""


@in_raw_dialects
@pytest.mark.parametrize("kind", BOUNDS)
def test_ends_of_calls_in_a_raw_value_are_counted(dialect: str, kind: str) -> None:
    """Nothing tells the end of a quoted call from that of the block around it (ADR-0117)."""
    counted: Counter[str] = Counter()
    for seed in range(PIECES):
        pick = picked(seed)
        quoted = quoting(pick, dialect, ["tail"] if kind == "tails" else ALL)
        text, arguments = around(pick, dialect, quoted)
        calls = calls_in(text, dialect)
        counted["as it stands"] += calls == [("outer", arguments)]
        counted["lost"] += not calls
        counted["cut short"] += any(call == "outer" and given != arguments for call, given in calls)
        counted["called"] += any(call == "quoted_tool" for call, _ in calls)
    print(f"{dialect}, {kind}: {dict(counted)}")
    for outcome, bound in BOUNDS[kind].items():
        assert counted[outcome] <= bound, counted
