"""Prints what other extractors make of the same texts, beside the reference.

`python -m tests.evidence.peers.compare` runs json-repair behind a search for the tags,
hermesProtocol of @ai-sdk-tool/parser, and the reference, each in a process of its own. It prints
tables: wrong results on the cases in the tag `<tool_call>`, the one that all read, and growth on
the adversarial inputs. It judges nothing: exit status 0 unless no peer could be run.
"""

import json
import math
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from commoncall_kit.verdict.compare import differences
from tests.contracts.extraction.adversarial import INPUTS
from tests.evidence.peers.asking import Peer

HERE = Path(__file__).parent
FIXTURES = HERE.parents[2] / "fixtures" / "v1" / "extraction"
OTHER_TAGS = ("<tools", "<tool_calls", "<function_call", "<function>", "<|start|>")
SAMPLES = 5
SIZES = (8_000, 16_000, 32_000, 64_000)
"""Lengths for growth; the exponent is that of the last two that the peer finished."""
FLOOR_MS = 1.0
"""Below this, times say nothing about growth."""


def peers() -> Iterator[Peer]:
    """Return the peers that can run, the reference first; print what cannot and why."""
    yield Peer("reference", [sys.executable, "-m", "tests.evidence.peers.reference_peer"])
    if find_spec("json_repair"):
        name = f"json-repair {version('json-repair')}"
        yield Peer(name, [sys.executable, "-m", "tests.evidence.peers.json_repair_peer"])
    else:
        print("NOT RUN: json-repair, because it is not installed")
    node = shutil.which("node")
    package = HERE / "node_modules" / "@ai-sdk-tool" / "parser" / "package.json"
    if node is None:
        print("NOT RUN: @ai-sdk-tool/parser, because there is no command `node`")
    elif not package.exists():
        print("NOT RUN: @ai-sdk-tool/parser, because `npm ci` did not install it")
    else:
        name = f"@ai-sdk-tool/parser {json.loads(package.read_text('utf-8'))['version']}"
        yield Peer(name, [node, str(HERE / "ai_sdk_peer.mjs")])


def shared_cases() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Return request and result of the cases in the tag `<tool_call>` alone, without options."""
    for path in sorted(FIXTURES.glob("*.json")):
        suite = json.loads(path.read_text("utf-8"))
        for case in suite["cases"]:
            given, result = case.get("input"), case["expect"].get("result")
            if suite["operation"] != "extraction.extract" or not given or not result:
                continue
            text = given["text"].lower()
            plain = given.keys() == {"text", "effective"} and given["effective"]
            if plain and "<tool_call" in text and not any(tag in text for tag in OTHER_TAGS):
                names = {*given["effective"], *(call["name"] for call in result["tool_calls"])}
                yield {"text": given["text"], "names": sorted(names)}, result


def verdict(wanted: list[dict[str, Any]], answer: dict[str, Any]) -> str:
    """Say how the calls of a peer differ from those of a case."""
    if "raised" in answer:
        return "raised"
    got = [{name: call[name] for name in ("name", "arguments")} for call in answer["calls"]]
    missed = [call for call in wanted if not any(equal(call, other) for other in got)]
    invented = [other for other in got if not any(equal(call, other) for call in wanted)]
    if invented:
        return "other call" if missed else "false call"
    return "missed call" if missed or len(got) < len(wanted) else "same"


def equal(wanted: dict[str, Any], got: dict[str, Any]) -> bool:
    """Tell whether two calls have one name and equal arguments."""
    pairs = [(wanted[name], got[name]) for name in ("name", "arguments")]
    return not any(differences(want, have) for want, have in pairs)


def print_results(running: Sequence[Peer]) -> None:
    """Print how often each peer gives other calls than the cases expect."""
    cases = list(shared_cases())
    columns = ("same", "missed call", "false call", "other call", "raised")
    print(f"\nCalls of {len(cases)} cases in the tag <tool_call>")
    print(row("", columns))
    for peer in running:
        counts = Counter(verdict(result["tool_calls"], peer.ask(given)) for given, result in cases)
        print(row(peer.name, [str(counts[column]) for column in columns]))


def print_growth(running: Sequence[Peer]) -> None:
    """Print the growth exponents on the adversarial inputs: 1 is linear, 2 quadratic."""
    print(f"\nGrowth on adversarial inputs of up to {SIZES[-1]:,} characters: exponent (last ms)")
    print(row("", [peer.name for peer in running]))
    for name in INPUTS:
        print(row(name, [growth(peer, name) for peer in running]), flush=True)


def growth(peer: Peer, name: str) -> str:
    """Return the exponent between the last two lengths that a peer finished, or what stopped it."""
    times: list[tuple[int, float]] = []
    stopped = ""
    for size in SIZES:
        answer = peer.ask({"text": INPUTS[name](size), "samples": SAMPLES, "names": ["f"]})
        if "raised" in answer:
            stopped = f" {answer['raised']} at {size:,}"
            break
        times.append((size, max(answer["ms"], 0.001)))
    if len(times) < 2:
        return stopped.strip()
    (small, before), (large, after) = times[-2:]
    if after < FLOOR_MS:
        return f"- ({after:.2f}){stopped}"
    return f"{math.log(after / before) / math.log(large / small):.1f} ({after:.0f}){stopped}"


def row(head: str, cells: Sequence[str]) -> str:
    """Return a line of a table."""
    return f"{head:34}" + "".join(f"{cell:>30}" for cell in cells)


def main() -> int:
    """Print the tables."""
    running = list(peers())
    try:
        print_results(running)
        print_growth(running)
    finally:
        for peer in running:
            peer.end()
    return 0 if len(running) > 1 else 1


if __name__ == "__main__":
    sys.exit(main())
