"""Extraction: over `json.loads` of the payloads."""

from __future__ import annotations

import json
from collections.abc import Sequence

from commoncall.extraction import extract
from tools.benches import Case

FLOOR = "json.loads of the payloads"


def cases() -> list[Case]:
    """Return what is measured."""
    typical = [payload({"city": "Oslo", "days": n, "note": "word " * 150}) for n in range(1000)]
    return [
        calls_case("one call in 2 KB", [payload({"city": "Oslo", "note": "word " * 400})]),
        calls_case("1,000 calls with text", typical),
        calls_case("10,000 tiny calls", [payload({}) for _ in range(10_000)]),
        calls_case("one string of 1 MB", [payload({"text": "word " * 200_000})]),
        calls_case("one escaped string", [payload({"text": '"\\\n\u00e9' * 100_000})]),
    ]


def payload(arguments: dict[str, object]) -> str:
    """Return one call of the tool `f` as a model writes it."""
    return json.dumps({"name": "f", "arguments": arguments})


def calls_case(name: str, payloads: Sequence[str]) -> Case:
    """Return the extraction of all payloads, each in its tags, from one text."""
    text = "".join(f"Let me look.\n<tool_call>\n{item}\n</tool_call>\n" for item in payloads)

    def floor() -> None:
        for item in payloads:
            json.loads(item)

    def candidate() -> None:
        assert len(extract(text, effective=["f"])["tool_calls"]) == len(payloads)

    return Case(f"extract: {name}", FLOOR, floor, candidate)
