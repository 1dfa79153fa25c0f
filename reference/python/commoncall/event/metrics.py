"""The metrics of a request, from the results of its calls: EVT-043."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, TypedDict

from commoncall.json_text import nearest

BOUNDS: Final = tuple(10 * 2**n for n in range(14))
"""The upper bounds of the buckets in milliseconds, each inclusive; one without a bound follows."""


class ToolCalls(TypedDict):
    """The counter ``tool_calls_total`` for one pair of labels."""

    tool: str
    status: str
    value: int


class Latency(TypedDict):
    """The histogram ``tool_call_latency_ms`` for one label; ``buckets`` are cumulative counts."""

    tool: str
    count: int
    sum: float
    buckets: list[int]


class Metrics(TypedDict):
    """What one request adds to the metrics of a runtime."""

    tool_calls_total: list[ToolCalls]
    tool_call_latency_ms: list[Latency]


def measure(events: Iterable[Mapping[str, object]]) -> Metrics:
    """Count the results among events of `Recorder`, and observe the latencies that they have."""
    totals: Counter[tuple[str, str]] = Counter()
    latencies: dict[str, list[float]] = {}
    for event in events:
        match event:
            case {"type": "ToolCallResult", "tool": str(tool), "status": str(status), **rest}:
                totals[tool, status] += 1
                match rest.get("latency_ms"):
                    case int() | float() as latency:
                        latencies.setdefault(tool, []).append(nearest(latency))
    return {
        "tool_calls_total": [
            {"tool": tool, "status": status, "value": totals[tool, status]}
            for tool, status in sorted(totals)
        ],
        "tool_call_latency_ms": [_observe(tool, latencies[tool]) for tool in sorted(latencies)],
    }


def _observe(tool: str, latencies: list[float]) -> Latency:
    # Not sum(), which since Python 3.12 makes up for rounding; other languages do not.
    total = 0.0
    for latency in latencies:
        total += latency
    buckets = [sum(latency <= bound for latency in latencies) for bound in BOUNDS]
    return {
        "tool": tool,
        "count": len(latencies),
        "sum": total,
        "buckets": [*buckets, len(latencies)],
    }
