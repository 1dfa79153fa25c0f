"""Pieces of texts in the dialects whose payloads are written as literals."""

from collections.abc import Callable

from tests.contracts.extraction.generator_json import Pick, chosen

LIST_BEGIN, LIST_END = "<|tool_call_start|>", "<|tool_call_end|>"
LINES_BEGIN, LINES_END = "<function_calls>", "</function_calls>"
GEMMA = ("<|tool_call>", "<tool_call|>", '<|"|>')
ESCAPE = ("<start_function_call>", "<end_function_call>", "<escape>")

NOISE = {
    "python-calls-token": [
        *(
            LIST_BEGIN,
            LIST_END,
            "<|tool_call_",
            "<|tool_call_start|>[",
            "[f(",
            "[f()]",
            "f(a=",
            ")]",
        ),
        *(
            "a=1",
            "a='x'",
            ", g()",
            "(",
            ")",
            "=",
            "'",
            '"',
            "\\",
            "\\u00e9",
            "True",
            ",]",
            "[[",
            "#",
        ),
    ],
    "python-calls-lines": [
        *(
            LINES_BEGIN,
            LINES_END,
            "<function_calls",
            "</function_",
            "\nf()",
            "f()\n",
            "\nf",
            "f(\n",
        ),
        *("<Function_calls>", "\n\ng(a='x')\n", "_", "-f()", ")\n", "a=1)", "'", '"', "\\", "\n\n"),
    ],
    "gemma-call": [
        *(
            *GEMMA,
            "<|tool_call",
            "<|tool_call>call:",
            "<|tool_call>call:f{",
            "call:f{}",
            "<tool_call|",
        ),
        *('<|"', '"|>', "<|", "{", "}", "a:", ":", ",", "a:1", "True", "[", '{"a":1}', "'", '"'),
        *("<|tool_call>call", "<|TOOL_CALL>", "<|tool_call>f{}", "\n", "\n\n"),
    ],
    "functiongemma-call": [
        *(*ESCAPE, "<start_function_call>call:f{", "</escape>", "<esc", "ape>", "call:f{a:", "}"),
        *(
            "<start_function_call",
            "<end_function_",
            "a:<escape>",
            "<escape>}",
            "<Escape>",
            "1",
            ",",
        ),
    ],
}
"""What is one half of a piece, or only looks like one."""

WORDS = ["f", "g", "a.b", "a-b", "_", "1", "é", "工具", "+", "f" * 65, "-", "f:g", "f g", ""]
KEYS = ["a", "b", "a", "c", "a-b", "1", "é", "", "a b"]
SCALARS = [
    *("1", "-1", "0", "1.5", "1e2", "-0", "1.50E+1", "12345678901234567890", "1.0e-1"),
    *("True", "False", "None", "true", "false", "null"),
]
BROKEN_SCALARS = [
    *("1e999", "01", "+1", "1.", ".5", "1_0", "0x1", "--1", "1e", "TRUE", "x", "NaN", "f()", "1+1"),
    *("\ud83d", "-", "", "1 2", "Truer"),
]
STRINGS = [
    *("x", "", "a b", "é", "𝄞", "\n", "\r\n", "\t", "\x01", "\u2028", "\n\n", "#", "1", "None"),
    *(r"\n", r"\\", r"\'", r"\"", r"\x41", r"\u00e9", r"\ud834\udd1e", r"\b\f\r\t", r"\\\\n"),
    *("[f()]", "{", "}", ")", "]", ",", "<think>", "</think>", "`", "```", "<tools>", "</tools>"),
    *(LIST_BEGIN, LIST_END, f"{LIST_BEGIN}[g()]{LIST_END}", LINES_END, f"{LINES_BEGIN}\ng()\n"),
]
"""Texts of strings, with escapes."""

BROKEN_STRINGS = [
    *(r"\q", r"\x4", r"\u12g4", "\\", "\\\n", r"\0", r"\/", r"\ud834", r"\udd1e"),
    *("\ud83d", "\ud83d\\ude00", "\\ud83d\ude00", "'", '"', r"\N{DASH}", r"\U0001f600"),
]

SPACES = ["", "", "", "", "", "", " ", " ", "\n", "\t", "\r\n", "\n\n"]
BEHIND = ["x", ",", "]", "\u00a0", "<|im_end|>", ".x", "<", "}", "[", "'", ":"]


def python_list_block(pick: Pick) -> str:
    """Return a block of ``python-calls-token``."""
    calls = comma_list(pick, call)
    made = LIST_BEGIN + space(pick) + f"[{calls}]" + behind(pick)
    return made + ("" if pick(8) == 0 else LIST_END)


def python_lines_block(pick: Pick) -> str:
    """Return a block of ``python-calls-lines``."""
    made = LINES_BEGIN + chosen(pick, ["", "\n", "\n", "\n\n", " ", " \n", "\r\n"])
    for _ in range(1 + pick(3)):
        made += call(pick) + chosen(pick, ["\n"] * 12 + ["\n\n", " \r\n", "", " ", ",\n", ";"])
    return made + behind(pick) + ("" if pick(8) == 0 else LINES_END)


def call(pick: Pick) -> str:
    """Return a call, mostly a good one."""
    name = "f" if pick(8) else chosen(pick, WORDS)
    arguments = comma_list(pick, argument)
    return name + space(pick) + "(" + arguments + ")"


def argument(pick: Pick) -> str:
    """Return an argument, mostly a good one."""
    if pick(100) == 0:
        return value(pick)
    name = chosen(pick, ["a", "b", "c"]) if pick(16) else chosen(pick, KEYS)
    return name + space(pick) + "=" + space(pick) + value(pick)


