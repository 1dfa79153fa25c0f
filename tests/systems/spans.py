"""What an agent's instrumentation writes of tools that it runs, as `event.to_otel` has it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.systems import completion
from tests.systems.adapter import NotOffered

SENT: Final = re.compile("[A-Za-z0-9_-]{1,64}")
ID: Final = "gen_ai.tool.call.id"
ERROR: Final = "error.type"
SHOWN: Final = (
    *("gen_ai.operation.name", "gen_ai.tool.name", ID, ERROR),
    *("gen_ai.tool.call.arguments", "gen_ai.tool.call.result"),
)
"""What is compared; the last two hold what nobody may see. Others have ids of the run."""


class Ran(NamedTuple):
    """A call that was run: its tool, whether that failed, and the id that the case gives it."""

    tool: str
    failed: bool
    id: str | None


def ran(given: Mapping[str, Any]) -> list[Ran]:
    """Return the calls of the events of a case.

    Raises:
        NotOffered: an agent has no place for one of them, or none was run.
    """
    results = [one for one in given["events"] if one["type"] == "ToolCallResult"]
    if not results:
        raise NotOffered("no call that was run")
    if len({one["request_id"] for one in given["events"]}) > 1:
        raise NotOffered("more than one request")
    if len({one["seq"] for one in results}) < len(results):
        raise NotOffered("two results of one call")
    return [_ran(one) for one in results]


def _ran(result: Mapping[str, Any]) -> Ran:
    failed = result["status"] == "error"
    if failed and result["error_type"] != "tool_error":
        raise NotOffered("an error that the runtime finds, not the tool")
    if not SENT.fullmatch(result["tool"]):
        raise NotOffered("a name that no provider takes")
    if result.get("tool_call_id") == "":
        raise NotOffered("an empty id")
    return Ran(result["tool"], failed, result.get("tool_call_id"))


def asked(calls: Sequence[Ran]) -> dict[str, Any]:
    """Return the answer of a provider that asks for calls; what has no id gets one."""
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": call.id or f"id-{number}",
                "type": "function",
                "function": {"name": call.tool, "arguments": "{}"},
            }
            for number, call in enumerate(calls)
        ],
    }
    return completion.answer(message, "tool_calls")


class Spans:
    """Keeps the spans of one run."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))

    def of_tools(self) -> list[dict[str, Any]]:
        """Return the spans of tools in the order in which they begin.

        An id that the provider gave is taken out; whatever is said to have failed is a tool_error.
        """
        spans = [
            one
            for one in self.exporter.get_finished_spans()
            if (one.attributes or {}).get("gen_ai.operation.name") == "execute_tool"
        ]
        found = []
        for span in sorted(spans, key=lambda one: one.start_time or 0):
            attributes = {n: v for n, v in (span.attributes or {}).items() if n in SHOWN}
            if str(attributes.get(ID, "")).startswith("id-"):
                del attributes[ID]
            if ERROR in attributes:
                attributes[ERROR] = "tool_error"
            found.append(
                {
                    "name": span.name,
                    "kind": span.kind.name.lower(),
                    "status": span.status.status_code.name.lower(),
                    "attributes": attributes,
                    **({"status_description": said} if (said := span.status.description) else {}),
                }
            )
        return found
