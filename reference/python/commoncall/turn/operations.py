"""The turn contract as operations: JSON in, outcome out.

The envelopes are checked here (TRN-001, TRN-020, TRN-040, TRN-060). A member that is handed on has
the form that the contract says which takes it.
"""

from typing import Any, Final

from commoncall import event
from commoncall.capability.operations import are_sections, of_registries
from commoncall.envelope import (
    Env,
    Members,
    Operation,
    Outcome,
    Test,
    all_of,
    apart,
    are_strings,
    array_of,
    is_whole,
    pure,
    says,
    seen,
)
from commoncall.event.operations import is_key, key_of
from commoncall.extraction.operations import TEXT_OPTIONS, text_options
from commoncall.json_text import too_deep
from commoncall.payload.foreign_form import ForeignFormError
from commoncall.payload.foreign_members import MARK, WIRE
from commoncall.payload.history import Disposition
from commoncall.payload.profile import is_origin, is_profile, profile_of
from commoncall.payload.tool_call import EmptyArguments
from commoncall.turn.foreign_reply import refuse_foreign_reply
from commoncall.turn.opaque import carried_names
from commoncall.turn.prepare import prepare
from commoncall.turn.receive import Received, receive
from commoncall.turn.settle import settle
from commoncall.turn.stream import Stream, StreamResult

is_prepare_input: Final = Members(
    {
        "request": object,
        "registries": list,
        "targets": list,
        "registered": are_strings,
        "layers": list,
        "text_protocol": bool,
        "disposition": Disposition,
    },
    {
        "allow_inferred": bool,
        "strict_parsing": bool,
        "sections": are_sections,
        "open_turn": bool,
        "profile": is_profile,
    },
)


@says("be an object of strings")
def are_aliases(aliases: object) -> bool:
    """Tell whether a value is an object of strings."""
    return isinstance(aliases, dict) and all(isinstance(name, str) for name in aliases.values())


is_inbound_plan: Final = Members(
    {"effective": are_strings, "parse_native_calls": bool, "parse_text_calls": bool}, open=True
)
_is_message: Final = Members(
    {"text": str | list | None, "tool_calls": list | None},
    {"truncated": bool, "refusal": str | None, "function_call": object},
)


def _inbound(**given: Test) -> Test:
    """Return a test for the input of an inbound half, whose message is given as these members."""
    required = {"plan": is_inbound_plan, "request_id": str, "disposition": Disposition}
    optional = {
        "request": object,
        "aliases": are_aliases,
        "empty_arguments": EmptyArguments,
        "key": is_key,
        "profile": is_profile,
    }
    form = Members({**required, **given}, {**optional, **TEXT_OPTIONS})
    return apart(apart(form, "dialects", "format"), "reasoning", "starts_in_reasoning")


_has_receive_parts: Final = _inbound(message=dict)
is_stream_input: Final = _inbound(chunks=list)


def _without_carried(given: Any) -> object:
    """Return the message of an input of `turn.receive` without what its profile lets it have."""
    carried = carried_names(profile_of(given.get("profile")))
    return {"message": {n: v for n, v in given["message"].items() if n not in carried}}


is_receive_input: Final = all_of(
    _has_receive_parts, seen(_without_carried, Members({"message": _is_message}))
)


def _items(*names: str) -> Test:
    """Return a test for a list of objects that have a seq, and strings of these names."""
    return array_of(Members({"seq": is_whole, **dict.fromkeys(names, str)}, open=True))


@says("be an object without the members of the wire")
def _are_opaque(value: object) -> bool:
    """Tell whether a value is an object of opaque members; none is one of the wire."""
    return isinstance(value, dict) and WIRE.isdisjoint(value)


@says("be an object without the members of the wire and the mark of origin")
def _are_opaque_members(value: Any) -> bool:
    """Tell the same of the members of a message, where `_from` is refused, too."""
    return _are_opaque(value) and MARK not in value


