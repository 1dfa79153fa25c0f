"""Feeds recorded events to prometheus_client, as a runtime would: EVT-043, EVT-057."""

from collections.abc import Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector

from commoncall.event import BOUNDS


class Exporter:
    """The metrics of a runtime in a registry of its own; the label values are those of events."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        # The library adds `_total`, and `+Inf` behind the bounds.
        self._calls = Counter(
            "tool_calls", "Results of tool calls.", ["tool", "status"], registry=self.registry
        )
        self._latency = Histogram(
            "tool_call_latency_ms",
            "How long tool calls ran, in milliseconds.",
            ["tool"],
            buckets=BOUNDS,
            registry=self.registry,
        )
        self.registry.register(Seconds(self._latency))

    def feed(self, events: Iterable[Mapping[str, object]]) -> None:
        """Count each Result and observe its latency, if it has one; pass over other events."""
        for event in events:
            if event["type"] != "ToolCallResult":
                continue
            self._calls.labels(event["tool"], event["status"]).inc()
            latency = event.get("latency_ms")
            if isinstance(latency, int | float):
                self._latency.labels(event["tool"]).observe(latency)


class Seconds(Collector):
    """`tool_call_duration_seconds`: the counts of the histogram in milliseconds, other bounds.

    Not observed a second time: a latency just above a bound can equal it once it is divided.
    """

    def __init__(self, milliseconds: Histogram) -> None:
        self._milliseconds = milliseconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Return the histogram as it stands."""
        family = HistogramMetricFamily(
            "tool_call_duration_seconds", "How long tool calls ran.", labels=["tool"]
        )
        buckets: dict[str, list[tuple[str, float]]] = {}
        for metric in self._milliseconds.collect():
            for sample in metric.samples:
                tool = sample.labels["tool"]
                if sample.name.endswith("_bucket"):
                    bound = float(sample.labels["le"]) / 1000
                    name = "+Inf" if bound == float("inf") else repr(bound)
                    buckets.setdefault(tool, []).append((name, sample.value))
                elif sample.name.endswith("_sum"):
                    family.add_metric([tool], buckets[tool], sample.value / 1000)
        yield family
