"""What a scrape of recorded events gives, by prometheus_client: written, read back, compared.

The session `prometheus` runs this file; the other tests need no exporter.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics import exposition as openmetrics
from prometheus_client.openmetrics import parser as openmetrics_parser
from prometheus_client.parser import text_string_to_metric_families

from commoncall.envelope import Env
from commoncall.event import BOUNDS, OPERATIONS
from tests.evidence.exporters.prometheus_feed import Exporter

Call = dict[str, Any]
Render = Callable[[CollectorRegistry], bytes]
Parse = Callable[[str], Iterable[Metric]]

FORMATS: Sequence[tuple[Render, Parse]] = [
    (generate_latest, text_string_to_metric_families),
    (openmetrics.generate_latest, openmetrics_parser.text_string_to_metric_families),
]
formats = pytest.mark.parametrize(("render", "parse"), FORMATS, ids=["text", "openmetrics"])


def record(calls: Sequence[Call], effective: Sequence[str] = ("search", "read")) -> Any:
    value = {"request_id": "r1", "calls": calls, "effective": [*effective]}
    return OPERATIONS["event.record_calls"](value, Env([], []))["result"]


def call(name: str | None, latency: object = None, status: str = "ok") -> Call:
    outcome = {"status": status, "latency_ms": latency}
    return {"name": name, "arguments_json": "{}", "outcome": outcome}


def scrape(calls: Sequence[Call], render: Render, parse: Parse) -> list[Metric]:
    """Return what a scrape reads after one request."""
    exporter = Exporter()
    exporter.feed(record(calls)["events"])
    return list(parse(render(exporter.registry).decode()))


def shown(families: Iterable[Metric]) -> dict[str, Any]:
    """Return families as `metrics` has them, with the seconds as a third member."""
    totals: list[dict[str, object]] = []
    histograms: dict[str, dict[str, dict[str, Any]]] = {
        "tool_call_latency_ms": {},
        "tool_call_duration_seconds": {},
    }
    for sample in (sample for family in families for sample in family.samples):
        family, _, part = sample.name.rpartition("_")
        if sample.name == "tool_calls_total":
            totals.append({**sample.labels, "value": sample.value})
        elif family in histograms and part in ("bucket", "count", "sum"):
            tool = sample.labels["tool"]
            row = histograms[family].setdefault(tool, {"tool": tool, "buckets": [], "bounds": []})
            if part == "bucket":
                row["bounds"].append(float(sample.labels["le"]))
                row["buckets"].append(sample.value)
            else:
                row[part] = sample.value
    assert (
        histograms["tool_call_latency_ms"].keys() == histograms["tool_call_duration_seconds"].keys()
    )
    return {
        "tool_calls_total": sorted(totals, key=lambda row: (row["tool"], row["status"])),
        **{name: [rows[tool] for tool in sorted(rows)] for name, rows in histograms.items()},
    }


def assert_agrees(families: Iterable[Metric], metrics: Mapping[str, Any]) -> None:
    """Hold a scrape to the `metrics` of the same request, and the seconds to the milliseconds."""
    found = shown(families)
    assert found["tool_calls_total"] == metrics["tool_calls_total"]
    expected = metrics["tool_call_latency_ms"]
    bounds = [*map(float, BOUNDS), math.inf]
    assert found["tool_call_latency_ms"] == [{**row, "bounds": bounds} for row in expected]
    assert found["tool_call_duration_seconds"] == [
        {**row, "sum": row["sum"] / 1000, "bounds": [bound / 1000 for bound in bounds]}
        for row in expected
    ]


latencies = st.one_of(
    st.none(),
    st.sampled_from(BOUNDS),
    st.sampled_from(BOUNDS).map(lambda bound: math.nextafter(bound, math.inf)),
    st.floats(),
    st.integers(-5, 2**53),
    st.text(max_size=3),
)
names = st.sampled_from(["search", "read", "unknown", "\ud800", None]) | st.text(max_size=9)
calls = st.builds(call, names, latencies, st.sampled_from(["ok", "error", "done"]))


@formats
@given(st.lists(calls, max_size=8))
def test_a_scrape_shows_the_metrics_of_the_operation(
    render: Render, parse: Parse, recorded: list[Call]
) -> None:
    assert_agrees(scrape(recorded, render, parse), record(recorded)["metrics"])


@formats
def test_no_invented_name_breaks_the_scrape_or_adds_a_label(render: Render, parse: Parse) -> None:
    invented = [call(f"tool_{n}") for n in range(10_000)]
    odd = ["\ud800", "search\udc00", 'a"b', "a\nb", "a\\b", "", " ", "x" * 100_000, "searсh", None]
    families = scrape(
        [*invented, *map(call, odd), call("search", 12), call("read", 3, "error")], render, parse
    )
    samples = [sample for family in families for sample in family.samples]
    assert {sample.labels["tool"] for sample in samples} == {"search", "read", "unknown"}
    assert shown(families)["tool_calls_total"] == [
        {"tool": "read", "status": "error", "value": 1},
        {"tool": "search", "status": "ok", "value": 1},
        {"tool": "unknown", "status": "error", "value": len(invented) + len(odd)},
    ]
    assert [row["tool"] for row in shown(families)["tool_call_latency_ms"]] == ["read", "search"]


@formats
def test_an_effective_name_without_a_utf_8_form_is_no_label(render: Render, parse: Parse) -> None:
    exporter = Exporter()
    exporter.feed(record([call("\ud800", 1)], effective=["\ud800"])["events"])
    families = list(parse(render(exporter.registry).decode()))
    assert [row["tool"] for row in shown(families)["tool_calls_total"]] == ["unknown"]


@formats
def test_without_the_rule_one_invented_name_ends_the_scrape(render: Render, parse: Parse) -> None:
    registry = CollectorRegistry()
    Counter("tool_calls", "As a model wrote it.", ["tool"], registry=registry).labels(
        "\ud800"
    ).inc()
    with pytest.raises(UnicodeEncodeError):
        render(registry)


def test_requests_add_up() -> None:
    exporter = Exporter()
    requests = [[call("search", 12), call("read", 12)], [call("search", 700, "error")], []]
    for recorded in requests:
        exporter.feed(record(recorded)["events"])
    together = record([each for recorded in requests for each in recorded])["metrics"]
    families = list(text_string_to_metric_families(generate_latest(exporter.registry).decode()))
    assert_agrees(families, together)


def test_the_tour_shows_what_a_scrape_of_its_events_gives(root: Path) -> None:
    section = (root / "spec/use/tour.md").read_text(encoding="utf-8").split("## Event")[1]
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    events, page = (
        next(text for kind, text in blocks if kind == want) for want in ("json", "text")
    )
    exporter = Exporter()
    exporter.feed(json.loads(line) for line in events.splitlines())
    lines = iter(generate_latest(exporter.registry).decode().splitlines())
    for line in page.splitlines():
        assert line == "..." or line in lines, line  # `in` goes on from the line before
