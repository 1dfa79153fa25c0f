"""Pieces of texts in the dialects that are off by default, and the tools that type parameters."""

from collections.abc import Callable
from typing import Any

from tests.contracts.extraction.generator_json import (
    Pick,
    array,
    call,
    chosen,
    obj,
    payload,
    space,
    value,
)
from tests.contracts.extraction.generator_literals import NOISE as LITERAL_NOISE
from tests.contracts.extraction.generator_literals import (
    escape_block,
    gemma_block,
    python_lines_block,
    python_list_block,
)

NOISE = {
    "function-parameters": [
        *("<function=", "<function=f", "<function=>", "<function>", "<function = f>", "</function"),
        *("</function >", "<Function=f>", "<parameter", "<parameter=", "<parameter=a", "=a>"),
        *("<parameter=a>", "</parameter", "</parameter>", "</Parameter>", "<parameter a>"),
    ],
    "argument-pairs": [
        *("<tool_call>", "<tool_call", "<tool_call>f", "<tool_call>\nf\n", "</tool_call"),
        *("<arg_key>", "<arg_key", "</arg_key>", "</arg_key", "<arg_value>", "<arg_val"),
        *("</arg_value>", "</arg_value", "<ARG_KEY>", "<arg_key>a</arg_key>"),
    ],
    "named-calls": [
        *("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "<|tool_calls_section"),
        *("<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>"),
        *("<|tool_call_begin|>f", "<|tool_call_", "<|tool_calls_section_begin|>\n", "|>"),
        *("<|TOOL_CALL_END|>", "<|tool_call_begin|>functions.f:0<|tool_call_argument"),
    ],
    "tool-calls-array": [
        *("[TOOL_CALLS]", "[TOOL_CALLS", "[TOOL_CALLS] ", "[tool_calls]", "[TOOL_CALLS]]", "[["),
        *("[TOOL_CALLS][", "[TOOL_CALLS]{", "[TOOL_", "[TOOL_CALLS]\n\n", "[TOOL_CALLS][]"),
    ],
    **LITERAL_NOISE,
}
"""What is one half of a piece, or only looks like one."""

FURTHER = list(NOISE)


SECTION_BEGIN, SECTION_END = "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"

NAMES = [
    "f",
    "g",
    "",
    " ",
    " f ",
    "a b",
    "f`",
    "f\t",
    "é",
    "_",
    "工具",
    "f:1",
    'f"',
    "f[TOOL_CALLS]",
    *("€", "“f”", "😀", "\u2070", "\uff21", "\ud83d"),
]
LONG = ["f" * 64, "f" * 65, "f" * 127, "f" * 128, "f" * 129]
BROKEN_NAMES = ["f\nf", "f<", "f\r", "\nf", "f\n", "f>", "\ud800", "f|>"]

HEADERS = [
    *("functions.f:0", "functions.f:12", "f", "f:0", "f:", ":0", "functions.", "functions.:3"),
    *("functions.functions.f:0", "f:1:2", " functions.f:0", "functions.f:0 ", "functions. f :0"),
    *("f:٣", "f:-1", "Functions.f:1", "f.functions.:1", "functions", "0", "f0", "functions.f:0:"),
]

PARAMETERS = ["", " a", "a b", 'a"', "é", "a\\", "type"]

VALUES = [
    *("1", "0", "-1", "1.0", "1.5", "-0", "1e2", "1e999", "12345678901234567890", "1e-400", "01"),
    *("true", "false", "null", "True", "None", "NaN", "yes", '"x"', '""', '"\\ud834"', "'x'"),
    *("[]", "{}", "[1, 2]", '{"a":1}', '{"a":1,"a":2}', "[1,]", '["\\u00e9"]', '["\n"]', "[1"),
    *("\n1\n", " 1 ", "\r\n[1]\r\n", "\u00a01", "\x0b1", "\n\n1\n\n", "1 2", "\ufeff1"),
]
"""Texts of parameters that are JSON values, or nearly."""

DEEP = ["[" * 127 + "]" * 127, "[" * 128 + "]" * 128, "\n" + '{"a":' * 127 + "1" + "}" * 127]

TEXTS = [
    *("x", "a b", "é", "𝄞", "\\", 'a"b', "\\n", "\x01", "\x7f", "\t", "a\tb", "\u2028", "\ud800"),
    *("", " ", "\n", "\r\n", "\n\n", "\r\n\r\n", "\r", "\n\r", "\r\r\n", "\nx\n", "\r\nx\r\n"),
    *("\n x \n", "\nx\r", " x "),
    *("<think>", "</think>", "</function>", "<function=g>", "<tool_call>", "</tool_call>", "</"),
    *("<tools>", "</tools>", "<|tool_call_end|>", "[TOOL_CALLS]", "<|end|>", "<parameter=b>", "<"),
    *("<arg_key>", "</arg_key>", "</parameter", "</arg_value", "```", "`", "\n\n```\n\n", "\n\n"),
]
"""Texts of parameters that are none."""

TAGS = [
    *("<parameter=b>", "</parameter>", "<parameter", "<parameter b>", "</parameter1>", "</a>"),
    *("<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "</arg_values>", "<a>", "<b>"),
    *("</", "x", " ", "\n", "\u00a0"),
]
"""Tags of parameters, misspelt ones, and what may stand between them in a text."""

NO_STRING = ["integer", "boolean", "null", "array", "object"]

TYPES: list[Any] = [
    *("integer", "integer", "number", "number", "boolean", "null", "array", "array", "object"),
    *(["integer", "null"], ["array", "object"], ["boolean", "number"], ["string", "array"]),
    *(["number", "string"], ["null", "string", "boolean"], "string", ["string"]),
    *(["integer", 5], [None, "boolean"], ["any", "number"], ["any"], [["integer"], "null"]),
    *(NO_STRING, NO_STRING, NO_STRING, [*NO_STRING, "string"], [], "any", "Integer", None, 5, {}),
]

ODD_TOOLS: list[Any] = [
    *(None, 1, "f", [], {}, {"function": "f"}, {"function": {}}, {"function": {"name": None}}),
    *({"name": "f"}, {"function": {"name": "f"}}, {"function": {"name": "f", "parameters": []}}),
    {"function": {"name": "f", "parameters": {"properties": []}}},
    {"function": {"name": "f", "parameters": {"properties": {"a": "integer", "b": None}}}},
]


def further_noise(further: list[str]) -> list[str]:
    """Return the noise of some dialects."""
    return [piece for name in further for piece in NOISE[name]]


def further_piece(pick: Pick, further: list[str]) -> str:
    """Return a piece of a text in one of the dialects."""
    dialect = chosen(pick, further)
    kind = pick(8)
    if kind < 4:
        return BLOCKS[dialect](pick)
    if kind == 4:
        return chosen(pick, NOISE[dialect]) + space(pick)
    if kind == 5:
        return cut(pick, BLOCKS[dialect](pick))
    if kind == 6:
        blocks = [BLOCKS[chosen(pick, further)](pick) + space(pick) for _ in range(1 + pick(3))]
        return wrapped(pick, "".join(blocks))
    return chosen(pick, [" ", "\n", "\n\n", "Use it.", "\n\n    ", "\n```\n", "x", "`", "\r\n"])


def further_blocks(pick: Pick, further: list[str], count: int) -> str:
    """Return blocks of the dialects with what leaves the next one alone between them."""
    made = ""
    for _ in range(count):
        block = BLOCKS[chosen(pick, further)](pick)
        made += wrapped(pick, block) if pick(6) == 0 else block
        made += chosen(pick, ["", "\n", "\n\n", " Use it. ", "\n\n    "])
    return made


def wrapped(pick: Pick, blocks: str) -> str:
    """Return blocks in a wrapper of any dialect, mostly a closed one."""
    begin, end = chosen(
        pick,
        [
            *(("<tool_call>", "</tool_call>"), (SECTION_BEGIN, SECTION_END)),
            *(("<tools>", "</tools>"), ("<function>", "</function>"), ("[TOOL_CALLS]", "")),
            ("<function=w>", "</function>"),
        ],
    )
    return begin + space(pick) + blocks + ("" if pick(8) == 0 else end)


def cut(pick: Pick, made: str) -> str:
    """Return the begin of a text."""
    return made[: pick(len(made) + 1)]


def function_block(pick: Pick) -> str:
    """Return a block of ``function-parameters``."""
    made = f"<function={name(pick)}>{space(pick)}"
    for _ in range(pick(4)):
        made += f"<parameter={parameter_name(pick)}>{text(pick)}</parameter>{between(pick)}"
    return made + tag_closer(pick, "function")


def pairs_block(pick: Pick) -> str:
    """Return a block of ``argument-pairs``."""
    made = chosen(pick, ["<tool_call>"] * 6 + ["<TOOL_CALL >", "<tool_call\n>"])
    made += chosen(pick, ["", "", "", "\n", "\n", "\n", " \n", "\r\n", "\n\n", " "])
    made += name(pick) + chosen(pick, ["\n", "\n", "", " ", "\r\n", "\n\n"])
    for _ in range(pick(4)):
        made += f"<arg_key>{parameter_name(pick)}</arg_key>{between(pick)}"
        made += f"<arg_value>{text(pick)}</arg_value>{between(pick)}"
    return made + tag_closer(pick, "tool_call")


def named_block(pick: Pick) -> str:
    """Return one or more blocks of ``named-calls``, in a section or without one."""
    made = ""
    for _ in range(1 + pick(2)):
        header = chosen(pick, HEADERS) if pick(6) else name(pick)
        made += f"<|tool_call_begin|>{header}<|tool_call_argument_begin|>{space(pick)}"
        made += named_arguments(pick) + space(pick)
        made += behind(pick) if pick(8) == 0 else "<|tool_call_end|>" + between(pick)
    if pick(3) == 0:
        return made
    if pick(16) == 0:
        made = payload(pick)
    return SECTION_BEGIN + space(pick) + made + ("" if pick(8) == 0 else SECTION_END)


def named_arguments(pick: Pick) -> str:
    """Return the arguments of a named call, at times about as deep as they may be."""
    if pick(24) == 0:
        depth = 126 + pick(3)
        return '{"a":' + "[" * depth + "]" * depth + "}"
    return obj(pick, 1) if pick(3) else payload(pick)


def array_block(pick: Pick) -> str:
    """Return a block of ``tool-calls-array``, which has no closer."""
    made = payload(pick) if pick(3) == 0 else array(pick, call)
    before = "<tools>" + payload(pick) + space(pick) if pick(12) == 0 else ""
    return before + "[TOOL_CALLS]" + space(pick) + made + space(pick)


BLOCKS: dict[str, Callable[[Pick], str]] = {
    "function-parameters": function_block,
    "argument-pairs": pairs_block,
    "named-calls": named_block,
    "tool-calls-array": array_block,
    "python-calls-token": python_list_block,
    "python-calls-lines": python_lines_block,
    "gemma-call": gemma_block,
    "functiongemma-call": escape_block,
}


def name(pick: Pick) -> str:
    """Return the name of a call, mostly a good one."""
    if pick(5):
        return "f"
    return chosen(pick, [NAMES, NAMES, NAMES, NAMES, NAMES, LONG, LONG, BROKEN_NAMES][pick(8)])


def parameter_name(pick: Pick) -> str:
    """Return the name of a parameter, mostly a good one."""
    if pick(3):
        return chosen(pick, ["a", "b", "c"])
    if pick(6) == 0:
        return chosen(pick, LONG if pick(2) else BROKEN_NAMES)
    return chosen(pick, PARAMETERS)


def text(pick: Pick) -> str:
    """Return the text of a parameter: a value, a plain text, or with noise in it."""
    kind = pick(19)
    if kind > 16:
        return "".join(chosen(pick, TAGS) for _ in range(1 + pick(6)))
    if kind < 6:
        return chosen(pick, VALUES)
    if kind < 9:
        return chosen(pick, TEXTS)
    if kind < 11:
        return space(pick) + value(pick, 1) + space(pick)
    if kind == 11:
        return chosen(pick, DEEP)
    if kind > 13:
        return chosen(pick, TEXTS) + quoted(pick) + chosen(pick, TEXTS)
    return chosen(pick, NOISE[chosen(pick, FURTHER)]) + chosen(pick, TEXTS)


def quoted(pick: Pick) -> str:
    """Return a block of parameters, or its begin or end, as a parameter may quote it."""
    made = (pairs_block if pick(2) else function_block)(pick)
    at = pick(len(made) + 1)
    return [made, made, made[:at], made[at:]][pick(4)]


def between(pick: Pick) -> str:
    """Return what stands between two literal texts: mostly nothing or white space of JSON."""
    if pick(24):
        return chosen(pick, ["", "", "\n", "\n", " ", "\r\n", "\n\n", "\t"])
    return chosen(pick, ["x", "<", ",", "\u00a0", "\x0b", "<think>", "</tools>", "`", "</"])


def behind(pick: Pick) -> str:
    """Return what may stand in place of a closer."""
    return chosen(pick, ["", "", "[TOOL_CALLS]", "[TOOL_CALLS][]", "<function=f>", "</tools>", "x"])


def tag_closer(pick: Pick, tag: str) -> str:
    """Return the closer of a tag, mostly."""
    if pick(8):
        return f"</{tag}>"
    return chosen(
        pick, [f"</{tag.upper()}\n>", f"</{tag}", f"</{tag} ", "</tools>", "", f"<{tag}>"]
    )


def tools(pick: Pick) -> list[Any]:
    """Return declarations of tools, of which the first of a name counts (typed parameter)."""
    odd = [chosen(pick, ODD_TOOLS)] if pick(6) == 0 else []
    return odd + [declaration(pick) for _ in range(1 + pick(2))]


def declaration(pick: Pick) -> dict[str, Any]:
    """Return the declaration of a tool with typed parameters."""
    properties = {
        parameter: {"type": chosen(pick, TYPES)} if pick(16) else {}
        for parameter in ("a", "b", "c", "", " a", "type")
    }
    parameters = {"type": "object", "properties": properties}
    declared = "f" if pick(8) else chosen(pick, ["g", "", " f ", "functions.f", "f:1", "f" * 65])
    return {"type": "function", "function": {"name": declared, "parameters": parameters}}