_of_message: Final = Members(
    {}, {"members": _are_opaque_members, "parts": array_of(dict)}, open=True
)
_of_call: Final = Members({}, dict.fromkeys(("call", "function"), _are_opaque), open=True)
_has_parts: Final = Members(
    {
        "content": str | None,
        "planned": _items("request_id", "tool", "tool_call_id"),
        "calls": all_of(
            _items("id", "name", "arguments_json"),
            array_of(Members({}, {"opaque": _of_call}, open=True)),
        ),
        "dispatch": _items(),
        "answers": _items("error_type"),
    },
    {"refusal": str, "origin": is_origin, "opaque": _of_message},
    open=True,
)


@says("speak of the same calls of one request in all its parts, with known types of errors")
def _agrees(received: Any) -> bool:
    """Tell whether the parts of a received turn speak of the same calls of one request."""
    planned, answers = received["planned"], received["answers"]
    seqs, stored = _seqs(planned), _seqs(received["calls"])
    return (
        seqs == list(range(len(seqs)))
        and len({each["request_id"] for each in planned}) <= 1
        and sorted(_seqs(received["dispatch"]) + _seqs(answers)) == seqs
        and len(set(stored)) == len(stored)
        and set(stored) <= set(seqs)
        and all(answer["error_type"] in event.MESSAGES for answer in answers)
    )


def _seqs(items: list[dict[str, Any]]) -> list[int]:
    return [int(item["seq"]) for item in items]


_is_outcome: Final = Members(
    {"seq": is_whole, "status": object},
    {"content": object, "latency_ms": object, "error_type": object},
)
is_received: Final = all_of(_has_parts, _agrees)
is_settle_input: Final = Members(
    {"received": is_received, "outcomes": array_of(_is_outcome)}, {"profile": is_profile}
)


def without_opaque(given: Any) -> object:
    """Return an input of `turn.settle` without what is opaque: `turn.receive` judged how deep that
    is, and here it stands deeper (TRN-040).
    """
    received = given.get("received") if isinstance(given, dict) else None
    if not isinstance(received, dict):
        return given
    calls = received.get("calls")
    if isinstance(calls, list):
        received = {**received, "calls": [_closed(call) for call in calls]}
    return {**given, "received": _closed(received)}


def _closed(value: object) -> object:
    return {**value, "opaque": None} if isinstance(value, dict) else value


def _options(given: dict[str, Any], env: Env) -> dict[str, Any]:
    """Return the arguments that `receive` and `Stream` have in common."""
    return {
        "request_id": given["request_id"],
        "disposition": given["disposition"],
        "new_id": env.next_id,
        # A request of null has no tools, like an empty one.
        "request": given["request"] or {} if "request" in given else None,
        "aliases": given.get("aliases"),
        "empty_arguments": given.get("empty_arguments", "reject"),
        "key": key_of(given),
        "profile": given.get("profile"),
        **text_options(given),
    }


class _Receive(Operation):
    """Names a reply of another interface before it says what else is wrong (TRN-080)."""

    def __call__(self, value: object, env: Env) -> Outcome:
        try:
            if isinstance(value, dict) and not too_deep(value):
                refuse_foreign_reply(value.get("message"))
        except ForeignFormError as refused:
            return {"error": refused.error}
        return super().__call__(value, env)


def _receive(given: dict[str, Any], env: Env) -> Received:
    return receive(given["plan"], given["message"], **_options(given, env))


def _stream(given: dict[str, Any], env: Env) -> StreamResult:
    stream = Stream(given["plan"], **_options(given, env))
    shown = [stream.feed(chunk) for chunk in given["chunks"]]
    received = stream.finish()
    return {
        "message": stream.message,
        "received": received,
        "shown": [*shown, stream.rest],
        "findings": stream.findings,
    }


OPERATIONS: dict[str, Operation] = {
    "turn.prepare": of_registries(is_prepare_input, prepare),
    "turn.receive": _Receive(is_receive_input, _receive),
    "turn.stream": Operation(is_stream_input, _stream),
    "turn.settle": pure(is_settle_input, settle, ValueError, without_opaque),
}
