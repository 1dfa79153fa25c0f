"""Generated calls, written by the chat templates of models and read back.

What a template itself loses, or writes in no language that could be read, is excused with the
reason. Where such a template loses nothing, its line is stale, and the session red.
"""

import json
import random
import sys
from typing import Any, Final

from tests.evidence.templates import harmony
from tests.evidence.templates.reading import calls_of, read_back
from tests.evidence.templates.render import CONVERSATIONS, RENDERED, writers

from commoncall.extraction import Extraction, opens_reasoning

TURNS: Final = 15
TEXTS: Final = 2_000
TOOLS: Final = CONVERSATIONS["tools"]
PIECES: Final = (
    *("a", "b c", "0", "-1.5", "true", "null", "None", "{", "}", "[1]", '"', "'", "\\"),
    *("\\n", "\n", "\t", " ", "  ", ",", ":", "&lt;", "<b>", "</b>", "<", ">", "]]"),
    *("日本", "🌊", "é", "\u2028"),
    *("<tool_call>", "</tool_call>", "</parameter>", "</function>", "<think>", "</think>", "```"),
)

CLOSERS: Final = ("</parameter>", "</function>")
"""A block with one of these in a value is taken for a broken one, and answered (EXT-194)."""

EXCUSED: Final[dict[str, tuple[str, ...]]] = {
    "the template writes no calls of the history": (
        *("granite-3", "granite-3.3-hub", "lfm-2"),
        *("lfm-2.5-instruct", "smollm-3", "step-5"),
    ),
    "the template writes calls only where documents are given, too": ("command-a-03",),
    "the template indents calls by four spaces and more, which Markdown takes for code": (
        *("deepseek-v3", "deepseek-v3.1-vllm"),
    ),
    "strings of Python in which nothing is escaped": ("lfm-2.5",),
    "the template writes no JSON": ("phi-4-mini",),
    "the template writes strings without quotes": ("llama-3.2-pythonic", "toolace"),
    "the template writes no comma between two arguments": ("gemma-3",),
    "the template writes every value as a string": ("llama-4-pythonic",),
}
"""Why some calls are not read back, and the templates."""


def main() -> int:
    """Write and read; the exit status is 0 when only what is excused differs."""
    rows = json.loads(RENDERED.read_text("utf-8"))
    excused = {name for names in EXCUSED.values() for name in names}
    differ: dict[str, str] = {}
    turns = 0
    for name, write in writers(rows).items():
        chance = random.Random(name)
        for _ in range(TURNS):
            turn = generated(chance)
            _, before, text = write(turn)
            if not text:
                continue
            turns += 1
            meant = [(call["name"], call["arguments"]) for call in turn["tool_calls"]]
            id = rows[name]["format"]
            found = read_back(text, id, TOOLS, inside=opens_reasoning(before, id))
            if not same(calls_of(found), meant) and not is_answered(found, meant):
                differ.setdefault(name, f"{text!r} is read as {calls_of(found)!r}")
    for name in differ.keys() - excused:
        print(f"templates: {name}: {differ[name]}", file=sys.stderr)
    for name in sorted(excused - differ.keys()):
        print(f"templates: {name} is excused, and loses nothing", file=sys.stderr)
    print(f"{turns} generated turns of {len(rows)} templates; {len(differ)} templates lose calls")
    return bool(harmony.differences(TEXTS) or differ.keys() ^ excused)


def is_answered(found: Extraction, meant: object) -> bool:
    """Tell whether a block is refused, and a value that was written holds one of the closers."""
    refused = any(each["kind"] == "rejected" for each in found["segments"])
    return refused and any(each in json.dumps(meant) for each in CLOSERS)


def same(found: object, meant: object) -> bool:
    """Tell whether two lists of calls are equal, where 1, 1.0 and true are three."""
    return json.dumps(found, sort_keys=True) == json.dumps(meant, sort_keys=True)


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
        "note": f"n {string(chance)}.",
    }
    return {"content": "", "tool_calls": [{"name": "plan_route", "arguments": arguments}]}


def string(chance: random.Random) -> str:
    return "".join(chance.choice(PIECES) for _ in range(chance.randint(0, 8)))


if __name__ == "__main__":
    sys.exit(main())
