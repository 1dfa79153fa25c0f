"""Measures the reference: what an operation costs over `json.loads` of the same payloads.

`python -m tools.bench` prints a table and writes `build/bench.json`. Ratios, because they are
nearly the same on every machine and Python; CPU time of the thread, candidate and floor in turn,
the minimum of seven, because other load then mostly cancels. There is no gate here yet.
"""

from __future__ import annotations

import gc
import json
import platform
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict

from commoncall.extraction import extract
from commoncall.payload import check_tool_call

ROUNDS = 7
SAMPLE_SECONDS = 0.005
OUTPUT = Path("build/bench.json")


class Row(TypedDict):
    """One measured case; times are CPU milliseconds for all payloads once."""

    case: str
    payloads: int
    payload_bytes: int
    floor_ms: float
    ms: float
    ratio: float


class Case(NamedTuple):
    """A name, the payloads that `json.loads` reads, and the candidate, which counts its calls."""

    name: str
    payloads: Sequence[str]
    candidate: Callable[[], int]


def main() -> int:
    """Measure every case; status 1 when a candidate does not find all of its calls."""
    rows: list[Row] = []
    for case in cases():
        if (found := case.candidate()) != len(case.payloads):
            print(f"bench: {case.name}: {found} of {len(case.payloads)} calls", file=sys.stderr)
            return 1
        rows.append(measure(case))
        print("{case:34} {payload_bytes:>9,} B {ms:9.3f} ms {ratio:6.2f} x".format(**rows[-1]))
    OUTPUT.parent.mkdir(exist_ok=True)
    report = {"format": 1, "python": platform.python_version(), "rows": rows}
    OUTPUT.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


def cases() -> list[Case]:
    """Return what is measured: texts with calls for `extract`, calls for `check_tool_call`."""
    typical = [payload({"city": "Oslo", "days": n, "note": "word " * 150}) for n in range(1000)]
    tiny = [payload({}) for _ in range(10_000)]
    long_string = [payload({"text": "word " * 200_000})]
    escaped = [payload({"text": '"\\\n\u00e9' * 100_000})]
    single = [payload({"city": "Oslo", "note": "word " * 400})]
    arguments = [json.dumps({"city": "Oslo", "days": n, "tags": ["a", "b"]}) for n in range(5000)]
    return [
        Case("extract: one call in 2 KB", single, extraction(single)),
        Case("extract: 1,000 calls with text", typical, extraction(typical)),
        Case("extract: 10,000 tiny calls", tiny, extraction(tiny)),
        Case("extract: one string of 1 MB", long_string, extraction(long_string)),
        Case("extract: one escaped string", escaped, extraction(escaped)),
        Case("check_tool_call: 5,000 calls", arguments, checks(arguments)),
    ]


def payload(arguments: dict[str, object]) -> str:
    """Return one call of the tool `f` as a model writes it."""
    return json.dumps({"name": "f", "arguments": arguments})


def extraction(payloads: Sequence[str]) -> Callable[[], int]:
    """Return the extraction of all payloads, each in its tags, from one text."""
    text = "".join(f"Let me look.\n<tool_call>\n{item}\n</tool_call>\n" for item in payloads)
    return lambda: len(extract(text, effective=["f"])["tool_calls"])


def checks(arguments: Sequence[str]) -> Callable[[], int]:
    """Return the check of one call for each arguments text."""
    calls = [{"id": "c", "function": {"name": "f", "arguments": item}} for item in arguments]
    return lambda: sum(check_tool_call(call)["valid"] for call in calls)


def measure(case: Case) -> Row:
    """Time candidate and floor in turn and return the row of their minima."""

    def floor() -> None:
        for item in case.payloads:
            json.loads(item)

    times = 1
    while (spent := cpu_time(floor, times)) < SAMPLE_SECONDS:
        times *= 2 if spent > SAMPLE_SECONDS / 8 else 8
    samples = [(cpu_time(floor, times), cpu_time(case.candidate, times)) for _ in range(ROUNDS)]
    below, above = (min(column) / times * 1000 for column in zip(*samples, strict=True))
    size = sum(len(item.encode()) for item in case.payloads)
    return {
        "case": case.name,
        "payloads": len(case.payloads),
        "payload_bytes": size,
        "floor_ms": round(below, 4),
        "ms": round(above, 4),
        "ratio": round(above / below, 3),
    }


def cpu_time(run: Callable[[], object], times: int) -> float:
    """Return the CPU seconds of this thread for so many runs, garbage collected beforehand."""
    gc.collect()
    start = time.thread_time()
    for _ in range(times):
        run()
    return time.thread_time() - start


if __name__ == "__main__":
    sys.exit(main())
