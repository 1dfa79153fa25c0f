"""The outbound half of a turn: one set of tools decides what is sent, described and kept.

Holds `prepare` and its parts only: TRN-002 to TRN-013 of spec/v1/turn.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict, cast

from commoncall.capability import (
    Match,
    Plan,
    Reason,
    Registry,
    Section,
    filter_prompt,
    plan_turn,
    resolve,
)
from commoncall.envelope import Finding
from commoncall.json_text import is_blank
from commoncall.payload import (
    Disposition,
    Form,
    flatten_history,
    sanitize_history,
    sanitize_request,
)
from commoncall.payload.profile import profile_of
from commoncall.payload.sent_name import sent_name
from commoncall.places import in_order, rooted


class Prepared(TypedDict):
    """What may be sent, the sections of the prompt, and the plan that says how to read the answer.

    ``plan`` has no findings of its own; all stand in ``findings``. ``reason`` and ``matched`` are
    those of the resolution: why the model may have tools, or not (TRN-011, TRN-012). ``skipped`` is
    the number of invalid calls that the history lost; absent, it lost none (TRN-013).
    """

    request: object
    sections: list[Section]
    plan: Plan
    aliases: dict[str, str]
    reason: Reason
    matched: list[Match | None]
    skipped: NotRequired[int]
    findings: list[Finding]


def prepare(
    request: object,
    *,
    registries: Sequence[Registry | None],
    targets: Sequence[object],
    registered: Sequence[str],
    layers: Sequence[object],
    text_protocol: bool,
    disposition: Disposition,
    allow_inferred: bool = False,
    strict_parsing: bool = False,
    sections: Sequence[Section] = (),
    open_turn: bool = False,
    profile: Mapping[str, object] | None = None,
) -> Prepared:
    """Make a request ready to leave, with the tools that this model may have in this turn.

    Args:
        request: any JSON; meant is a request of Chat Completions with all tools and messages.
        registries: what `load_registry` returned for each document, the first before the others.
        targets: ``{provider, model}`` of each model that the request can reach.
        registered: the names of the tools that the runtime has.
        layers: the policies; see `effective_tools`.
        text_protocol: whether the runtime can describe tools in the prompt and find calls in text.
        disposition: what becomes of an invalid call in the history.
        allow_inferred: see `resolve`.
        strict_parsing: see `plan_turn`.
        sections: the prompt; see `filter_prompt`.
        open_turn: see `sanitize_history`.
        profile: see `sanitize_request` and `sanitize_history`.

    Returns:
        ``{request, sections, plan, aliases, reason, matched, skipped?, findings}``. Parts are
        shared with what is given.

    Raises:
        RequestRefusedError: no request follows from this one (TRN-006).
        ValueError: the profile is none.
    """
    capability = resolve(registries, targets, allow_inferred=allow_inferred)
    messages = _history(request)

    def plan_with(*further: object) -> Plan:
        return plan_turn(
            registered,
            [*layers, *further],
            capability,
            text_protocol=text_protocol,
            strict_parsing=strict_parsing,
            messages=messages or (),
        )

    # What the request does not declare cannot be called natively (definition "narrowed policy").
    declared = [name for name in map(_declared_name, _tools(request)) if name is not None]
    supported = capability["tool_calls_supported"]
    plan = plan_with({"allow": declared}) if supported else plan_with()
    findings = list(plan["findings"])

    cut, positions, removed = _cut(request, plan["effective"]) if supported else (request, [], [])
    findings += removed
    # Where nothing is effective, the sanitizer finds no tools, and says so (TRN-005).
    sanitized = sanitize_request(
        cut,
        capability={
            "tool_calls_supported": supported,
            "tool_choice": plan["send_tool_choice"],
            "parallel_tool_calls": plan["send_parallel_tool_calls"],
        },
        profile=profile,
    )
    in_prompt = plan["protocol"] == "text"
    for finding in sanitized["findings"]:
        if in_prompt and finding["code"] == "capability_unsupported":
            finding = {**finding, "code": "protocol_text"}
        findings.append(_at_given_position(finding, positions))
    sent = sanitized["request"]
    names = _sent_names(sent, sanitized["aliases"])
    if plan["send_tools"] and len(names) < len(plan["effective"]):
        # The sanitizer removed tools that it cannot send, or all with the choice `none` (TRN-003).
        plan = plan_with({"allow": names})

    skipped = 0
    if messages is not None:
        history = sanitize_history(
            messages, disposition=disposition, open_turn=open_turn, profile=profile
        )
        findings += rooted(history["findings"], "", "/request")
        skipped = history.get("skipped", 0)
        clean: Sequence[object] = history["messages"]
        if plan["history"] == "flatten":
            form: Form = "quoted"
            if plan["protocol"] == "text":
                form, clean = "blocks", _with_prompt_names(clean, plan["effective"], profile)
            flat = flatten_history(clean, form=form, effective=plan["effective"])
            clean = flat["messages"]
            if flat["findings"]:
                findings.append({"code": "history_flattened", "path": "/request/messages"})
        sent = {**cast(dict[str, object], sent), "messages": clean}
    prepared: Prepared = {
        "request": sent,
        "sections": filter_prompt(
            sections,
            {
                "effective": plan["effective"],
                "prompt_catalogue": plan["prompt_catalogue"],
                "prompt_protocol": plan["prompt_protocol"],
            },
        ),
        "plan": {**plan, "findings": []},
        "aliases": sanitized["aliases"],
        "reason": capability["reason"],
        "matched": capability["matched"],
        "findings": in_order(findings),
    }
    if skipped:
        prepared["skipped"] = skipped
    return prepared


def _history(request: object) -> list[object] | None:
    """Return the messages of a request, or None where it has no list of them."""
    messages = request.get("messages") if isinstance(request, dict) else None
    return messages if isinstance(messages, list) else None


def _tools(request: object) -> list[object]:
    tools = request.get("tools") if isinstance(request, dict) else None
    return tools if isinstance(tools, list) else []


def _sent_names(sent: object, aliases: Mapping[str, str]) -> list[str]:
    """Return the names that the tools of a request that is sent had when it was given."""
    names = [name for name in map(_declared_name, _tools(sent)) if name is not None]
    return [aliases.get(name, name) for name in names]


def _declared_name(tool: object) -> str | None:
    """Return the name of a tool that is well formed (definition "declared tool")."""
    match tool:
        case {"type": "function", "function": {"name": str(name)}} if not is_blank(name):
            return name
    return None


def _cut(request: object, effective: Sequence[str]) -> tuple[object, list[int], list[Finding]]:
    """Remove the tools that are not effective, and functions where nothing is (TRN-004).

    Returns the request, the given positions of the tools that are left, and what was removed. A
    tool that is not well formed is left to the sanitizer.
    """
    if not isinstance(request, dict):
        return request, [], []
    cut = dict(request)
    removed: list[Finding] = []
    functions = request.get("functions")
    if not effective and isinstance(functions, list) and functions:
        del cut["functions"]
        removed.append({"code": "tool_not_effective", "path": "/request/functions"})
    tools = _tools(request)
    allowed = {None, *effective}
    names = [_declared_name(tool) for tool in tools]
    positions = [number for number, name in enumerate(names) if name in allowed]
    if len(positions) < len(tools):
        cut["tools"] = [tools[number] for number in positions]
        removed += [
            {"code": "tool_not_effective", "path": f"/request/tools/{number}"}
            for number, name in enumerate(names)
            if name not in allowed
        ]
    return cut, positions, removed


def _with_prompt_names(
    messages: Sequence[object], effective: Sequence[str], profile: Mapping[str, object] | None
) -> list[object]:
    """Return a sanitised history whose calls have the names that the prompt has (TRN-009)."""
    start = profile_of(profile).name_start
    found = defaultdict(list)
    for name in effective:
        found[sent_name(name, start)].append(name)
    names = {sent: alike[0] for sent, alike in found.items() if len(alike) == 1}
    return [_renamed(message, names) for message in messages]


def _renamed(message: object, names: Mapping[str, str]) -> object:
    if not isinstance(message, dict) or "tool_calls" not in message:
        return message
    return {**message, "tool_calls": [_renamed_call(call, names) for call in message["tool_calls"]]}


def _renamed_call(call: Mapping[str, Any], names: Mapping[str, str]) -> Mapping[str, Any]:
    function = call["function"]
    name = function["name"]
    return {**call, "function": {**function, "name": names.get(name, name)}}


def _at_given_position(finding: Finding, positions: Sequence[int]) -> Finding:
    """Return a finding of the cut request with the position that the tool has in the input."""
    parts = finding["path"].split("/")
    if parts[1:3] == ["request", "tools"] and len(parts) > 3:
        parts[3] = str(positions[int(parts[3])])
    return {**finding, "path": "/".join(parts)}
