"""The tools of a request: which of them are kept, and how each is sent.

PAY-035, PAY-046 to PAY-048, PAY-110 to PAY-114, PAY-117 and PAY-118 of spec/v1/payload.md. A tool
about which there is nothing to do is neither copied nor given an object of its own: most requests
hold such tools only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from commoncall.json_text import is_blank
from commoncall.payload.profile import Profile
from commoncall.payload.sanitizing import Run
from commoncall.payload.schema_root import Root, completed, judge_root
from commoncall.payload.sent_name import sent_name
from commoncall.places import Findings, Place

TOOLS: Place = ("request", "tools")


@dataclass(frozen=True, slots=True)
class SentTools:
    """The kept tools as they are sent, by their positions in the list.

    ``names`` are the sent ones, ``originals`` the given ones of those that changed. ``changes``
    holds what counts only where the tools stay.
    """

    given: Sequence[Any]
    tools: list[dict[str, Any]] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    originals: dict[str, str] = field(default_factory=dict)
    changes: Findings = field(default_factory=Findings)

    @property
    def is_changed(self) -> bool:
        """Tell whether the tools are other ones than those that were given."""
        return len(self.tools) < len(self.given) or bool(self.changes.found)


def sent_tools(listed: object, run: Run) -> SentTools:
    """Return the kept tools of a list as they are sent; what is removed is reported."""
    sent = SentTools(listed if isinstance(listed, list) else ())
    start, limit = run.profile.name_start, run.profile.max_description
    for position, tool in enumerate(sent.given):
        function = function_of(tool)
        if function is None:
            run.report((*TOOLS, position), "tool_malformed")
            continue
        root = judge_root(function.get("parameters"))
        if root == "unsafe":
            run.report((*TOOLS, position), "schema_unsafe")
            continue
        name = function["name"]
        sent_as = sent_name(name, start)
        if (
            root != "whole"
            or sent_as != name
            or "strict" in function
            or (len(function) > 2 + ("description" in function) and None in function.values())
            or (len(tool) > 2 and None in tool.values())
            or not isinstance(description := function.get("description", ""), str)
            or (limit is not None and limit < len(description))
        ):
            tool = _sent_tool(tool, (*TOOLS, position), root, sent_as, run.profile, sent.changes)
            if sent_as != name:
                sent.originals[sent_as] = name
        sent.tools.append(tool)
        sent.names.append(sent_as)
        sent.positions.append(position)
    if run.profile.strict_field == "uniform":
        _make_strict_uniform(sent)
    return sent


def function_of(tool: object) -> dict[str, Any] | None:
    """Return the function of a well-formed tool, or None (definition "well-formed tool")."""
    if not isinstance(tool, dict) or tool.get("type") != "function":
        return None
    function = tool.get("function")
    if not isinstance(function, dict):
        return None
    name = function.get("name")
    if not isinstance(name, str):
        return None
    # Mostly the first character says that a name is visible.
    return function if name[:1].isalnum() or not is_blank(name) else None


def without_nulls(
    members: dict[str, Any], place: Place, findings: Findings, *, keep: str | None = None
) -> dict[str, Any]:
    """Return the members that are not null or named ``keep``; the others are reported."""
    kept = {name: value for name, value in members.items() if value is not None or name == keep}
    if len(kept) < len(members):
        for name in members:
            if name not in kept:
                findings.add((*place, name), "null_omitted")
    return kept


def _sent_tool(
    tool: dict[str, Any], place: Place, root: Root, name: str, profile: Profile, changes: Findings
) -> dict[str, Any]:
    """Return a tool as it is sent."""
    members = without_nulls(tool, place, changes)
    place = (*place, "function")
    function = without_nulls(tool["function"], place, changes, keep="parameters")
    if root == "absent":
        # Some providers refuse a function without parameters, and all take this (PAY-047).
        function["parameters"] = {"type": "object", "properties": {}}
        changes.add((*place, "parameters"), "parameters_added")
    elif root == "lacking":
        function["parameters"] = completed(function["parameters"])
        changes.add((*place, "parameters"), "parameters_completed")
    if "strict" in function and (code := _strict_refusal(function["strict"], profile)):
        del function["strict"]
        changes.add((*place, "strict"), code)
    description, limit = function.get("description", ""), profile.max_description
    if not isinstance(description, str):
        del function["description"]
        changes.add((*place, "description"), "description_not_string")
    elif limit is not None and len(description) > limit:
        function["description"] = description[:limit]
        changes.add((*place, "description"), "description_cut")
    if name != function["name"]:
        function["name"] = name
        changes.add((*place, "name"), "name_aliased")
    return {**members, "function": function}


def _strict_refusal(strict: object, profile: Profile) -> str | None:
    """Say why `strict` has to go whatever the other tools say, if it has to (PAY-112, PAY-113)."""
    if not isinstance(strict, bool):
        return "strict_not_boolean"
    return "strict_not_taken" if profile.strict_field == "none" else None


def _make_strict_uniform(sent: SentTools) -> None:
    """Leave `strict` where it is true in all tools, and remove it from the list else (PAY-114)."""
    tools = sent.tools
    if all(tool["function"].get("strict") is True for tool in tools):
        return
    for index, tool in enumerate(tools):
        if "strict" in tool["function"]:
            function = {name: value for name, value in tool["function"].items() if name != "strict"}
            tools[index] = {**tool, "function": function}
            sent.changes.add(
                (*TOOLS, sent.positions[index], "function", "strict"), "strict_not_taken"
            )
