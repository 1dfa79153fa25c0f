"""Texts made of what meets in extraction, and options for them, from any source of choices.

A source of choices is a function that, given ``n``, returns a number from 0 to below ``n``: that of
hypothesis shrinks, that of a seeded ``random.Random`` repeats, that of a fuzzer is guided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Pick = Callable[[int], int]
Given = dict[str, Any]
T = TypeVar("T")

TAGS = ["tool_call", "tools", "tool_calls", "function_call", "function"]
DIALECTS = [*TAGS, "harmony-pseudo"]

HEADERS = [
    "<|start|>assistant<|channel|>tool<|message|>",
    "<|start|>assistant to=x <|channel|> tool\t<|constrain|>json<|message|>",
    "<|start|>assistant<|channel|>final<|message|>",
    "<|start|>assistant<|channel|>commentary to=f<|message|>",
    "<|start|>assistant<|channel|>tool\n<|message|>",
    "<|start|>assistant" + "x" * 120 + " to: f<|message|>",
    "<|start|>assistant" + "x" * 126 + "to=<|message|>",
]

NOISE = [
    *("<", ">", "</", "<|", "|>", "<tool", "<tools", "</tool_call", "<think", "< tools>", "<x>"),
    *("<function=f>", "<parameter=a>", "<INVOKE", "<arg_key>", "<arg_value", "<toolſ>", "<f x>"),
    *("<|start|>assistant", "<|channel|>", "<|constrain|>", "<|message|>", "<|end|>", "<|call|>"),
    *("`", "``", "```", "````", "~~~", "~~~~", "```json", "~~~xml", "``` x", "\n    ```\n"),
    *("\n", "\n\n", "\r\n", "\r\n\r\n", "\n \n", "\n\n    ", "\n    ", "\n\n\t", "\n\n   "),
    *(" ", "  ", "\t", "\u00a0", "\u2028", "\u3000", "\x1f", "\x85", "\ufeff", "\x0b"),
    *("\n- ", "\n> ", "\n1. ", "12) ", "* ", "+ ", "\n> ```\n", "\n```\n", "\n~~~\n", "\n1. ~~~"),
    *("{", "}", "[", "]", '"', "'", ",", ":", ";", ".", "-", "\\", "\\n", "\\u0041", "(", "!"),
    *("x", "Use it.", "é", "工具", "𝄞", "1", "٣", "Ⅳ", "²", "_", "null", "true", "1e999", "json"),
]

CALM = [
    *("\n", "\n\n", "\r\n", " ", "  ", "\n\n    ", "\n- ", "\n> ", "Use it.", "x", "é", "\u00a0"),
    *("`<tools>`", "`x`", "```\n<tool_call>\n```\n", "\n~~~json\n{}\n~~~\n", "\n```json\n"),
    *("<think>x</think>", "<tools>, ", "</tool_call>", "2 < 3", "(", "!", "𝄞", "\n```\n"),
    "\n\n    <tools>\n",
    *("<tools>\n\n    <tool_call> - ", "<tools\n\n    >", "\nx </tool_call>"),
]
"""What may stand around calls without hiding them all."""

NAMES = ["f", "g", "", " ", "a b", " f ", "<|x|>f", "f<|end|> ", "é", "f" * 65, "<|a|> <|b|>"]

STRINGS = [
    *('""', '"x"', '"a b"', '" "', '"\\n"', '"\\u00e9"', '"\\ud834\\udd1e"', '"\\ud834"', '"𝄞"'),
    *('"\t"', '"\n"', '"\x01"', '"a\r\nb"', '"</tools>"', '"<tool_call>"', '"```"', '"`"', '"{"'),
    *('"{}"', '"{\\"a\\":1}"', '"[1]"', '"{,}"', '"null"', '"1"', '" {} "', '"\\\\"', '"\\""'),
    *('"<think>"', '"\n\n"', '"</tool_call>"', '"<|end|>"', '"\u2028"', '"\ufeff{}"'),
]

SCALARS = ["0", "-0", "1", "-1.5", "1e2", "1E-2", "12345678901234567890", "1e999", "1.0", "true"]
LITERALS = ["false", "null"]
KEYS = ['"a"', '"b"', '"name"', '"arguments"', '"parameters"', '"description"', '"type"', '""']
BROKEN = ["'x'", "None", "01", "1.", "-", "nul", '"\\x"', '"\\u12"', '"open', "//", "+1", ".5"]
JSON_SPACES = [" ", "\n", "\r\n", "\t", "\n\n", " \n "]
SPACES = [*JSON_SPACES, "\u00a0", "\u2028", "\x0b"]


def chosen(pick: Pick, items: Sequence[T]) -> T:
    """Return one of the items."""
    return items[pick(len(items))]


def given(pick: Pick, pieces: int = 12) -> Given:
    """Return an input of ``extraction.extract``."""
    made: Given = {"text": text(pick, pieces), "effective": ["f", "g"]}
    if pick(24) == 0:
        made["effective"] = []
    if pick(24) == 0:
        made["native_calls"] = True
    if pick(4) == 0:
        made["fences"] = "extract"
    if pick(10) == 0:
        made["starts_in_reasoning"] = True
    if pick(8) == 0:
        made["dialects"] = [name for name in DIALECTS if pick(2)]
    return made


def text(pick: Pick, pieces: int = 12) -> str:
    """Return a text of up to so many pieces, with up to 2 characters of it changed."""
    # Most texts stay within one or two dialects, so that their markers meet.
    tags = [chosen(pick, TAGS) for _ in range(1 + pick(2))]
    if pick(2):
        made = "".join(calm_piece(pick, tags) for _ in range(1 + pick(pieces)))
    else:
        made = "".join(piece(pick, tags) for _ in range(1 + pick(pieces)))
    for _ in range(max(0, pick(5) - 2)):
        made = changed(pick, made)
    return made


def changed(pick: Pick, made: str) -> str:
    """Return the text with a stretch of it deleted or doubled, or with noise put in."""
    start = pick(len(made) + 1)
    end = min(len(made), start + 1 + pick(6))
    middle = chosen(pick, ["", made[start:end] * 2, chosen(pick, NOISE), '"', "\\", "\n"])
    return made[:start] + middle + made[end:]


def calm_piece(pick: Pick, tags: list[str]) -> str:
    """Return a block or what leaves the next block alone."""
    return block(pick, tags) if pick(3) == 0 else chosen(pick, CALM)


def piece(pick: Pick, tags: list[str]) -> str:
    """Return a piece of a text."""
    kind = pick(12)
    if kind < 3:
        return chosen(pick, NOISE)
    if kind < 6:
        return block(pick, tags)
    if kind == 6:
        return opener(pick, tags)
    if kind == 7:
        return closer(pick, tags)
    if kind == 8:
        return chosen(pick, ["<think>", "</think>", "<THINK >", "</Think\n>", "<think>a</think>"])
    if kind == 9:
        return payload(pick)
    if kind == 10:
        return chosen(pick, HEADERS) if pick(3) else chosen(pick, HEADERS) + payload(pick)
    return space(pick)


def opener(pick: Pick, tags: list[str]) -> str:
    """Return an opener, or what looks like one."""
    return HEADERS[pick(2)] if pick(12) == 0 else f"<{tag(pick, chosen(pick, tags))}"


def closer(pick: Pick, tags: list[str]) -> str:
    """Return a closer, or what looks like one."""
    return "<|end|>" if pick(12) == 0 else f"</{tag(pick, chosen(pick, tags))}"


def tag(pick: Pick, name: str) -> str:
    """Return the name of a tag and its end, mostly as they should be."""
    if pick(4):
        return name + ">"
    written = chosen(pick, [name.upper(), name.title(), name, name, chosen(pick, TAGS)])
    return written + chosen(pick, [">", ">", ">", " >", "\t >", "\u00a0>", "\n>", " x>", "", "/>"])


def block(pick: Pick, tags: list[str]) -> str:
    """Return an opener, something inside, and mostly its closer."""
    name = chosen(pick, tags)
    begin, end = f"<{tag(pick, name)}", f"</{tag(pick, name)}"
    if pick(12) == 0:
        begin, end = HEADERS[pick(2)], "<|end|>"
    if pick(8) == 0:
        end = ""
    inner = space(pick)
    kind = pick(8)
    if kind == 0:
        inner += chosen(pick, NOISE) + chosen(pick, NOISE)
    elif kind == 1:
        inner += "".join(block(pick, tags) + space(pick) for _ in range(1 + pick(2)))
    else:
        inner += payload(pick) + space(pick)
        inner += chosen(pick, NOISE) if pick(8) == 0 else ""
    return begin + inner + end


def space(pick: Pick) -> str:
    """Return nothing or blanks, mostly of JSON."""
    return "" if pick(3) else chosen(pick, SPACES if pick(8) == 0 else JSON_SPACES)


def payload(pick: Pick) -> str:
    """Return a payload, whole, repairable or broken, with or without a fence."""
    kind = pick(10)
    if kind < 5:
        made = call(pick)
    elif kind < 8:
        made = array(pick, call)
    elif kind == 8:
        made = value(pick, 2)
    else:
        made = call(pick) + space(pick) + array(pick, call)
    if pick(8) == 0:
        run = chosen(pick, ["```", "~~~", "````", "``"])
        begin = run + chosen(pick, ["", "json", "json ", "js", " json"]) + space(pick)
        made = begin + made + space(pick) + chosen(pick, [run, run + run[0], "```", ""])
    return made[: pick(len(made) + 1)] if pick(16) == 0 else made


def call(pick: Pick, _: int = 0) -> str:
    """Return an object that is mostly a call."""
    if pick(3) == 0:
        return '{"name": "f", "arguments": ' + obj(pick, 1) + "}"
    if pick(12) == 0:
        return value(pick, 1)
    key = chosen(pick, ["name", "name", "name", "name", "tool", "function"])
    name = f'"{chosen(pick, NAMES)}"' if pick(3) == 0 else '"f"'
    if pick(20) == 0:
        name = value(pick, 2)
    members = [f'"{key}":{space(pick)}{name}']
    for _ in range(1 if pick(6) else pick(3)):
        holder = chosen(pick, ["arguments", "arguments", "arguments", "parameters"])
        members.append(f'"{holder}": {arguments(pick)}')
    if pick(12) == 0:
        members.append(f"{chosen(pick, KEYS)}:{value(pick, 1)}")
    if pick(8) == 0:
        members.reverse()
    made = "{" + chosen(pick, [",", ", ", ",\n"]).join(members) + comma(pick) + "}"
    if pick(24) == 0:
        return f'{{"function": {made}}}'
    return made[:-1] if pick(10) == 0 else made


def arguments(pick: Pick) -> str:
    """Return arguments."""
    kind = pick(8)
    if kind < 2:
        return "{}"
    if kind < 6:
        return obj(pick, 1)
    return chosen(pick, STRINGS) if kind == 6 else value(pick, 1)


def array(pick: Pick, element: Callable[[Pick, int], str], depth: int = 1) -> str:
    """Return an array."""
    elements = [element(pick, depth) for _ in range(pick(4))]
    joined = chosen(pick, [",", ", ", ",\n\n"]).join(elements)
    return "[" + joined + (comma(pick) if elements or pick(8) == 0 else "") + "]"


def obj(pick: Pick, depth: int) -> str:
    """Return an object."""
    members = [f"{chosen(pick, KEYS)}: {value(pick, depth + 1)}" for _ in range(pick(3))]
    return "{" + ", ".join(members) + (comma(pick) if members else "") + "}"


def comma(pick: Pick) -> str:
    """Return what may stand before a closing bracket."""
    return space(pick) if pick(10) else chosen(pick, [",", ", ", ",\n", ",", ",,"])


def value(pick: Pick, depth: int) -> str:
    """Return a value of any kind, at times a broken one."""
    kind = pick(12)
    if kind < 4:
        return chosen(pick, STRINGS)
    if kind < 7 or depth > 3:
        return chosen(pick, SCALARS + LITERALS)
    if kind == 7 and pick(6) == 0:
        return chosen(pick, BROKEN)
    return obj(pick, depth) if kind < 10 else array(pick, value, depth + 1)
