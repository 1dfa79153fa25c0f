"""What happens with tools in one turn: what is sent, described, parsed and flattened.

Holds `plan_turn` and its parts only: CAP-032, CAP-035 and CAP-044 of spec/v1/capability.md.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, TypedDict

from commoncall.capability.effective import effective_tools
from commoncall.envelope import Finding
from commoncall.stated_capability import (
    ChoiceKind,
    are_choices,
    stated_choices,
    stated_parallel,
    supports,
)

Protocol = Literal["native", "text", "none"]
"""How calls travel: in the field for them, in the text, or not at all."""


class Plan(TypedDict):
    """One decision for every place where tools matter; ``effective`` is the set for all of them."""

    protocol: Protocol
    effective: list[str]
    send_tools: bool
    send_tool_choice: list[ChoiceKind] | None
    send_parallel_tool_calls: bool | None
    prompt_catalogue: bool
    prompt_protocol: bool
    parse_native_calls: bool
    parse_text_calls: bool
    strip_reasoning: Literal[True]
    history: Literal["keep", "flatten"]
    findings: list[Finding]


def plan_turn(
    registered: Sequence[str],
    layers: Sequence[object],
    capability: object,
    *,
    text_protocol: bool,
    strict_parsing: bool = False,
    messages: Sequence[object] = (),
) -> Plan:
    """Plan one turn; nothing is sent, parsed or changed here.

    Args:
        registered: the names of the tools that the runtime has.
        layers: the policies, any JSON; see `effective_tools`.
        capability: what the model supports, any JSON; the result of `resolve` is one.
        text_protocol: whether the runtime can describe tools in the prompt and find calls in text.
        strict_parsing: whether calls count only in the form that was asked for (CAP-035).
        messages: the history, any JSON; read for tool turns only (CAP-035).
    """
    tools = effective_tools(registered, layers)
    protocol = _protocol(bool(tools["effective"]), supports(capability), text_protocol)
    native, text = protocol == "native", protocol == "text"
    flatten = not native and any(map(_is_tool_turn, messages))
    return {
        "protocol": protocol,
        "effective": [] if protocol == "none" else tools["effective"],
        "send_tools": native,
        "send_tool_choice": stated_choices(capability) if native else [],
        "send_parallel_tool_calls": stated_parallel(capability) if native else False,
        "prompt_catalogue": text,
        "prompt_protocol": text,
        "parse_native_calls": native,
        "parse_text_calls": text or (native and not strict_parsing),
        "strip_reasoning": True,
        "history": "flatten" if flatten else "keep",
        "findings": [*_capability_findings(capability), *tools["findings"]],
    }


def _protocol(any_tool: bool, supported: bool, text_protocol: bool) -> Protocol:
    """Read the table of protocols (CAP-032)."""
    if not any_tool:
        return "none"
    if supported:
        return "native"
    return "text" if text_protocol else "none"


def _is_tool_turn(message: object) -> bool:
    """Tell whether a message calls tools or answers a call (CAP-035)."""
    if not isinstance(message, dict):
        return False
    calls = message.get("tool_calls")
    called = message.get("role") == "assistant" and isinstance(calls, list) and bool(calls)
    return called or message.get("role") == "tool"


def _capability_findings(capability: object) -> Iterator[Finding]:
    """Yield what of a capability is read as closed, in the order of the paths (CAP-044)."""
    if not isinstance(capability, dict):
        yield {"code": "capability_malformed", "path": "/capability"}
        return
    parallel, choices = capability.get("parallel_tool_calls"), capability.get("tool_choice")
    for name, readable in (
        ("parallel_tool_calls", parallel is None or isinstance(parallel, bool)),
        ("tool_calls_supported", isinstance(capability.get("tool_calls_supported"), bool)),
        ("tool_choice", choices is None or are_choices(choices)),
    ):
        if not readable:
            yield {"code": "capability_malformed", "path": f"/capability/{name}"}
