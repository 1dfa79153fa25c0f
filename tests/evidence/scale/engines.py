"""Many generated messages, counted by the command and by each engine: all must say the same.

``python -m tests.evidence.scale.engines [COUNT]``; the session `scale` installs what it needs.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pyarrow  # type: ignore[import-not-found, unused-ignore]
from pyarrow import parquet  # type: ignore[import-not-found, unused-ignore]

from tests.repository.test_use import blocks

T = TypeVar("T")
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
        answers = Path(folder) / "answers.jsonl"
        answers.write_text("".join(json.dumps(row) + "\n" for row in rows()), encoding="utf-8")
        chats = Path(folder) / "chats.parquet"
        parquet.write_table(pyarrow.Table.from_pylist(list(rows())), chats)
        of_columns = scanned(answers, "--text", "/answer")
        for page in ("duckdb.md", "spark.md"):
            found, columns = timed(page, run_page, page, log, chats)
            assert without_places(found) == without_places(command), page
            assert without_places(columns) == without_places(of_columns), page
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


def rows() -> Iterator[dict[str, str]]:
    """Give the rows of a table: what the templates write, with a model."""
    templates = json.loads(RENDERED.read_text("utf-8")).items()
    for model, template in templates:
        yield from ({"model": model, "answer": text} for text in template["writes"].values())


def timed(name: str, work: Callable[..., T], *given: object) -> T:
    """Return what some work returns, and print how long it took."""
    begun = time.perf_counter()
    found = work(*given)
    print(f"{name}: {time.perf_counter() - begun:.1f} s", flush=True)
    return found


def scanned(log: Path, *options: str) -> dict[str, Any]:
    """Return what the command prints."""
    command = [sys.executable, "-m", "commoncall", "scan", "--json", *options, str(log)]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert not found.pop("errors")
    return found


def run_page(page: str, log: Path, chats: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Run both blocks of a page, on a log and on a table; each leaves ``counts``."""
    of_lines, of_columns = blocks(ROOT / "spec" / "use" / page)
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile(of_lines.replace("log.jsonl", str(log)), page, "exec"), names)
    found = names["counts"]
    placed = of_columns.replace("chats.parquet", str(chats)).replace('"chats"', f'"{chats}"')
    exec(compile(placed, page, "exec"), names)
    return found, names["counts"]


def without_places(counts: dict[str, Any]) -> dict[str, Any]:
    """Return counts without what names a place, which an engine numbers otherwise."""
    bad = {kind: one["count"] for kind, one in counts["bad"].items()}
    return {**counts, "bad": bad, "examples": []}


if __name__ == "__main__":
    main()