def value(pick: Pick, depth: int = 0) -> str:
    """Return a literal, at times a broken one."""
    kind = pick(12)
    if pick(200) == 0:
        deep = 125 + pick(4)
        return "[" * deep + "]" * deep
    if kind < 5 or depth > 3:
        return string(pick)
    if kind < 8:
        return chosen(pick, SCALARS if pick(20) else BROKEN_SCALARS)
    if kind < 10:
        return "[" + comma_list(pick, lambda each: value(each, depth + 1)) + "]"
    return "{" + comma_list(pick, lambda each: member(each, depth)) + "}"


def member(pick: Pick, depth: int) -> str:
    """Return a member of an object."""
    key = string(pick) if pick(40) else chosen(pick, ["a", "1", "[]", ""])
    return key + space(pick) + ":" + space(pick) + value(pick, depth + 1)


def string(pick: Pick) -> str:
    """Return a string, mostly a good one."""
    quote = chosen(pick, ["'", '"'])
    inner = (
        chosen(pick, STRINGS)
        if pick(3)
        else chosen(pick, ["x", "y", 'it"s' if quote == "'" else "it's"])
    )
    before = chosen(pick, ["f", "r", quote]) if pick(60) == 0 else ""
    return before + quote + inner + (quote if pick(60) else "")


def comma_list(pick: Pick, part: Callable[[Pick], str]) -> str:
    """Return parts with commas between them, at times one behind the last."""
    parts = [space(pick) + part(pick) + space(pick) for _ in range(pick(4))]
    end = "," + space(pick) if pick(8) == 0 else space(pick)
    return ("," if pick(60) else chosen(pick, ["", ",,", ";"])).join(parts) + end


BARE = ["a", "b", "c", "a b", "a-b", "é", "$x/@ (1)", "1", "true", "a\t", "a.b"]
BROKEN_BARE = ["", '"a"', "'a'", "a\nb", "a<b", "\ud83d", "a}"]
QUOTED = [
    *("x", "", "a b", "é", "𝄞", "\n", "\r\n", "\t", "\x01", " x ", "\nx\n", "1", "true", "null"),
    *(
        "True",
        "None",
        "[1, 2]",
        '{"a": 1}',
        "['x']",
        "1.0",
        "-1",
        '"',
        "'",
        "\\",
        "\\n",
        "},{",
        "]}",
    ),
    *("b:1", "<think>", "</think>", "`", "```", "<", "<|", "<tools>", "\n\n", "1e999", "[" * 127),
    *(GEMMA[0], GEMMA[1], ESCAPE[0], ESCAPE[1], "<|tool_call>call:g{}<tool_call|>"),
    *("[" * 127 + "]" * 127, "[" * 128 + "]" * 128),
]
"""Texts between quotes."""


def gemma_block(pick: Pick) -> str:
    """Return a block of ``gemma-call``."""
    return object_block(pick, *GEMMA)


def escape_block(pick: Pick) -> str:
    """Return a block of ``functiongemma-call``."""
    return object_block(pick, *ESCAPE)


def object_block(pick: Pick, begin: str, end: str, quote: str) -> str:
    """Return a block with a name and an object."""
    begins = "call:" if pick(40) else chosen(pick, ["call", "call: ", "", " call:", "Call:", "c"])
    name = "f" if pick(8) else chosen(pick, BARE + BROKEN_BARE)
    made = begin + ("" if pick(8) else space(pick)) + begins + name + space(pick)
    made += quoted_object(pick, quote, 0) + behind(pick)
    return made + ("" if pick(8) == 0 else end)


def quoted_object(pick: Pick, quote: str, depth: int) -> str:
    """Return an object with its brackets."""
    return "{" + strict_list(pick, lambda each: quoted_member(each, quote, depth)) + "}"


def quoted_member(pick: Pick, quote: str, depth: int) -> str:
    """Return a member of an object, mostly a good one."""
    key = chosen(pick, BARE[:3] if pick(3) else BARE)
    if pick(60) == 0:
        key = chosen(pick, BROKEN_BARE)
    elif pick(8) == 0:
        key = quoted_string(pick, quote)
    return key + space(pick) + ":" + space(pick) + quoted_value(pick, quote, depth + 1)


def quoted_value(pick: Pick, quote: str, depth: int) -> str:
    """Return a value, at times a broken one."""
    kind = pick(12)
    if pick(200) == 0:
        deep = 125 + pick(4)
        return "[" * deep + "]" * deep
    if kind < 6 or depth > 3:
        return quoted_string(pick, quote)
    if kind < 9:
        return chosen(pick, SCALARS if pick(20) else BROKEN_SCALARS)
    if kind == 9:
        return "[" + strict_list(pick, lambda each: quoted_value(each, quote, depth + 1)) + "]"
    return quoted_object(pick, quote, depth)


def quoted_string(pick: Pick, quote: str) -> str:
    """Return a string, mostly a good one."""
    end = quote if pick(60) else quote[: pick(len(quote))]
    return quote + chosen(pick, QUOTED) + end


def strict_list(pick: Pick, part: Callable[[Pick], str]) -> str:
    """Return parts with commas between them, seldom one behind the last."""
    parts = [space(pick) + part(pick) + space(pick) for _ in range(pick(4))]
    return ",".join(parts) + ("" if pick(60) else ",")


def behind(pick: Pick) -> str:
    """Return what stands behind a payload, mostly white space of JSON or nothing."""
    return chosen(pick, SPACES if pick(10) else BEHIND)


def space(pick: Pick) -> str:
    """Return nothing or white space, mostly of JSON."""
    return chosen(pick, SPACES) if pick(200) else chosen(pick, ["\u00a0", "\x0b", "x", "#"])
