"""The outbound half of a turn: one set of tools decides what is sent, described and kept.

Holds `prepare` and its parts only: TRN-002 to TRN-015, TRN-077 and TRN-090 of spec/v1/turn.md.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NotRequired, TypedDict, cast

from commoncall.capability.plan import Plan, plan_turn
from commoncall.capability.prompt import Section, filter_prompt
from commoncall.capability.registry import Registry
from commoncall.capability.resolve import Match, Reason, resolve
from commoncall.envelope import Finding
from commoncall.payload.flatten import Form, flat_history
from commoncall.payload.foreign_form import refuse_foreign_request
from commoncall.payload.history import Disposition, clean_history
from commoncall.payload.profile import GivenProfile, NameStart, history_profile_of
from commoncall.payload.request import RequestRefusedError, clean_request, encoded
from commoncall.payload.request_tools import function_of, kept_tools
from commoncall.payload.sanitizing import Run
from commoncall.payload.sent_name import sent_name
from commoncall.places import Findings
from commoncall.turn.receive import calls_none


class Prepared(TypedDict):
    """What may be sent, the sections of the prompt, and the plan that says how to read the answer;
    parts are shared with what is given.

    ``plan`` has no findings of its own; all stand in ``findings``. ``reason`` and ``matched`` are
    those of the resolution: why the model may have tools, or not (TRN-002, TRN-010). ``skipped`` is
    the number of invalid calls that the history lost; absent, it lost none (TRN-002).
    """

    request: dict[str, Any]
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
    strict_parsing: bool = False,
    sections: Sequence[Section] = (),
    open_turn: bool = False,
    keep_names: bool = False,
    profile: GivenProfile | None = None,
) -> Prepared:
    """Make a request ready to leave; the arguments and errors are those of `turn.sending`."""
    capability = resolve(registries, targets)
    # As it is given: what a policy leaves of the tools says nothing of their form (TRN-014).
    refuse_foreign_request(request, takes_tools=capability["tool_calls_supported"])
    run = Run(history_profile_of(profile))
    messages = listed(request, "messages")

    def plan_with(*further: object) -> Plan:
        return plan_turn(
            registered,
            [*layers, *further],
            capability,
            text_protocol=text_protocol,
            strict_parsing=strict_parsing,
            messages=messages or (),
        )

    # What the request does not declare cannot be called natively (definition "plan of the turn").
    supported = capability["tool_calls_supported"]
    allowed = declared_names(request) if supported else []
    plan = plan_with({"allow": allowed}) if supported or calls_none(request) else plan_with()
    sent, aliases = _request_with(request, plan, supported, run)
    names = [aliases.get(name, name) for name in declared_names(sent)]
    if plan["send_tools"] and set(names) < set(plan["effective"]):
        # The sanitizer removed tools that it cannot send, or all with the choice `none`. The
        # request is made for the first plan all the same (TRN-005), the history for this one.
        plan = plan_with({"allow": names})

    skipped = 0
    if messages is not None:
        clean, skipped = _past(messages, plan, keep_names, disposition, open_turn, run)
        sent = {**cast(dict[str, object], sent), "messages": clean}
    sent = encoded(sent, run)
    prepared: Prepared = {
        # Where the request is an object; any other JSON is what it was.
        "request": cast(dict[str, Any], sent),
        "sections": filter_prompt(sections, plan),
        "plan": {**plan, "findings": []},
        "aliases": aliases,
        "reason": capability["reason"],
        "matched": capability["matched"],
        # What the policies lack stands before the request, and in order.
        "findings": [*plan["findings"], *run.rendered(request)],
    }
    if skipped:
        prepared["skipped"] = skipped
    return prepared


def _past(
    messages: Sequence[object],
    plan: Plan,
    keep_names: bool,
    disposition: Disposition,
    open_turn: bool,
    run: Run,
) -> tuple[list[object], int]:
    """Return the history as it is sent, and how many invalid calls it lost (TRN-008, TRN-009)."""
    flattens, flags = plan["history"] == "flatten", run.profile
    if flattens and flags.result_content == "parts":  # TRN-090
        flags = replace(flags, result_content="any")
    past = Run(flags, flattens=flattens)
    written, skipped = clean_history(messages, disposition, open_turn, past)
    if messages and not written:
        raise RequestRefusedError({"code": "history_emptied"})
    run.findings.extend(past.findings.found, below=("request",))
    clean: list[object] = [message for _, message in written]
    return (_flattened(clean, plan, keep_names, run) if flattens else clean), skipped


def _request_with(
    request: object, plan: Plan, supported: bool, run: Run
) -> tuple[object, dict[str, str]]:
    """Return the request with the tools of a plan, and the original of each name."""
    cut, positions = _cut(request, plan["effective"], run) if supported else (request, [])
    inner = Run(run.profile)
    # Where nothing is effective, the sanitizer finds no tools, and says so (TRN-005).
    capability = {
        "tool_calls_supported": supported,
        "tool_choice": plan["send_tool_choice"],
        "parallel_tool_calls": plan["send_parallel_tool_calls"],
    }
    sent, aliases = clean_request(cut, capability, inner)
    in_prompt = plan["protocol"] == "text"
    for place, code, *_ in inner.findings.found:
        if in_prompt and code == "capability_unsupported":
            code = "protocol_text"
        match place:
            case ("request", "tools", int(position), *rest):
                # Where the tool stands in the input, not in the cut request (TRN-010).
                place = ("request", "tools", positions[position], *rest)
        run.report(place, code)
    return sent, aliases


def _flattened(messages: Sequence[object], plan: Plan, keep_names: bool, run: Run) -> list[object]:
    """Return a sanitised history without tool turns (TRN-009, TRN-077)."""
    form: Form = "quoted"
    shown = None if keep_names else plan["effective"]
    if plan["protocol"] == "text":
        form, shown = "blocks", plan["effective"]
        messages = _with_prompt_names(messages, plan["effective"], run.profile.name_start)
    findings = Findings()
    joins = not run.profile.repeated_roles
    flat = flat_history(messages, form, shown, findings, joins=joins)
    if findings.found:
        run.report(("request", "messages"), "history_flattened")
    return flat


def listed(request: object, name: str) -> list[object] | None:
    """Return a list of a request, None where it has none of this name."""
    value = request.get(name) if isinstance(request, dict) else None
    return value if isinstance(value, list) else None


def declared_names(request: object) -> list[str]:
    """Return the names of the tools that a request declares."""
    tools = listed(request, "tools") or ()
    return [name for name in map(_declared_name, tools) if name is not None]


def _declared_name(tool: object) -> str | None:
    """Return the name of a tool that is well formed (definition "declared tool")."""
    function = function_of(tool)
    return None if function is None else function["name"]


def _cut(request: object, effective: Sequence[str], run: Run) -> tuple[object, list[int]]:
    """Remove the tools that are not effective, and functions beside none that is sent (TRN-004).

    Returns the request, and where its tools stood. What is not well formed the sanitizer judges.
    """
    if not isinstance(request, dict):
        return request, []
    cut = dict(request)
    tools = listed(request, "tools") or []
    allowed = {None, *effective}
    names = [_declared_name(tool) for tool in tools]
    positions = [number for number, name in enumerate(names) if name in allowed]
    if len(positions) < len(tools):
        cut["tools"] = [tools[number] for number in positions]
        for number, name in enumerate(names):
            if name not in allowed:
                run.report(("request", "tools", number), "tool_not_effective")
    # Beside a kept tool they stay for an error of the sanitizer (PAY-041).
    left = (tools[number] for number in positions)
    if listed(request, "functions") and not any(kept_tools([*left], Run(run.profile))):
        del cut["functions"]
        run.report(("request", "functions"), "tool_not_effective")
    return cut, positions


def _with_prompt_names(
    messages: Sequence[object], effective: Sequence[str], start: NameStart
) -> list[object]:
    """Return a sanitised history whose calls have the names that the prompt has (TRN-009)."""
    found = defaultdict(list)
    for name in effective:
        found[sent_name(name, start)].append(name)
    names = {sent: alike[0] for sent, alike in found.items() if len(alike) == 1}
    return [_renamed(message, names) for message in messages]


def _renamed(message: object, names: Mapping[str, str]) -> object:
    if not isinstance(message, dict) or "tool_calls" not in message:
        return message
    calls = []
    for call in message["tool_calls"]:
        function = call["function"]
        name = names.get(function["name"], function["name"])
        calls.append({**call, "function": {**function, "name": name}})
    return {**message, "tool_calls": calls}
