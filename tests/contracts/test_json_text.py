"""The short ways of reading JSON give what the long ones give."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commoncall.json_text import (
    MAX_DEPTH,
    JsonTextError,
    decode,
    is_shallow,
    scan_value,
    text_depth,
)
from tests import examples
from tests.each import check_each

values = examples.shared(
    st.recursive(
        st.none() | st.integers() | st.text(alphabet='[]{}"\\a', max_size=6),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        ),
        max_leaves=30,
    )
)


@given(values, st.integers(110, 140), st.sampled_from(["[]", "{}", "[{"]))
def test_depth_is_the_same_both_ways(value: object, around: int, kind: str) -> None:
    inner = json.dumps(value)
    if kind == "[]":
        text = "[" * around + inner + "]" * around
    elif kind == "{}":
        text = '{"]":' * around + inner + "}" * around
    else:
        text = '[{"[":' * (around // 2) + inner + "}]" * (around // 2)
    assert is_shallow(text) == (text_depth(text) <= MAX_DEPTH)


@given(st.text(alphabet='[]{}"\\,:a1', max_size=300), st.integers(0, 140))
def test_the_code_is_that_of_the_depth_which_the_text_defines(noise: str, around: int) -> None:
    text = "[" * around + noise
    code = None
    try:
        decode(text)
    except JsonTextError as error:
        code = error.code
    assert (code == "arguments_too_deep") == (text_depth(text) > MAX_DEPTH)


@pytest.mark.parametrize(
    ("number", "is_finite"),
    [
        ("1" + "0" * 308, True),
        ("1" + "0" * 309, False),
        ("-1" + "0" * 309, False),
        ("9" * 309, False),
        ("9" * 308, True),
        ("9" * 5000, False),
        ("1e308", True),
        ("1e309", False),
        ("-1e309", False),
    ],
)
def test_integers_beyond_binary64_are_found_wherever_they_stand(
    number: str, is_finite: bool
) -> None:
    def check(before: int) -> None:
        text = f'["{"x" * before}", {number}]'
        if is_finite:
            assert scan_value(text, 0)[1] == len(text)
        else:
            with pytest.raises(JsonTextError, match="arguments_invalid_json"):
                decode(text)

    check_each(((f"behind {before}", before) for before in range(64)), check)
