"""A scan of stored chats: over `json.loads` of its lines."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from commoncall.scanning import How, scan_lines, texts
from tests.evidence.bench import Case

RENDERED = Path(__file__).parents[1] / "templates/rendered.json"
PLAIN = ("the", "tide", "at", "Brest", "is", "high,", "and", "a", "port", "opens.")
MARKED = ("the", "tide", "at", "<b>Brest</b>", "is", "high,", "and", "[the", "port]", "opens.")


def cases() -> Iterator[Case]:
    """Give what is measured: lines in which nothing leaked, and lines in which nearly all did."""
    yield case("5,000 messages of 200 characters", said(5000, PLAIN, 40), 2.5)
    yield case("5,000 with `<` and `[`", said(5000, MARKED, 40), 3.0)
    yield case("500 messages of 2,000 characters", said(500, PLAIN, 400), 3.0)
    templates = json.loads(RENDERED.read_text("utf-8")).values()
    written = [text for template in templates for text in template["writes"].values()]
    yield case(
        "what templates write, none read before", written, before=texts._read_once.cache_clear
    )
    yield case("the same, read before", written, 6.0)


def said(count: int, words: Sequence[str], length: int) -> list[str]:
    """Return so many texts of so many words."""
    chance = random.Random(0)
    return [" ".join(chance.choices(words, k=length)) for _ in range(count)]


def case(
    name: str,
    contents: Sequence[str],
    goal: float | None = None,
    *,
    before: Callable[[], object] = bool,
) -> Case:
    """Return the scan of a message for each content; ``before`` each time something is done."""
    lines = [json.dumps({"role": "assistant", "content": each}).encode() for each in contents]

    def floor() -> None:
        for line in lines:
            json.loads(line)

    block = b"\n".join(lines)

    def candidate() -> None:
        before()
        counts = scan_lines(block, How())
        assert counts["messages"] == len(lines)

    return Case(f"scan: {name}", "json.loads of the lines", floor, candidate, goal)
