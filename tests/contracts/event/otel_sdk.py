"""The SDK of OpenTelemetry with everything in memory: telemetry goes in, what it would export out.

Golden files have the form that `export` returns: what a backend would see, without ids and times
that the SDK makes up.
"""

from typing import Any

from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import Histogram, InMemoryMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import SpanKind, Status, StatusCode

from commoncall.event.otel import Log, Metric, Span, Telemetry

START = 1_000_000_000
"""When each span starts, in nanoseconds; the runtime knows better."""


def export(telemetry: Telemetry) -> dict[str, list[Any]]:
    """Send telemetry through the SDK, and return what its exporters and its reader hold."""
    return {
        "spans": _spans(telemetry["spans"]),
        "logs": _logs(telemetry["logs"]),
        "metrics": _metrics(telemetry["metrics"]),
    }


def _spans(spans: list[Span]) -> list[Any]:
    memory = InMemorySpanExporter()
    provider = TracerProvider(sampler=ALWAYS_ON, resource=Resource({}), shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(memory))
    tracer = provider.get_tracer("commoncall")
    for span in spans:
        kind = SpanKind[span["kind"].upper()]
        attributes = dict(span["attributes"])
        live = tracer.start_span(span["name"], kind=kind, attributes=attributes, start_time=START)
        if span["status"] == "error":
            live.set_status(Status(StatusCode.ERROR, span["status_description"]))
        live.end(START + round(span.get("duration_s", 0) * 1e9))
    return [
        {
            "name": done.name,
            "kind": done.kind.name,
            "status": done.status.status_code.name,
            "description": done.status.description,
            "nanoseconds": (done.end_time or 0) - (done.start_time or 0),
            "attributes": dict(done.attributes or {}),
        }
        for done in memory.get_finished_spans()
    ]


def _logs(logs: list[Log]) -> list[Any]:
    memory = InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]
    provider = LoggerProvider(resource=Resource({}), shutdown_on_exit=False)
    provider.add_log_record_processor(SimpleLogRecordProcessor(memory))
    logger = provider.get_logger("commoncall")
    for log in logs:
        record = LogRecord(
            event_name=log["event_name"],
            severity_number=SeverityNumber(log["severity_number"]),
            body=log.get("body"),
            attributes=dict(log["attributes"]),
        )
        logger.emit(record)
    return [
        {
            "event_name": done.event_name,
            "severity": done.severity_number.name if done.severity_number else None,
            "body": done.body,
            "attributes": dict(done.attributes or {}),
        }
        for done in (held.log_record for held in memory.get_finished_logs())
    ]


def _metrics(metrics: list[Metric]) -> list[Any]:
    reader = InMemoryMetricReader()
    provider = MeterProvider([reader], resource=Resource({}), shutdown_on_exit=False)
    meter = provider.get_meter("commoncall")
    for metric in metrics:
        histogram = meter.create_histogram(
            metric["name"],
            unit=metric["unit"],
            explicit_bucket_boundaries_advisory=metric["boundaries"],
        )
        for measurement in metric["measurements"]:
            histogram.record(measurement["value"], dict(measurement["attributes"]))
    data = reader.get_metrics_data()
    return [
        {
            "name": done.name,
            "unit": done.unit,
            "attributes": dict(point.attributes or {}),
            "count": point.count,
            "sum": point.sum,
            "boundaries": list(point.explicit_bounds),
            "buckets": list(point.bucket_counts),
        }
        for resource in (data.resource_metrics if data else [])
        for scope in resource.scope_metrics
        for done in scope.metrics
        if isinstance(done.data, Histogram)
        for point in done.data.data_points
    ]
