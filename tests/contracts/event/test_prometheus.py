"""What a scrape of recorded events gives, by prometheus_client: it is what `metrics` says."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from commoncall.envelope import Env
from commoncall.event import BOUNDS, OPERATIONS

Json = dict[str, Any]


class Seconds(Collector):
    """The counts of the histogram in milliseconds once more, in seconds (EVT-057)."""

    def __init__(self, milliseconds: Histogram) -> None:
        self._milliseconds = milliseconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        family = HistogramMetricFamily(
            "tool_call_duration_seconds", "How long tool calls ran.", labels=["tool"]
        )
        buckets: dict[str, list[tuple[str, float]]] = {}
        for sample in (sample for each in self._milliseconds.collect() for sample in each.samples):
            tool = sample.labels["tool"]
            if sample.name.endswith("_bucket"):
                bound = float(sample.labels["le"]) / 1000
                name = "+Inf" if math.isinf(bound) else repr(bound)
                buckets.setdefault(tool, []).append((name, sample.value))
            elif sample.name.endswith("_sum"):
                family.add_metric([tool], buckets[tool], sample.value / 1000)
        yield family


def scrape(events: Iterable[Mapping[str, Any]]) -> str:
    """Feed events to a registry, as a runtime would, and return what a scrape gets."""
    registry = CollectorRegistry()
    calls = Counter("tool_calls", "Results.", ["tool", "status"], registry=registry)
    latency = Histogram(
        "tool_call_latency_ms", "Milliseconds.", ["tool"], buckets=BOUNDS, registry=registry
    )
    registry.register(Seconds(latency))
    for event in events:
        if event["type"] == "ToolCallResult":
            calls.labels(event["tool"], event["status"]).inc()
            if isinstance(event.get("latency_ms"), int | float):
                latency.labels(event["tool"]).observe(event["latency_ms"])
    return generate_latest(registry).decode()


def histogram(text: str, name: str) -> list[Json]:
    """Return the rows of a histogram as `metrics` has them, with the bounds."""
    rows: dict[str, Json] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples if family.name == name else ():
            tool = sample.labels["tool"]
            row = rows.setdefault(tool, {"tool": tool, "buckets": [], "bounds": []})
            if sample.name.endswith("_bucket"):
                row["bounds"].append(float(sample.labels["le"]))
                row["buckets"].append(sample.value)
            elif not sample.name.endswith("_created"):
                row[sample.name.rpartition("_")[2]] = sample.value
    return [rows[tool] for tool in sorted(rows)]


latencies = st.one_of(
    st.none(),
    st.sampled_from(BOUNDS),
    st.sampled_from(BOUNDS).map(lambda bound: math.nextafter(bound, math.inf)),
    st.floats(),
    st.integers(-5, 2**53),
    st.text(max_size=3),
)
calls = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["search", "read", "unknown", "\ud800", 'a"b\\\n', None]),
        "arguments_json": st.just("{}"),
        "outcome": st.fixed_dictionaries(
            {"status": st.sampled_from(["ok", "error", "done"]), "latency_ms": latencies}
        ),
    }
)


@given(st.lists(calls, max_size=8))
def test_a_scrape_shows_the_metrics_of_the_operation(recorded: list[Json]) -> None:
    value = {"request_id": "r1", "calls": recorded, "effective": ["search", "read"]}
    result: Any = OPERATIONS["event.record_calls"](value, Env([], []))["result"]
    text = scrape(result["events"])
    totals = [
        {**sample.labels, "value": sample.value}
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "tool_calls_total"
    ]
    metrics, bounds = result["metrics"], [*map(float, BOUNDS), math.inf]
    assert (
        sorted(totals, key=lambda row: (row["tool"], row["status"]))
        == (metrics["tool_calls_total"])
    )
    assert histogram(text, "tool_call_latency_ms") == [
        {**row, "bounds": bounds} for row in metrics["tool_call_latency_ms"]
    ]
    assert histogram(text, "tool_call_duration_seconds") == [
        {**row, "sum": row["sum"] / 1000, "bounds": [bound / 1000 for bound in bounds]}
        for row in metrics["tool_call_latency_ms"]
    ]
