"""Measures the reference: what an operation costs over a floor that any port knows.

`python -m tests.evidence.bench [MODULE ...]` prints a table and writes `build/bench.json`, with
`--record` also `record.json` here; the cases stand beside it, a module per contract.
Ratios, because they are nearly the same on every machine and Python; CPU time of the thread,
candidate and floor in turn, the minimum of seven, because other load then mostly cancels. A goal
that three attempts miss makes the exit status 1, unless the miss is known and the ratio that it is
held at is kept. No test measures time.

The C library gives freed memory back to the system where a process has never freed much at once,
and every run of a case then pays for fresh pages, more than for its own work. So much is freed
first.
"""

import argparse
import datetime
import gc
import importlib
import json
import platform
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypedDict

from tests.evidence.bench import Case

ROUNDS: Final = 7
ATTEMPTS: Final = 3
SAMPLE_SECONDS: Final = 0.005
MUCH_MEMORY: Final = 30 << 20
OUTPUT: Final = Path("build/bench.json")
RECORD: Final = Path("tests/evidence/bench/record.json")
MODULES: Final = ("payload", "capability", "event", "extraction", "scanning")


KEPT: Final = ("module", "case", "floor", "ratio", "goal", "met")
"""What the repository keeps of a row; times would say more about the machine."""


class Row(TypedDict):
    """One measured case; times are CPU milliseconds of one run, and kilobytes where memory is
    measured.
    """

    module: str
    case: str
    floor: str
    floor_ms: float
    ms: float
    ratio: float
    goal: float | None
    held: float | None
    met: bool


def main(argv: list[str] | None = None) -> int:
    """Measure the cases of the modules; status 1 when a goal is missed or an answer is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.evidence.bench", description="Measure ratios."
    )
    parser.add_argument("module", nargs="*", default=MODULES, help=f"of {', '.join(MODULES)}")
    parser.add_argument("--record", action="store_true", help=f"write {RECORD}, missed goals too")
    options = parser.parse_args(argv)
    if options.record and len(set(options.module)) < len(MODULES):
        parser.error("a part of the modules is no record")
    bytes(MUCH_MEMORY)
    rows = [
        best_of(module, case)
        for module in options.module
        for case in importlib.import_module(f"tests.evidence.bench.{module}").cases()
    ]
    OUTPUT.parent.mkdir(exist_ok=True)
    report = {"format": 1, "python": platform.python_version(), "rows": rows}
    OUTPUT.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    if options.record:  # missed goals too: runs until one is good would say what they like
        report["rows"] = [{name: row[name] for name in KEPT} for row in rows]
        record = {"date": datetime.date.today().isoformat(), **report}
        RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    unknown = 0
    for row in rows:
        if not row["met"]:
            held = row["held"] is not None and row["ratio"] <= row["held"]
            unknown += not held
            known = ", as is known" if held else ""
            print(f"bench: goal missed{known}: {row['case']}", file=sys.stderr)
    return 1 if unknown else 0


def best_of(module: str, case: Case) -> Row:
    """Measure a case until it meets its goal, at most three times, print and return the best."""
    rows: list[Row] = []
    while len(rows) < ATTEMPTS and not any(row["met"] for row in rows):
        rows.append(measure(module, case))
    best = min(rows, key=lambda row: row["ratio"])
    goal = "" if best["goal"] is None else f"goal {best['goal']:g} x"
    goal += f", held at {best['held']:g} x" if best["held"] else ""
    unit = "KB" if case.measures == "memory" else "ms"
    print("{case:58} {ms:10.3f} {0} {ratio:8.3f} x {1}".format(unit, goal, **best), flush=True)
    return best


def measure(module: str, case: Case) -> Row:
    """Return the row of a case: the minima of candidate and floor, run in turn."""
    floor_ms, ms = memory_of(case) if case.measures == "memory" else times_of(case)
    ratio = ms / floor_ms
    return {
        "module": module,
        "case": case.name,
        "floor": case.floor_does,
        "floor_ms": round(floor_ms, 5),
        "ms": round(ms, 5),
        "ratio": round(ratio, 3),
        "goal": case.goal,
        "held": case.held,
        "met": case.goal is None or ratio <= case.goal,
    }


def times_of(case: Case) -> tuple[float, float]:
    """Return the milliseconds that floor and candidate take."""
    case.floor()
    case.candidate()
    below, above = repeats(case.floor), repeats(case.candidate)
    samples = [(cpu_time(*below), cpu_time(*above)) for _ in range(ROUNDS)]
    floor_ms, ms = (min(column) * 1000 for column in zip(*samples, strict=True))
    return floor_ms, ms


def memory_of(case: Case) -> tuple[float, float]:
    """Return the kilobytes that the floor names, and the most that the candidate takes."""
    floor = case.floor()
    assert isinstance(floor, int)
    case.candidate()
    gc.collect()
    tracemalloc.start()
    case.candidate()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return floor / 1024, peak / 1024


def repeats(run: Callable[[], object]) -> tuple[Callable[[], object], int]:
    """Return a function and how often it has to run for a sample that a clock can tell."""
    times = 1
    while (spent := cpu_time(run, times) * times) < SAMPLE_SECONDS:
        times *= 2 if spent > SAMPLE_SECONDS / 8 else 8
    return run, times


def cpu_time(run: Callable[[], object], times: int) -> float:
    """Return the CPU seconds of this thread for one run, garbage collected beforehand."""
    gc.collect()
    start = time.thread_time()
    for _ in range(times):
        run()
    return (time.thread_time() - start) / times


if __name__ == "__main__":
    sys.exit(main())
