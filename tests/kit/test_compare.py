"""Equality as fixtures mean it, and the differences that a report shows."""

import pytest

from commoncall_kit.verdict.compare import (
    ABSENT,
    Difference,
    Missing,
    Shown,
    differences,
    most_telling,
    outcomes,
    shown,
)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (1, 1.0),
        (0, -0.0),
        (9007199254740993, 9007199254740992.0),
        ({"a": 1, "b": [None]}, {"b": [None], "a": 1}),
        ("\ud800", "\ud800"),
        ([], []),
    ],
)
def test_equal_values_have_no_difference(expected: object, got: object) -> None:
    assert differences(expected, got) == []


@pytest.mark.parametrize(
    ("expected", "got", "path"),
    [
        (1, True, ""),
        (False, 0, ""),
        (1, "1", ""),
        (None, {}, ""),
        ("é", "e\u0301", ""),
        ("\ud83d\ude00", "\U0001f600", ""),
        ({"a": None}, {}, "/a"),
        ({}, {"a": None}, "/a"),
        ([1, 2], [2, 1], "/0"),
        ([1], [1, 1], "/1"),
        ({"a/b": {"~": 1}}, {"a/b": {"~": 2}}, "/a~1b/~0"),
    ],
)
def test_unequal_values_differ_at_a_place(expected: object, got: object, path: str) -> None:
    assert path in {each.path for each in differences(expected, got)}
    assert path in {each.path for each in differences(got, expected)}


def test_every_difference_is_listed() -> None:
    found = differences({"a": [1, 2], "b": 0}, {"a": [1], "c": 0})
    assert found == [
        Difference("/a/1", 2, Missing("no element (the array has 1)")),
        Difference("/b", 0, ABSENT),
        Difference("/c", ABSENT, 0),
    ]


def test_an_array_that_ends_before_is_shown_by_its_length() -> None:
    (short,) = differences(["a", "b"], ["a"])
    assert shown(short) == Shown("/1", '"b"', "no element (the array has 1)")
    (long,) = differences([], ["a"])
    assert shown(long) == Shown("/0", "no element (the array has 0)", '"a"')
    (member,) = differences({}, {"1": 0})
    assert shown(member) == Shown("/1", "absent", "0")


EXPECTED = {"result": {"value": 1, "findings": [{"code": "a"}]}}


@pytest.mark.parametrize(
    ("answer", "features", "paths"),
    [
        ({"result": {"value": 1, "findings": [{"code": "a"}]}}, ["diagnostics"], []),
        ({"result": {"value": 1, "findings": []}}, ["diagnostics"], ["/result/findings/0"]),
        ({"result": {"value": 1}}, ["diagnostics"], ["/result/findings"]),
        ({"result": {"value": 1, "findings": []}}, [], []),
        ({"result": {"value": 1}}, [], []),
        ({"result": {"value": 2}}, [], ["/result/value"]),
        ({"result": {"value": 1, "other": 1}}, [], ["/result/other"]),
        ({"error": {"code": "a"}}, [], ["/result", "/error"]),
    ],
)
def test_diagnostics_count_only_where_they_are_declared(
    answer: dict[str, object], features: list[str], paths: list[str]
) -> None:
    found = outcomes(EXPECTED, answer, features, ["findings"])
    assert [each.path for each in found] == paths


def test_errors_compare_whole() -> None:
    expected = {"error": {"code": "a"}}
    assert not outcomes(expected, {"error": {"code": "a"}}, [], [])
    assert outcomes(expected, {"error": {"code": "b"}}, [], [])
    assert outcomes(expected, {"error": {"code": "a", "message": "m"}}, [], [])


def test_the_difference_to_show_is_the_first_where_both_sides_hold_a_value() -> None:
    kind, calls = Difference("/kind", "call", "text"), Difference("/calls", 0, ABSENT)
    assert most_telling([calls, kind]) is kind
    assert most_telling([Difference("/0", Missing("no element"), 1), kind]) is kind
    assert most_telling([Difference("/a", 1, 2), kind]).path == "/a"
    assert most_telling([calls, Difference("/b", ABSENT, 0)]) is calls


def test_both_sides_are_shown_as_ascii() -> None:
    difference = Difference("", "a\u00a0\ud800", ABSENT)
    assert shown(difference) == Shown("", '"a\\u00a0\\ud800"', "absent")
    assert shown(Difference("", 1, True)) == Shown("", "1", "true")


def test_long_values_are_clipped_around_the_place_where_they_part() -> None:
    left, right = "x" * 500 + "left" + "y" * 500, "x" * 500 + "right" + "y" * 500
    sides = shown(Difference("", left, right))
    assert "xxxleftyyy" in sides.expected
    assert "xxxrightyyy" in sides.got
    assert max(len(sides.expected), len(sides.got)) < 200
