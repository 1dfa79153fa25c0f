"""The tools of a request: which of them have the form of a tool, and how each is sent.

PAY-035 and PAY-046 to PAY-048 of spec/v1/payload.md. The schema in `parameters` is never read.
"""

from __future__ import annotations

from dataclasses import dataclass

from commoncall.json_text import is_blank
from commoncall.payload.sent_name import sent_name
from commoncall.places import Place, Reported

TOOLS: Place = ("request", "tools")


@dataclass(frozen=True, slots=True)
class KeptTool:
    """A well-formed tool: its position in the given request, its name, its name when sent."""

    position: int
    name: str
    sent_name: str
    members: dict[str, object]
    function: dict[str, object]


def kept_tools(listed: object) -> tuple[list[KeptTool], list[Reported]]:
    """Return the well-formed elements of a list of tools, and a report of the others (PAY-035)."""
    elements = listed if isinstance(listed, list) else []
    found = [_well_formed(position, tool) for position, tool in enumerate(elements)]
    malformed: list[Reported] = [
        ((*TOOLS, position), "tool_malformed") for position, kept in enumerate(found) if not kept
    ]
    return [kept for kept in found if kept], malformed


def sent_tool(tool: KeptTool) -> tuple[dict[str, object], list[Reported]]:
    """Return a tool as it is sent, and a report of what was changed in it."""
    place = (*TOOLS, tool.position)
    members, reported = without_nulls(tool.members, place)
    function, omitted = without_nulls(tool.function, (*place, "function"), keep="parameters")
    reported += omitted
    if function.get("parameters") is None:
        # Some providers refuse a function without parameters, and all take this (PAY-047).
        function["parameters"] = {"type": "object", "properties": {}}
        reported.append(((*place, "function", "parameters"), "parameters_added"))
    if tool.sent_name != tool.name:
        function["name"] = tool.sent_name
        reported.append(((*place, "function", "name"), "name_aliased"))
    return {**members, "function": function}, reported


def without_nulls(
    members: dict[str, object], place: Place, *, keep: str | None = None
) -> tuple[dict[str, object], list[Reported]]:
    """Return the members that are not null or named ``keep``, and a report of the others."""
    kept = {name: value for name, value in members.items() if value is not None or name == keep}
    omitted: list[Reported] = [
        ((*place, name), "null_omitted") for name in members if name not in kept
    ]
    return kept, omitted


def _well_formed(position: int, tool: object) -> KeptTool | None:
    if not isinstance(tool, dict) or tool.get("type") != "function":
        return None
    function = tool.get("function")
    if not isinstance(function, dict):
        return None
    name = function.get("name")
    if not isinstance(name, str) or is_blank(name):
        return None
    return KeptTool(position, name, sent_name(name), tool, function)
