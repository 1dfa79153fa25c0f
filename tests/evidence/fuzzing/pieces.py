"""Texts of one format: its markers, names, JSON and words in any order, cut anywhere.

All choices come from a seeded ``random.Random``.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from commoncall.dialect_data import DESCRIPTORS, format_ids, read_format

NAMES = ["f", "g", "functions.f", "functions.f:0", "a b", "é", "f" * 64, "f" * 65]
WORDS = [
    *(
        "Hi. ",
        "I look. ",
        "x",
        " ",
        "\n",
        "\n\n",
        "    ",
        "> ",
        "- ",
        '"',
        "'",
        "`",
        "```",
        "```json\n",
    ),
    *(
        "<think>",
        "</think>",
        "<!--",
        "-->",
        "json",
        " to=functions.f",
        "to=",
        "<",
        "é",
        "𝄞",
        "\u00a0",
    ),
]
VALUES = [
    *(
        "{}",
        '{"a":1}',
        '{"a":"<x>"}',
        '{"a":',
        "[]",
        "1",
        "null",
        "{'a':1}",
        "f(a=1)",
        "[f(a='x')]",
    ),
    *(
        '{"name":"f","arguments":{"a":1}}',
        '[{"name":"f","arguments":{}}]',
        '{"name":"g"}',
        "}",
        "]",
    ),
]
LENGTHS = [0, 1, 2, 61, 62, 63, 64, 65, 110, 120, 126, 127, 128, 129, 130, 300]


def input_of(chance: random.Random, operation: str) -> dict[str, object]:
    """Return an input of ``extraction.extract`` or ``extraction.stream``."""
    format = chance.choice(format_ids())
    text = text_of(chance, _markers(format))
    given: dict[str, object] = {"format": format, "effective": chance.choice([["f", "g"], "any"])}
    if chance.random() < 0.2:
        given["reasoning"] = chance.choice(["open", "none"])
    if chance.random() < 0.1:
        given["native_calls"] = True
    if operation == "extraction.extract":
        return {**given, "text": text}
    return {**given, "chunks": cut(chance, text)}


def text_of(chance: random.Random, markers: Sequence[str]) -> str:
    """Return a text, mostly of markers."""
    made = ""
    for _ in range(chance.randint(1, 12)):
        [pieces] = chance.choices([markers, NAMES, VALUES, WORDS], [55, 10, 15, 17])
        made += chance.choice(pieces)
        if chance.random() < 0.03:
            made += chance.choice("x ,\n") * chance.choice(LENGTHS)
        if chance.random() < 0.05:
            made = made[: -chance.randint(1, 5)]
    return made


@cache
def _markers(format: str) -> Sequence[str]:
    frame = read_format(format)
    dialects = (one for one in DESCRIPTORS if one["id"] in frame["dialects"])
    return sorted({text for each in (frame, *dialects) for text in written(each)})


def written(descriptor: Mapping[str, Any]) -> Iterator[str]:
    """Give the texts that a descriptor says are written."""
    for member, value in descriptor.items():
        if member not in ABOUT:
            yield from _texts(member, value)


ABOUT = frozenset(
    (
        "format",
        "id",
        "title",
        "models",
        "aliases",
        "excludes",
        "names",
        "evidence",
        "dialects",
        "scanner",
    )
)


def _texts(member: str, value: object) -> Iterator[str]:
    if isinstance(value, str) and value:
        yield f"<{value}>" if member == "tag" else value
        if member == "tag":
            yield f"</{value}>"
    elif isinstance(value, list):
        for each in value:
            yield from _texts(member, each)
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _texts(key, each)
            if member == "kinds":
                yield key


def cut(chance: random.Random, text: str) -> list[str]:
    """Return a text in chunks."""
    size = chance.choice([1, 2, 3, 7, 20])
    chunks = []
    while text:
        length = chance.randint(1, size)
        chunks.append(text[:length])
        text = text[length:]
    return chunks or [""]
