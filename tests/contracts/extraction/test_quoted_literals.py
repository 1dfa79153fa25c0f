"""A call that another call quotes in a string is never given: whole, its head, or its tail.

A model that writes about calls puts such texts into arguments, escaped as its dialect asks for or
not at all. What is given then is the outer call, perhaps with a shorter string, or nothing.
"""

import itertools
import json
import random
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest

from tests.contracts.extraction.checks import whole

QUOTED: Final = "never_called"


class Writer(NamedTuple):
    """How a dialect writes a call with strings, and what it does to a string to write it."""

    call: Callable[[str, list[str]], str]
    escaped: Callable[[str], str]


def list_of_calls(quote: str) -> Callable[[str, list[str]], str]:
    def write(name: str, strings: list[str]) -> str:
        arguments = ", ".join(
            f"{key}={quote}{string}{quote}" for key, string in zip("abcd", strings, strict=False)
        )
        return f"<|tool_call_start|>[{name}({arguments})]<|tool_call_end|>"

    return write


def lines_of_calls(quote: str) -> Callable[[str, list[str]], str]:
    def write(name: str, strings: list[str]) -> str:
        arguments = ", ".join(
            f"{key}={quote}{string}{quote}" for key, string in zip("abcd", strings, strict=False)
        )
        return f"<function_calls>\n{name}({arguments})\n</function_calls>"

    return write


def object_of_strings(begin: str, end: str, quote: str) -> Callable[[str, list[str]], str]:
    def write(name: str, strings: list[str]) -> str:
        members = ",".join(
            f"{key}:{quote}{string}{quote}" for key, string in zip("abcd", strings, strict=False)
        )
        return f"{begin}call:{name}{{{members}}}{end}"

    return write


def escaped(string: str) -> str:
    return string.replace("\\", "\\\\").replace("'", "\\'").replace('"', '\\"')


def as_it_is(string: str) -> str:
    return string


WRITERS: Final[dict[str, list[Writer]]] = {
    "python-calls-token": [
        Writer(list_of_calls("'"), escaped),
        Writer(list_of_calls('"'), escaped),
    ],
    "python-calls-lines": [
        Writer(lines_of_calls("'"), escaped),
        Writer(lines_of_calls('"'), escaped),
    ],
    "gemma-call": [
        Writer(object_of_strings("<|tool_call>", "<tool_call|>", '<|"|>'), as_it_is),
    ],
    "functiongemma-call": [
        Writer(
            object_of_strings("<start_function_call>", "<end_function_call>", "<escape>"), as_it_is
        ),
    ],
}


def parts_of(quoted: str) -> list[str]:
    """Return a text, its heads and its tails."""
    places = range(1, len(quoted))
    return [quoted, *(quoted[:at] for at in places), *(quoted[at:] for at in places)]


def texts(dialect: str) -> list[str]:
    """Return texts in which a call quotes a whole call, each head and each tail of it."""
    made = []
    for outer, inner in itertools.product(WRITERS[dialect], repeat=2):
        for strings in ([], ["x"], ["x", "y z"], ["it, ", "]"]):
            quoted = inner.call(QUOTED, strings)
            for part, escape in itertools.product(parts_of(quoted), (outer.escaped, as_it_is)):
                before, behind = random.Random(part).choices(["", "see ", "\n", " x", "\n\n"], k=2)
                string = before + escape(part) + behind
                made.append(outer.call("f", [string]))
                made.append(outer.call("f", ["a", string, "b"]) + " And so on.\n\nDone.")
    return made


def given_names(text: str, dialect: str, read: Callable[[dict[str, Any]], Any]) -> list[str]:
    given = {"text": text, "effective": ["f", QUOTED], "dialects": [dialect]}
    return [call["name"] for call in read(given)["tool_calls"]]


@pytest.mark.parametrize("dialect", WRITERS)
def test_a_quoted_call_is_never_given(dialect: str) -> None:
    for text in texts(dialect):
        assert QUOTED not in given_names(text, dialect, whole), json.dumps(text)


@pytest.mark.parametrize(
    ("dialect", "written"),
    [
        ("python-calls-token", "<|tool_call_start|>[g(a='x'), {}(a='y')]<|tool_call_end|>"),
        ("python-calls-lines", "<function_calls>\ng(a='x')\n{}(a='y')\n</function_calls>"),
    ],
)
def test_one_of_several_quoted_calls_is_not_given(dialect: str, written: str) -> None:
    """Only where it is escaped: its tail would be the tail of the calls around it otherwise."""
    for writer in WRITERS[dialect]:
        for part in parts_of(written.format(QUOTED)):
            text = writer.call("f", [writer.escaped(part)])
            assert given_names(text, dialect, whole) == ["f"]


@pytest.mark.parametrize("dialect", ["python-calls-token", "python-calls-lines"])
def test_a_string_that_is_escaped_comes_back(dialect: str) -> None:
    for writer in WRITERS[dialect]:
        quoted = writer.call(QUOTED, ["x", "y"])
        text = writer.call("f", [writer.escaped(quoted)])
        (call,) = whole({"text": text, "effective": ["f"], "dialects": [dialect]})["tool_calls"]
        assert call["arguments"] == {"a": quoted}


@pytest.mark.parametrize("gap", [" ", "  ", " \n ", "\t\t"])
def test_white_space_between_two_words_never_joins_them(gap: str) -> None:
    """White space goes where literals become JSON, and a number must not come of two."""
    calls = {
        "python-calls-token": f"<|tool_call_start|>[f(a=1{gap}2)]<|tool_call_end|>",
        "gemma-call": f"<|tool_call>call:f{{a:1{gap}2}}<tool_call|>",
    }
    for dialect, text in calls.items():
        assert given_names(text, dialect, whole) == []
