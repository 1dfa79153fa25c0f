"""Generated calls, written by the chat templates of models and read back.

What a template itself loses, or writes in no language that could be read, is excused with the
reason. Where such a template loses nothing, its line is stale, and the session red.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any, Final

from tests.evidence.templates.reading import calls_in
from tests.evidence.templates.render import (
    ARCHIVES,
    CONVERSATIONS,
    RENDERED,
    environment,
    read_files,
    template_of,
    ways,
    written,
)

TURNS: Final = 25
TOOLS: Final = CONVERSATIONS["tools"]
PIECES: Final = (
    *("a", "b c", "0", "-1.5", "true", "null", "None", "{", "}", "[1]", '"', "'", "\\", "\\n", "\n"),
    *("\t", " ", "  ", ",", ":", "&lt;", "<b>", "</b>", "<", ">", "]]", "日本", "🌊", "é", "\u2028"),
    *("<tool_call>", "</tool_call>", "</parameter>", "</function>", "<think>", "</think>", "```"),
)

EXCUSED: Final[dict[str, tuple[str, ...]]] = {}
"""Why some calls are not read back, and the templates."""


def main() -> int:
    """Write and read; the exit status is 0 when only what is excused differs."""
    rows = json.loads(RENDERED.read_text("utf-8"))
    texts = {archive: read_files(archive, rows) for archive in ARCHIVES}
    excused = {name for names in EXCUSED.values() for name in names}
    differ: dict[str, str] = {}
    turns = 0
    for name, row in rows.items():
        template = environment().from_string(template_of(row, texts[row["archive"]]))
        chance = random.Random(name)
        for _ in range(TURNS):
            turn = generated(chance)
            text = rendered(template, turn)
            if text is None:
                continue
            turns += 1
            meant = [(call["name"], call["arguments"]) for call in turn["tool_calls"]]
            found = calls_in(text, row["format"], TOOLS)["calls"]
            if not same(found, meant):
                differ.setdefault(name, f"{text!r} is read as {found!r}")
    for name in differ.keys() - excused:
        print(f"templates: {name}: {differ[name]}", file=sys.stderr)
    for name in sorted(excused - differ.keys()):
        print(f"templates: {name} is excused, and loses nothing", file=sys.stderr)
    print(f"{turns} generated turns of {len(rows)} templates; {len(differ)} templates lose calls")
    return bool(differ.keys() ^ excused)


def same(found: object, meant: object) -> bool:
    """Tell whether two lists of calls are equal, where 1, 1.0 and true are three."""
    return json.dumps(found) == json.dumps(meant)


def rendered(template: Any, turn: dict[str, Any]) -> str | None:
    """Return what a template writes for a turn, None where it takes none like that."""
    for values in ways(turn):
        try:
            asked = {**values, "messages": values["messages"][:-1]}
            prompt = template.render(asked, add_generation_prompt=True)
            return written(prompt, template.render(values, add_generation_prompt=False))
        except Exception:  # a template may fail in any way that a program may
            continue
    return None


def generated(chance: random.Random) -> dict[str, Any]:
    """Return a turn with one call of a tool that takes texts, or of one that takes all types."""
    if chance.random() < 0.6:
        arguments: dict[str, Any] = {"path": string(chance), "text": string(chance)}
        return {"content": "", "tool_calls": [{"name": "write_note", "arguments": arguments}]}
    arguments = {
        "stops": [string(chance) for _ in range(chance.randint(0, 3))],
        "options": {"a": chance.randint(-9, 10**9), "b": {"c": string(chance), "d": None}},
        "count": chance.randint(-5, 10**6),
        "ratio": chance.choice([0.5, -1.25, 1e-7, 1.0]),
        "fast": chance.random() < 0.5,
        "note": chance.choice([None, string(chance)]),
    }
    return {"content": "", "tool_calls": [{"name": "plan_route", "arguments": arguments}]}


def string(chance: random.Random) -> str:
    return "".join(chance.choice(PIECES) for _ in range(chance.randint(0, 8)))


if __name__ == "__main__":
    sys.exit(main())
