"""The tools of a request: which of them are kept, and how each is sent.

PAY-035, PAY-046 to PAY-048, PAY-110 to PAY-114, PAY-117 and PAY-118 of spec/v1/payload.md. A tool
about which there is nothing to do is neither copied nor given an object of its own: most requests
hold such tools only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from commoncall.json_text import is_blank
from commoncall.payload.profile import Profile
from commoncall.payload.schema_root import Root, completed, judge_root
from commoncall.payload.sent_name import sent_name
from commoncall.places import Place, Reported

TOOLS: Place = ("request", "tools")


@dataclass(frozen=True, slots=True)
class SentTools:
    """The kept tools as they are sent, and what was found on the way.

    ``names`` are the sent ones, ``originals`` the given ones of those that changed. ``changed``
    holds what counts only where the tools stay.
    """

    tools: list[dict[str, Any]]
    names: list[str]
    originals: dict[str, str]
    removed: list[Reported]
    changed: list[Reported]


def sent_tools(listed: object, profile: Profile) -> SentTools:
    """Return the kept tools of a list as they are sent under a profile."""
    tools: list[dict[str, Any]] = []
    names: list[str] = []
    originals: dict[str, str] = {}
    removed: list[Reported] = []
    changed: list[Reported] = []
    start, limit = profile.name_start, profile.max_description
    for position, tool in enumerate(listed if isinstance(listed, list) else ()):
        function = function_of(tool)
        if function is None:
            removed.append(((*TOOLS, position), "tool_malformed"))
            continue
        root = judge_root(function.get("parameters"))
        if root == "unsafe":
            removed.append(((*TOOLS, position), "schema_unsafe"))
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
            tool, changes = _sent_tool(tool, position, root, sent_as, profile)
            changed += changes
            if sent_as != name:
                originals[sent_as] = name
        tools.append(tool)
        names.append(sent_as)
    if profile.strict_field == "uniform":
        gone = {place[-1] for place, _ in removed}
        positions = [position for position in range(len(tools) + len(gone)) if position not in gone]
        changed += _make_strict_uniform(tools, positions)
    return SentTools(tools, names, originals, removed, changed)


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
    members: dict[str, Any], place: Place, *, keep: str | None = None
) -> tuple[dict[str, Any], list[Reported]]:
    """Return the members that are not null or named ``keep``, and a report of the others."""
    kept = {name: value for name, value in members.items() if value is not None or name == keep}
    if len(kept) == len(members):
        return kept, []
    return kept, [((*place, name), "null_omitted") for name in members if name not in kept]


def _sent_tool(
    tool: dict[str, Any], position: int, root: Root, name: str, profile: Profile
) -> tuple[dict[str, Any], list[Reported]]:
    """Return a tool as it is sent, and a report of what was changed in it."""
    place: Place = (*TOOLS, position, "function")
    members, reported = without_nulls(tool, (*TOOLS, position))
    function, omitted = without_nulls(tool["function"], place, keep="parameters")
    reported += omitted
    if root == "absent":
        # Some providers refuse a function without parameters, and all take this (PAY-047).
        function["parameters"] = {"type": "object", "properties": {}}
        reported.append(((*place, "parameters"), "parameters_added"))
    elif root == "lacking":
        function["parameters"] = completed(function["parameters"])
        reported.append(((*place, "parameters"), "parameters_completed"))
    if "strict" in function and (code := _strict_refusal(function["strict"], profile)):
        del function["strict"]
        reported.append(((*place, "strict"), code))
    description, limit = function.get("description", ""), profile.max_description
    if not isinstance(description, str):
        del function["description"]
        reported.append(((*place, "description"), "description_not_string"))
    elif _is_longer(description, limit):
        function["description"] = description[:limit]
        reported.append(((*place, "description"), "description_cut"))
    if name != function["name"]:
        function["name"] = name
        reported.append(((*place, "name"), "name_aliased"))
    return {**members, "function": function}, reported


def _strict_refusal(strict: object, profile: Profile) -> str | None:
    """Say why `strict` has to go whatever the other tools say, if it has to (PAY-112, PAY-113)."""
    if not isinstance(strict, bool):
        return "strict_not_boolean"
    return "strict_not_taken" if profile.strict_field == "none" else None


def _make_strict_uniform(tools: list[dict[str, Any]], positions: list[int]) -> list[Reported]:
    """Leave `strict` where it is true in all tools, and remove it from the list else (PAY-114)."""
    reported: list[Reported] = []
    if all(tool["function"].get("strict") is True for tool in tools):
        return reported
    for index, tool in enumerate(tools):
        if "strict" in tool["function"]:
            function = {name: value for name, value in tool["function"].items() if name != "strict"}
            tools[index] = {**tool, "function": function}
            place = (*TOOLS, positions[index], "function", "strict")
            reported.append((place, "strict_not_taken"))
    return reported


def _is_longer(description: str, limit: int | None) -> bool:
    return limit is not None and len(description) > limit
