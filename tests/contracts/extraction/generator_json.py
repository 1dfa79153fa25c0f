"""JSON payloads for the generated texts: whole, repairable, and broken.

A source of choices is a function that, given ``n``, returns a number from 0 to below ``n``: that of
hypothesis shrinks, that of a seeded ``random.Random`` repeats, that of a fuzzer is guided.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

Pick = Callable[[int], int]
T = TypeVar("T")

NAMES = ["f", "g", "", " ", "a b", " f ", "<|x|>f", "f<|end|> ", "é", "f" * 65, "<|a|> <|b|>"]

STRINGS = [
    *('""', '"x"', '"a b"', '" "', '"\\n"', '"\\u00e9"', '"\\ud834\\udd1e"', '"\\ud834"', '"𝄞"'),
    *('"\t"', '"\n"', '"\x01"', '"a\r\nb"', '"</tools>"', '"<tool_call>"', '"```"', '"`"', '"{"'),
    *('"{}"', '"{\\"a\\":1}"', '"[1]"', '"{,}"', '"null"', '"1"', '" {} "', '"\\\\"', '"\\""'),
    *('"<think>"', '"\n\n"', '"</tool_call>"', '"<|end|>"', '"\u2028"', '"\ufeff{}"'),
    *('"\ud83d"', '"\ud83d\\ude00"', '"\\ud83d\ude00"', '"😀"', '"{\\"x\\":1e999,\\"x\\":1}"'),
    *('"<|start|>assistant to=f<|message|>"', '"<|start|>assistant<|channel|>tool<|message|>"'),
]

OVERRIDDEN = [
    *(
        '{"x":1e999,"x":1}',
        '{"x":1,"x":1e999}',
        '{"x":"\\ud83d","x":1}',
        '{"a":[1e999],"\\u0061":1}',
    ),
    '{"x":{"x":1e999,"x":1}}',
]
"""Objects in which a member that does not count can make the text no JSON text."""

NO_ELEMENTS = ["[]", "[ ]", "[\n]", "[\r\n\t]"]

SCALARS = ["0", "-0", "1", "-1.5", "1e2", "1E-2", "12345678901234567890", "1e999", "1.0", "true"]
LITERALS = ["false", "null"]
KEYS = ['"a"', '"b"', '"name"', '"arguments"', '"parameters"', '"description"', '"type"', '""']
BROKEN = ["'x'", "None", "01", "1.", "-", "nul", '"\\x"', '"\\u12"', '"open', "//", "+1", ".5"]
JSON_SPACES = [" ", "\n", "\r\n", "\t", "\n\n", " \n "]
SPACES = [*JSON_SPACES, "\u00a0", "\u2028", "\x0b"]


def chosen(pick: Pick, items: Sequence[T]) -> T:
    """Return one of the items."""
    return items[pick(len(items))]


def space(pick: Pick) -> str:
    """Return nothing or blanks, mostly of JSON."""
    return "" if pick(3) else chosen(pick, SPACES if pick(8) == 0 else JSON_SPACES)


def payload(pick: Pick) -> str:
    """Return a payload, whole, repairable or broken, with or without a fence."""
    kind = pick(10)
    if pick(24) == 0:
        made = empty_arrays(pick)
    elif kind < 5:
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
        made += space(pick) + call(pick) if pick(6) == 0 else ""
    return made[: pick(len(made) + 1)] if pick(16) == 0 else made


def empty_arrays(pick: Pick) -> str:
    """Return arrays without elements, at times beside a call or an element."""
    made = "".join(chosen(pick, NO_ELEMENTS) + space(pick) for _ in range(1 + pick(3)))
    return made + (chosen(pick, [call(pick), "[1]", "{}", "[[]]", "[,]"]) if pick(3) == 0 else "")


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
        return chosen(pick, OVERRIDDEN) if pick(8) == 0 else "{}"
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
