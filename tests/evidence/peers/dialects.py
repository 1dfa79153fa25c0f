"""The speed of each dialect that a parser of vLLM or SGLang reads, in one run beside the reference.

`python -m tests.evidence.peers.dialects` prints a line for each parser: its time and that of the
reference over the floor of the dialect, and the second over the first. The three are measured in
turn, some times, and the least counts.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tests.evidence.bench.dialects import BY_ID, PROSE, Call, block_of, floor_of, text_of, tools_of
from tests.evidence.bench.extraction import typical
from tests.evidence.peers.asking import Peer
from tests.systems.sections import MORE

SYSTEMS: Final = Path(__file__).parents[2] / "systems"
PROJECTS: Final = ("vllm", "sglang")
CALLS: Final[list[Call]] = [("f", typical(number)) for number in range(200)]
TURNS: Final = 5
SAMPLES: Final = 3


def parsers() -> list[tuple[str, str, str]]:
    """Return the project and the name of each parser, and the dialect that it reads."""
    found = []
    for project in PROJECTS:
        for path in sorted((SYSTEMS / project).glob("*.json")):
            asked = json.loads(path.read_text("utf-8"))["operations"]["extraction.extract"]
            dialect = asked["dialects"][0]
            if BY_ID[dialect]["opener"]:
                found.append((project, path.stem, dialect))
    return found


def text_for(dialect: str) -> str:
    """Return the text, with the tags that models write around each call."""
    if dialect not in MORE:
        return text_of(dialect, CALLS)
    begin, end = MORE[dialect]
    return "".join(f"{PROSE}{begin}{block_of(dialect, *call)}{end}\n" for call in CALLS)


def cpu_ms(run: Callable[[], object]) -> float:
    """Return the CPU milliseconds of one run."""
    start = time.thread_time()
    run()
    return (time.thread_time() - start) * 1000


def line(project: str, name: str, dialect: str, reference: Peer) -> str:
    """Return a line of the table."""
    text, tools = text_for(dialect), tools_of(CALLS[0][1])
    _, floor = floor_of(dialect, text, CALLS)
    peer = Peer(name, [sys.executable, "-m", "tests.evidence.peers.parser_peer", project, name])
    asked: dict[str, Any] = {"text": text, "samples": SAMPLES, "more": {"tools": tools}}
    ours = {**asked, "more": {"tools": tools, "dialects": [dialect]}}
    times: list[tuple[float, float, float]] = []
    head = f"{name:26}{dialect:26}"
    for _ in range(TURNS):
        theirs, got = peer.ask(asked), reference.ask(ours)
        if "raised" in theirs:
            return f"{head}{theirs['raised']}"
        least = min(cpu_ms(floor) for _ in range(SAMPLES))
        times.append((least, theirs["ms"], got["ms"]))
    peer.end()
    least, slow, fast = (min(column) for column in zip(*times, strict=True))
    count = f"{len(theirs['calls'])} of {len(got['calls'])} calls"
    return f"{head}{slow / least:9.1f}{fast / least:9.1f}{fast / slow:9.2f}  {count}"


def main() -> None:
    """Print the table."""
    command = [sys.executable, "-m", "tests.evidence.peers.reference_peer"]
    reference = Peer("reference", command)
    print("\nDialects: parser and reference over the floor, and reference over parser")
    for project, name, dialect in parsers():
        print(line(project, name, dialect, reference), flush=True)
    reference.end()


if __name__ == "__main__":
    main()
