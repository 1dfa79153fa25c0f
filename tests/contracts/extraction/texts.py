"""Texts for the tests of extraction: generated, adversarial, and those of the fixtures."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from commoncall.json_text import BLANKS as BLANKS

FIXTURES = Path(__file__).parents[3] / "fixtures" / "v1" / "extraction"

PIECES = [
    *("<tool_call>", "</tool_call>", "<tools>", "</tools>", "<TOOLS >", "</tools\n>"),
    *("<tool_calls>", "</tool_calls>", "<function>", "<function=", "<think>", "</think>"),
    *("<tool_call", "</tool", "<", ">", "<parameter", "<invoke", "<|", "|>"),
    *("`", "``", "```", "````", "~~~", "```json", "\n", "\n\n", "\r\n", " ", "    ", "\t"),
    *("- ", "1. ", "> ", "* ", "{", "}", "[", "]", '"', ",", ":", "\\", "\\u0041", "\\ud800"),
    *('{"name":"f","arguments":{}}', '{"name":"f","arguments":{"a":1,},}', '"arguments"', '"name"'),
    *('{"tool":"g","parameters":"{}"}', '{"name":"f","description":"d"}', '[{"name":"f",'),
    *("x", "é", "𝄞", ";", "1", "-", "1e999", "null", "true", "\u00a0", "\u2028", "\x00", "\x1f"),
    *("\ud800", "\udc00"),
    *("<function=f>", "<parameter=a>", "</parameter>", "</function>", "[TOOL_CALLS]", "<arg_key>"),
    *("</arg_key>", "<arg_value>", "</arg_value>", "<|tool_calls_section_begin|>", "f\n"),
    *("<|tool_call_begin|>functions.f:0", "<|tool_call_argument_begin|>", "<|tool_call_end|>"),
    "<|tool_calls_section_end|>",
    *("<|tool_call_start|>", "[f(a='", "')]", "<function_calls>", "</function_calls>", "f(a=", ")"),
    *("<|tool_call>", "call:f{a:", '<|"|>', "<tool_call|>", "<escape>", "<end_function_call>"),
]
"""What a text can be made of so that the rules meet."""

assembled = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
anything = st.text(max_size=200)
texts = assembled | anything

ADVERSARIAL: dict[str, str] = {
    "openers": "<tool_call>",
    "angle brackets": "<",
    "open objects": '<tool_call>{"a":',
    "open arrays": "[",
    "backslashes": '\\"',
    "broken blocks": "<tool_call>{x}</tool_call>",
    "opener and blanks": "<tool_call> ",
    "opener and line ends": "<tool_call>\n",
    "parts of an opener": "<tool_cal",
    "parts of a closer": "</tool_cal",
    "opener without end": "<tool_call \t",
    "small calls": '<tool_call>{"name":"f","arguments":{}}</tool_call>',
    "small calls in wrappers": '<tools><tool_call>{"name":"f","arguments":{}}</tool_call>',
    "closers": "</tool_call>",
    "reasoning and broken blocks": "<think>a</think><tools>{]</tools>",
    "backticks": "`",
    "runs of backticks": "`` ` ",
    "fences": "```\n<tool_call>\n```\n",
    "indented lines": "\n\n    <tool_call>",
    "digits": "7",
    "list markers": "1.- > ",
    "fences before nothing": "<tool_call>```json\n",
    "complete and trailing": '<tool_call>{"a":1} x ',
    "commas": '[{"name":"f","arguments":{},},',
    "control tokens": "<|x|>",
    "inline code in one line": "`a` ",
    "fields of one line": "a~",
    "open objects without a tag": "{",
    "escaped backslashes": "\\\\",
    "closers in a string": "</tool_call>",
    "quote before each closer": '<tool_call>{"name":"f","arguments":{"a":"}}</tool_call>',
    "headers": "<|start|>assistant<|channel|>",
    "long headers": "<|start|>assistant" + "x" * 120 + "<|",
    "blank lines in a broken block": "\n\n<tool_call>",
    "objects in arrays": '[{"name":"f","arguments":{}},[],',
}
"""A unit of each, to be repeated."""

PREFIXES: dict[str, str] = {
    "open arrays": "<tool_call>",
    "backslashes": '<tool_call>{"a":"',
    "digits": '<tool_call>{"a":',
    "commas": "<tool_call>",
    "control tokens": '<tool_call>{"name":"',
    "backticks": "<tool_call>",
    "escaped backslashes": '<tool_call>{"a":"',
    "closers in a string": '<tool_call>{"name":"f","arguments":{"a":"',
    "blank lines in a broken block": "<tool_call>{x",
    "objects in arrays": "<tool_call>",
}


ADVERSARIAL_DIALECTS: dict[str, tuple[str, str, str]] = {
    "parameters": ("function-parameters", "<function=f>", "<parameter=a>x</parameter>"),
    "open parameters": ("function-parameters", "<function=f>", "<parameter=a>"),
    "open functions": ("function-parameters", "", "<function=f>"),
    "one long value": ("function-parameters", "<function=f><parameter=a>", "</parameter"),
    "headers without end": ("function-parameters", "", "<function=" + "f" * 120),
    "arrays": ("tool-calls-array", "", '[TOOL_CALLS][{"name":"f","arguments":{}}]'),
    "arrays behind tags": ("tool-call-tag-array", "", '<TOOL_CALL>[{"name":"f","arguments":{}}]'),
    "brackets": ("tool-calls-array", "", "["),
    "open tokens": ("tool-calls-array", "", "[TOOL_CALLS]"),
    "sections": ("named-calls", "", "<|tool_calls_section_begin|>"),
    "calls between tokens": (
        "named-calls",
        "<|tool_calls_section_begin|>",
        "<|tool_call_begin|>f<|tool_call_argument_begin|>{}<|tool_call_end|>",
    ),
    "keys": ("argument-pairs", "<tool_call>f\n", "<arg_key>"),
    "pairs": ("argument-pairs", "<tool_call>f\n", "<arg_key>a</arg_key><arg_value>"),
    "a long name": ("argument-pairs", "<tool_call>", "n"),
    "lists of calls": ("python-calls-token", "", "<|tool_call_start|>[f(a='x')]<|tool_call_end|>"),
    "calls of a list": ("python-calls-token", "<|tool_call_start|>[", "f(a=1, b=['x', None]),"),
    "arguments": ("python-calls-token", "<|tool_call_start|>[f(", "a={'k': 1.5},\n"),
    "open lists": ("python-calls-token", "<|tool_call_start|>[f(a=", "["),
    "open objects with keys": ("python-calls-token", "<|tool_call_start|>[f(a=", "{'k':"),
    "a long word": ("python-calls-token", "<|tool_call_start|>[f(a=", "7"),
    "a long string": ("python-calls-token", "<|tool_call_start|>[f(a='", "<|tool_call_end|>"),
    "a string of escapes": ("python-calls-token", "<|tool_call_start|>[f(a='", "\\n\\u00e9"),
    "empty strings": ("python-calls-token", "<|tool_call_start|>[f(a=[", "'',\"\","),
    "escapes that are none": ("python-calls-token", "", "<|tool_call_start|>[f(a='\\q')]"),
    "broken calls": ("python-calls-token", "", "<|tool_call_start|>[f(x)]<|tool_call_end|>"),
    "openers of lists": ("python-calls-token", "", "<|tool_call_start|>["),
    "bare calls of a list": ("python-calls", "[", "f(a=1, b=['x', None]),"),
    "open bare lists of calls": ("python-calls", "[f(a=", "["),
    "a bare list that ends in prose": ("python-calls", "[f(a='x')]", " x"),
    "lines of calls": ("python-calls-lines", "<function_calls>\n", "f(a='x')\n"),
    "lines behind a call": ("python-calls-lines", "<function_calls>f()", "\n"),
    "lines that are no calls": ("python-calls-lines", "", "<function_calls>f()\ng\n"),
    "blanks and calls": ("python-calls-lines", "<function_calls>", "f() "),
    "named objects": ("gemma-call", "", '<|tool_call>call:f{a:<|"|>x<|"|>}<tool_call|>'),
    "members": ("gemma-call", "<|tool_call>call:f{", 'a b:[1.5,{k:<|"|>x<|"|>}],\n'),
    "open bare objects": ("gemma-call", "<|tool_call>call:f{", "a:{"),
    "open bare lists": ("gemma-call", "<|tool_call>call:f{a:", "["),
    "begins of quotes": ("gemma-call", '<|tool_call>call:f{a:<|"|>', '<|"'),
    "a long bare key": ("gemma-call", "<|tool_call>call:f{", "a "),
    "a long bare number": ("gemma-call", "<|tool_call>call:f{a:", "7"),
    "a long name without a bracket": ("gemma-call", "<|tool_call>call:", "f "),
    "closers in a quoted string": ("gemma-call", '<|tool_call>call:f{a:<|"|>', "<tool_call|>"),
    "quotes without a comma": ("gemma-call", "", '<|tool_call>call:f{a:<|"|>x<|"|>y}'),
    "openers of objects": ("gemma-call", "", "<|tool_call>call:f{"),
    "words in lists": ("gemma-call", "<|tool_call>call:f{a:[", "True , 1.5,"),
    "typed strings": ("functiongemma-call", "<start_function_call>call:f{", "a:<escape>1<escape>,"),
    "begins of headers": ("harmony", "", "<|start|>assistant"),
    "headers of one channel": ("harmony", "", "<|start|>assistant<|channel|>"),
    "long headers of messages": ("harmony", "", "<|start|>assistant" + "x" * 125 + "<|chan"),
    "long headers with an end": ("harmony", "", "<|start|>assistant" + "x" * 129 + "<|message|>"),
    "an opened header that does not end": ("harmony", "<|channel|>", "<|channel|>"),
    "words of headers": ("harmony", "", "<|start|>assistant" + " to=f" * 20 + "<|message|>"),
    "small messages": ("harmony", "", "<|start|>assistant<|channel|>final<|message|>x<|end|>"),
    "small messages that call": (
        "harmony",
        "",
        "<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>",
    ),
    "reasoning of ends": ("harmony", "<|channel|>analysis<|message|>", "<|end|> "),
    "reasoning of begins of ends": (
        "harmony",
        "<|channel|>analysis<|message|>",
        "<|end|><|start|>",
    ),
    "reasoning that nearly ends": (
        "harmony",
        "<|channel|>analysis<|message|>",
        "<|end|><|start|>assistan",
    ),
    "a dropped message of ends": ("harmony", "<|channel|>x<|message|>", "<|call|>x"),
    "a broken message of headers": (
        "harmony",
        "<|channel|>final to=functions.f<|message|>{x",
        "<|start|>assistant<|channel|>final<|message|>",
    ),
    "trailing text of messages": (
        "harmony",
        "",
        "<|start|>assistant to=functions.f<|message|>{} x",
    ),
    "headers in one another": ("harmony", "", "<|start|>assistant to=functions.f<|message|>"),
    "ends in a string": ("harmony", ' to=functions.f<|message|>{"a":"', "<|call|>"),
    "lone ends": ("harmony", "", "<|end|>"),
    "parts of a token": ("inkling-messages", "<|message_model|>", "<|content_"),
    "kinds that are none": ("inkling-messages", "", "<|content_x|><|end_message|>"),
    "headers in a parameter": (
        "beam-messages",
        ' to=f<|channel|>analysis<|message|><rfl:parameter name="a">',
        "<|start|>assistant<|channel|>analysis<|message|>",
    ),
    "calls in a parameter": (
        "beam-messages",
        ' to=f<|channel|>analysis<|message|><rfl:parameter name="a">',
        '<|start|>assistant to=f<|message|><rfl:parameter name="a">',
    ),
}
"""Of each a dialect, what stands before, and a unit to be repeated."""


def adversarial(name: str, length: int) -> str:
    """Return an adversarial text of about the length."""
    unit = ADVERSARIAL[name]
    return PREFIXES.get(name, "") + unit * (length // len(unit))


def fixture_inputs() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return case id and input of every case of ``extraction.extract`` that has a result."""
    for path in sorted(FIXTURES.glob("*.json")):
        for case in json.loads(path.read_text("utf-8"))["cases"]:
            operation = case["id"].rpartition(".")[0]
            if "result" in case["expect"] and operation == "extraction.extract":
                given = case["input"] if "input" in case else json.loads(case["input_json"])
                yield case["id"], given
