"""What a gateway counts, and the text of it that Prometheus reads."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from commoncall import turn

MOST: Final = 1_000
"""So many series a counter has; clients choose the names of their tools."""

OTHER: Final = "other"

HELP: Final = {
    "tool_calls_total": "Calls of models: ok was given to the client, error was not run.",
    "commoncall_calls_from_text_total": "Calls that a model wrote into its text, by tool.",
    "commoncall_requests_total": "Requests for a message, by the status of the answer.",
    "commoncall_cut_off_total": "Requests whose reply was cut off: by a limit, or where it broke.",
    "commoncall_retries_total": "How often a model was asked again.",
    "commoncall_findings_total": "What was found in requests and replies, by code.",
}


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        self._counted: dict[str, Counter[tuple[tuple[str, str], ...]]] = {
            name: Counter() for name in HELP
        }

    def count(self, name: str, **labels: str) -> None:
        """Add one to a series; beside too many others it is that of ``other``."""
        series = self._counted[name]
        key = tuple(sorted(labels.items()))
        if key not in series and len(series) >= MOST:
            key = tuple((label, OTHER) for label, _ in key)
        series[key] += 1

    def findings(self, codes: Iterable[str]) -> None:
        """Count what was found."""
        for code in codes:
            self.count("commoncall_findings_total", code=code)

    def received(self, got: turn.Received, leaked: int) -> None:
        """Count the calls of a message; so many of them ``leaked`` into its text."""
        refused = {one["seq"] for one in got["answers"]}
        for event in got["planned"]:
            status = "error" if event["seq"] in refused else "ok"
            self.count("tool_calls_total", tool=event["tool"], status=status)
        for call in got["dispatch"][:leaked]:
            self.count("commoncall_calls_from_text_total", tool=call["name"])
        self.findings(one["code"] for one in got["findings"])

    def text(self) -> str:
        """Return all counters in the text format."""
        lines: list[str] = []
        for name, series in self._counted.items():
            lines += [f"# HELP {name} {HELP[name]}", f"# TYPE {name} counter"]
            for key, value in sorted(series.items()):
                labels = ",".join(f'{label}="{_escaped(one)}"' for label, one in key)
                lines.append(f"{name}{{{labels}}} {value}" if labels else f"{name} {value}")
        return "\n".join([*lines, ""])


def _escaped(value: str) -> str:
    value = value.encode("utf-8", "replace").decode()  # a lone surrogate is no UTF-8
    return value.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")
