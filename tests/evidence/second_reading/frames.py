"""Formats: the dialects that are active, what stands around reasoning, and tokens (format)."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.evidence.second_reading.descriptors import DEFAULT, FOLDER

FORMATS: dict[str, dict[str, Any]] = {
    path.name.removesuffix(".json"): json.loads(path.read_text("utf-8"))
    for path in sorted(Path(FOLDER.parent, "formats").glob("*.json"))
}


@dataclass(frozen=True)
class Frame:
    """What is read of a format, or of none."""

    dialects: list[str] = field(default_factory=lambda: DEFAULT)
    reasoning: list[dict[str, Any]] = field(
        default_factory=lambda: [{"open": {"tag": "think"}, "close": {"tag": "think"}}]
    )
    tokens: list[str] = field(default_factory=list)


def frame_of(name: str | None) -> Frame:
    """Return what a format says, or what holds without one (EXT-175)."""
    if name is None:
        return Frame()
    members = ("dialects", "reasoning", "tokens")
    return Frame(**{each: FORMATS[name][each] for each in members if each in FORMATS[name]})
