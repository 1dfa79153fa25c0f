"""Adversarial texts of a dialect, from its descriptor: each repeats one unit, between two texts."""

from collections.abc import Callable
from typing import Final

from tests.contracts.extraction.adversarial import repeated
from tests.contracts.extraction.blocks import BY_ID, block_of, payload_of

Attack = Callable[[int], str]

ATTACKED: Final = (
    *("tool_call", "named-calls", "tool-calls-array", "harmony", "function-parameters"),
    *("argument-pairs", "python-calls-token", "python-calls-lines", "gemma-call"),
)
"""A dialect of each scanner, with and without closers, sections and headers."""

_VALUE: Final = "1234567"


def attacks(dialect: str) -> dict[str, Attack]:
    """Return the texts of a dialect by what repeats in them."""
    block = block_of(dialect, "f", {"a": "x"})
    opener = block.partition(payload_of(dialect, "f", {"a": "x"}))[0]
    closer = block.rpartition(payload_of(dialect, "f", {"a": "x"}))[2] or "]"
    before, _, behind = block_of(dialect, "f", {"a": _VALUE}).partition(_VALUE)
    section = BY_ID[dialect].get("section", {"opener": {"text": opener}})["opener"]["text"]
    units = {
        "openers": opener,
        "begins of openers": opener[:-1],
        "openers in lines": opener + "\n",
        "closers": closer,
        "begins of closers": closer[:-1] or closer,
        "blocks": block,
        "blocks in lines": block + "\n",
        "blocks in code": f"`{block}` ",
        "blocks without a closer": block.removesuffix(closer),
        "blocks cut short": block[: len(block) // 2],
        "empty blocks": opener + closer,
        "broken blocks": f"{opener}?{closer}",
        "broken blocks and blank lines": f"{opener}?\n\n",
        "blocks with text behind the payload": block.removesuffix(closer) + "y" + closer,
        "blocks in sections": section + block,
    }
    inside = {
        "openers": opener,
        "begins of openers": opener[:-1],
        "closers": closer,
        "begins of closers": closer[:-1] or closer,
        "blocks": block,
        "line feeds": "\n",
        "blank lines with text": "x\n\n",
        "signs": "> ",
        "brackets": "[{",
        "quotes": "\"'",
        "backslashes": "\\",
        "digits": "7",
    }
    found = {f"{name}": repeated(unit) for name, unit in units.items()}
    for name, unit in inside.items():
        found[f"{name} in a value"] = repeated(unit, before, behind)
    found["white space behind an opener"] = repeated(" ", opener)
    return found
