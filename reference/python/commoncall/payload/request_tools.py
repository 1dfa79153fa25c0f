"""The tools of a request: which of them are kept, and how each is sent.

PAY-032 and PAY-047 of spec/v1/payload.md. Most requests hold only tools about which there is
nothing to do: these are not copied.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from commoncall.payload.messages import is_visible, without
from commoncall.payload.profile import Profile
from commoncall.payload.sanitizing import Run
from commoncall.payload.schemas import Parameters, judged
from commoncall.payload.sent_name import sent_name
from commoncall.places import Findings, Place

TOOLS: Place = ("request", "tools")

_GRAMMAR: Final = (20, 24, 16)
"""How many strict tools, members that are not required, and choices of types one request has."""

KeptTool = tuple[int, dict[str, Any], Parameters]
"""A tool with its position and its parameters as they are sent."""


@dataclass(frozen=True, slots=True)
class SentTools:
    """The kept tools as they are sent.

    ``originals`` are the given names of those that have another one. ``changes`` holds what counts
    only where the tools stay.
    """

    tools: list[dict[str, Any]] = field(default_factory=list)
    originals: dict[str, str] = field(default_factory=dict)
    changes: Findings = field(default_factory=Findings)


def sent_tools(kept: Sequence[KeptTool], run: Run) -> SentTools:
    """Return kept tools as they are sent."""
    if "strict_grammar" in run.profile.refused_in_schemas:
        kept = [*_within_grammar(kept)]
    takes_strict = run.profile.strict_field == "any" or (
        # Where it is true in all tools (PAY-047).
        run.profile.strict_field == "uniform"
        and all(
            tool["function"].get("strict") is True and not parameters.is_open
            for _, tool, parameters in kept
        )
    )
    sent = SentTools()
    for position, tool, parameters in kept:
        place = (*TOOLS, position)
        one = _sent_tool(tool, place, parameters, takes_strict, run.profile, sent.changes)
        given, name = tool["function"]["name"], one["function"]["name"]
        sent.tools.append(one)
        if name != given:
            sent.originals[name] = given
    return sent


def _within_grammar(kept: Sequence[KeptTool]) -> Iterator[KeptTool]:
    """Yield kept tools; one that is over counts as open, so that its `strict` goes (definition
    "strict grammar").
    """
    spent = [0, 0, 0]
    for position, tool, parameters in kept:
        if tool["function"].get("strict") is True and not parameters.is_open:
            cost = (1, *parameters.grammar)
            total = [before + more for before, more in zip(spent, cost, strict=True)]
            is_over = any(most < each for each, most in zip(total, _GRAMMAR, strict=True))
            spent = spent if is_over else total
            parameters = replace(parameters, is_open=is_over)
        yield position, tool, parameters


def kept_tools(listed: list[object], run: Run) -> Iterator[KeptTool]:
    """Yield each tool that is kept; what is removed is reported."""
    for position, tool in enumerate(listed):
        place = (*TOOLS, position)
        function = function_of(tool)
        if function is None:
            run.report(place, "tool_malformed")
            continue
        parameters = judged(function.get("parameters"), run.profile)
        for found in parameters.faults.found:
            # A root that cannot be sent has its finding at the tool (PAY-032).
            inside = ("function", "parameters") if found.code == "schema_not_taken" else ()
            run.report((*place, *inside, *found.place), found.code)
        if not parameters.faults.found:
            yield position, cast(dict[str, Any], tool), parameters


def function_of(tool: object) -> dict[str, Any] | None:
    """Return the function of a well-formed tool, or None (definition "well-formed tool")."""
    if not isinstance(tool, dict) or tool.get("type") != "function":
        return None
    function = tool.get("function")
    is_named = isinstance(function, dict) and is_visible(function.get("name"))
    return function if is_named else None


def without_nulls(
    members: dict[str, Any], place: Place, findings: Findings, *, keep: str | None = None
) -> dict[str, Any]:
    """Return an object without its nulls but ``keep``, and report them; perhaps the given one."""
    nulls = [name for name, value in members.items() if value is None and name != keep]
    for name in nulls:
        findings.add((*place, name), "null_omitted")
    return without(members, *nulls)


def _sent_tool(
    tool: dict[str, Any],
    place: Place,
    parameters: Parameters,
    takes_strict: bool,
    profile: Profile,
    changes: Findings,
) -> dict[str, Any]:
    """Return a tool as it is sent; the given one where nothing changes."""
    members = without_nulls(tool, place, changes)
    place = (*place, "function")
    function = without_nulls(tool["function"], place, changes, keep="parameters")
    changed: dict[str, Any] = {}
    if parameters.changes.found:
        changed["parameters"] = parameters.sent
        changes.extend(parameters.changes.found, below=(*place, "parameters"))
    strict = function.get("strict", True)
    is_taken = takes_strict and not (strict is True and parameters.is_open)
    if not isinstance(strict, bool) or ("strict" in function and not is_taken):
        code = "strict_not_taken" if isinstance(strict, bool) else "strict_not_boolean"
        function = without(function, "strict")
        changes.add((*place, "strict"), code)
    description, limit = function.get("description", ""), profile.max_description
    if not isinstance(description, str):
        function = without(function, "description")
        changes.add((*place, "description"), "description_not_string")
    elif limit is not None and len(description) > limit:
        changed["description"] = description[:limit]
        changes.add((*place, "description"), "description_cut")
    name = sent_name(function["name"], profile.name_start)
    if name != function["name"]:
        changed["name"] = name
        changes.add((*place, "name"), "name_aliased")
    if not changed and function is tool["function"]:
        return members
    return {**members, "function": {**function, **changed}}
