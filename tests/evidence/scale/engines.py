"""Many generated messages, counted by the command and by each engine: all must say the same.

``python -m tests.evidence.scale.engines [COUNT]``; the session `scale` installs what it needs.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.repository.test_use import blocks

ROOT = Path(__file__).parents[3]
RENDERED = ROOT / "tests/evidence/templates/rendered.json"
WORDS = ("the", "tide", "at", "<b>Brest</b>", "is", "high,", "and", "[the", "port]", "opens")


def main() -> None:
    """Generate, count and compare."""
    count = int(sys.argv[1]) if sys.argv[1:] else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        with log.open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in generated(count))
        print(f"{count} messages, {log.stat().st_size} bytes")
        command = timed("commoncall scan", scanned, log)
        print({name: command[name] for name in ("lines", "messages", "leaks", "poisoned")})
        for page in ("duckdb.md", "spark.md"):
            found = timed(page, run_page, page, log)
            assert without_places(found) == without_places(command), page
    print("each says the same")


def generated(messages: int) -> Iterator[object]:
    """Give lines with so many messages: of a hundred texts one is what a template writes, and some
    histories and lines are broken.
    """
    chance = random.Random(0)
    templates = json.loads(RENDERED.read_text("utf-8")).values()
    leaked = [text for template in templates for text in template["writes"].values()]
    while messages > 0:
        size = min(messages, chance.randint(1, 8))
        messages -= size
        said = []
        for at in range(size):
            words = " ".join(chance.choices(WORDS, k=chance.randint(5, 80)))
            role = ("user", "assistant")[at % 2]
            said.append({"role": role, "content": words})
            if role == "assistant" and chance.random() < 0.01:
                said[-1]["content"] = chance.choice(leaked)
        if size > 1 and chance.random() < 0.01:
            said[-1] = {"role": "tool", "content": "orphaned"}
        yield {"model": chance.choice("abc"), "messages": said} if size > 1 else said[0]


def timed(name: str, work: Callable[..., dict[str, Any]], *given: object) -> dict[str, Any]:
    """Return what some work returns, and print how long it took."""
    begun = time.perf_counter()
    found = work(*given)
    print(f"{name}: {time.perf_counter() - begun:.1f} s", flush=True)
    return found


def scanned(log: Path) -> dict[str, Any]:
    """Return what the command prints."""
    command = [sys.executable, "-m", "commoncall", "scan", "--json", str(log)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert not found.pop("errors")
    return found


def run_page(page: str, log: Path) -> dict[str, Any]:
    """Run the first block of a page on a log; it leaves ``counts``."""
    block = blocks(ROOT / "spec" / "use" / page)[0].replace("log.jsonl", str(log))
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(block, page, "exec"), names)
    found: dict[str, Any] = names["counts"]
    return found


def without_places(counts: dict[str, Any]) -> dict[str, Any]:
    """Return counts without what names a place, which an engine numbers otherwise."""
    bad = {kind: one["count"] for kind, one in counts["bad"].items()}
    return {**counts, "bad": bad, "examples": []}


if __name__ == "__main__":
    main()
