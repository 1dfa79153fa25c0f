"""The capability contract as operations: JSON in, outcome out.

The envelopes are checked here (CAP-004, CAP-023, CAP-031, CAP-045); what stands in `registries`,
`targets`, `layers`, `capability` and `messages` is judged elsewhere.
"""

from __future__ import annotations

from typing import TypeGuard

from commoncall.capability.effective import effective_tools
from commoncall.capability.plan import plan_turn
from commoncall.capability.prompt import PromptPlan, Section, filter_prompt
from commoncall.capability.registry import load_registry
from commoncall.capability.resolve import resolve
from commoncall.envelope import INVALID_INPUT, Env, Operation, Outcome, are_strings, too_deep

_RESOLVE = {"registries", "targets"}
_EFFECTIVE = {"registered", "layers"}
_PLAN = {"registered", "layers", "capability", "text_protocol"}
_PROMPT = {"sections", "plan"}
_SECTION = {"id", "needs", "text"}


def resolve_operation(value: object, env: Env) -> Outcome:
    """Run `resolve` on ``{registries, targets, allow_inferred?}``; uses no id."""
    members = _members(value, _RESOLVE, {"allow_inferred"})
    if members is None:
        return INVALID_INPUT
    registries, targets = members["registries"], members["targets"]
    allow_inferred = members.get("allow_inferred", False)
    if not isinstance(registries, list) or not isinstance(targets, list):
        return INVALID_INPUT
    if not isinstance(allow_inferred, bool):
        return INVALID_INPUT
    loaded = [load_registry(document) for document in registries]
    return {"result": resolve(loaded, targets, allow_inferred=allow_inferred)}


def effective_tools_operation(value: object, env: Env) -> Outcome:
    """Run `effective_tools` on ``{registered, layers}``; uses no id."""
    members = _members(value, _EFFECTIVE)
    if members is None:
        return INVALID_INPUT
    registered, layers = members["registered"], members["layers"]
    if not are_strings(registered) or not isinstance(layers, list):
        return INVALID_INPUT
    return {"result": effective_tools(registered, layers)}


def plan_turn_operation(value: object, env: Env) -> Outcome:
    """Run `plan_turn` on ``{registered, layers, capability, text_protocol, strict_parsing?,
    messages?}``; uses no id.
    """
    members = _members(value, _PLAN, {"strict_parsing", "messages"})
    if members is None:
        return INVALID_INPUT
    registered, layers = members["registered"], members["layers"]
    text_protocol = members["text_protocol"]
    strict_parsing, messages = members.get("strict_parsing", False), members.get("messages", [])
    if not are_strings(registered) or not isinstance(layers, list):
        return INVALID_INPUT
    if not isinstance(text_protocol, bool) or not isinstance(strict_parsing, bool):
        return INVALID_INPUT
    if not isinstance(messages, list):
        return INVALID_INPUT
    plan = plan_turn(
        registered,
        layers,
        members["capability"],
        text_protocol=text_protocol,
        strict_parsing=strict_parsing,
        messages=messages,
    )
    return {"result": plan}


def filter_prompt_operation(value: object, env: Env) -> Outcome:
    """Run `filter_prompt` on ``{sections, plan}``; uses no id."""
    members = _members(value, _PROMPT)
    if members is None:
        return INVALID_INPUT
    sections, plan = members["sections"], members["plan"]
    if not _are_sections(sections) or not _is_plan(plan):
        return INVALID_INPUT
    return {"result": {"sections": filter_prompt(sections, plan)}}


def _members(
    value: object, required: set[str], optional: frozenset[str] | set[str] = frozenset()
) -> dict[str, object] | None:
    """Return the input where it is an object of the right members and depth."""
    if too_deep(value) or not isinstance(value, dict):
        return None
    return value if required <= value.keys() <= required | optional else None


def _is_plan(value: object) -> TypeGuard[PromptPlan]:
    """Tell whether a value has what is read of a plan; its other members are not looked at."""
    if not isinstance(value, dict) or not are_strings(value.get("effective")):
        return False
    flags = (value.get("prompt_catalogue"), value.get("prompt_protocol"))
    return all(isinstance(flag, bool) for flag in flags)


def _are_sections(value: object) -> TypeGuard[list[Section]]:
    return isinstance(value, list) and all(map(_is_section, value))


def _is_section(value: object) -> bool:
    """Tell whether a value is a section (definition "prompt section")."""
    if not isinstance(value, dict) or value.keys() != _SECTION:
        return False
    needs = value["needs"]
    if isinstance(needs, dict):
        known = needs.keys() == {"tool"} and isinstance(needs["tool"], str)
    else:
        known = needs in (None, "tools", "catalogue", "protocol")
    return known and isinstance(value["id"], str) and isinstance(value["text"], str)


OPERATIONS: dict[str, Operation] = {
    "capability.resolve": resolve_operation,
    "capability.effective_tools": effective_tools_operation,
    "capability.plan_turn": plan_turn_operation,
    "capability.filter_prompt": filter_prompt_operation,
}
