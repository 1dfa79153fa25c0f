"""The turn contract as operations: JSON in, outcome out.

The envelopes are checked here (TRN-001, TRN-020, TRN-040). Whether a member that is handed on is in
form is asked of the operation that takes it, given nothing to do beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeGuard

from commoncall import capability, event, extraction, payload
from commoncall.envelope import (
    ENV_EXHAUSTED,
    INVALID_INPUT,
    Env,
    EnvExhausted,
    Operation,
    Outcome,
    too_deep,
)
from commoncall.turn.prepare import prepare
from commoncall.turn.receive import PlanMismatchError, receive
from commoncall.turn.settle import settle

_PREPARE: Final = {
    "request",
    "registries",
    "targets",
    "registered",
    "layers",
    "text_protocol",
    "disposition",
}
_PREPARE_OPTIONS: Final = {
    "allow_inferred",
    "strict_parsing",
    "sections",
    "open_turn",
    "profile",
}
_RECEIVE: Final = {"plan", "message", "request_id", "disposition"}
_RECEIVE_OPTIONS: Final = {
    "request",
    "aliases",
    "tools",
    "dialects",
    "format",
    "fences",
    "starts_in_reasoning",
    "limits",
    "key",
}
_READ_TEXT: Final = ("tools", "dialects", "format", "fences", "starts_in_reasoning", "limits")
_SETTLE: Final = {"received", "outcomes"}
_OUTCOME: Final = {"seq", "status"}
_OUTCOME_OPTIONS: Final = {"content", "latency_ms", "error_type"}
_NO_PROMPT: Final = {"effective": [], "prompt_catalogue": False, "prompt_protocol": False}

Items = list[dict[str, Any]]

_PARTS: Final[Mapping[str, Operation]] = {
    **capability.OPERATIONS,
    **event.OPERATIONS,
    **extraction.OPERATIONS,
    **payload.OPERATIONS,
}


def prepare_operation(value: object, env: Env) -> Outcome:
    """Run `prepare` on JSON input (TRN-001); uses no id."""
    members = _members(value, _PREPARE, _PREPARE_OPTIONS)
    if members is None or not _is_prepare_input(members):
        return INVALID_INPUT
    options = {name: members[name] for name in members.keys() - {"request", "registries"}}
    registries = [capability.load_registry(document) for document in members["registries"]]
    try:
        prepared = prepare(members["request"], registries=registries, **options)
    except payload.RequestRefusedError as refused:
        return {"error": refused.error}
    return {"result": prepared}


def receive_operation(value: object, env: Env) -> Outcome:
    """Run `receive` on JSON input (TRN-020); takes ids from the environment (TRN-021)."""
    members = _members(value, _RECEIVE, _RECEIVE_OPTIONS)
    if members is None or not _is_receive_input(members):
        return INVALID_INPUT
    key = members.get("key")
    try:
        received = receive(
            members["plan"],
            members["message"],
            request_id=members["request_id"],
            disposition=members["disposition"],
            new_id=env.next_id,
            # A request of null has no tools, like an empty one.
            request=members["request"] or {} if "request" in members else None,
            aliases=members.get("aliases"),
            dialects=members.get("dialects"),
            format=members.get("format"),
            tools=members.get("tools", []),
            fences=members.get("fences", "opaque"),
            starts_in_reasoning=members.get("starts_in_reasoning", False),
            payload_bytes=members.get("limits", {}).get("payload_bytes"),
            key=None if key is None else event.Key(key["id"], bytes.fromhex(key["secret_hex"])),
        )
    except PlanMismatchError:
        return {"error": {"code": "plan_mismatch"}}
    except EnvExhausted:
        return ENV_EXHAUSTED
    return {"result": received}


def settle_operation(value: object, env: Env) -> Outcome:
    """Run `settle` on ``{received, outcomes}`` (TRN-040); uses no id and no clock."""
    members = _members(value, _SETTLE)
    if members is None or not _is_received(members["received"]):
        return INVALID_INPUT
    outcomes = members["outcomes"]
    if not isinstance(outcomes, list) or not all(map(_is_outcome, outcomes)):
        return INVALID_INPUT
    try:
        settled = settle(members["received"], outcomes)
    except ValueError:
        return INVALID_INPUT
    return {"result": settled}


def _is_prepare_input(members: dict[str, Any]) -> bool:
    if not isinstance(members["registries"], list) or not isinstance(members["targets"], list):
        return False
    planned = ("registered", "layers", "text_protocol", "strict_parsing")
    kept = ("disposition", "open_turn")
    no_search: dict[str, object] = {"registries": [], "targets": []}
    no_prompt = {"sections": [], "plan": _NO_PROMPT}
    no_request = {"request": None, "capability": None}
    return (
        _is_taken(members, "capability.resolve", ("allow_inferred",), no_search)
        and _is_taken(members, "capability.plan_turn", planned, {"capability": None})
        and _is_taken(members, "capability.filter_prompt", ("sections",), no_prompt)
        and _is_taken(members, "payload.sanitize_history", kept, {"messages": []})
        and _is_taken(members, "payload.sanitize_request", ("profile",), no_request)
    )


def _is_receive_input(members: dict[str, Any]) -> bool:
    plan, message = members["plan"], members["message"]
    if not isinstance(plan, dict) or not _is_message(message):
        return False
    if not all(isinstance(plan.get(n), bool) for n in ("parse_native_calls", "parse_text_calls")):
        return False
    aliases = members.get("aliases", {})
    if not isinstance(aliases, dict) or not _are_strings(aliases.values()):
        return False
    no_text = {"text": "", "effective": []}
    no_calls: dict[str, object] = {"calls": [], "effective": plan.get("effective")}
    return (
        members["disposition"] in ("skip", "answer")
        and _is_taken(members, "extraction.extract", _READ_TEXT, no_text)
        and _is_taken(members, "event.record_calls", ("request_id", "key"), no_calls)
    )


def _is_message(message: object) -> bool:
    if not isinstance(message, dict) or message.keys() - {"truncated"} != {"text", "tool_calls"}:
        return False
    text, calls = message["text"], message["tool_calls"]
    return (
        (text is None or isinstance(text, str))
        and (calls is None or isinstance(calls, list))
        and isinstance(message.get("truncated", False), bool)
    )


def _is_received(received: object) -> bool:
    """Tell whether a value is a received turn; what is not named there is not read."""
    if not isinstance(received, dict):
        return False
    content = received.get("content", 0)
    if content is not None and not isinstance(content, str):
        return False
    planned, calls = received.get("planned"), received.get("calls")
    dispatch, answers = received.get("dispatch"), received.get("answers")
    return (
        _hold(planned, "request_id", "tool", "tool_call_id")
        and _hold(calls, "id", "name", "arguments_json")
        and _hold(dispatch)
        and _hold(answers, "error_type")
        and _belong_together(planned, calls, dispatch, answers)
    )


def _belong_together(planned: Items, calls: Items, dispatch: Items, answers: Items) -> bool:
    """Tell whether the parts of a received turn speak of the same calls of one request."""
    seqs, stored = _seqs(planned), _seqs(calls)
    return (
        seqs == list(range(len(seqs)))
        and len({each["request_id"] for each in planned}) <= 1
        and sorted(_seqs(dispatch) + _seqs(answers)) == seqs
        and len(set(stored)) == len(stored)
        and set(stored) <= set(seqs)
        and all(answer["error_type"] in event.MESSAGES for answer in answers)
    )


def _hold(items: object, *names: str) -> TypeGuard[Items]:
    """Tell whether a value is a list of objects that have a seq, and strings of these names."""
    return isinstance(items, list) and all(
        isinstance(item, dict)
        and _is_integer(item.get("seq"))
        and _are_strings(item.get(name) for name in names)
        for item in items
    )


def _seqs(items: Items) -> list[int]:
    return [int(item["seq"]) for item in items]


def _is_outcome(outcome: object) -> bool:
    return (
        isinstance(outcome, dict)
        and outcome.keys() - _OUTCOME_OPTIONS == _OUTCOME
        and _is_integer(outcome["seq"])
    )


def _is_integer(value: object) -> bool:
    """Tell whether a value is a number without a fraction; ``1.0`` is one, ``true`` is none."""
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not isinstance(value, bool)


def _are_strings(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _is_taken(
    members: Mapping[str, Any], operation: str, names: Iterable[str], rest: Mapping[str, object]
) -> bool:
    """Tell whether a part takes those of these members that are given, the rest being in form."""
    given = {name: members[name] for name in names if name in members}
    return _PARTS[operation]({**rest, **given}, Env()) != INVALID_INPUT


def _members(
    value: object, required: set[str], optional: Iterable[str] = ()
) -> dict[str, Any] | None:
    """Return the input where it is an object of the right members and depth."""
    if not isinstance(value, dict) or too_deep(value):
        return None
    return value if value.keys() - set(optional) == required else None


OPERATIONS: dict[str, Operation] = {
    "turn.prepare": prepare_operation,
    "turn.receive": receive_operation,
    "turn.settle": settle_operation,
}
