"""Adversarial inputs: each a function from a length to a text of at most that length.

Each is one way to make a parser of tool calls take quadratic time, raise, or lose a call. The names
say what repeats. They need 100 characters to show themselves; the texts of two lengths have one
form, so that growth can be measured between them.
"""

from collections.abc import Callable

CALL = '<tool_call>{"name":"f","arguments":{}}</tool_call>'


def repeated(unit: str, before: str = "", behind: str = "") -> Callable[[int], str]:
    """Return the function that repeats a unit between two texts."""

    def text(length: int) -> str:
        return before + unit * ((length - len(before) - len(behind)) // len(unit)) + behind

    return text


def closed_arrays(length: int) -> str:
    """Return arrays in one another, all closed."""
    count = (length - len("<tool_call></tool_call>")) // 2
    return f"<tool_call>{'[' * count}{']' * count}</tool_call>"


INPUTS: dict[str, Callable[[int], str]] = {
    "openers": repeated("<tool_call>"),
    "angle brackets": repeated("<"),
    "braces without a tag": repeated("{"),
    "braces in a block": repeated("{", before="<tool_call>"),
    "escaped quotes in an open string": repeated('\\"', before='<tool_call>{"a":"'),
    "backslashes in strings": repeated('"\\\\",', before="<tool_call>["),
    "broken blocks": repeated("<tool_call>{x}</tool_call>"),
    "openers and one closer": repeated("<tool_call>", behind="</tool_call>"),
    "spaces behind an opener": repeated(" ", before="<tool_call>"),
    "line feeds behind an opener": repeated("\n", before="<tool_call>"),
    "parts of openers": repeated("<tool_cal"),
    "parts of closers": repeated("</tool_cal", before='<tool_call>{"name":"f"}'),
    "tiny calls": repeated(CALL),
    "closers in a string": repeated(
        "</tool_call>",
        before='<tool_call>{"name":"f","arguments":{"a":"',
        behind='"}}</tool_call>',
    ),
    "an odd quote before each closer": repeated('<tool_call>{"name":"f}</tool_call>"'),
    "a long integer": repeated(
        "7", before='<tool_call>{"name":"f","arguments":{"a":', behind="}}</tool_call>"
    ),
    "closers": repeated("</tool_call>"),
    "reasoning and broken blocks": repeated("<think>a</think><tool_calls>[x]</tool_calls>"),
    "open arrays": repeated("[", before="<tool_call>"),
    "closed arrays": closed_arrays,
    "open objects": repeated('{"a":', before="<tool_call>"),
}

BY_RULE: dict[str, Callable[[int], str]] = {
    "tags that no dialect knows": repeated("<x>"),
    "blocks in a pair of such tags": repeated(CALL, before="<x>", behind="</x>"),
    "white space in a pair": repeated(" ", before=f"<x>{CALL}"),
    "opener without its end": repeated(" \t", before="<tool_call"),
    "arrays in arrays": repeated('[{"name":"f","arguments":{}},[],', before="<tool_call>"),
    "headers": repeated("<|start|>assistant<|channel|>"),
    "runs of backticks": repeated("`` ` <tool_call>"),
    "blank lines in a broken block": repeated("\n\n<tool_call>", before="<tool_call>{x"),
}
"""More of them, for rules that only this specification has."""


def nested_quotations(length: int) -> str:
    """Return a value that quotes calls in one another, all closed."""
    begin, end = "<function=f><parameter=a>", "</parameter></function>"
    count = length // len(begin + end)
    return begin * count + end * count


def in_a_value(unit: str, before: str = "") -> Callable[[int], str]:
    """Return the function that repeats a unit in the value of a parameter."""
    return repeated(unit, "<function=f><parameter=a>" + before, "</parameter></function>")


def in_a_pair(unit: str) -> Callable[[int], str]:
    """Return the function that repeats a unit in the value of a pair."""
    begin = "<tool_call>f<arg_key>a</arg_key><arg_value>"
    return repeated(unit, begin, "</arg_value></tool_call>")


IN_VALUES: dict[str, tuple[str, Callable[[int], str]]] = {
    "quoted openers": ("function-parameters", in_a_value("<function=g><parameter=b>")),
    "openers in a value": ("function-parameters", in_a_value("<function=g>")),
    "closers behind a value": ("function-parameters", in_a_value("</parameter></function>")),
    "closers in a value": ("function-parameters", in_a_value("</function>")),
    "ends of values": ("function-parameters", in_a_value("</parameter>")),
    "ends and white space": ("function-parameters", in_a_value("</parameter> \n")),
    "half a closer behind ends": ("function-parameters", in_a_value("</parameter></function \t")),
    "white space behind an end": ("function-parameters", in_a_value(" ", "</parameter>")),
    "white space behind an opener": ("function-parameters", in_a_value("\n", "<function=g>")),
    "blocks that do not end": (
        "function-parameters",
        repeated("<function=f><parameter=a>x</parameter>y</function>"),
    ),
    "nested quotations": ("function-parameters", nested_quotations),
    "quoted names": ("argument-pairs", in_a_pair("<tool_call>g")),
    "quoted names of blanks": ("argument-pairs", in_a_pair("<tool_call>g \n")),
    "quoted pairs": ("argument-pairs", in_a_pair("<tool_call>g\n<arg_key>")),
    "long names": ("argument-pairs", in_a_pair("<tool_call>" + "n" * 130)),
}
"""Of each a dialect, and the text, in which it is a value that repeats what may end it."""

LIST, LIST_END = "<|tool_call_start|>[", "]<|tool_call_end|>"
NAMED, NAMED_END = "<|tool_call>call:f{", "}<tool_call|>"

OF_DIALECTS: dict[str, tuple[str, Callable[[int], str]]] = {
    "arrays behind tags": (
        "tool-call-tag-array",
        repeated('<TOOL_CALL>[{"name":"f","arguments":{}}]'),
    ),
    "lists of calls": ("python-calls-token", repeated(f"{LIST}f(a='x'){LIST_END}")),
    "arguments of literals": (
        "python-calls-token",
        repeated("a={'k': [1.5, None]}, ", before=f"{LIST}f(", behind=f"){LIST_END}"),
    ),
    "open lists of literals": ("python-calls-token", repeated("[", before=f"{LIST}f(a=")),
    "closers in a string of Python": (
        "python-calls-token",
        repeated("<|tool_call_end|>", before=f"{LIST}f(a='", behind=f"'){LIST_END}"),
    ),
    "escapes in a string of Python": (
        "python-calls-token",
        repeated("\\u00e9\\n", before=f"{LIST}f(a='", behind=f"'){LIST_END}"),
    ),
    "broken calls in Python's spelling": ("python-calls-token", repeated(f"{LIST}f(x){LIST_END}")),
    "openers of lists": ("python-calls-token", repeated(LIST)),
    "a long word": ("python-calls-token", repeated("7", before=f"{LIST}f(a=")),
    "lines of calls": ("python-calls-lines", repeated("f(a='x')\n", before="<function_calls>\n")),
    "line feeds behind a call": (
        "python-calls-lines",
        repeated("\n", before="<function_calls>f()"),
    ),
    "lines that are no calls": ("python-calls-lines", repeated("<function_calls>f()\ng\n")),
    "named objects": ("gemma-call", repeated(f'{NAMED}a:<|"|>x<|"|>{NAMED_END}')),
    "members": (
        "gemma-call",
        repeated('a b:[1.5,{k:<|"|>x<|"|>}],', before=NAMED, behind=f"z:1{NAMED_END}"),
    ),
    "open bare objects": ("gemma-call", repeated("a:{", before=NAMED)),
    "begins of quotes in a string": (
        "gemma-call",
        repeated('<|"', before=f'{NAMED}a:<|"|>', behind=f'<|"|>{NAMED_END}'),
    ),
    "a long bare key": ("gemma-call", repeated("a ", before=NAMED)),
    "closers in a quoted string": (
        "gemma-call",
        repeated("<tool_call|>", before=f'{NAMED}a:<|"|>', behind=f'<|"|>{NAMED_END}'),
    ),
    "text behind a string": ("gemma-call", repeated(f'{NAMED}a:<|"|>x<|"|>y')),
    "openers of objects": ("gemma-call", repeated(NAMED)),
    "typed strings": (
        "functiongemma-call",
        repeated("a:<escape>1<escape>,", before="<start_function_call>call:f{"),
    ),
}
"""Those of dialects that are off by default, each with the id of its dialect."""
